"""Writes library/src/text/unicode-tables.ts: which characters Python's `re` and `unicodedata` take for what.

    /usr/bin/python3 tools/unicode/write.py

The library carries these tables instead of asking the engine's RegExp, since engines follow different versions of
Unicode: with the tables a text has the same words in every browser, and the same as in scikit-learn.
"""

import re
import textwrap
import unicodedata
from pathlib import Path

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number):
    text = ""
    while True:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
        if number == 0:
            return text


def packed(belongs):
    """Lengths of the alternating runs of characters outside and inside, from U+0000 on."""
    runs, inside, start = [], False, 0
    for point in range(0x110000):
        if belongs(chr(point)) != inside:
            runs.append(base36(point - start))
            inside, start = not inside, point
    if inside:
        runs.append(base36(0x110000 - start))
    return "\n".join(textwrap.wrap(" ".join(runs), 108))


def matches(pattern):
    compiled = re.compile(pattern)
    return lambda character: compiled.match(character) is not None


TABLES = [
    ("wordRuns", r"What `\w` matches: letters, numbers of every kind and the underscore, but no combining marks.",
     matches(r"\w")),
    ("digitRuns", r"What `\d` matches: decimal digits of every script.", matches(r"\d")),
    ("spaceRuns", r"What `\s` matches and `str.split()` splits at.", matches(r"\s")),
    ("combiningRuns", "Characters with a combining class other than 0: what stripping accents removes.",
     lambda character: unicodedata.combining(character) != 0),
]


def main():
    parts = [
        f"// Written by tools/unicode/write.py from Python's tables of Unicode {unicodedata.unidata_version}.\n"
        "// Lengths in base 36 of the alternating runs of characters outside and inside, from U+0000 on.\n"
    ]
    for name, doc, belongs in TABLES:
        parts.append(f"/** {doc} */\nexport const {name}: string = `\n{packed(belongs)}\n`;\n")
    target = Path(__file__).resolve().parents[2] / "library/src/text/unicode-tables.ts"
    target.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
