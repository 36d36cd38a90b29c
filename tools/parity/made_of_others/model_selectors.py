"""Fixtures of selectors around a model: which columns are kept, in which order the others went, and scores by number of columns."""

import numpy as np
from sklearn.feature_selection import RFE, RFECV, SelectFromModel, SequentialFeatureSelector
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from shapes import included, synthetic, write_fixture

NAMES = {"max_features": "maxFeatures", "norm_order": "normOrder", "n_features_to_select": "nFeaturesToSelect",
         "min_features_to_select": "minFeaturesToSelect", "max_depth": "maxDepth", "min_samples_leaf": "minSamplesLeaf"}
TIGHT = {"tol": 1e-10, "max_iter": 100_000}
EXACT = {LogisticRegression: TIGHT, Lasso: TIGHT, DecisionTreeClassifier: {"random_state": 0}, DecisionTreeRegressor: {"random_state": 0}}
# Two classes are fitted by Newton's method. L-BFGS stops at the rounding of the objective, with five or six digits of the coefficients.
NEWTON = {"tol": 1e-10, "max_iter": 1000, "solver": "newton-cholesky"}


def settings(Estimator, data):
    is_binary = Estimator is LogisticRegression and len(np.unique(data.y)) == 2
    return NEWTON if is_binary else EXACT.get(Estimator, {})


def ours(params):
    return {NAMES.get(k, k): v for k, v in params.items()}


def case(name, Class, data, Estimator, inner=None, **params):
    inner = inner or {}
    model = Class(Estimator(**inner, **settings(Estimator, data)), **params).fit(data.X, data.y)
    expected = {"selected": np.flatnonzero(model.get_support())}
    if Class is SelectFromModel:
        expected["threshold"] = model.threshold_
    if Class in (RFE, RFECV):
        expected["ranking"] = model.ranking_
    if Class is RFECV:
        expected["mean"], expected["std"] = model.cv_results_["mean_test_score"], model.cv_results_["std_test_score"]
    params = {k: "Infinity" if v == np.inf else v for k, v in params.items()}
    return {"name": name, "estimator": Class.__name__, "oracle": "scikit-learn", "data": data.spec, "params": ours(params),
            "weighted": False, "expected": {**expected, "inner": Estimator.__name__, "innerParams": ours(inner)}}


def main():
    cancer, wine = included("breastCancer", standardize=True), included("wine", standardize=True)
    diabetes, iris, tall = included("diabetes"), included("iris"), synthetic("tall", "number")
    cases = [
        case("importances above the mean", SelectFromModel, cancer, LogisticRegression),
        case("importances above 1.25 means", SelectFromModel, cancer, LogisticRegression, threshold="1.25*mean"),
        case("importances above the median", SelectFromModel, diabetes, Ridge, {"alpha": 0.1}, threshold="median"),
        case("importances above a number, four at most", SelectFromModel, diabetes, Ridge, threshold=50.0, max_features=4),
        case("three classes", SelectFromModel, wine, LogisticRegression),
        case("three classes, by the norm of order 2", SelectFromModel, wine, LogisticRegression, norm_order=2, threshold="median"),
        case("three classes, by the norm of order 3", SelectFromModel, wine, LogisticRegression, norm_order=3),
        case("three classes, by the largest", SelectFromModel, wine, LogisticRegression, norm_order=np.inf),
        case("coefficients that are not 0", SelectFromModel, diabetes, Lasso, {"alpha": 0.5}),
        # Trees whose importances do not depend on scikit-learn's seed, which breaks ties of splits: on breast cancer, and on "tall" without
        # large leaves, its own ranking does.
        case("a tree", SelectFromModel, tall, DecisionTreeRegressor, {"max_depth": 4}),
        case("elimination, cancer", RFE, cancer, LogisticRegression, n_features_to_select=5),
        case("elimination by threes", RFE, cancer, LogisticRegression, n_features_to_select=4, step=3),
        case("elimination of half, wine", RFE, wine, LogisticRegression),
        case("elimination, shares", RFE, diabetes, Ridge, n_features_to_select=0.3, step=0.2),
        case("elimination, trees", RFE, tall, DecisionTreeRegressor, {"max_depth": 4, "min_samples_leaf": 10}, n_features_to_select=2),
        case("elimination, trees of classes", RFE, synthetic("tall", "three"), DecisionTreeClassifier, {"max_depth": 3}, n_features_to_select=2),
        case("cross-validated elimination, diabetes", RFECV, diabetes, Ridge, {"alpha": 0.01}, cv=5),
        case("cross-validated elimination, tall, by twos", RFECV, tall, Ridge, cv=4, step=2, min_features_to_select=2),
        case("cross-validated elimination, cancer", RFECV, cancer, LogisticRegression, step=4, min_features_to_select=3, cv=5),
        case("forward, diabetes", SequentialFeatureSelector, diabetes, Ridge, {"alpha": 0.01}, n_features_to_select=4, cv=5),
        case("backward, diabetes", SequentialFeatureSelector, diabetes, Ridge, {"alpha": 0.01}, n_features_to_select=4, cv=5,
             direction="backward"),
        case("forward, iris, a share", SequentialFeatureSelector, iris, LogisticRegression, n_features_to_select=0.5, cv=3),
        case("forward until it gains little", SequentialFeatureSelector, diabetes, Ridge, {"alpha": 0.01}, cv=5,
             n_features_to_select="auto", tol=0.005),
        case("backward until it gains little", SequentialFeatureSelector, tall, Ridge, cv=4, n_features_to_select="auto", tol=1e-4,
             direction="backward"),
    ]
    write_fixture("model-selectors", cases)


if __name__ == "__main__":
    main()
