"""Writes library/src/data/included/titanic.ts from the file that scikit-learn's tests have of OpenML's data set 40945.

    /usr/bin/python3 tools/datasets/titanic.py        # Debian's python3-sklearn
"""

import csv
import gzip
import io
from pathlib import Path

import sklearn

FOLDER = Path(sklearn.__file__).parent / "datasets/tests/data/openml/id_40945"
OUT = Path(__file__).parents[2] / "library/src/data/included/titanic.ts"
HEAD = """// Source: F. E. Harrell Jr., T. Cason (Vanderbilt), Encyclopedia Titanica; OpenML 40945, via scikit-learn
// Licence: public
// Written by tools/datasets; do not edit.

export const rows: string = String.raw`
"""


def main():
    [file] = FOLDER.glob("data-*.arff.gz")
    lines = gzip.open(file, "rt", encoding="utf-8").read().splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip().lower() == "@data")
    names = [line.split()[1].strip("'\"") for line in lines if line.lower().startswith("@attribute")]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    count = 0
    for row in csv.reader(lines[start + 1:], escapechar="\\", skipinitialspace=True):
        if not row:
            continue
        writer.writerow(["" if cell == "?" else cell for cell in row])
        count += 1
    text = out.getvalue()
    assert "`" not in text and "${" not in text and count == 1309, count
    OUT.write_text(HEAD + text + "`;\n", encoding="utf-8")
    print(f"{count} rows, {len(text) / 1024:.0f} KB")


main()
