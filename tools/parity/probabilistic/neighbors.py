"""Fixtures of the nearest neighbours, the classifiers and regressors made of them, and NearestCentroid."""

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import (
    KNeighborsClassifier, KNeighborsRegressor, NearestCentroid, NearestNeighbors, RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
)

from shapes import included, sample_rows, synthetic, write_fixture

NAMES = {"n_neighbors": "nNeighbors", "leaf_size": "leafSize", "shrink_threshold": "shrinkThreshold",
         "outlier_label": "outlierLabel"}
ALGORITHMS = {"kd_tree": "kdTree", "ball_tree": "ballTree"}


def camel(params):
    values = {NAMES.get(key, key): value for key, value in params.items()}
    if "algorithm" in values:
        values["algorithm"] = ALGORITHMS.get(values["algorithm"], values["algorithm"])
    return values


def case(name, estimator, data, params, expected):
    return {"name": name, "estimator": estimator, "data": data.spec, "params": camel(params), "oracle": "scikit-learn",
            "weighted": False, "expected": expected}


def nearest(name, data, k=6, **params):
    """The k + 1 nearest other rows of some rows: the last shows whether the k-th is tied."""
    model = NearestNeighbors(n_neighbors=k, **params).fit(data.X)
    rows = sample_rows(data.X.shape[0], 20)
    distances, indices = model.kneighbors(None, k + 1)
    return case(name, "NearestNeighbors", data, {"n_neighbors": k, **params},
                {"rows": rows, "distances": distances[rows], "indices": indices[rows]})


def within(name, data, radius, **params):
    model = NearestNeighbors(radius=radius, **params).fit(data.X)
    rows = sample_rows(data.X.shape[0], 20)
    distances, indices = model.radius_neighbors(data.X[rows])
    order = [np.argsort(i) for i in indices]
    return case(name, "radius", data, {"radius": radius, **params},
                {"rows": rows, "distances": [d[o] for d, o in zip(distances, order)],
                 "indices": [i[o] for i, o in zip(indices, order)]})


def halves(data):
    """Even rows to learn from, odd rows to predict."""
    n = data.X.shape[0]
    return np.arange(0, n, 2), np.arange(1, n, 2)


def classify(name, data, Estimator=KNeighborsClassifier, **params):
    train, test = halves(data)
    model = Estimator(**params).fit(data.X[train], data.y[train])
    expected = {"classes": model.classes_, "score": model.score(data.X[test], data.y[test]),
                "predict": model.predict(data.X[test])}
    if hasattr(model, "predict_proba"):
        expected["predictProba"] = model.predict_proba(data.X[test])
    if Estimator is NearestCentroid:
        expected["centroids"] = model.centroids_
    return case(name, Estimator.__name__, data, params, expected)


def regress(name, data, Estimator=KNeighborsRegressor, **params):
    train, test = halves(data)
    model = Estimator(**params).fit(data.X[train], data.y[train])
    return case(name, Estimator.__name__, data, params,
                {"predict": model.predict(data.X[test]), "score": model.score(data.X[test], data.y[test])})


IRIS, WINE, CANCER = included("iris"), included("wine", standardize=True), included("breastCancer")
DIGITS, DIABETES = included("digits"), included("diabetes")
TALL, WIDE, LETTERS = synthetic("tall", "three"), synthetic("wide", "three"), synthetic("letters", "letter")
SPARSE, SCALED = synthetic("sparse", "three"), synthetic("badlyScaled", "three")

cases = [
    *[nearest(f"{name}, {algorithm}", data, algorithm=algorithm)
      for name, data in [("iris", IRIS), ("cancer", CANCER), ("tall", TALL), ("wide", WIDE), ("badly scaled", SCALED)]
      for algorithm in ["brute", "kd_tree", "ball_tree"]],
    nearest("digits", DIGITS, k=10),
    *[nearest(f"wine, {metric}", WINE, metric=metric) for metric in ["manhattan", "chebyshev", "cosine"]],
    *[nearest(f"tall, minkowski {p}, {algorithm}", TALL, metric="minkowski", p=p, algorithm=algorithm)
      for p in [1, 1.5, 3, 4] for algorithm in ["brute", "kd_tree"]],
    nearest("digits, hamming", DIGITS, metric="hamming"),
    nearest("sparse, euclidean", SPARSE, algorithm="brute"),
    nearest("sparse, cosine", SPARSE, metric="cosine"),
    within("iris within 0.6", IRIS, 0.6),
    within("wine within 6, manhattan", WINE, 6.0, metric="manhattan"),
    within("tall within 1.5, ball tree", TALL, 1.5, algorithm="ball_tree"),
    within("sparse within 2.5", SPARSE, 2.5, algorithm="brute"),
    *[classify(f"{name}, k {k}, {weights}", data, n_neighbors=k, weights=weights)
      for name, data in [("iris", IRIS), ("wine", WINE), ("digits", DIGITS), ("letters", LETTERS), ("sparse", SPARSE)]
      for k, weights in [(1, "uniform"), (5, "uniform"), (7, "distance")]],
    classify("sparse, k 4, cosine", SPARSE, metric="cosine", n_neighbors=4),
    classify("wine, radius", WINE, RadiusNeighborsClassifier, radius=6.0),
    classify("wine, radius, distance", WINE, RadiusNeighborsClassifier, radius=6.5, weights="distance"),
    regress("diabetes, k 5", DIABETES),
    regress("diabetes, k 9, distance", DIABETES, n_neighbors=9, weights="distance", algorithm="ball_tree"),
    regress("tall", synthetic("tall", "number"), n_neighbors=4, metric="manhattan"),
    regress("diabetes, radius", DIABETES, RadiusNeighborsRegressor, radius=0.3),
    *[classify(f"{name}, centroids", data, NearestCentroid)
      for name, data in [("iris", IRIS), ("wine", WINE), ("digits", DIGITS), ("sparse", SPARSE)]],
    *[classify(f"wine, centroids shrunken by {t}", WINE, NearestCentroid, shrink_threshold=t) for t in [0.1, 0.5, 2.0]],
    classify("iris, medians", IRIS, NearestCentroid, metric="manhattan"),
]

if __name__ == "__main__":
    write_fixture("neighbors", cases)
