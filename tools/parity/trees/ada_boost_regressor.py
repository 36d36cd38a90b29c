"""Fixtures of AdaBoostRegressor: what every round makes of its member's predictions, and the weighted medians.

Rows are drawn at random, so members cannot be the same; given their predictions everything else follows. The scores on held-out rows are
means over seeds.
"""

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.ensemble import AdaBoostRegressor
from sklearn.tree import DecisionTreeRegressor

from shapes import write_fixture

SEEDS = range(20)


def replayed(loss, rate, rows=120, rounds=6):
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:rows], y[:rows]
    weight = 1 + (np.arange(rows) % 3)
    model = AdaBoostRegressor(DecisionTreeRegressor(max_depth=3), n_estimators=rounds, learning_rate=rate, loss=loss,
                              random_state=0).fit(X, y, sample_weight=weight)
    return {"name": f"{loss}, rate {rate}", "loss": loss, "learningRate": rate, "y": y, "weights": weight / weight.sum(),
            "members": [m.predict(X).round(9) for m in model.estimators_],
            "estimatorWeights": model.estimator_weights_, "estimatorErrors": model.estimator_errors_,
            "predict": model.predict(X).round(9)}


def scores(loss):
    X, y = load_diabetes(return_X_y=True)
    held = np.arange(len(y)) % 4 == 3
    found = [AdaBoostRegressor(n_estimators=30, loss=loss, random_state=seed).fit(X[~held], y[~held]).score(X[held], y[held])
             for seed in SEEDS]
    return {"name": f"{loss}, held-out rows", "loss": loss, "mean": np.mean(found), "deviation": np.std(found)}


LOSSES = ("linear", "square", "exponential")
write_fixture("ada-boost-regressor", [
    *[replayed(loss, rate) for loss in LOSSES for rate in (1.0, 0.5)],
    *[scores(loss) for loss in LOSSES],
])
