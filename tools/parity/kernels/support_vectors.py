"""Fixtures of SVC and SVR, against scikit-learn (LIBSVM)."""

import numpy as np
from sklearn.svm import SVC, SVR

from shapes import included, sample_rows, synthetic, write_fixture

NAMES = {"class_weight": "classWeight", "decision_function_shape": "decisionFunctionShape"}
# Both sides stop at the same violation of the optimality conditions.
TOL = 1e-5


def camel(params):
    return {NAMES.get(key, key): value for key, value in {**params, "tol": TOL}.items()}


def kernel_of(model, A, B):
    if model.kernel == "linear":
        return A @ B.T
    if model.kernel == "poly":
        return (model._gamma * A @ B.T + model.coef0) ** model.degree
    if model.kernel == "sigmoid":
        return np.tanh(model._gamma * A @ B.T + model.coef0)
    squares = np.sum(A**2, 1)[:, None] + np.sum(B**2, 1)[None, :] - 2 * A @ B.T
    return np.exp(-model._gamma * squares)


# What stands for no slack at all: far above every α of the sets below.
HARD = 1e8


def classifier(name, data, weighted=False, estimator="SVC", **params):
    weight = data.weight if weighted else None
    model = SVC(tol=TOL, cache_size=500, **params).fit(data.X, data.y, weight)
    rows = sample_rows(len(data.y))
    expected = {
        "classes": model.classes_, "rows": rows, "predict": model.predict(data.X[rows]),
        "decision": np.asarray(model.decision_function(data.X[rows])).reshape(len(rows), -1),
        "accuracy": model.score(data.X, data.y), "nSupport": int(len(model.support_)), "gamma": model._gamma,
    }
    expected["nSupportPerClass"] = model.n_support_
    if model.kernel == "linear" and model.coef_.size < 200:
        expected.update(coef=model.coef_, intercept=model.intercept_)
    if len(model.classes_) == 2:
        a = model.dual_coef_[0]
        K = kernel_of(model, model.support_vectors_, model.support_vectors_)
        expected["objective"] = float(0.5 * a @ K @ a - np.abs(a).sum())
    return {"name": name, "estimator": estimator, "data": data.spec, "params": camel(params), "oracle": "scikit-learn",
            "weighted": weighted, "expected": expected}


def hard_margin(name, data, **params):
    """Rows that can be separated; the test asks for C = ∞."""
    case = classifier(name, data, estimator="hard SVC", C=HARD, **params)
    if case["expected"]["accuracy"] < 1 or -case["expected"]["objective"] > HARD / 100:
        raise ValueError(f"{name}: not separable")
    del case["params"]["C"]
    return case


def precomputed(name, data, gamma, **params):
    """The Gaussian kernel as a matrix, which the test computes again."""
    squares = np.sum((data.X[:, None, :] - data.X[None, :, :]) ** 2, axis=2)
    K = np.exp(-gamma * squares)
    model = SVC(kernel="precomputed", tol=TOL, **params).fit(K, data.y)
    rows = sample_rows(len(data.y))
    expected = {
        "classes": model.classes_, "rows": rows, "predict": model.predict(K[rows]), "gamma": gamma,
        "decision": np.asarray(model.decision_function(K[rows])).reshape(len(rows), -1),
        "accuracy": model.score(K, data.y), "nSupport": int(len(model.support_)),
    }
    return {"name": name, "estimator": "precomputed SVC", "data": data.spec, "params": camel(params),
            "oracle": "scikit-learn", "weighted": False, "expected": expected}


def regressor(name, data, **params):
    model = SVR(tol=TOL, cache_size=500, **params).fit(data.X, data.y)
    rows = sample_rows(len(data.y))
    a = model.dual_coef_[0]
    K = kernel_of(model, model.support_vectors_, model.support_vectors_)
    y = np.asarray(data.y, float)[model.support_]
    objective = 0.5 * a @ K @ a + model.epsilon * np.abs(a).sum() - y @ a
    linear = {"coef": model.coef_, "intercept": model.intercept_} if model.kernel == "linear" else {}
    return {"name": name, "estimator": "SVR", "data": data.spec, "params": camel(params), "oracle": "scikit-learn",
            "weighted": False,
            "expected": {**linear, "rows": rows, "predict": model.predict(data.X[rows]), "objective": float(objective),
                         "gamma": model._gamma, "nSupport": int(len(model.support_))}}


def main():
    iris, wine, digits = (included(s) for s in ("iris", "wine", "digits"))
    cancer = included("breastCancer", standardize=True)
    tall, two = synthetic("tall", "three"), synthetic("tall", "binary")
    letters, wide = synthetic("letters", "letter"), synthetic("wide", "binary")
    diabetes = included("diabetes", standardize=True)
    cases = [
        classifier("iris, rbf", iris), classifier("iris, rbf, C = 100", iris, C=100.0),
        classifier("iris, pairs", iris, decision_function_shape="ovo"),
        classifier("iris, linear", iris, kernel="linear"),
        classifier("iris, cubic", iris, kernel="poly", coef0=1.0),
        classifier("wine, rbf, gamma auto", wine, gamma="auto"),
        classifier("digits, rbf", digits), classifier("digits, linear", digits, kernel="linear"),
        classifier("breast cancer, rbf", cancer), classifier("breast cancer, C = 1e-3", cancer, C=1e-3),
        classifier("breast cancer, C = 1000, gamma 0.01", cancer, C=1000.0, gamma=0.01),
        classifier("breast cancer, quadratic", cancer, kernel="poly", degree=2, coef0=1.0, gamma=0.05),
        classifier("breast cancer, balanced", cancer, class_weight="balanced"),
        classifier("overlapping classes, weighted", two, weighted=True, gamma=0.2),
        classifier("overlapping classes, C = 10", two, C=10.0),
        classifier("three classes", tall), classifier("26 letters", letters),
        classifier("more columns than rows", wide),
        classifier("26 letters, C = 10", letters, C=10.0),
        classifier("26 letters, balanced", letters, class_weight="balanced"),
        classifier("breast cancer, weights of classes", cancer, class_weight={"malignant": 5.0, "benign": 0.5}),
        classifier("iris, weights of classes, linear", iris, kernel="linear", class_weight={"virginica": 0.1}),
        classifier("iris, sigmoid", included("iris", standardize=True), kernel="sigmoid", gamma=0.05, coef0=-0.5),
        hard_margin("hard margin: iris, linear", included("iris", classes=["setosa", "versicolor"]), kernel="linear"),
        hard_margin("hard margin: breast cancer, rbf", cancer, gamma=0.1),
        hard_margin("hard margin: more columns than rows, linear", wide, kernel="linear"),
        precomputed("matrix: iris", iris, 0.3),
        precomputed("matrix: wine, C = 100", included("wine", standardize=True), 0.05, C=100.0),
        precomputed("matrix: breast cancer, balanced", cancer, 0.03, class_weight="balanced"),
        regressor("diabetes, rbf", diabetes), regressor("diabetes, rbf, C = 100", diabetes, C=100.0, epsilon=5.0),
        regressor("diabetes, linear", diabetes, kernel="linear", C=10.0, epsilon=1.0),
        regressor("diabetes, cubic", diabetes, kernel="poly", coef0=1.0, gamma=0.02, C=10.0),
        regressor("tall, rbf", synthetic("tall", "number"), C=5.0),
    ]
    write_fixture("support-vectors", cases)


if __name__ == "__main__":
    main()
