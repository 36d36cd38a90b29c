"""Fixtures of Gaussian mixtures: EM from a given start, and the maximum that R's mclust finds."""

import os
import subprocess

import numpy as np
from sklearn.mixture import GaussianMixture

from shapes import included, sample_rows, synthetic, write_fixture


def start(X, k, kind):
    """Rows spread over the set as means, equal weights, and the precision of the whole set in the shape of the kind."""
    n, d = X.shape
    means = X[(np.arange(k) * n) // k + n // (2 * k)]
    covariance = np.cov(X.T, bias=True).reshape(d, d) + 1e-3 * np.eye(d)
    precision = np.linalg.inv(covariance)
    precision = np.round((precision + precision.T) / 2, 10)
    scalar = 1 / np.trace(covariance) * d
    precisions = {"full": np.array([precision] * k), "tied": precision,
                  "diag": np.array([1 / np.diag(covariance)] * k), "spherical": np.full(k, scalar)}[kind]
    return np.full(k, 1 / k), means, precisions


def trace(model, X):
    """The mean log-likelihood of every iteration: scikit-learn stores only the last."""
    bounds = []
    step = model._e_step

    def remembered(X):
        mean, log_resp = step(X)
        bounds.append(mean)
        return mean, log_resp

    model._e_step = remembered
    model.fit(X)
    return bounds[:model.n_iter_]


def case(name, data, k, kind, reg=1e-6, iterations=40):
    X = data.X
    weights, means, precisions = start(X, k, kind)
    params = dict(n_components=k, covariance_type=kind, weights_init=weights, means_init=means, precisions_init=precisions,
                  reg_covar=reg, max_iter=iterations, tol=1e-6, random_state=0, init_params="random")
    model = GaussianMixture(**params)
    bounds = trace(model, X)
    rows = sample_rows(X.shape[0], 12)
    return {
        "name": name, "estimator": "GaussianMixture", "data": data.spec, "oracle": "scikit-learn", "weighted": False,
        "params": {"nComponents": k, "covarianceType": kind, "weightsInit": weights, "meansInit": means,
                   "precisionsInit": precisions, "regCovar": reg, "maxIter": iterations, "tol": 1e-6},
        "expected": {"lowerBounds": bounds, "converged": bool(model.converged_), "weights": model.weights_, "means": model.means_,
                     "covariances": model.covariances_, "rows": rows, "predict": model.predict(X[rows]),
                     "predictProba": model.predict_proba(X[rows]), "scoreSamples": model.score_samples(X[rows]),
                     "score": model.score(X), "aic": model.aic(X), "bic": model.bic(X),
                     "nParameters": int(model._n_parameters())},
    }


def mclust():
    """log-likelihood and BIC (with the opposite sign there) of the full mixture of three Gaussians on iris."""
    script = ("suppressMessages(library(mclust)); m <- Mclust(iris[, 1:4], 3, 'VVV', verbose = FALSE);"
              "m <- me(iris[, 1:4], 'VVV', m$z, control = emControl(tol = c(1e-14, 1e-14)));"
              "cat(format(m$loglik, digits = 15))")
    environment = {**os.environ, "LC_ALL": "C"}
    text = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True, check=True, env=environment).stdout
    return {"name": "iris, three components", "estimator": "mclust", "data": included("iris").spec, "params": {},
            "oracle": "mclust", "weighted": False, "expected": {"logLikelihood": float(text)}}


IRIS, WINE = included("iris"), included("wine", standardize=True)
CANCER, DIGITS = included("breastCancer", standardize=True), included("digits")
TALL, LETTERS = synthetic("tall", "three"), synthetic("letters", "letter")

cases = [
    *[case(f"{name}, {kind}", data, k, kind)
      for name, data, k in [("iris", IRIS, 3), ("wine", WINE, 3), ("tall", TALL, 4), ("letters", LETTERS, 8)]
      for kind in ["full", "tied", "diag", "spherical"]],
    case("cancer, full", CANCER, 2, "full"),
    case("digits, diag", DIGITS, 10, "diag", reg=1e-2, iterations=15),
    case("digits, spherical", DIGITS, 10, "spherical", iterations=15),
    case("iris, one component", IRIS, 1, "full"),
    case("wine, more regularisation", WINE, 5, "full", reg=0.1),
    mclust(),
]

write_fixture("mixture", cases)
