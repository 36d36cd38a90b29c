"""Fixtures of estimators that are fitted to a matrix Y: predictions, scores and coefficients of scikit-learn."""

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_iris, load_linnerud
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, Ridge, RidgeCV
from sklearn.tree import DecisionTreeRegressor

from certify import agree
from shapes import dumps, sample_rows, write, write_fixture

linnerud = load_linnerud()
iris = load_iris().data
DATA = {
    # Three exercises, and weight, waist and pulse.
    "linnerud": (linnerud.data, linnerud.target),
    # Petals from sepals.
    "iris": (iris[:, :2], iris[:, 2:]),
    # Sepal width, petal length and petal width from sepal length and the product of both widths: many thresholds.
    "iris, three": (np.column_stack([iris[:, 0], iris[:, 1] * iris[:, 3]]), iris[:, 1:]),
}


def weights_of(n):
    """1, 2, 3, 1, 2, 3, …"""
    return np.arange(n) % 3 + 1.0


def case(estimator, model, data, params, weighted=False):
    X, Y = DATA[data]
    weight = weights_of(len(X)) if weighted else None
    model.fit(X, Y, sample_weight=weight)
    rows = sample_rows(len(X))
    expected = {"rows": rows, "predict": model.predict(X)[rows], "score": model.score(X, Y, sample_weight=weight)}
    if hasattr(model, "coef_"):
        expected |= {"coef": model.coef_, "intercept": np.zeros(Y.shape[1]) + model.intercept_}
    if hasattr(model, "dual_coef_"):
        expected |= {"dualCoef": model.dual_coef_.T}
    if hasattr(model, "feature_importances_"):
        expected |= {"importances": model.feature_importances_}
    if hasattr(model, "tree_"):
        tree = model.tree_
        path = model.cost_complexity_pruning_path(X, Y, sample_weight=weight)
        expected |= {"leaves": tree.n_leaves, "impurity": tree.impurity[0], "alphas": path.ccp_alphas}
        # Where columns tie, the seed chooses: only what all seeds agree on is expected.
        others = [clone(model).set_params(random_state=seed).fit(X, Y, sample_weight=weight) for seed in range(1, 20)]
        for other in others:
            agree(f"{data}, {params}, another seed", other.predict(X)[rows], expected["predict"], 1e-12)
        if not all(np.allclose(other.feature_importances_, model.feature_importances_) for other in others):
            del expected["importances"]
    name = f"{estimator}, {data}, {', '.join(f'{k} {v}' for k, v in params.items()) or 'defaults'}{', weighted' if weighted else ''}"
    return {
        "name": name,
        "estimator": estimator,
        "oracle": f"scikit-learn {estimator}",
        "data": data,
        "params": params,
        "weighted": weighted,
        "expected": expected,
    }


def linear_cases():
    for data in ["linnerud", "iris"]:
        targets = DATA[data][1].shape[1]
        alphas = [0.1, 10.0, 1000.0][:targets]
        for weighted in [False, True]:
            yield case("LinearRegression", LinearRegression(), data, {}, weighted)
            yield case("Ridge", Ridge(alpha=2), data, {"alpha": 2}, weighted)
            yield case("Ridge", Ridge(alpha=np.array(alphas)), data, {"alpha": alphas}, weighted)
            exact = {"tol": 1e-12, "max_iter": 100_000}
            yield case("Lasso", Lasso(alpha=0.3, **exact), data, {"alpha": 0.3, "tol": 1e-12}, weighted)
            net = ElasticNet(alpha=0.2, l1_ratio=0.4, **exact)
            yield case("ElasticNet", net, data, {"alpha": 0.2, "l1Ratio": 0.4, "tol": 1e-12}, weighted)
            kernel = {"kernel": "rbf", "gamma": 0.01}
            yield case("KernelRidge", KernelRidge(alpha=0.5, **kernel), data, {"alpha": 0.5, **kernel}, weighted)
            yield case("KernelRidge", KernelRidge(alpha=np.array(alphas), **kernel), data, {"alpha": alphas, **kernel}, weighted)
        yield case("LinearRegression", LinearRegression(positive=True), data, {"positive": True})
        yield case("LinearRegression", LinearRegression(fit_intercept=False), data, {"fitIntercept": False})


def ridge_cv_case(data, weighted=False, **params):
    """The chosen α, its score and, of leave-one-out, the errors of the first rows; scores of weighted rows are weighted means here."""
    X, Y = DATA[data]
    keep = params.get("cv") is None
    model = RidgeCV(alphas=ALPHAS, store_cv_values=keep, **params)
    ours = {camel: params[name] for name, camel in RIDGE_CV_NAMES.items() if name in params}
    if "scoring" in ours:
        ours["scoring"] = "negMeanAbsoluteError"
    out = case("RidgeCV", model, data, {"alphas": ALPHAS, **ours}, weighted)
    out["name"] = f"RidgeCV, {data}, {', '.join(f'{k} {v}' for k, v in ours.items()) or 'defaults'}{', weighted' if weighted else ''}"
    weight = weights_of(len(X))
    mean = len(X) / weight.sum() if weighted else 1
    targets = Y.shape[1]
    out["expected"] |= {"alpha": np.zeros(targets) + model.alpha_, "bestScore": np.zeros(targets) + model.best_score_ * mean}
    if keep and "scoring" not in params:
        values = model.cv_values_[:5] if not weighted else model.cv_values_[:5] / weight[:5, None, None]
        out["expected"]["cvValues"] = values.transpose(1, 0, 2)
    return out


ALPHAS = [0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0]
RIDGE_CV_NAMES = {"alpha_per_target": "alphaPerTarget", "cv": "cv", "scoring": "scoring", "fit_intercept": "fitIntercept"}


def ridge_cv_cases():
    for data in ["linnerud", "iris", "iris, three"]:
        for own in [False, True]:
            each = {"alpha_per_target": True} if own else {}
            yield ridge_cv_case(data, **each)
            yield ridge_cv_case(data, weighted=True, **each)
            yield ridge_cv_case(data, fit_intercept=False, **each)
            yield ridge_cv_case(data, scoring="neg_mean_absolute_error", **each)
        yield ridge_cv_case(data, cv=4)
        yield ridge_cv_case(data, cv=4, scoring="neg_mean_absolute_error")


def tree_cases():
    for data in ["linnerud", "iris", "iris, three"]:
        for weighted in [False, True]:
            for ours, theirs in [
                ({"maxDepth": 2}, {"max_depth": 2}),
                ({"maxDepth": 4, "minSamplesLeaf": 3}, {"max_depth": 4, "min_samples_leaf": 3}),
                ({"maxLeafNodes": 6}, {"max_leaf_nodes": 6}),
                ({"ccpAlpha": 0.05}, {"ccp_alpha": 0.05}),
                ({"minImpurityDecrease": 0.02}, {"min_impurity_decrease": 0.02}),
                ({"criterion": "poisson", "maxDepth": 3}, {"criterion": "poisson", "max_depth": 3}),
            ]:
                yield case("DecisionTreeRegressor", DecisionTreeRegressor(random_state=0, **theirs), data, ours, weighted)


def forest_cases():
    for forest in [RandomForestRegressor, ExtraTreesRegressor]:
        model = forest(n_estimators=200, max_depth=4, random_state=0)
        yield case(forest.__name__, model, "iris, three", {"nEstimators": 200, "maxDepth": 4})


write("several-targets-data.json", dumps({name: {"X": X, "Y": Y} for name, (X, Y) in DATA.items()}) + "\n")
write_fixture("several-targets", [*linear_cases(), *ridge_cv_cases(), *tree_cases(), *forest_cases()])
