"""Fixtures of Perceptron, SGDClassifier and SGDRegressor.

Without shuffling, a stochastic solver is deterministic: after a fixed number of passes in row order every implementation
of the same update stands at the same point. These cases hold that point. `minimum` is the least value of

  1/n Σᵢ ℓᵢ(w·xᵢ + b) + alpha · ½‖w‖²

found by Newton's method (absent where the loss has kinks), which shuffled runs must come near to.
"""

import numpy as np
import sklearn.linear_model as lm

from certify import dense, minimise_rows
from lasso import squared
from linear_svm import squared_hinge
from logistic import logistic
from shapes import included, sample_rows, synthetic, write_fixture

# scikit-learn's names → the library's.
LOSSES = {"hinge": "hinge", "log_loss": "logLoss", "squared_hinge": "squaredHinge", "squared_error": "squaredError",
          "huber": "huber", "epsilon_insensitive": "epsilonInsensitive"}


def walk(model, data, weighted):
    # A row of weight 0 is a step that does nothing but count for scikit-learn; for us it is gone.
    keep = data.weight > 0 if weighted else slice(None)
    model.fit(data.X[keep], data.y[keep], sample_weight=data.weight[keep] if weighted else None)
    return np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_)


def params_of(loss, penalty, rate, alpha, eta0, passes, l1_ratio=None):
    return {**({"loss": LOSSES[loss]} if loss else {}), **({"penalty": penalty} if penalty else {}),
            **({"l1Ratio": l1_ratio} if l1_ratio is not None else {}), "learningRate": rate, "alpha": alpha,
            "eta0": eta0, "maxIter": passes, "shuffle": False, "tol": 0}


def classifier(name, data, loss, rate="constant", alpha=1e-3, eta0=0.01, passes=3, penalty="l2", weighted=False):
    model = lm.SGDClassifier(loss=loss, penalty=penalty, alpha=alpha, learning_rate=rate, eta0=eta0, max_iter=passes,
                             tol=None, shuffle=False)
    W, b = walk(model, data, weighted)
    classes, codes = np.unique(data.y, return_inverse=True)
    minimum = {}
    if len(classes) == 2 and loss != "hinge" and penalty == "l2" and not weighted:
        phi = logistic(codes) if loss == "log_loss" else squared_hinge(2.0 * codes - 1)
        minimum = {"minimum": minimise_rows(data.X, phi, np.full(len(codes), 1 / len(codes)), alpha)[2]}
    rows = sample_rows(len(codes))
    return {
        "name": name, "estimator": "SGDClassifier", "oracle": "scikit-learn SGDClassifier(shuffle=False)",
        "data": data.spec, "params": params_of(loss, penalty, rate, alpha, eta0, passes), "weighted": weighted,
        "expected": {"classes": classes, "coef": W, "intercept": b, "rows": rows,
                     "predict": model.predict(data.X)[rows], **minimum},
    }


def perceptron(name, data, passes):
    model = lm.Perceptron(max_iter=passes, tol=None, shuffle=False)
    W, b = walk(model, data, False)
    rows = sample_rows(len(data.y))
    return {
        "name": name, "estimator": "Perceptron", "oracle": "scikit-learn Perceptron(shuffle=False)", "data": data.spec,
        "params": {"maxIter": passes, "shuffle": False, "tol": 0}, "weighted": False,
        "expected": {"classes": model.classes_, "coef": W, "intercept": b, "rows": rows,
                     "predict": model.predict(data.X)[rows], "accuracy": model.score(data.X, data.y)},
    }


def regressor(name, data, loss="squared_error", rate="invscaling", alpha=1e-3, eta0=0.01, passes=3, epsilon=0.1,
              weighted=False):
    y = np.asarray(data.y, float)
    model = lm.SGDRegressor(loss=loss, alpha=alpha, learning_rate=rate, eta0=eta0, max_iter=passes, tol=None,
                            shuffle=False, epsilon=epsilon)
    W, b = walk(model, data, weighted)
    minimum = {}
    if loss == "squared_error" and not weighted:
        minimum = {"minimum": minimise_rows(data.X, squared(y), np.full(len(y), 1 / len(y)), alpha)[2]}
    rows = sample_rows(len(y))
    extra = {} if loss == "squared_error" else {"epsilon": epsilon}
    return {
        "name": name, "estimator": "SGDRegressor", "oracle": "scikit-learn SGDRegressor(shuffle=False)",
        "data": data.spec, "params": {**params_of(loss, "l2", rate, alpha, eta0, passes), **extra},
        "weighted": weighted,
        "expected": {"coef": W[0], "intercept": b[0], "rows": rows, "predict": dense(data.X)[rows] @ W[0] + b[0],
                     **minimum},
    }


def main():
    binary, three, number = (synthetic("tall", target) for target in ("binary", "three", "number"))
    cancer, diabetes = included("breastCancer", standardize=True), included("diabetes", standardize=True)
    write_fixture("sgd", [
        perceptron("separable", synthetic("separable", "binary"), 30),
        perceptron("two classes that overlap", binary, 5),
        perceptron("three classes", three, 3),
        classifier("hinge, constant rate", binary, "hinge"),
        classifier("hinge, optimal rate", cancer, "hinge", rate="optimal"),
        classifier("log loss, constant rate", binary, "log_loss"),
        classifier("log loss, optimal rate", cancer, "log_loss", rate="optimal", alpha=1e-2),
        classifier("log loss, falling rate", binary, "log_loss", rate="invscaling", eta0=0.1),
        classifier("log loss, sample weights", binary, "log_loss", weighted=True),
        classifier("log loss, three classes", three, "log_loss"),
        classifier("squared hinge, constant rate", binary, "squared_hinge", eta0=0.002),
        regressor("squared error, falling rate", diabetes),
        regressor("squared error, constant rate", number, rate="constant", eta0=0.005),
        regressor("squared error, sample weights", number, weighted=True),
        regressor("huber", number, "huber", epsilon=0.5),
        regressor("epsilon-insensitive", number, "epsilon_insensitive", epsilon=0.2),
    ])


if __name__ == "__main__":
    main()
