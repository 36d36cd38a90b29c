"""Writes library/test/docs/fixtures/adult-{train,test}.csv: the ten training and ten test rows of UCI's "adult" that scikit-learn's tests have.

    /usr/bin/python3 tools/datasets/adult.py        # Debian's python3-sklearn

The whole data are not included; with these rows the tests run the guide's program, and with the whole files in the folder ARGMAX_DATA
they check what it prints.
"""

import csv
import gzip
from pathlib import Path

import sklearn

SOURCE = Path(sklearn.__file__).parent / "datasets/tests/data/openml"
OUT = Path(__file__).parents[2] / "library/test/docs/fixtures"
NAMES = (
    "age workclass fnlwgt education education_num marital_status occupation relationship race sex "
    "capital_gain capital_loss hours_per_week native_country income"
).split()


def rows_of(folder):
    [file] = (SOURCE / folder).glob("data-*.arff.gz")
    lines = gzip.open(file, "rt", encoding="utf-8").read().splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip().lower() == "@data")
    for row in csv.reader(lines[start + 1:], skipinitialspace=True):
        if row:
            # OpenML's copy of the training rows numbers them.
            yield ["" if cell == "?" else cell for cell in row[-len(NAMES):]]


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for part, folder in (("train", "id_1119"), ("test", "id_1590")):
        rows = list(rows_of(folder))
        assert len(rows) == 10 and all(len(row) == len(NAMES) for row in rows)
        with open(OUT / f"adult-{part}.csv", "w", encoding="utf-8", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows([NAMES, *rows])


main()
