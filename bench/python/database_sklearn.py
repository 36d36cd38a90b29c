"""One fit of scikit-learn to columns of doubles: TASK DIRECTORY ROWS. Prints seconds, peak memory in MB and the objective as JSON.

Reading is timed: columns of raw doubles, which is faster than any reader of Parquet that makes the same arrays.
"""

import json
import resource
import sys
import time

started = time.perf_counter()
import numpy
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB

task, directory, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
COLUMNS, CLUSTERS, ROUNDS = 20, 8, 50


def column(name):
    return numpy.fromfile(f"{directory}/{name}.f64", dtype=numpy.float64)


X = numpy.empty((rows, COLUMNS))
for j in range(COLUMNS):
    X[:, j] = column(f"x{j}")
y = None if task == "kmeans" else column("label" if task in ("logistic", "bayes") else "y")

models = {
    # The tolerance of its own default is a gradient; the objective is compared below.
    "logistic": LogisticRegression(max_iter=1000),
    "ridge": Ridge(),
    "bayes": GaussianNB(),
    "kmeans": KMeans(CLUSTERS, n_init=1, random_state=0),
    "boosting": HistGradientBoostingRegressor(max_iter=ROUNDS, early_stopping=False),
}
model = models[task]
model.fit(X, y) if y is not None else model.fit(X)
seconds = time.perf_counter() - started
rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def objective():
    if task == "kmeans":
        return model.inertia_
    if task == "bayes":
        return None
    total = 0.0
    for start in range(0, rows, 1_000_000):
        part, own = X[start : start + 1_000_000], y[start : start + 1_000_000]
        if task == "logistic":
            margin = (2 * own - 1) * (part @ model.coef_[0] + model.intercept_[0])
            total += numpy.logaddexp(0, -margin).sum()
        else:
            total += ((model.predict(part) - own) ** 2).sum()
    if task == "logistic":
        return total + 0.5 * (model.coef_**2).sum()
    return total / rows if task == "boosting" else total + (model.coef_**2).sum()


print(json.dumps({"seconds": seconds, "rss": rss, "objective": objective()}))
