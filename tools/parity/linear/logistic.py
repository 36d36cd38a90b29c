"""Fixtures of LogisticRegression (two classes and multinomial) and SoftmaxRegression.

  min over (W, b):  C Σᵢ sᵢ c_{yᵢ} ℓᵢ  +  l1Ratio ‖W‖₁  +  ½ (1 − l1Ratio) ‖W‖²          b is not penalised
  two classes:      ℓᵢ = log(1 + exp(−yᵢ zᵢ)),  y = +1 for the second class in sorted order
  K classes:        ℓᵢ = log Σₖ exp zᵢₖ − z_{i,yᵢ}
  penalty "none":   Σᵢ sᵢ c_{yᵢ} ℓᵢ
"""

import numpy as np
import sklearn.linear_model as lm
from sklearn.utils.class_weight import compute_class_weight

import liblinear
from certify import agree, dense, minimise_rows, minimise_softmax
from r import r
from shapes import included, sample_rows, synthetic, write_fixture

RATIO = {"l2": 0.0, "l1": 1.0, "none": 0.0}


def logistic(codes):
    """Loss of the second class against the first; stable for any z."""
    t = 2.0 * codes - 1

    def loss(z):
        m = t * z
        p = np.exp(-np.logaddexp(0, m))  # 1 / (1 + exp(m))
        return np.logaddexp(0, -m), -t * p, p * (1 - p)

    return loss


def class_weights(spec, classes, y):
    if spec is None:
        return np.ones(len(classes))
    if spec == "balanced":
        return compute_class_weight("balanced", classes=classes, y=y)
    return np.array([spec.get(str(c), 1.0) for c in classes])


def probabilities(X, W, b):
    Z = dense(X) @ W.T + b
    if len(W) == 1:
        p = np.exp(-np.logaddexp(0, -Z[:, 0]))
        return np.column_stack([1 - p, p])
    E = np.exp(Z - Z.max(axis=1)[:, None])
    return E / E.sum(axis=1)[:, None]


def objective(X, codes, weight, C, penalty, ratio, W, b):
    """The formula of the head of this file, written a second time and independent of certify.py."""
    P = probabilities(X, W, b)
    loss = weight @ -np.log(P[np.arange(len(codes)), codes])
    if penalty == "none":
        return loss
    return C * loss + ratio * np.abs(W).sum() + 0.5 * (1 - ratio) * (W**2).sum()


def sklearn_fit(data, C, penalty, ratio, intercept, class_weight, weight):
    """newton-cg where the objective is smooth, saga where it is not; certify.py finishes both."""
    smooth = penalty in ("l2", "none")
    options = {"elasticnet": {"l1_ratio": ratio}}.get(penalty, {})
    solver = "newton-cg" if smooth else "saga"
    model = lm.LogisticRegression(
        C=1.0 if penalty == "none" else C, penalty=None if penalty == "none" else penalty, fit_intercept=intercept,
        solver=solver, tol=1e-10, max_iter=300 if smooth else 20000, random_state=0,
        class_weight=class_weight, multi_class="auto", **options)
    model.fit(data.X, data.y, sample_weight=weight)
    return model, f"scikit-learn LogisticRegression({solver})"


def minimum(data, codes, K, weight, C, penalty, ratio, intercept, start):
    c, l1, l2 = (1.0, 0.0, 0.0) if penalty == "none" else (C, ratio, 1 - ratio)
    if K == 2:
        w, b, F = minimise_rows(data.X, logistic(codes), c * weight, l2, l1, intercept, start)
        return w[None, :], np.array([b]), F
    return minimise_softmax(data.X, codes, K, c * weight, l2, l1, intercept, start)


def case(name, data, C=1.0, penalty="l2", ratio=None, weighted=False, class_weight=None, intercept=True,
         oracle_of_r=None, estimator="LogisticRegression", from_oracle=True, tolerance=1e-4):
    """`from_oracle=False`: the oracle's solver does not get there (badly scaled columns), so start at zero and only
    require that its objective is not lower."""
    classes, codes = np.unique(data.y, return_inverse=True)
    K, ratio = len(classes), RATIO[penalty] if ratio is None else ratio
    s = data.weight if weighted else np.ones(len(codes))
    weight = s * class_weights(class_weight, classes, data.y)[codes]
    model, oracle = sklearn_fit(data, C, penalty, ratio, intercept, class_weight, s)
    W0, b0 = model.coef_, np.atleast_1d(model.intercept_)
    start = None
    if from_oracle:
        start = np.column_stack([W0, b0]) if intercept else W0
        start = start[0] if K == 2 else start
    W, b, F = minimum(data, codes, K, weight, C, penalty, ratio, intercept, start)
    agree(f"{name}, the formula", F, objective(data.X, codes, weight, C, penalty, ratio, W, b), 1e-12)
    if objective(data.X, codes, weight, C, penalty, ratio, W0, b0) < F * (1 - 1e-11):
        raise AssertionError(f"{name}: the oracle found a lower objective")
    if from_oracle:
        agree(f"{name}, probabilities", probabilities(data.X, W, b), probabilities(data.X, W0, b0), tolerance)
    if oracle_of_r:
        oracle += ", " + check_r(name, data, s, oracle_of_r, classes, W, b)
    P = probabilities(data.X, W, b)
    rows = sample_rows(len(codes), 24 if K > 10 else 12)
    return {
        "name": name,
        "estimator": estimator,
        "oracle": oracle,
        "data": data.spec,
        "params": {"C": C, "penalty": penalty, **({"l1Ratio": ratio} if penalty == "elasticnet" else {}),
                   **({} if intercept else {"fitIntercept": False}),
                   **({"classWeight": class_weight} if class_weight else {})},
        "weighted": weighted,
        "expected": {"objective": F, "classes": classes, "coef": W, "intercept": b, "rows": rows,
                     "predict": classes[P[rows].argmax(axis=1)], "predictProba": P[rows]},
    }


def check_r(name, data, s, oracle_of_r, classes, W, b):
    method, options = oracle_of_r
    r_b, r_W = r(method, data.X, data.y, s, **options)
    if method == "multinom":  # rows are classes 1…K−1 against class 0
        agree(f"{name}, R", np.column_stack([W[1:] - W[0], b[1:] - b[0]]), np.column_stack([r_W, r_b]), 1e-5)
    else:
        agree(f"{name}, R", np.append(W[0], b), np.append(r_W[0], r_b[0]), 1e-5)
    return f"R {method}"


def liblinear_case(name, data, kind, C):
    """Straight from liblinear-train, which has no intercept unless asked: -s 0 (L2) and -s 6 (L1)."""
    classes, codes = np.unique(data.y, return_inverse=True)
    penalty, ratio = {0: ("l2", 0.0), 6: ("l1", 1.0)}[kind]
    w0 = liblinear.train(dense(data.X), 2 * codes - 1, kind, C)
    W, b, F = minimum(data, codes, 2, np.ones(len(codes)), C, penalty, ratio, False, w0)
    agree(f"{name}, coefficients", W[0], w0, 1e-5)
    rows = sample_rows(len(codes))
    P = probabilities(data.X, W, b)
    return {
        "name": name, "estimator": "LogisticRegression", "oracle": f"liblinear-train -s {kind}", "data": data.spec,
        "params": {"C": C, "penalty": penalty, "fitIntercept": False}, "weighted": False,
        "expected": {"objective": F, "classes": classes, "coef": W, "intercept": b, "rows": rows,
                     "predict": classes[P[rows].argmax(axis=1)], "predictProba": P[rows]},
    }


def binary_cases():
    cancer = included("breastCancer", standardize=True)
    irises = included("iris", classes=["versicolor", "virginica"])
    tall, wide, sparse = (synthetic(s, "binary") for s in ("tall", "wide", "sparse"))
    n = len(tall.y)
    return [
        case("breast cancer", cancer),
        case("breast cancer, C = 0.01", cancer, C=0.01),
        case("breast cancer, balanced classes", cancer, class_weight="balanced"),
        case("breast cancer, a map of class weights", cancer, class_weight={"benign": 0.5, "malignant": 3.0}),
        case("breast cancer, l1", cancer, C=0.5, penalty="l1"),
        case("breast cancer, elastic net", cancer, C=0.5, penalty="elasticnet", ratio=0.4),
        case("two irises", irises),
        case("two irises, no penalty", irises, penalty="none", oracle_of_r=("glm.binomial", {})),
        case("n ≫ d", tall, C=2.0),
        case("n ≫ d, no penalty", tall, penalty="none", oracle_of_r=("glm.binomial", {})),
        case("n ≫ d, l1", tall, C=0.1, penalty="l1",
             oracle_of_r=("glmnet.binomial", {"alpha": 1, "lambda": 1 / (n * 0.1), "intercept": True})),
        case("n ≫ d, sample weights", tall, weighted=True),
        case("n ≫ d, l1, sample weights", tall, C=0.1, penalty="l1", weighted=True),
        case("n ≫ d, no intercept", tall, intercept=False),
        case("n ≫ d, l1, no intercept", tall, C=0.1, penalty="l1", intercept=False),
        case("d ≫ n", wide),
        case("d ≫ n, l1", wide, penalty="l1"),
        case("d ≫ n, elastic net", wide, C=0.5, penalty="elasticnet", ratio=0.5),
        case("collinear columns", synthetic("collinear", "binary")),
        case("badly scaled columns", synthetic("badlyScaled", "binary"), from_oracle=False),
        case("badly scaled columns, l1", synthetic("badlyScaled", "binary"), penalty="l1", from_oracle=False),
        case("separable", synthetic("separable", "binary"), C=100.0),
        case("separable, l1", synthetic("separable", "binary"), C=10.0, penalty="l1"),
        case("sparse", sparse),
        case("sparse, l1", sparse, penalty="l1"),
        case("sparse, sample weights, no intercept", sparse, weighted=True, intercept=False),
        liblinear_case("LIBLINEAR, l2", tall, 0, 0.5),
        liblinear_case("LIBLINEAR, l1", tall, 6, 0.2),
        liblinear_case("LIBLINEAR, sparse, l1", sparse, 6, 1.0),
    ]


def multinomial_cases():
    iris, wine = included("iris"), included("wine", standardize=True)
    tall, sparse, letters = synthetic("tall", "three"), synthetic("sparse", "three"), synthetic("letters", "letter")
    return [
        case("iris", iris),
        case("wine", wine),
        case("wine, balanced classes", wine, class_weight="balanced"),
        case("digits", included("digits", standardize=True), C=0.01),
        case("three classes, no penalty", tall, penalty="none", oracle_of_r=("multinom", {"decay": 0})),
        case("three classes, sample weights", tall, weighted=True),
        case("three classes, no intercept", tall, intercept=False),
        case("three classes, l1", tall, C=0.1, penalty="l1"),
        case("wine, l1", wine, C=0.5, penalty="l1"),
        case("three classes, elastic net", tall, C=0.1, penalty="elasticnet", ratio=0.5),
        case("three classes, d ≫ n", synthetic("wide", "three")),
        case("three classes, collinear columns", synthetic("collinear", "three")),
        case("three classes, badly scaled columns", synthetic("badlyScaled", "three"), from_oracle=False),
        case("three classes, sparse", sparse),
        case("three classes, sparse, l1", sparse, C=0.7, penalty="l1"),
        case("26 classes", letters),
        case("26 classes, sample weights", letters, C=0.1, weighted=True),
    ]


def softmax_cases():
    tall, letters = synthetic("tall", "three"), synthetic("letters", "letter")
    multinom = ("multinom", {"decay": 0})
    return [
        case("three classes", tall, penalty="none", oracle_of_r=multinom, estimator="SoftmaxRegression"),
        case("three classes, sample weights", tall, penalty="none", weighted=True, oracle_of_r=multinom,
             estimator="SoftmaxRegression"),
        case("three classes of sparse rows", synthetic("sparse", "three"), C=0.3, estimator="SoftmaxRegression"),
        case("26 classes", letters, C=0.05, estimator="SoftmaxRegression"),
    ]


if __name__ == "__main__":
    write_fixture("logistic", binary_cases())
    write_fixture("multinomial", multinomial_cases())
    write_fixture("softmax", softmax_cases())
