"""Fixtures of multi-layer perceptrons: training from given weights, with the rows in the given order."""

import numpy as np
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.preprocessing import LabelBinarizer

from shapes import included, sample_rows, synthetic, write_fixture


def start(sizes):
    """Numbers that look random and are the same in every language: multiples of a prime, scaled as Glorot's uniform ones."""
    coefs, intercepts = [], []
    for layer, (d, m) in enumerate(zip(sizes, sizes[1:])):
        bound = np.sqrt(6 / (d + m))
        draw = lambda count, shift: ((np.arange(1, count + 1) * 7919 + shift) % 2000 / 1000 - 1) * bound
        coefs.append(draw(d * m, 104729 * layer).reshape(d, m))
        intercepts.append(draw(m, 104729 * layer + 13))
    return coefs, intercepts


def given_start(model):
    """Replaces the random start; the rest of the training is scikit-learn's."""
    def begin(y, layer_units, dtype):
        initialize(y, layer_units, dtype)
        model.coefs_, model.intercepts_ = start(layer_units)
    initialize = model._initialize
    model._initialize = begin
    return model


NAMES = {"hidden_layer_sizes": "hiddenLayerSizes", "learning_rate": "learningRate", "learning_rate_init": "learningRateInit",
         "batch_size": "batchSize", "max_iter": "maxIter", "power_t": "powerT", "nesterovs_momentum": "nesterovsMomentum",
         "n_iter_no_change": "nIterNoChange", "beta_1": "beta1", "beta_2": "beta2"}


def case(name, estimator, data, **params):
    params = {"shuffle": False, "max_iter": 30, **params}
    model = given_start({"MLPClassifier": MLPClassifier, "MLPRegressor": MLPRegressor}[estimator](**params))
    X, y = data.X, data.y
    model.fit(X, y)
    rows = sample_rows(X.shape[0], 12)
    expected = {"loss": model.loss_, "iterations": model.n_iter_, "rows": rows,
                "coefs": [model.coefs_[0][:3, :3], model.coefs_[-1][:3, :3]], "intercept": model.intercepts_[-1]}
    if params.get("solver", "adam") != "lbfgs":
        expected["lossCurve"] = model.loss_curve_
    if estimator == "MLPClassifier":
        expected["predictProba"] = model.predict_proba(X[rows])
        expected["score"] = model.score(X, y)
    else:
        expected["predict"] = model.predict(X[rows])
    return {"name": name, "estimator": estimator, "data": data.spec, "oracle": "scikit-learn", "weighted": False,
            "params": {NAMES.get(key, key): value for key, value in params.items()}, "expected": expected}


IRIS, WINE = included("iris", standardize=True), included("wine", standardize=True)
CANCER, DIGITS = included("breastCancer", standardize=True), included("digits")
DIABETES = included("diabetes", standardize=True)

cases = [
    *[case(f"iris, {activation}", "MLPClassifier", IRIS, activation=activation, hidden_layer_sizes=[10], max_iter=60)
      for activation in ["relu", "tanh", "logistic", "identity"]],
    case("wine, two hidden layers in batches", "MLPClassifier", WINE, hidden_layer_sizes=[16, 8], batch_size=32),
    case("wine, no hidden layer", "MLPClassifier", WINE, hidden_layer_sizes=[], batch_size=50, learning_rate_init=0.01),
    case("cancer, two classes", "MLPClassifier", CANCER, hidden_layer_sizes=[20], batch_size=64),
    case("cancer, two classes, tanh", "MLPClassifier", CANCER, hidden_layer_sizes=[12], activation="tanh", alpha=0.1),
    case("digits", "MLPClassifier", DIGITS, hidden_layer_sizes=[32], max_iter=10),
    case("wine, sgd with Nesterov's momentum", "MLPClassifier", WINE, hidden_layer_sizes=[10], solver="sgd",
         learning_rate_init=0.05),
    case("wine, sgd with momentum", "MLPClassifier", WINE, hidden_layer_sizes=[10], solver="sgd", learning_rate_init=0.05,
         nesterovs_momentum=False, batch_size=20),
    case("wine, sgd without momentum", "MLPClassifier", WINE, hidden_layer_sizes=[10], solver="sgd", learning_rate_init=0.1,
         momentum=0, batch_size=20),
    case("wine, sgd, invscaling", "MLPClassifier", WINE, hidden_layer_sizes=[10], solver="sgd", learning_rate="invscaling",
         learning_rate_init=0.5, power_t=0.3, batch_size=40),
    case("wine, sgd, adaptive", "MLPClassifier", WINE, hidden_layer_sizes=[10], solver="sgd", learning_rate="adaptive",
         learning_rate_init=0.05, batch_size=40, n_iter_no_change=2, tol=1e-3, max_iter=150),
    case("iris, stops by itself", "MLPClassifier", IRIS, hidden_layer_sizes=[8], learning_rate_init=0.05, tol=1e-3,
         n_iter_no_change=4, max_iter=400),
    case("cancer, lbfgs", "MLPClassifier", CANCER, hidden_layer_sizes=[5], activation="tanh", solver="lbfgs", alpha=1, max_iter=2000, tol=1e-8),
    case("iris, lbfgs", "MLPClassifier", IRIS, hidden_layer_sizes=[4], activation="logistic", solver="lbfgs", alpha=1, max_iter=2000, tol=1e-8),
    case("diabetes", "MLPRegressor", DIABETES, hidden_layer_sizes=[20], learning_rate_init=0.01, max_iter=40),
    case("diabetes, tanh, sgd", "MLPRegressor", DIABETES, hidden_layer_sizes=[10, 5], activation="tanh", solver="sgd",
         learning_rate_init=1e-4, batch_size=50),
    case("diabetes, lbfgs", "MLPRegressor", DIABETES, hidden_layer_sizes=[3], activation="tanh", solver="lbfgs", alpha=10,
         max_iter=3000, tol=1e-8),
]

write_fixture("neural", cases)
