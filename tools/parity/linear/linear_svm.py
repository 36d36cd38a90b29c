"""Fixtures of LinearSVC and LinearSVR, the intercept never penalised.

  LinearSVC:  min ½‖w‖² (or ‖w‖₁)  +  C Σᵢ sᵢ c_{yᵢ} φ(tᵢ (w·xᵢ + b)),   φ(m) = max(0, 1 − m) or its square
  LinearSVR:  min ½‖w‖²            +  C Σᵢ sᵢ φ(yᵢ − w·xᵢ − b),          φ(r) = max(0, |r| − ε) or its square

More than two classes: one against the rest, each its own problem; the objective is their sum.
LIBLINEAR penalises the intercept, so it is the oracle only without one. With one: LIBSVM's linear kernel for the
piecewise linear losses (it leaves b alone), and for the squared ones LIBLINEAR with an intercept so highly scaled that
its penalty vanishes.
"""

import numpy as np
import sklearn.svm as svm

import kinks
import liblinear
from certify import agree, dense, minimise_rows
from logistic import class_weights
from shapes import included, sample_rows, synthetic, write_fixture

# LIBLINEAR's dual solver (kind 3) shrinks its problem and, asked for 1e-6 or less, can run into its limit of 1000
# passes with wrong rows shrunk away, at a higher objective than with 1e-4. So: 1e-4, and kinks.py finds the exact minimum.
DUAL = {"epsilon": 1e-4}
NEAR_DUAL = 2e-2

# LIBLINEAR's intercept is scaling · w₀ and costs ½ w₀²: 1/scaling² of the penalty of a feature.
SCALING = 300.0


def squared_hinge(t):
    def loss(z):
        gap = np.maximum(0, 1 - t * z)
        return gap**2, -2 * t * gap, 2.0 * (gap > 0)
    return loss


def squared_insensitive(y, epsilon):
    def loss(z):
        over = np.maximum(0, np.abs(z - y) - epsilon)
        return over**2, 2 * np.sign(z - y) * over, 2.0 * (over > 0)
    return loss


def binary(what, X, t, C, loss, penalty, intercept, kind=None):
    """One two-class problem; C holds one weight a row. `kind`: the LIBLINEAR solver that is the oracle."""
    kept = C > 0
    X, t, C = dense(X)[kept], t[kept], C[kept]
    if loss == "hinge":
        if kind:
            w0, b0, tolerance = liblinear.train(X, t, kind, C[0], **DUAL), 0.0, NEAR_DUAL
        else:
            model = svm.SVC(kernel="linear", C=1.0, tol=1e-10, cache_size=500).fit(X, t, sample_weight=C)
            w0, b0, tolerance = model.coef_[0], model.intercept_[0], 1e-4
        w, b = kinks.finish(what, X, kinks.hinge(t, C), w0, b0, intercept)
        agree(f"{what}, coefficients", w, w0, tolerance)
        return w, b
    if kind:
        start, tolerance = liblinear.train(X, t, kind, C[0]), 1e-5
    else:
        model = svm.LinearSVC(penalty=penalty, dual=False, C=1.0, tol=1e-10, max_iter=10**6, fit_intercept=intercept,
                              intercept_scaling=SCALING, random_state=0).fit(X, t, sample_weight=C)
        start = np.append(model.coef_[0], model.intercept_) if intercept else model.coef_[0]
        tolerance = 1e-2 if intercept else 1e-5  # the vanishing penalty of the intercept
    l1, l2 = (1.0, 0.0) if penalty == "l1" else (0.0, 1.0)
    w, b, _ = minimise_rows(X, squared_hinge(t), C, l2, l1, intercept, start)
    agree(f"{what}, coefficients", w, start[:-1] if intercept else start, tolerance)
    return w, b


def objective_svc(X, codes, weight, C, loss, penalty, W, b):
    """Σₖ [ ½‖wₖ‖² (or ‖wₖ‖₁) + C Σᵢ weightᵢ φ(tᵢₖ zᵢₖ) ]"""
    Z = dense(X) @ W.T + b
    T = np.where(codes == 1, 1.0, -1.0)[:, None] if len(W) == 1 else np.where(codes[:, None] == np.arange(len(W)), 1.0, -1.0)
    gap = np.maximum(0, 1 - T * Z)
    cost = weight @ (gap if loss == "hinge" else gap**2)
    return (np.abs(W).sum() if penalty == "l1" else 0.5 * (W**2).sum()) + C * cost.sum()


def svc_case(name, data, C=1.0, loss="squared_hinge", penalty="l2", weighted=False, class_weight=None, intercept=True,
             kind=None):
    classes, codes = np.unique(data.y, return_inverse=True)
    s = data.weight if weighted else np.ones(len(codes))
    weight = s * class_weights(class_weight, classes, data.y)[codes]
    positives = [1] if len(classes) == 2 else range(len(classes))
    fits = [binary(f"{name}, class {k}", data.X, np.where(codes == k, 1.0, -1.0), C * weight, loss, penalty, intercept,
                   kind) for k in positives]
    W, b = np.array([w for w, _ in fits]), np.array([v for _, v in fits], float)
    rows = sample_rows(len(codes), 24 if len(classes) > 10 else 12)
    decision = dense(data.X)[rows] @ W.T + b
    chosen = (decision[:, 0] > 0).astype(int) if len(W) == 1 else decision.argmax(axis=1)
    oracle = (f"liblinear-train -s {kind}" if kind else "LIBSVM, linear kernel" if loss == "hinge"
              else "scikit-learn LinearSVC, intercept scaled")
    return {
        "name": name, "estimator": "LinearSVC", "oracle": oracle, "data": data.spec,
        "params": {"C": C, "loss": "hinge" if loss == "hinge" else "squaredHinge",
                   **({"penalty": "l1"} if penalty == "l1" else {}), **({} if intercept else {"fitIntercept": False}),
                   **({"classWeight": class_weight} if class_weight else {})},
        "weighted": weighted,
        "expected": {"objective": objective_svc(data.X, codes, weight, C, loss, penalty, W, b), "classes": classes,
                     "coef": W, "intercept": b, "rows": rows, "predict": classes[chosen], "decision": decision},
    }


def objective_svr(X, y, weight, C, epsilon, loss, w, b):
    """½‖w‖² + C Σᵢ weightᵢ φ(yᵢ − w·xᵢ − b)"""
    over = np.maximum(0, np.abs(y - dense(X) @ w - b) - epsilon)
    return 0.5 * w @ w + C * weight @ (over**2 if loss == "squared" else over)


def svr_case(name, data, C=1.0, epsilon=0.0, loss="linear", weighted=False, intercept=True, kind=None):
    y = np.asarray(data.y, float)
    s = data.weight if weighted else np.ones(len(y))
    kept = s > 0
    X, t, c = dense(data.X)[kept], y[kept], C * s[kept]
    tolerance = 1e-4
    if kind:
        w0, b0, oracle = liblinear.train(X, t, kind, C, p=epsilon), 0.0, f"liblinear-train -s {kind}"
    elif loss == "linear":
        model = svm.SVR(kernel="linear", C=1.0, epsilon=epsilon, tol=1e-10, cache_size=500).fit(X, t, sample_weight=c)
        w0, b0, oracle = model.coef_[0], model.intercept_[0], "LIBSVM, linear kernel"
    else:
        model = svm.LinearSVR(C=1.0, epsilon=epsilon, loss="squared_epsilon_insensitive", dual=False, tol=1e-10,
                              max_iter=10**6, intercept_scaling=SCALING).fit(X, t, sample_weight=c)
        w0, b0, oracle = model.coef_, model.intercept_[0], "scikit-learn LinearSVR, intercept scaled"
        tolerance = 1e-2  # the vanishing penalty of the intercept
    if loss == "linear":
        w, b = kinks.finish(name, X, kinks.insensitive(t, c, epsilon), w0, b0, intercept)
    else:
        start = np.append(w0, b0) if intercept else w0
        w, b, _ = minimise_rows(X, squared_insensitive(t, epsilon), c, 1.0, 0.0, intercept, start)
    agree(f"{name}, coefficients", w, w0, tolerance)
    rows = sample_rows(len(y))
    return {
        "name": name, "estimator": "LinearSVR", "oracle": oracle, "data": data.spec,
        "params": {"C": C, "epsilon": epsilon,
                   "loss": "epsilonInsensitive" if loss == "linear" else "squaredEpsilonInsensitive",
                   **({} if intercept else {"fitIntercept": False})},
        "weighted": weighted,
        "expected": {"objective": objective_svr(data.X, y, s, C, epsilon, loss, w, b), "coef": w, "intercept": b,
                     "rows": rows, "predict": dense(data.X)[rows] @ w + b},
    }


def svc_cases():
    cancer, iris = included("breastCancer", standardize=True), included("iris")
    tall, wide, sparse, separable = (synthetic(s, "binary") for s in ("tall", "wide", "sparse", "separable"))
    letters, bad = synthetic("letters", "letter"), synthetic("badlyScaled", "binary")
    hinge = {"loss": "hinge"}
    return [
        svc_case("breast cancer", cancer),
        svc_case("breast cancer, balanced classes", cancer, C=0.1, class_weight="balanced"),
        svc_case("iris", iris),
        svc_case("n ≫ d", tall, C=0.5),
        svc_case("n ≫ d, sample weights", tall, C=0.5, weighted=True),
        svc_case("d ≫ n", wide),
        svc_case("collinear columns", synthetic("collinear", "binary")),
        svc_case("badly scaled columns", bad, C=1e-2),
        svc_case("separable", separable, C=100.0),
        svc_case("sparse", sparse),
        svc_case("26 classes", letters),
        svc_case("LIBLINEAR, no intercept", tall, intercept=False, kind=2),
        svc_case("LIBLINEAR, sparse, no intercept", sparse, intercept=False, kind=2),
        svc_case("LIBLINEAR, l1, no intercept", tall, C=0.1, penalty="l1", intercept=False, kind=5),
        svc_case("LIBLINEAR, sparse, l1, no intercept", sparse, C=0.3, penalty="l1", intercept=False, kind=5),
        svc_case("hinge, breast cancer", cancer, C=0.1, **hinge),
        svc_case("hinge, a map of class weights", cancer, C=0.1, class_weight={"benign": 0.5, "malignant": 3.0}, **hinge),
        svc_case("hinge, two irises", included("iris", classes=["versicolor", "virginica"]), **hinge),
        svc_case("hinge, n ≫ d", tall, C=0.5, **hinge),
        svc_case("hinge, n ≫ d, sample weights", tall, C=0.5, weighted=True, **hinge),
        svc_case("hinge, d ≫ n", wide, **hinge),
        svc_case("hinge, separable", separable, C=100.0, **hinge),
        svc_case("hinge, sparse", sparse, **hinge),
        svc_case("hinge, three classes", synthetic("tall", "three"), C=0.2, **hinge),
        svc_case("hinge, LIBLINEAR, no intercept", tall, intercept=False, kind=3, **hinge),
        svc_case("hinge, LIBLINEAR, sparse, no intercept", sparse, C=0.5, intercept=False, kind=3, **hinge),
    ]


def svr_cases():
    diabetes = included("diabetes", standardize=True)
    tall, wide, sparse = (synthetic(s, "number") for s in ("tall", "wide", "sparse"))
    squared = {"loss": "squared"}
    return [
        svr_case("diabetes", diabetes, C=0.5),
        svr_case("diabetes, a tube of 10", diabetes, C=0.5, epsilon=10.0),
        svr_case("n ≫ d", tall, epsilon=0.1),
        svr_case("n ≫ d, sample weights", tall, epsilon=0.1, weighted=True),
        svr_case("d ≫ n", wide, C=0.1, epsilon=0.5),
        svr_case("sparse", sparse, C=0.5, epsilon=0.2),
        svr_case("LIBLINEAR, no intercept", tall, C=0.2, epsilon=0.5, intercept=False, kind=13),
        svr_case("squared, diabetes", diabetes, C=0.01, epsilon=5.0, **squared),
        svr_case("squared, n ≫ d, sample weights", tall, epsilon=0.1, weighted=True, **squared),
        svr_case("squared, collinear columns", synthetic("collinear", "number"), epsilon=0.1, **squared),
        svr_case("squared, sparse", sparse, epsilon=0.2, **squared),
        svr_case("squared, LIBLINEAR, no intercept", tall, epsilon=0.5, intercept=False, kind=11, **squared),
    ]


if __name__ == "__main__":
    write_fixture("linear-svc", svc_cases())
    write_fixture("linear-svr", svr_cases())
