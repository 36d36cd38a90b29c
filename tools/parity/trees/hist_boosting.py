"""Fixtures of HistGradientBoostingRegressor and HistGradientBoostingClassifier.

Without early stopping nothing is drawn at random, so trees can be compared node by node as long as no two splits have equal gains.
`losses` are mean training losses after every round; the first tree is a list of nodes from its root on. Data has missing values
(null), and `c` is a column of categories.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from sklearn._loss.loss import AbsoluteError, HalfBinomialLoss, HalfMultinomialLoss, HalfPoissonLoss, HalfSquaredError, PinballLoss
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from shapes import included, write_fixture

# scikit-learn's names → the library's.
NAMES = {"loss": "loss", "quantile": "quantile", "learning_rate": "learningRate", "max_iter": "maxIter", "max_leaf_nodes": "maxLeafNodes",
         "max_depth": "maxDepth", "min_samples_leaf": "minSamplesLeaf", "l2_regularization": "l2Regularization", "max_bins": "maxBins",
         "categorical_features": "categoricalFeatures", "monotonic_cst": "monotonicCst", "interaction_cst": "interactionCst", "class_weight": "classWeight",
         "scoring": "scoring", "tol": "tol", "n_iter_no_change": "nIterNoChange"}
VALUES = {"squared_error": "squaredError", "absolute_error": "absoluteError", "no_interactions": "noInteractions",
          "balanced_accuracy": "balancedAccuracy", "f1_macro": "f1Macro", "neg_log_loss": "negLogLoss", "neg_mean_squared_error": "negMeanSquaredError",
          "neg_mean_absolute_error": "negMeanAbsoluteError"}


def rows(count=500, missing=False, seed=0):
    random = np.random.RandomState(seed)
    X = np.round(random.randn(count, 5), 6)
    X[:, 4] = random.randint(0, 7, count)
    effect = np.array([0.5, -1, 2, 0, 1.3, -0.7, 0.2])[X[:, 4].astype(int)]
    z = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] * X[:, 2] + effect + 0.2 * random.randn(count)
    if missing:
        X[random.rand(count) < 0.2, 0] = np.nan
        X[(random.rand(count) < 0.5) & (z > 0.5), 1] = np.nan
    return X, np.round(z, 6), random.randint(1, 4, count).astype(float)


def nodes_of(predictor):
    """Nodes in the order of their numbers; thresholds of missing against the rest are null."""
    return [{"rows": int(v["count"]), "value": float(v["value"])} if v["is_leaf"] else
            {"rows": int(v["count"]), "feature": int(v["feature_idx"]), "gain": float(v["gain"]), "left": int(v["left"]), "right": int(v["right"]),
             "threshold": None if v["is_categorical"] or np.isinf(v["num_threshold"]) else float(v["num_threshold"]),
             "missingLeft": bool(v["missing_go_to_left"])} for v in predictor.nodes]


def loss_of(model, y):
    if isinstance(model, HistGradientBoostingClassifier):
        return HalfBinomialLoss() if len(model.classes_) == 2 else HalfMultinomialLoss(n_classes=len(model.classes_))
    return {"squared_error": HalfSquaredError, "absolute_error": AbsoluteError, "poisson": HalfPoissonLoss,
            "quantile": lambda: PinballLoss(quantile=model.quantile)}[model.loss]()


def mean_losses(model, X, y, weight):
    """After every round. The multinomial loss of scikit-learn is that of scores, as everywhere else."""
    loss = loss_of(model, y)
    codes = (np.unique(y, return_inverse=True)[1] if isinstance(model, HistGradientBoostingClassifier) else y).astype(float)
    out = []
    for raw in model._staged_raw_predict(X):
        raw = np.ascontiguousarray(raw if raw.shape[1] > 1 else raw[:, 0])
        out.append(float(np.average(loss.loss(codes, raw), weights=weight)))
    return out


def case(name, kind, X, y, weight=None, **params):
    model = kind(early_stopping=False, max_iter=30, **params).fit(X, y, sample_weight=weight)
    raw = model._raw_predict(X[:40])
    return {"name": name, "estimator": kind.__name__, "oracle": f"scikit-learn {kind.__name__}", "rows": "holes" if np.isnan(X).any() else "whole", "y": y,
            "weight": weight, "params": {**given_of(params), "maxIter": 30, "earlyStopping": False},
            "expected": {"losses": mean_losses(model, X, y, weight), "tree": nodes_of(model._predictors[0][0]),
                         "baseline": model._baseline_prediction.ravel(), "raw": raw}}


def given_of(params):
    return {NAMES[key]: VALUES.get(value, value) if isinstance(value, str) else value for key, value in params.items()}


def stopped(name, rows_name, kind, X, y, weight=None, **params):
    """Early stopping by the training rows: held-out rows would be drawn by another generator. Fewer than 10,000 rows are all scored."""
    model = kind(early_stopping=True, validation_fraction=None, **params).fit(X, y, sample_weight=weight)
    assert model.n_iter_ < model.max_iter
    return {"name": name, "estimator": kind.__name__, "oracle": f"scikit-learn {kind.__name__}", "rows": rows_name, "y": y, "weight": weight,
            "params": {**given_of(params), "earlyStopping": True, "validationFraction": None},
            "expected": {"rounds": int(model.n_iter_), "trainScore": model.train_score_}}


def gaps():
    """Missing values among numbers and categories."""
    X, z, _ = rows(missing=True, seed=3)
    X[np.random.RandomState(4).rand(len(X)) < 0.15, 4] = np.nan
    # Weights that are all different leave no splits of equal gain.
    return X, z, np.round(np.random.RandomState(5).uniform(0.5, 2, len(X)), 6)


def scorings():
    R, C = HistGradientBoostingRegressor, HistGradientBoostingClassifier
    X, z, weight = rows()
    holes, zg, uneven = gaps()
    two, three = (zg > 0.3).astype(int), np.digitize(zg, [-0.5, 0.8])
    mixed = {"categorical_features": [4], "min_samples_leaf": 5, "n_iter_no_change": 3}
    yield stopped("R²", "whole", R, X, z, scoring="r2", tol=0.01, n_iter_no_change=4)
    yield stopped("squared error with weights", "gaps", R, holes, zg, uneven, scoring="neg_mean_squared_error", tol=0.02, **mixed)
    yield stopped("absolute error of counts", "whole", R, X, np.floor(np.exp(z / 2)), weight, loss="poisson", scoring="neg_mean_absolute_error", tol=0.02,
                  n_iter_no_change=2)
    yield stopped("loss with weights", "gaps", R, holes, zg, uneven, scoring="loss", tol=0.01, **mixed)
    yield stopped("accuracy, two classes", "gaps", C, holes, two, scoring="accuracy", tol=0.001, **mixed)
    yield stopped("accuracy, two classes with weights", "gaps", C, holes, two, uneven, scoring="accuracy", tol=0.001, **mixed)
    yield stopped("F1, two classes with weights", "gaps", C, holes, two, uneven, scoring="f1", tol=0.001, **mixed)
    yield stopped("log loss, two classes with weights", "gaps", C, holes, two, uneven, scoring="neg_log_loss", tol=0.03, **mixed)
    yield stopped("accuracy, three classes", "gaps", C, holes, three, scoring="accuracy", tol=0.001, **mixed)
    yield stopped("balanced accuracy, three classes with weights", "gaps", C, holes, three, uneven, scoring="balanced_accuracy", tol=0.001, **mixed)
    yield stopped("macro F1, three classes with weights of classes and rows", "gaps", C, holes, three, uneven, class_weight={0: 1.5, 1: 0.7, 2: 1}, scoring="f1_macro", tol=0.001, **mixed)
    yield stopped("log loss, three classes with weights", "gaps", C, holes, three, uneven, scoring="neg_log_loss", tol=0.05, **mixed)


def listed(name, X):
    return {"name": name, "X": [[None if np.isnan(v) else float(v) for v in row] for row in X]}


def held_out(name, kind, **params):
    """Every fourth row is kept from the fit."""
    data = included(name)
    test = np.arange(len(data.y)) % 4 == 0
    model = kind(early_stopping=False, **params).fit(data.X[~test], data.y[~test])
    return {"name": name, "estimator": kind.__name__, "oracle": f"scikit-learn {kind.__name__}", "data": data.spec,
            "params": {**{NAMES[key]: value for key, value in params.items()}, "earlyStopping": False}, "weighted": False,
            "expected": {"score": model.score(data.X[test], data.y[test])}}


def cases():
    R, C = HistGradientBoostingRegressor, HistGradientBoostingClassifier
    X, z, weight = rows()
    holes, zh, _ = rows(missing=True, seed=1)
    yield case("numbers", R, X, z)
    yield case("weights", R, X, z, weight, l2_regularization=0.5)
    yield case("missing values", R, holes, zh)
    yield case("categories", R, X, z, categorical_features=[4], min_samples_leaf=5)
    yield case("few bins, small leaves", R, X, z, max_bins=16, min_samples_leaf=3, max_leaf_nodes=8)
    yield case("shallow trees", R, X, z, max_depth=3, max_leaf_nodes=None, learning_rate=0.3)
    yield case("monotone columns", R, X, z, monotonic_cst=[1, -1, 0, 0, 0], min_samples_leaf=10)
    yield case("no interactions", R, X, z, interaction_cst="no_interactions")
    yield case("interactions of two", R, X, z, interaction_cst="pairwise", min_samples_leaf=5)
    yield case("interactions in groups", R, holes, zh, interaction_cst=[[0, 4], [1, 4]])
    yield case("absolute error", R, X, z, loss="absolute_error")
    # Gradients of ±1 have many splits of equal gain; times weights that are all different they have none.
    uneven = np.round(np.random.RandomState(2).uniform(0.5, 2, len(z)), 6)
    yield case("absolute error with weights", R, X, z, uneven, loss="absolute_error")
    yield case("quantile with weights", R, X, z, uneven, loss="quantile", quantile=0.8)
    yield case("quantile", R, X, z, loss="quantile", quantile=0.8)
    yield case("counts", R, X, np.floor(np.exp(z / 2)), loss="poisson")
    yield case("two classes", C, X, (z > 0).astype(int))
    yield case("two classes with holes and weights", C, holes, (zh > 0.3).astype(int), np.repeat([1.0, 2.5], 250))
    yield case("three classes", C, X, np.digitize(z, [-0.5, 0.8]))


if __name__ == "__main__":
    R, C = HistGradientBoostingRegressor, HistGradientBoostingClassifier
    write_fixture("hist-boosting", list(cases()))
    write_fixture("hist-boosting-rows", [listed("whole", rows()[0]), listed("holes", rows(missing=True, seed=1)[0]), listed("gaps", gaps()[0])])
    write_fixture("hist-boosting-scoring", list(scorings()))
    write_fixture("hist-boosting-held-out", [held_out("diabetes", R), held_out("breastCancer", C), held_out("digits", C), held_out("wine", C)])
