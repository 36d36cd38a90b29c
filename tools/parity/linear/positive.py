"""Fixtures of coefficients that are not negative, against scikit-learn."""

import numpy as np
from sklearn.linear_model import ElasticNet, ElasticNetCV, Lasso, LassoCV, LinearRegression, Ridge

from shapes import included, synthetic, write_fixture

NAMES = {"l1_ratio": "l1Ratio", "n_alphas": "nAlphas", "fit_intercept": "fitIntercept"}
PRECISE = {LinearRegression: {}, Ridge: {"tol": 1e-13, "max_iter": 100_000}}
SOLVED = {"tol": 1e-13, "max_iter": 1_000_000}


def case(name, kind, data, weighted=False, **params):
    model = kind(positive=True, **PRECISE.get(kind, SOLVED), **params)
    model.fit(data.X, data.y, data.weight if weighted else None)
    expected = {"coef": model.coef_, "intercept": model.intercept_}
    if hasattr(model, "alpha_"):
        expected["alpha"] = model.alpha_
    ours = {NAMES.get(key, key): value for key, value in params.items()}
    return {"name": f"{kind.__name__}: {name}", "estimator": kind.__name__, "data": data.spec, "params": ours,
            "oracle": "scikit-learn", "weighted": weighted, "expected": expected}


def main():
    diabetes, scaled = included("diabetes"), included("diabetes", standardize=True)
    tall, wide = synthetic("tall", "number"), synthetic("wide", "number")
    cases = [
        case("diabetes", LinearRegression, diabetes), case("tall, weighted", LinearRegression, tall, weighted=True),
        case("diabetes, no intercept", LinearRegression, scaled, fit_intercept=False),
        case("diabetes", Ridge, diabetes), case("diabetes, alpha 30", Ridge, scaled, alpha=30.0),
        case("tall, weighted", Ridge, tall, weighted=True), case("more columns than rows", Ridge, wide, alpha=5.0),
        case("diabetes", Lasso, diabetes), case("diabetes, scaled", Lasso, scaled, alpha=2.0),
        case("tall, weighted", Lasso, tall, weighted=True, alpha=0.05),
        case("more columns than rows", Lasso, wide, alpha=0.1),
        case("diabetes, scaled", ElasticNet, scaled, alpha=0.5, l1_ratio=0.7),
        case("tall, weighted", ElasticNet, tall, weighted=True, alpha=0.1),
        case("diabetes", LassoCV, diabetes, n_alphas=20),
        case("diabetes", ElasticNetCV, scaled, n_alphas=20, l1_ratio=[0.3, 0.9]),
    ]
    if not all(np.min(c["expected"]["coef"]) >= 0 for c in cases):
        raise ValueError("a negative coefficient")
    write_fixture("positive", cases)


if __name__ == "__main__":
    main()
