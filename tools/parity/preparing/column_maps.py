"""Fixtures of transformers that map each column: functions by name, and splines."""

import numpy as np
from scipy.special import expit, logit
from sklearn.preprocessing import FunctionTransformer, SplineTransformer

from shapes import included, sample_rows, synthetic, write_fixture

NAMES = {"n_knots": "nKnots", "include_bias": "includeBias"}
FUNCTIONS = {"log1p": (np.log1p, np.expm1), "log": (np.log, np.exp), "sqrt": (np.sqrt, np.square),
             "reciprocal": (np.reciprocal, np.reciprocal), "cbrt": (np.cbrt, lambda x: x**3), "logit": (logit, expit),
             "arctanh": (np.arctanh, np.tanh)}


def function(func):
    forth, back = FUNCTIONS[func]
    asked = np.array([[0.125, 0.5], [0.75, 1e-9], [0.999, 0.3]])
    model = FunctionTransformer(forth, back).fit(asked)
    Z = model.transform(asked)
    return {"name": f"{func} and back", "estimator": "FunctionTransformer", "oracle": "scikit-learn, numpy", "data": {},
            "params": {"func": func}, "weighted": False,
            "expected": {"asked": asked, "transform": Z, "inverse": model.inverse_transform(Z)}}


def spline(name, data, spread=1.0, weighted=False, **params):
    """`spread` is how far the asked rows go beyond those of fit. Columns one by one: with degrees 0 and 1 and linear extrapolation
    version 1.2 raises the degree once per column."""
    weight = data.weight if weighted else None
    model = SplineTransformer(**params).fit(data.X, sample_weight=weight)
    # The extremes too: they are the first and last knots.
    rows = np.unique(np.concatenate([sample_rows(data.X.shape[0], 6), data.X.argmin(axis=0), data.X.argmax(axis=0)]))
    asked = np.round(data.X[rows] * spread, 4) if spread != 1 else data.X[rows]
    base = params.get("degree", 3)
    Z = []
    for j in range(data.X.shape[1]):
        own = params if isinstance(params.get("knots", ""), str) else {**params, "knots": np.array(params["knots"])[:, [j]]}
        Z.append(SplineTransformer(**own).fit(data.X[:, [j]], sample_weight=weight).transform(asked[:, [j]]))
    knots = [spl.t[base:len(spl.t) - base] for spl in model.bsplines_]
    return {"name": name, "estimator": "SplineTransformer", "oracle": "scikit-learn", "data": data.spec,
            "params": {NAMES.get(k, k): v for k, v in params.items()}, "weighted": weighted,
            "expected": {"asked": asked, "knots": knots, "transform": np.hstack(Z),
                         "names": list(model.get_feature_names_out())}}


def main():
    tall, iris, digits = synthetic("tall", "number"), included("iris"), included("digits")
    cases = [function(func) for func in FUNCTIONS]
    for extrapolation in ("constant", "linear", "continue", "periodic"):
        for degree in (1, 2, 3):
            cases.append(spline(f"{extrapolation}, degree {degree}", iris, 1.5, degree=degree, extrapolation=extrapolation))
    cases += [
        spline("the default", tall),
        spline("an error beyond the knots", tall, extrapolation="error", n_knots=4),
        spline("steps", iris, degree=0, extrapolation="error"),
        spline("steps, linear", iris, 1.5, degree=0, extrapolation="linear"),
        spline("steps, periodic", iris, 1.5, degree=0, extrapolation="periodic"),
        spline("degree 5, 3 knots", iris, 1.2, degree=5, n_knots=3, extrapolation="linear"),
        spline("quantiles", tall, 1.3, knots="quantile", n_knots=6),
        spline("quantiles that are equal", iris, knots="quantile", n_knots=9),
        spline("quantiles, weighted", tall, knots="quantile", weighted=True),
        spline("uniform, weighted", tall, weighted=True),
        spline("without bias", iris, 1.5, include_bias=False, extrapolation="continue"),
        spline("without bias, periodic", iris, 1.5, include_bias=False, extrapolation="periodic", n_knots=7),
        spline("given knots", iris, 1.5, degree=2,
               knots=[[4.5, 2, 1, 0], [5, 2.5, 1.5, 0.75], [7, 3, 5, 1], [7.5, 4, 6.5, 2.5]], extrapolation="linear"),
    ]
    write_fixture("column-maps", cases)


if __name__ == "__main__":
    main()
