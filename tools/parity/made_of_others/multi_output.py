"""Fixtures of estimators that fit another one to every column of Y, alone or in a chain, on linnerud and iris."""

import numpy as np
from sklearn.datasets import load_iris, load_linnerud
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.multioutput import MultiOutputClassifier, MultiOutputRegressor, RegressorChain
from sklearn.naive_bayes import GaussianNB

from shapes import sample_rows, write_fixture

linnerud = load_linnerud()
iris = load_iris()
# The same as several-targets-data.json.
DATA = {
    "linnerud": (linnerud.data, linnerud.target),
    "iris": (iris.data[:, :2], iris.data[:, 2:]),
}
# Without ties: of equally near rows or equally good splits, another one might be taken.
MEMBERS = {
    "LinearRegression": LinearRegression,
    "Ridge": lambda: Ridge(alpha=2),
    "KernelRidge": lambda: KernelRidge(alpha=0.5, kernel="rbf", gamma=0.01),
}


def weights_of(n):
    """1, 2, 3, 1, 2, 3, …"""
    return np.arange(n) % 3 + 1.0


def regression(estimator, member, data, weighted=False, **params):
    X, Y = DATA[data]
    kind = {"MultiOutputRegressor": MultiOutputRegressor, "RegressorChain": RegressorChain}[estimator]
    weight = weights_of(len(X)) if weighted else None
    model = kind(MEMBERS[member](), **params).fit(X, Y, **({"sample_weight": weight} if weighted else {}))
    rows = sample_rows(len(X))
    detail = "".join(f", {key} {value}" for key, value in params.items()) + (", weighted" if weighted else "")
    return {
        "name": f"{estimator} of {member}, {data}{detail}",
        "estimator": estimator,
        "oracle": "scikit-learn",
        "data": data,
        "params": {"member": member, **params},
        "weighted": weighted,
        "expected": {"rows": rows, "predict": model.predict(X)[rows], "score": model.score(X, Y)},
    }


def labels():
    """Two columns of labels of iris: the species, and whether the petal is wider than 1.3 cm; X are the sepals."""
    names = iris.target_names[iris.target]
    wide = np.where(iris.data[:, 3] > 1.3, "wide", "narrow")
    return iris.data[:, :2], np.column_stack([names, wide])


def classification(weighted):
    X, Y = labels()
    weight = weights_of(len(X)) if weighted else None
    model = MultiOutputClassifier(GaussianNB()).fit(X, Y, **({"sample_weight": weight} if weighted else {}))
    rows = sample_rows(len(X))
    return {
        "name": f"MultiOutputClassifier of GaussianNB, iris{', weighted' if weighted else ''}",
        "estimator": "MultiOutputClassifier",
        "oracle": "scikit-learn",
        "data": "iris",
        "params": {},
        "weighted": weighted,
        "inputs": {"labels": Y},
        "expected": {"rows": rows, "predict": model.predict(X)[rows], "score": model.score(X, Y),
                     "predictProba": [p[rows] for p in model.predict_proba(X)]},
    }


def cases():
    for data in DATA:
        last_first = list(range(DATA[data][1].shape[1]))[::-1]
        for member in MEMBERS:
            yield regression("MultiOutputRegressor", member, data)
            yield regression("RegressorChain", member, data)
            yield regression("RegressorChain", member, data, order=last_first)
            yield regression("RegressorChain", member, data, cv=4)
            yield regression("MultiOutputRegressor", member, data, weighted=True)
            yield regression("RegressorChain", member, data, weighted=True)


write_fixture("multi-output", list(cases()))
write_fixture("multi-output-labels", [classification(weighted) for weighted in (False, True)])
