"""Fixtures of RidgeCV, LassoCV, ElasticNetCV and LogisticRegressionCV, against scikit-learn."""

import numpy as np
from scipy.special import softmax
from sklearn.linear_model import ElasticNetCV, LassoCV, LogisticRegression, LogisticRegressionCV, RidgeCV
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from shapes import included, synthetic, write_fixture

NAMES = {"n_alphas": "nAlphas", "l1_ratio": "l1Ratio", "fit_intercept": "fitIntercept", "multi_class": "multiClass",
         "class_weight": "classWeight", "l1_ratios": "l1Ratios"}
SCORERS = {"neg_mean_absolute_error": "negMeanAbsoluteError", "neg_log_loss": "negLogLoss",
           "balanced_accuracy": "balancedAccuracy", "r2": "r2"}
# Below the tolerance of the tests by a factor of a thousand.
PRECISE = {"tol": 1e-12, "max_iter": 1_000_000}


def camel(params):
    return {NAMES.get(key, key): SCORERS.get(value, value) if isinstance(value, str) else value
            for key, value in params.items() if key not in ("solver",)}


def weights_of(data, weighted):
    """Rows of weight 0 would be in folds here, and are not in the library: every weight gets a quarter more."""
    return data.weight + 0.25 if weighted else None


def case(name, model, data, weighted, params, expected):
    return {"name": f"{type(model).__name__}: {name}", "estimator": type(model).__name__, "data": data.spec, "params": camel(params),
            "oracle": "scikit-learn", "weighted": weighted, "expected": expected}


def ridge(name, data, weighted=False, **params):
    weight = weights_of(data, weighted)
    keep = params.get("cv") is None
    model = RidgeCV(store_cv_values=keep, **params).fit(data.X, data.y, weight)
    n = len(data.y)
    mean = n / weight.sum() if weighted and keep else 1
    expected = {"alpha": model.alpha_, "bestScore": model.best_score_ * mean, "coef": model.coef_,
                "intercept": model.intercept_}
    if keep and params.get("scoring") is None:
        values = model.cv_values_[:20] if not weighted else model.cv_values_[:20] / weight[:20, None]
        expected["cvValues"] = values
    return case(name, model, data, weighted, params, expected)


def path(name, kind, data, weighted=False, **params):
    model = kind(**PRECISE, **params).fit(data.X, data.y, weights_of(data, weighted))
    mse = model.mse_path_ if model.mse_path_.ndim == 3 else model.mse_path_[None]
    expected = {"alpha": model.alpha_, "alphas": np.atleast_2d(model.alphas_), "coef": model.coef_,
                "intercept": model.intercept_, "msePath": mse[:, :: max(1, mse.shape[1] // 10)]}
    if hasattr(model, "l1_ratio_"):
        expected["l1Ratio"] = model.l1_ratio_
    return case(name, model, data, weighted, params, expected)


def logistic(name, data, weighted=False, **params):
    solver = params.pop("solver", "newton-cg")
    # newton-cg stops short of smaller gradients, and saga needs many passes.
    tol, passes = (1e-9, 100_000) if solver == "saga" else (1e-7, 300)
    model = LogisticRegressionCV(tol=tol, max_iter=passes, solver=solver, **params).fit(data.X, data.y, weights_of(data, weighted))
    labels = model.classes_[1:] if len(model.classes_) == 2 else model.classes_
    scores = [model.scores_[label] for label in labels]
    if scores[0].ndim == 3:
        # All Cs of the first l1_ratio come first.
        scores = [np.transpose(score, (0, 2, 1)).reshape(len(score), -1) for score in scores]
    expected = {"classes": model.classes_, "Cs": model.Cs_, "C": model.C_, "scores": scores, "coef": model.coef_,
                "intercept": model.intercept_, "coefsPaths": last_fold(model, labels)}
    return case(name, model, data, weighted, params, expected)


def last_fold(model, labels):
    """The coefficients of the last fold's fits by class, in the order of the scores' columns."""
    paths = [model.coefs_paths_[label][-1] for label in labels]
    return [(np.swapaxes(path, 0, 1).reshape(-1, path.shape[-1]) if path.ndim == 3 else path) for path in paths]


def weighted_logistic(name, data, **params):
    """scikit-learn weights the rows of the fits, not those of the scores: C is chosen here by weighted log losses of its fits."""
    weight = weights_of(data, True)
    precise = {"tol": 1e-7, "max_iter": 300, "solver": "newton-cg"}
    model = LogisticRegressionCV(cv=StratifiedKFold(5), **precise, **params).fit(data.X, data.y, weight)
    classes = model.classes_
    labels = classes[1:] if len(classes) == 2 else classes
    scores = np.empty((5, len(model.Cs_)))
    for f, (_, test) in enumerate(StratifiedKFold(5).split(data.X, data.y)):
        for c in range(len(model.Cs_)):
            theta = np.array([model.coefs_paths_[label][f, c] for label in labels])
            z = data.X[test] @ theta[:, :-1].T + theta[:, -1]
            p = softmax(np.hstack([np.zeros_like(z), z]) if len(classes) == 2 else z, axis=1)
            scores[f, c] = -log_loss(data.y[test], p, sample_weight=weight[test], labels=classes)
    C = model.Cs_[np.argmax(scores.sum(axis=0))]
    joint = {"multi_class": "multinomial"} if len(classes) > 2 else {}
    final = LogisticRegression(C=C, **precise, **joint).fit(data.X, data.y, weight)
    expected = {"classes": classes, "Cs": model.Cs_, "C": [C] * len(labels), "scores": [scores] * len(labels), "coef": final.coef_,
                "intercept": final.intercept_, "coefsPaths": last_fold(model, labels)}
    return case(name, model, data, True, {**params, "scoring": "neg_log_loss"}, expected)


def main():
    diabetes, cancer = included("diabetes"), included("breastCancer", standardize=True)
    scaled = included("diabetes", standardize=True)
    iris = included("iris", standardize=True)
    tall, wide, sparse = (synthetic(name, "number") for name in ("tall", "wide", "sparse"))
    two, three = synthetic("tall", "binary"), synthetic("tall", "three")
    many = list(np.logspace(-3, 3, 13))
    cases = [
        ridge("diabetes", diabetes),
        ridge("diabetes, scaled, 13 alphas", scaled, alphas=many),
        ridge("diabetes, no intercept", scaled, alphas=many, fit_intercept=False),
        ridge("diabetes, mean absolute error", scaled, alphas=many, scoring="neg_mean_absolute_error"),
        ridge("diabetes, five folds", scaled, alphas=many, cv=5),
        ridge("diabetes, four folds, mean absolute error", scaled, alphas=many, cv=4, scoring="neg_mean_absolute_error"),
        ridge("weighted", tall, weighted=True, alphas=many),
        ridge("more columns than rows", wide, alphas=many),
        ridge("more columns than rows, weighted", wide, weighted=True, alphas=many),
        ridge("sparse", sparse, alphas=many),
        ridge("sparse, weighted", sparse, weighted=True, alphas=many),
        path("diabetes", LassoCV, diabetes),
        path("diabetes, scaled, 20 alphas, 3 folds", LassoCV, scaled, n_alphas=20, cv=3, eps=1e-2),
        path("given alphas, weighted", LassoCV, tall, weighted=True, alphas=[1.0, 0.3, 0.1, 0.03, 0.01]),
        path("sparse rows", LassoCV, sparse, n_alphas=20),
        path("diabetes, no intercept", LassoCV, scaled, n_alphas=20, fit_intercept=False),
        path("diabetes", ElasticNetCV, diabetes, n_alphas=30),
        path("diabetes, scaled, four ratios", ElasticNetCV, scaled, l1_ratio=[0.1, 0.5, 0.9, 1.0], n_alphas=20),
        path("given alphas, weighted", ElasticNetCV, tall, weighted=True, alphas=[1.0, 0.1, 0.01], l1_ratio=[0.3, 0.7]),
        logistic("breast cancer", cancer),
        logistic("breast cancer, log loss", cancer, scoring="neg_log_loss", Cs=[0.01, 0.1, 1.0, 10.0]),
        logistic("breast cancer, balanced, no refit", cancer, class_weight="balanced", refit=False, Cs=5),
        logistic("breast cancer, l1", cancer, penalty="l1", solver="saga", Cs=[0.01, 0.1, 0.3], cv=3,
                 scoring="neg_log_loss"),
        logistic("breast cancer, elastic net", cancer, penalty="elasticnet", solver="saga", Cs=[0.01, 0.1], cv=3,
                 l1_ratios=[0.2, 0.8], scoring="neg_log_loss"),
        logistic("iris", iris, multi_class="multinomial"),
        logistic("iris, log loss", iris, multi_class="multinomial", scoring="neg_log_loss"),
        logistic("iris, one against the rest", iris, multi_class="ovr", Cs=6),
        logistic("iris, no refit", iris, multi_class="multinomial", refit=False, Cs=6),
        logistic("two classes, balanced accuracy", two, scoring="balanced_accuracy"),
        logistic("three classes", three, multi_class="multinomial", Cs=5),
        logistic("two classes, no intercept", two, fit_intercept=False, Cs=3),
        weighted_logistic("two classes, weighted", two, Cs=6),
        weighted_logistic("three classes, weighted", three, multi_class="multinomial", Cs=5),
    ]
    write_fixture("linear-cv", cases)


if __name__ == "__main__":
    main()
