"""Writes library/src/data/included/*.ts from the data that Debian's python3-sklearn installs.

    /usr/bin/python3 tools/datasets/write.py

Every module holds the numbers as text that JavaScript reads back to the same doubles, and the SHA-256 of
scikit-learn's own arrays (X row by row, then y, as little-endian doubles), which the tests compare with.
"""

import hashlib
from pathlib import Path

import numpy as np
from sklearn import datasets

TARGET = Path(__file__).resolve().parents[2] / "library" / "src" / "data" / "included"


def shortest(value: float) -> str:
    """The shortest decimal that reads back as the same double: 5.1, 3, .05."""
    text = repr(float(value))
    if text.endswith(".0"):
        text = text[:-2]
    return text[1:] if text.startswith("0.") else text


def digest(X: np.ndarray, y: np.ndarray) -> str:
    sha = hashlib.sha256()
    for array in (X, y):
        sha.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return sha.hexdigest()


def write(name: str, source: str, licence: str, constants: dict[str, str]) -> None:
    lines = [
        f"// Source: {source}",
        f"// Licence: {licence}",
        "// Written by tools/datasets; do not edit.",
        "",
    ]
    # Without a type the declaration file would repeat the whole text as one.
    kind = lambda value: "readonly number[]" if value.startswith("[") else "string"
    lines += [f"export const {key}: {kind(value)} = {value};" for key, value in constants.items()]
    (TARGET / f"{name}.ts").write_text("\n".join(lines) + "\n", encoding="utf-8")


def text(rows) -> str:
    return "`\n" + "\n".join(rows) + "\n`"


def numbers_of(loaded) -> str:
    """Rows of comma-separated numbers, the target last."""
    assert [[float(shortest(v)) for v in row] for row in loaded.data] == loaded.data.tolist()
    pairs = zip(loaded.data, loaded.target)
    return text(",".join([shortest(v) for v in row] + [shortest(t)]) for row, t in pairs)


def table(name: str, loaded, source: str, licence: str) -> None:
    constants = {"rows": numbers_of(loaded), "digest": f'"{digest(loaded.data, loaded.target)}"'}
    write(name, source, licence, constants)


def digits(source: str, licence: str) -> None:
    """One character a pixel (0 to g = 16), the digit last."""
    loaded = datasets.load_digits()
    alphabet = "0123456789abcdefg"
    rows = ["".join(alphabet[int(v)] for v in row) + str(t) for row, t in zip(loaded.data, loaded.target)]
    constants = {"rows": text(rows), "digest": f'"{digest(loaded.data, loaded.target)}"'}
    write("digits", source, licence, constants)


def diabetes(source: str, licence: str) -> None:
    """Raw measurements, and the numbers with which scikit-learn turns them into its scaled version."""
    raw = datasets.load_diabetes(scaled=False)
    scaled = datasets.load_diabetes()
    mean = raw.data.mean(axis=0)
    deviation = raw.data.std(axis=0)
    again = (raw.data - mean) / deviation / np.sqrt(float(len(raw.data)))
    assert np.array_equal(again, scaled.data), "the module's formula must give scikit-learn's bits"

    def numbers(values: np.ndarray) -> str:
        return "[" + ", ".join(repr(float(v)) for v in values) + "]"

    extra = {
        "mean": numbers(mean),
        "deviation": numbers(deviation),
        "rawDigest": f'"{digest(raw.data, raw.target)}"',
    }
    constants = {"rows": numbers_of(raw), "digest": f'"{digest(scaled.data, scaled.target)}"'}
    write("diabetes", source, licence, constants | extra)


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    uci = "CC BY 4.0 (UCI Machine Learning Repository)"
    table("iris", datasets.load_iris(), "R. A. Fisher (1936), as in scikit-learn", uci)
    table("wine", datasets.load_wine(), "M. Forina et al. (1991), UCI Wine, as in scikit-learn", uci)
    wdbc = "W. H. Wolberg et al. (1995), UCI Breast Cancer Wisconsin (Diagnostic), as in scikit-learn"
    table("breast-cancer", datasets.load_breast_cancer(), wdbc, uci)
    digits("E. Alpaydin, C. Kaynak (1998), UCI Optical Recognition of Handwritten Digits, test part, as in scikit-learn", uci)
    diabetes(
        "B. Efron, T. Hastie, I. Johnstone, R. Tibshirani (2004), Least Angle Regression, as in scikit-learn",
        "published by the authors with the paper; redistributed by scikit-learn under BSD-3-Clause",
    )


if __name__ == "__main__":
    main()
