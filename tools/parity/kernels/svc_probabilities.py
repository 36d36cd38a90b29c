"""Fixtures of SVC's probabilities, against scikit-learn (LIBSVM): log loss on rows that were not seen, over many seeds.

Both sides draw the folds of their calibration at random, so that only the spread over seeds can be compared.
"""

import numpy as np
from sklearn.metrics import log_loss
from sklearn.svm import SVC

from shapes import included, write_fixture

SEEDS = 20


def spread(values):
    return {"mean": round(np.mean(values), 9), "deviation": round(np.std(values, ddof=1), 9)}


def case(name, data, **params):
    """Learns from rows with an even number, asks about the others."""
    train, test = slice(0, None, 2), slice(1, None, 2)
    losses, right = [], []
    for seed in range(SEEDS):
        model = SVC(probability=True, random_state=seed, cache_size=500, **params).fit(data.X[train], data.y[train])
        proba = model.predict_proba(data.X[test])
        losses.append(log_loss(data.y[test], proba, labels=model.classes_))
        right.append(np.mean(model.classes_[np.argmax(proba, axis=1)] == data.y[test]))
    return {"name": name, "estimator": "SVC", "data": data.spec, "params": params, "oracle": "scikit-learn",
            "weighted": False,
            "expected": {"logLoss": spread(losses), "accuracy": spread(right)}}


def main():
    iris, wine = (included(name, standardize=True) for name in ("iris", "wine"))
    cancer, digits = included("breastCancer", standardize=True), included("digits")
    write_fixture("svc-probabilities", [
        case("iris, rbf", iris), case("wine, rbf", wine), case("wine, linear", wine, kernel="linear"),
        case("breast cancer, rbf", cancer), case("breast cancer, rbf, C = 10", cancer, C=10.0),
        case("breast cancer, linear", cancer, kernel="linear"), case("digits, rbf", digits),
    ])


if __name__ == "__main__":
    main()
