"""Fixtures of estimators made of others: votes, stacks, calibrated probabilities. Members are exact or tightly solved."""

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import StackingClassifier, StackingRegressor, VotingClassifier, VotingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import MinMaxScaler, PowerTransformer, QuantileTransformer, StandardScaler

from shapes import included, write_fixture


def classifiers():
    return [("bayes", GaussianNB()), ("lda", LinearDiscriminantAnalysis())]


def solved(C=1.0):
    # newton-cholesky fits one class against the rest.
    return LogisticRegression(C=C, solver="newton-cg", tol=1e-10, max_iter=100000)


def classification(data, name, model, params, weighted=False):
    rng = np.random.default_rng(5)
    weight = rng.integers(1, 5, len(data.y)) / 2
    model.fit(data.X, data.y, **({"sample_weight": weight} if weighted else {}))
    rows = np.arange(0, len(data.y), 7)
    expected = {"rows": rows, "predict": model.predict(data.X[rows])}
    if hasattr(model, "predict_proba"):
        expected["predictProba"] = model.predict_proba(data.X[rows])
    return {"name": name, "estimator": type(model).__name__, "oracle": "scikit-learn", "data": data.spec, "params": params,
            "weighted": weighted, "weight": weight, "expected": expected}


def prefit(data, name, method, model, weighted):
    """Fitted to the rows of even number, calibrated by the others."""
    rng = np.random.default_rng(5)
    weight = rng.integers(1, 5, len(data.y)) / 2
    even, odd = np.arange(0, len(data.y), 2), np.arange(1, len(data.y), 2)
    model.fit(data.X[even], data.y[even])
    calibrated = CalibratedClassifierCV(model, method=method, cv="prefit")
    calibrated.fit(data.X[odd], data.y[odd], **({"sample_weight": weight[odd]} if weighted else {}))
    rows = np.arange(0, len(data.y), 7)
    expected = {"rows": rows, "predict": calibrated.predict(data.X[rows]),
                "predictProba": calibrated.predict_proba(data.X[rows])}
    return {"name": name, "estimator": "prefit", "oracle": "scikit-learn", "data": data.spec,
            "params": {"method": method, "model": type(model).__name__}, "weighted": weighted, "weight": weight,
            "expected": expected}


def regression(data, name, model, params):
    model.fit(data.X, data.y)
    rows = np.arange(0, len(data.y), 29)
    return {"name": name, "estimator": type(model).__name__, "oracle": "scikit-learn", "data": data.spec, "params": params,
            "weighted": False, "expected": {"rows": rows, "predict": model.predict(data.X[rows])}}


def transformed(data):
    rng = np.random.default_rng(8)
    weight = rng.integers(0, 5, len(data.y)) / 2
    ways = (
        ("log", {"func": np.log, "inverse_func": np.exp}, {"func": "log"}),
        ("log1p", {"func": np.log1p, "inverse_func": np.expm1}, {"func": "log1p"}),
        ("sqrt", {"func": np.sqrt, "inverse_func": np.square}, {"func": "sqrt"}),
        ("StandardScaler", {"transformer": StandardScaler()}, {}),
        ("MinMaxScaler", {"transformer": MinMaxScaler()}, {}),
        ("PowerTransformer", {"transformer": PowerTransformer()}, {}),
        ("QuantileTransformer", {"transformer": QuantileTransformer(n_quantiles=50, output_distribution="normal")}, {}),
        ("nothing", {}, {}),
    )
    rows = np.arange(0, len(data.y), 29)
    cases = []
    for name, given, params in ways:
        # Weights of functions only: scikit-learn's transformers do not see them.
        for s in (None, weight) if "func" in given else (None,):
            model = TransformedTargetRegressor(regressor=Ridge(alpha=10), **given).fit(
                data.X, data.y, **({} if s is None else {"sample_weight": s}))
            cases.append({"name": f"target by {name}{'' if s is None else ', weights'}", "estimator": "TransformedTarget",
                          "oracle": "scikit-learn", "data": data.spec, "params": {"way": name, **params},
                          "weighted": s is not None, "weight": weight,
                          "expected": {"rows": rows, "predict": model.predict(data.X[rows])}})
    return cases


def main():
    iris = included("iris")
    cancer = included("breastCancer", standardize=True)
    diabetes = included("diabetes", standardize=True)
    cases = []
    for data, name in ((iris, "three classes"), (cancer, "two classes")):
        for weighted in (False, True):
            suffix = f"{name}{', weights' if weighted else ''}"
            if not weighted:
                cases.append(classification(data, f"hard votes, {suffix}", VotingClassifier(classifiers()), {"voting": "hard"}))
                cases.append(classification(data, f"soft votes, {suffix}",
                                            VotingClassifier(classifiers(), voting="soft", weights=[1, 3]),
                                            {"voting": "soft", "weights": [1, 3]}))
                cases.append(classification(data, f"stack, {suffix}", StackingClassifier(classifiers(), solved()), {}))
                cases.append(classification(data, f"stack with X, {suffix}",
                                            StackingClassifier(classifiers(), solved(0.1), passthrough=True),
                                            {"passthrough": True, "C": 0.1}))
            for method in ("sigmoid", "isotonic"):
                for ensemble in (True, False):
                    cases.append(classification(
                        data, f"calibrated by {method}, ensemble {ensemble}, {suffix}",
                        CalibratedClassifierCV(GaussianNB(), method=method, cv=5, ensemble=ensemble),
                        {"method": method, "ensemble": ensemble}, weighted))
    for data, name in ((iris, "three classes"), (cancer, "two classes")):
        for weighted in (False, True):
            for method in ("sigmoid", "isotonic"):
                for model in (GaussianNB(), LinearDiscriminantAnalysis()):
                    kind = f"{type(model).__name__}, {method}, {name}{', weights' if weighted else ''}"
                    cases.append(prefit(data, f"a fitted {kind}", method, model, weighted))
    members = [("plain", LinearRegression()), ("ridge", Ridge(alpha=500))]
    cases.append(regression(diabetes, "votes", VotingRegressor(members, weights=[1, 2]), {"weights": [1, 2]}))
    cases.append(regression(diabetes, "stack", StackingRegressor(members, Ridge(alpha=1)), {}))
    cases.append(regression(diabetes, "stack with X", StackingRegressor(members, Ridge(alpha=1), passthrough=True),
                            {"passthrough": True}))
    cases += transformed(diabetes)
    write_fixture("meta", cases)


if __name__ == "__main__":
    main()
