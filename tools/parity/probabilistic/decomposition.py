"""Fixtures of PCA, TruncatedSVD and KernelPCA, and of R's prcomp."""

import os
import subprocess

import numpy as np
from sklearn.decomposition import PCA, KernelPCA, TruncatedSVD

from shapes import included, sample_rows, synthetic, write_fixture

NAMES = {"n_components": "nComponents", "degree": "degree", "gamma": "gamma", "coef0": "coef0"}


def case(name, estimator, data, params, expected):
    return {"name": name, "estimator": estimator, "data": data.spec, "oracle": "scikit-learn", "weighted": False,
            "params": {NAMES.get(key, key): value for key, value in params.items()}, "expected": expected}


def pca(name, data, **params):
    """scikit-learn's exact solver."""
    X = data.X
    model = PCA(svd_solver="full", **params).fit(X)
    rows = sample_rows(X.shape[0], 8)
    scores = model.transform(X[rows])
    return case(name, "PCA", data, params, {
        "mean": model.mean_, "components": model.components_, "explainedVariance": model.explained_variance_,
        "explainedVarianceRatio": model.explained_variance_ratio_, "singularValues": model.singular_values_,
        "noiseVariance": model.noise_variance_, "rows": rows, "transform": scores,
        "inverseTransform": model.inverse_transform(scores)})


def svd(name, data, k):
    """The exact singular vectors; explained variances as scikit-learn defines them."""
    model = TruncatedSVD(k, algorithm="arpack", random_state=0, tol=0).fit(data.X)
    rows = sample_rows(data.X.shape[0], 8)
    return case(f"singular vectors of {name}", "TruncatedSVD", data, {"n_components": k}, {
        "components": model.components_, "singularValues": model.singular_values_,
        "explainedVariance": model.explained_variance_, "explainedVarianceRatio": model.explained_variance_ratio_,
        "rows": rows, "transform": model.transform(data.X[rows])})


def kernel(name, data, k, **params):
    model = KernelPCA(k, eigen_solver="dense", **params).fit(data.X)
    rows = sample_rows(data.X.shape[0], 8)
    return case(name, "KernelPCA", data, {"n_components": k, **params},
                {"eigenvalues": model.eigenvalues_, "rows": rows, "transform": model.transform(data.X[rows])})


def prcomp():
    script = "p <- prcomp(iris[, 1:4]); cat(format(c(p$sdev, abs(p$rotation)), digits = 15))"
    environment = {**os.environ, "LC_ALL": "C"}
    text = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True, check=True, env=environment).stdout
    numbers = np.array(text.split(), float)
    return {"name": "prcomp of iris", "estimator": "prcomp", "data": included("iris").spec, "params": {}, "oracle": "R",
            "weighted": False, "expected": {"sdev": numbers[:4], "sizes": numbers[4:].reshape(4, 4)}}


IRIS, WINE, CANCER = included("iris"), included("wine"), included("breastCancer")
DIGITS = included("digits")
TALL, WIDE, SPARSE = synthetic("tall", "three"), synthetic("wide", "three"), synthetic("sparse", "three")
COLLINEAR = synthetic("collinear", "three")

cases = [
    pca("iris", IRIS), pca("iris, two", IRIS, n_components=2), pca("iris, whitened", IRIS, n_components=3, whiten=True),
    pca("wine", WINE), pca("cancer, most of the variance", CANCER, n_components=0.99), pca("tall", TALL),
    pca("digits, ten", DIGITS, n_components=10), pca("digits, half of the variance", DIGITS, n_components=0.5),
    pca("wide, fifteen", WIDE, n_components=15), pca("wide, whitened", WIDE, n_components=5, whiten=True),
    pca("collinear, those that vary", COLLINEAR, n_components=4),
    svd("sparse", SPARSE, 5), svd("iris", IRIS, 3), svd("wide", WIDE, 8), svd("digits", DIGITS, 6),
    *[kernel(f"{name}, {kind}", data, 4, kernel=kind, **params)
      for name, data in [("iris", IRIS), ("tall", TALL)]
      for kind, params in [("linear", {}), ("rbf", {"gamma": 0.3}), ("poly", {"gamma": 0.1, "degree": 3, "coef0": 1}),
                           ("sigmoid", {"gamma": 0.01, "coef0": 0.1})]],
    prcomp(),
]

write_fixture("decomposition", cases)
