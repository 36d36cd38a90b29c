"""Folds of scikit-learn's splitters that use no random numbers, on real rows: wine with groups made of its columns."""

import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePGroupsOut,
    LeavePOut,
    PredefinedSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)

from shapes import dumps, write

X, y = load_wine(return_X_y=True)
order = (np.arange(len(y)) * 37) % len(y)
X, y = X[order], y[order]
# Groups of unequal size, of which many have rows of several classes.
groups = np.floor(X[:, 4] / 6).astype(int)
test_fold = (np.arange(len(y)) % 5) - 1
few = 7

cases = [
    ("KFold", {"nSplits": 4}, KFold(4), None),
    ("StratifiedKFold", {"nSplits": 4}, StratifiedKFold(4), None),
    ("GroupKFold", {"nSplits": 3}, GroupKFold(3), None),
    ("GroupKFold", {"nSplits": 5}, GroupKFold(5), None),
    ("StratifiedGroupKFold", {"nSplits": 3}, StratifiedGroupKFold(3), None),
    ("StratifiedGroupKFold", {"nSplits": 5}, StratifiedGroupKFold(5), None),
    ("TimeSeriesSplit", {}, TimeSeriesSplit(), None),
    (
        "TimeSeriesSplit",
        {"nSplits": 3, "maxTrainSize": 20, "testSize": 7, "gap": 2},
        TimeSeriesSplit(3, max_train_size=20, test_size=7, gap=2),
        None,
    ),
    ("LeaveOneOut", {}, LeaveOneOut(), few),
    ("LeavePOut", {"p": 3}, LeavePOut(3), few),
    ("LeaveOneGroupOut", {}, LeaveOneGroupOut(), None),
    ("LeavePGroupsOut", {"nGroups": 2}, LeavePGroupsOut(2), None),
    ("PredefinedSplit", {"testFold": test_fold.tolist()}, PredefinedSplit(test_fold), None),
]


def folds(splitter, rows):
    n = len(y) if rows is None else rows
    found = splitter.split(X[:n], y[:n], groups[:n])
    return [{"train": train.tolist(), "test": test.tolist()} for train, test in found]


# One line a case, so that a change of one case is a change of one line.
lines = ",\n".join(
    dumps({"splitter": name, "params": params, "rows": rows, "folds": folds(splitter, rows)})
    for name, params, splitter, rows in cases
)
write("splitters.json", f'{{"y":{dumps(y)},"groups":{dumps(groups)},"cases":[\n{lines}\n]}}\n')
