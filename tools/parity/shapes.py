"""The data of the parity fixtures, and the one place that writes them.

Two kinds of data, named in every case so that no matrix is stored twice:
  {"included": "iris", ...}                    a set that the library ships, by its name there
  {"synthetic": "tall", "target": "binary"}    a set of fixtures/data.json, written by this file

Synthetic entries are rounded to few decimals: short in JSON, and read back to the same double everywhere.
"""

import json
import os
from collections import namedtuple

import numpy as np
import scipy
import scipy.sparse as sp
import sklearn
import sklearn.datasets

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../library/test/parity/fixtures")

# X dense or CSR, y as the library gets it, weight the sample weights that come with the set, spec its name.
Data = namedtuple("Data", "X y weight spec")

LOADERS = {
    "iris": sklearn.datasets.load_iris,
    "wine": sklearn.datasets.load_wine,
    "breastCancer": sklearn.datasets.load_breast_cancer,
    "digits": sklearn.datasets.load_digits,
    "diabetes": sklearn.datasets.load_diabetes,
}


def standardized(X):
    """Column mean 0 and population deviation 1; a constant column becomes 0."""
    scale = X.std(axis=0)
    scale[scale == 0] = 1
    return (X - X.mean(axis=0)) / scale


def included(name, standardize=False, classes=None):
    """A set that the library ships; `classes` keeps only the rows of these classes."""
    raw = LOADERS[name]()
    X, y = np.asarray(raw.data, float), raw.target
    if name == "digits":
        y = y.astype(int)
    elif name != "diabetes":
        y = np.array([str(t) for t in raw.target_names])[y]
    spec = {"included": name}
    if classes is not None:
        keep = np.isin(y, classes)
        X, y = X[keep], y[keep]
        spec["classes"] = list(classes)
    if standardize:
        X = standardized(X)
        spec["standardize"] = True
    return Data(X, y, None, spec)


def quarters(rng, n):
    """Sample weights 0, 0.25, … 3: exact in binary, some rows absent."""
    return rng.integers(0, 13, n) / 4


def labels_from(rng, Z, names):
    """Classes that overlap: the arg max of the scores plus Gumbel noise."""
    return np.array(names)[np.argmax(Z + rng.gumbel(size=Z.shape), axis=1)]


def targets_for(rng, X, columns_scale=None):
    """One set of rows, four targets: numbers, two classes, three classes, counts."""
    n, d = X.shape
    U = (X if columns_scale is None else X / columns_scale) / np.sqrt(d)
    w = rng.normal(size=(d, 3)) * 2
    Z = U @ w
    return {
        "number": np.round(3 + 2 * Z[:, 0] + 0.5 * rng.normal(size=n), 4),
        "binary": labels_from(rng, np.column_stack([Z[:, 1], np.zeros(n)]), ["yes", "no"]),
        "three": labels_from(rng, Z, ["low", "mid", "high"]),
        "count": rng.poisson(np.exp(0.3 + 0.5 * Z[:, 2])).astype(int),
        "weight": quarters(rng, n),
    }


def make_shapes():
    """The shapes of data that break solvers, each small."""
    rng = np.random.default_rng(20240607)
    shapes = {}

    def add(name, X, targets):
        shapes[name] = {"X": X, **targets}

    X = np.round(rng.normal(size=(240, 6)) + 0.5, 4)  # n ≫ d
    add("tall", X, targets_for(rng, X))

    X = np.round(rng.normal(size=(40, 120)), 4)  # d ≫ n
    add("wide", X, targets_for(rng, X))

    # Sixteenths, so that the dependent columns are exact sums in binary: rank 4 of 6.
    B = rng.integers(-32, 33, size=(90, 4)) / 16
    X = np.column_stack([B, B[:, 0] + B[:, 1], 2 * B[:, 2]])
    add("collinear", X, targets_for(rng, X))

    scale = np.array([1e-4, 1e-2, 1.0, 1e3, 1e5])
    X = np.vectorize(lambda v: float(f"{v:.5g}"))((rng.normal(size=(120, 5)) + 0.3) * scale)
    add("badlyScaled", X, targets_for(rng, X, scale))

    # Two classes with a gap of 1 between them along the first axis.
    X = np.round(rng.normal(size=(60, 3)), 4)
    X[:, 0] = np.round(X[:, 0] + np.where(X[:, 0] > 0, 0.5, -0.5), 4)
    add("separable", X, {"binary": np.where(X[:, 0] > 0, "right", "left"), "weight": quarters(rng, 60)})

    letters = np.array([chr(ord("a") + k) for k in range(26)])
    y = np.repeat(letters, 10)
    centres = rng.normal(size=(26, 6)) * 1.5
    X = np.round(np.repeat(centres, 10, axis=0) + rng.normal(size=(260, 6)), 4)
    add("letters", X, {"letter": y, "weight": quarters(rng, 260)})

    # Counts of words, about 8 % of them non-zero; row 7 and column 11 are empty.
    X = rng.poisson(0.09, size=(150, 60)).astype(float)
    X[7] = 0
    X[:, 11] = 0
    add("sparse", sp.csr_matrix(X), targets_for(rng, X))
    return shapes


SHAPES = make_shapes()


def synthetic(name, target):
    shape = SHAPES[name]
    return Data(shape["X"], shape[target], shape["weight"], {"synthetic": name, "target": target})


def plain(value):
    """numpy → what json writes; an integer-valued double keeps its value and loses its '.0'."""
    if isinstance(value, np.ndarray):
        return [plain(v) for v in value.tolist()]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        if not np.isfinite(value):
            raise ValueError("a fixture holds finite numbers only")
        return int(value) if value == int(value) and abs(value) < 2**53 else value
    return value


def dumps(value):
    return json.dumps(plain(value), separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def write(name, text):
    os.makedirs(FIXTURES, exist_ok=True)
    with open(os.path.join(FIXTURES, name), "w", encoding="utf-8") as f:
        f.write(text)
    print(f"{name}: {len(text) / 1024:.0f} KB", flush=True)


def write_fixture(family, cases):
    """One line a case, so that a change of one case is a change of one line."""
    versions = {"scikit-learn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__}
    names = [case["name"] for case in cases]
    if len(set(names)) != len(names):
        raise ValueError(f"{family}: two cases have one name")
    lines = ",\n".join(dumps(case) for case in cases)
    write(f"{family}.json", f'{{"family":"{family}","versions":{dumps(versions)},"cases":[\n{lines}\n]}}\n')


def sample_rows(n, count=12):
    """The rows whose predictions are stored: spread over the whole set, so that every class is met."""
    return np.unique(np.linspace(0, n - 1, min(n, count)).astype(int))


def write_shapes():
    lines = []
    for name, shape in SHAPES.items():
        entry = dict(shape)
        X = entry["X"]
        if sp.issparse(X):
            entry["X"] = {"rows": X.shape[0], "cols": X.shape[1], "indptr": X.indptr,
                          "indices": X.indices, "values": X.data}
        lines.append(f'"{name}":{dumps(entry)}')
    write("data.json", "{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    write_shapes()
