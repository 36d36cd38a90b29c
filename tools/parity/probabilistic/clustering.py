"""Fixtures of the clusterers, of scipy's linkage matrices, and of the metrics of clusterings."""

import numpy as np
import scipy.cluster.hierarchy as hierarchy
from scipy.spatial.distance import pdist
from sklearn import metrics
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans, MiniBatchKMeans

from shapes import included, synthetic, write_fixture

NAMES = {"n_clusters": "nClusters", "max_iter": "maxIter", "min_samples": "minSamples",
         "distance_threshold": "distanceThreshold", "kd_tree": "kdTree", "ball_tree": "ballTree"}


def camel(params):
    return {NAMES.get(key, key): NAMES.get(value, value) if isinstance(value, str) else value
            for key, value in params.items()}


def case(name, estimator, data, params, expected, weighted=False):
    return {"name": name, "estimator": estimator, "data": data.spec, "params": camel(params), "oracle": "scikit-learn",
            "weighted": weighted, "expected": expected}


def starts(X, k):
    """Centres to start from, the same for both: means of seven rows each, so that no row is as far from one as from another."""
    return np.round([X[np.arange(c, c + 7) % X.shape[0]].mean(axis=0) for c in np.arange(k) * (X.shape[0] // k)], 9)


def k_means(name, data, k, max_iter=300, tol=1e-4, weighted=False, init=None, algorithm="lloyd"):
    start = starts(data.X, k) if init is None else np.array(init, float)
    weight = data.weight if weighted else None
    keep = slice(None) if weight is None else weight > 0
    model = KMeans(k, init=start, n_init=1, max_iter=max_iter, tol=tol, algorithm=algorithm)
    model.fit(data.X[keep], sample_weight=None if weight is None else weight[keep])
    return case(name, "KMeans", data, {"n_clusters": k, "max_iter": max_iter, "tol": tol},
                {"init": start, "centers": model.cluster_centers_,
                 "labels": model.predict(data.X), "inertia": model.inertia_, "iterations": model.n_iter_,
                 "distances": model.transform(data.X[:7]), "score": model.score(data.X[:7])}, weighted)


def partial_fit(name, data, k):
    """Batches one after the other, without any random number."""
    start = starts(data.X, k)
    model = MiniBatchKMeans(k, init=start, n_init=1, reassignment_ratio=0)
    batches = np.array_split(np.arange(data.X.shape[0]), 4)
    for batch in batches:
        model.partial_fit(data.X[batch])
    return case(name, "MiniBatchKMeans", data, {"n_clusters": k},
                {"init": start, "batches": batches, "centers": model.cluster_centers_, "labels": model.predict(data.X)})


def dbscan(name, data, weighted=False, **params):
    weight = data.weight if weighted else None
    model = DBSCAN(**params).fit(data.X, sample_weight=weight)
    return case(name, "DBSCAN", data, params,
                {"labels": model.labels_, "core": model.core_sample_indices_}, weighted)


SCIPY = {"manhattan": "cityblock", "euclidean": "euclidean", "cosine": "cosine", "chebyshev": "chebyshev"}


def linkage(name, data, rule, metric="euclidean", k=4):
    X = data.X
    Z = hierarchy.linkage(X, "ward") if rule == "ward" else hierarchy.linkage(pdist(X, SCIPY[metric]), rule)
    model = AgglomerativeClustering(k, linkage=rule, metric=metric).fit(X)
    threshold = float(np.round(Z[-4, 2] * 0.999, 6))
    # scipy puts the smaller number first, scikit-learn's single linkage the cluster that its spanning tree had reached before.
    assert np.array_equal(np.sort(model.children_, axis=1), Z[:, :2].astype(int))
    Z[:, :2] = model.children_
    cut = AgglomerativeClustering(None, linkage=rule, metric=metric, distance_threshold=threshold).fit(X)
    return case(name, "AgglomerativeClustering", data, {"linkage": rule, "metric": metric},
                {"nClusters": k, "labels": model.labels_, "children": model.children_, "distances": Z[:, 2],
                 "counts": Z[:, 3].astype(int), "threshold": threshold, "cutLabels": cut.labels_,
                 "leaves": hierarchy.dendrogram(Z, no_plot=True)["leaves"] if X.shape[0] < 200 else None})


def scores(name, truth, prediction):
    h, c, v = metrics.homogeneity_completeness_v_measure(truth, prediction, beta=0.7)
    result = {
        "rand": metrics.rand_score(truth, prediction),
        "adjustedRand": metrics.adjusted_rand_score(truth, prediction),
        "mutualInfo": metrics.mutual_info_score(truth, prediction),
        "fowlkesMallows": metrics.fowlkes_mallows_score(truth, prediction),
        "homogeneity": h, "completeness": c, "vMeasure": v, "vMeasure1": metrics.v_measure_score(truth, prediction),
        "contingency": metrics.cluster.contingency_matrix(truth, prediction),
    }
    for method in ["arithmetic", "geometric", "min", "max"]:
        result[f"normalized {method}"] = metrics.normalized_mutual_info_score(truth, prediction, average_method=method)
        result[f"adjusted {method}"] = metrics.adjusted_mutual_info_score(truth, prediction, average_method=method)
    return {"name": name, "estimator": "scores", "data": {}, "params": {}, "oracle": "scikit-learn", "weighted": False,
            "expected": {"truth": list(truth), "prediction": list(prediction), **result}}


def shape(name, data, labels):
    expected = {
        "labels": labels, "silhouette": metrics.silhouette_score(data.X, labels),
        "samples": metrics.silhouette_samples(data.X, labels)[::7],
        "manhattan": metrics.silhouette_score(data.X, labels, metric="manhattan"),
        "cosine": metrics.silhouette_score(data.X, labels, metric="cosine"),
        "daviesBouldin": metrics.davies_bouldin_score(data.X, labels),
        "calinskiHarabasz": metrics.calinski_harabasz_score(data.X, labels),
    }
    return case(name, "shape", data, {}, expected)


IRIS, WINE, CANCER = included("iris"), included("wine", standardize=True), included("breastCancer", standardize=True)
DIGITS = included("digits")
TALL, WIDE, SCALED = synthetic("tall", "three"), synthetic("wide", "three"), synthetic("badlyScaled", "three")
rng = np.random.default_rng(5)
N = 120
THREE = rng.integers(0, 3, N)
LABELINGS = {
    "the same": (THREE, THREE),
    "permuted numbers": (THREE, (THREE + 1) % 3),
    "as text": (np.array(["ant", "bee", "cow"])[THREE], THREE),
    "one cluster": (THREE, np.zeros(N, int)),
    "one class": (np.zeros(N, int), THREE),
    "one of both": (np.zeros(N, int), np.zeros(N, int)),
    "all singletons": (THREE, np.arange(N)),
    "singletons of both": (np.arange(N), np.arange(N)[::-1]),
    "singletons and one cluster": (np.arange(N), np.zeros(N, int)),
    "random": (THREE, rng.integers(0, 5, N)),
    "noise of −1": (THREE, np.where(rng.random(N) < 0.3, -1, THREE)),
    "uneven": (np.repeat([0, 1, 2], [100, 15, 5]), rng.integers(0, 2, N)),
    "finer": (THREE, THREE * 2 + rng.integers(0, 2, N)),
    "coarser": (THREE, np.minimum(THREE, 1)),
    "two rows": ([0, 1], [1, 0]),
    "one row": ([3], [7]),
    "independent": (np.tile([0, 1], 60), np.repeat([0, 1], 60)),
}

cases = [
    *[k_means(f"{name}, k {k}", data, k)
      for name, data in [("iris", IRIS), ("wine", WINE), ("cancer", CANCER), ("digits", DIGITS), ("tall", TALL),
                         ("wide", WIDE), ("badly scaled", SCALED)]
      for k in [1, 3, 10]],
    *[k_means(f"digits, k 10, {i} iterations", DIGITS, 10, max_iter=i) for i in [1, 2, 5]],
    k_means("tall, weighted", TALL, 5, weighted=True),
    k_means("tall, tol 0", TALL, 8, tol=0),
    k_means("iris, one centre loses all rows", IRIS, 4, init=[[5, 3, 1, 0], [6, 3, 5, 1], [7, 3, 6, 2], [60, 30, 60, 20]]),
    k_means("tall, many clusters", TALL, 24),
    partial_fit("digits in batches", DIGITS, 10),
    partial_fit("tall in batches", TALL, 4),
    *[dbscan(f"iris, eps {eps}, {minimum}", IRIS, eps=eps, min_samples=minimum)
      for eps, minimum in [(0.3, 3), (0.5, 5), (0.9, 10), (0.42, 1)]],
    *[dbscan(f"tall, {algorithm}", TALL, eps=1.4, min_samples=6, algorithm=algorithm)
      for algorithm in ["brute", "kd_tree", "ball_tree"]],
    dbscan("wine, manhattan", WINE, eps=7.0, min_samples=5, metric="manhattan"),
    dbscan("digits, cosine", DIGITS, eps=0.08, min_samples=8, metric="cosine"),
    dbscan("digits", DIGITS, eps=19.0, min_samples=5),
    *[linkage(f"{name}, {rule}", data, rule)
      for name, data in [("wine", WINE), ("tall", TALL), ("wide", WIDE)]
      for rule in ["ward", "complete", "average", "single"]],
    linkage("digits, single", DIGITS, "single", k=6),
    linkage("wine, average manhattan", WINE, "average", "manhattan"),
    linkage("wine, complete cosine", WINE, "complete", "cosine"),
    *[scores(name, *labels) for name, labels in LABELINGS.items()],
    shape("iris by species", IRIS, np.unique(IRIS.y, return_inverse=True)[1]),
    shape("digits by k-means", DIGITS, KMeans(10, init=DIGITS.X[:10], n_init=1).fit(DIGITS.X).labels_),
    shape("wine with noise and a singleton", WINE, np.where(np.arange(178) == 5, 9, np.arange(178) % 4 - 1)),
]

if __name__ == "__main__":
    write_fixture("clustering", cases)
