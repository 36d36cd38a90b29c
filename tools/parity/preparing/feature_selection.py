"""Fixtures of feature selection: scores of all columns, and which are kept."""

import numpy as np
from sklearn.feature_selection import (SelectFdr, SelectFpr, SelectFwe, SelectKBest, SelectPercentile, VarianceThreshold, chi2,
                                       f_classif, f_regression, mutual_info_classif, mutual_info_regression)

from certify import dense
from shapes import included, synthetic, write_fixture

SCORES = {"fClassif": f_classif, "fRegression": f_regression, "chi2": chi2}


def case(name, Class, data, score=None, **params):
    given = {} if score is None else {"score_func": SCORES[score]}
    model = Class(**given, **params).fit(data.X, data.y)
    # At threshold 0 scikit-learn stores the range of a column where that is smaller than its variance.
    scores = dense(data.X).var(axis=0) if Class is VarianceThreshold else model.scores_
    ours = {**params, **({} if score is None else {"scoreFunction": score})}
    return {"name": name, "estimator": Class.__name__, "oracle": "scikit-learn", "data": data.spec, "params": ours,
            "weighted": False,
            "expected": {"scores": [float(s) if np.isfinite(s) else None for s in scores],
                         **({} if score is None else {"pValues": [float(p) if np.isfinite(p) else None for p in model.pvalues_]}),
                         "selected": np.flatnonzero(model.get_support())}}


def information(name, data, **options):
    """The least and the largest of 20 seeds of scikit-learn's noise, which separates equal numbers; one number where none are equal."""
    score = mutual_info_regression if data.y.dtype == float else mutual_info_classif
    runs = np.array([score(data.X, data.y, random_state=seed, **options) for seed in range(20)])
    ours = {"discrete_features": "discreteFeatures", "n_neighbors": "nNeighbors"}
    return {"name": name, "estimator": "mutualInfoRegression" if data.y.dtype == float else "mutualInfoClassif",
            "oracle": "scikit-learn, 20 seeds", "data": data.spec, "params": {ours[k]: v for k, v in options.items()},
            "weighted": False, "expected": {"least": runs.min(axis=0), "most": runs.max(axis=0)}}


def main():
    wine, digits, diabetes, iris = (included(n) for n in ("wine", "digits", "diabetes", "iris"))
    cancer, letters = included("breastCancer"), synthetic("letters", "letter")
    tall, sparse, counts = synthetic("tall", "number"), synthetic("sparse", "number"), synthetic("sparse", "three")
    two = synthetic("sparse", "binary")
    write_fixture("feature-selection", [
        case("variance, digits", VarianceThreshold, digits),
        case("variance, wine above 1", VarianceThreshold, wine, threshold=1.0),
        case("variance, sparse", VarianceThreshold, sparse, threshold=0.09),
        case("f of classes, iris", SelectKBest, iris, "fClassif", k=2),
        case("f of classes, cancer", SelectKBest, cancer, "fClassif", k=7),
        case("f of classes, letters", SelectKBest, letters, "fClassif", k=3),
        case("f of classes, sparse", SelectKBest, counts, "fClassif", k=11),
        case("f of classes, digits, constant columns", SelectKBest, digits, "fClassif", k=20),
        case("f of numbers, diabetes", SelectKBest, diabetes, "fRegression", k=4),
        case("f of numbers, sparse", SelectKBest, sparse, "fRegression", k=9),
        case("chi2, digits", SelectKBest, digits, "chi2", k=15),
        case("chi2, sparse", SelectKBest, two, "chi2", k=8),
        case("percentile, cancer", SelectPercentile, cancer, "fClassif", percentile=30),
        case("percentile, tall", SelectPercentile, tall, "fRegression", percentile=50),
        case("percentile, digits, chi2", SelectPercentile, digits, "chi2", percentile=12.5),
        case("percentile, all", SelectPercentile, wine, "fClassif", percentile=100),
        case("false positives, diabetes", SelectFpr, diabetes, "fRegression", alpha=0.01),
        case("false positives, sparse counts", SelectFpr, two, "chi2", alpha=0.2),
        case("false discoveries, tall", SelectFdr, tall, "fRegression"),
        case("false discoveries, wine", SelectFdr, wine, "fClassif", alpha=1e-20),
        case("false discoveries, digits, chi2", SelectFdr, digits, "chi2", alpha=1e-9),
        case("any error, cancer", SelectFwe, cancer, "fClassif"),
        case("any error, diabetes", SelectFwe, diabetes, "fRegression", alpha=1e-6),
    ])
    write_fixture("mutual-information", [
        information("numbers and numbers", tall),
        information("numbers and numbers, 7 neighbours", tall, n_neighbors=7),
        information("numbers and classes", synthetic("tall", "three")),
        information("numbers and two classes, 5 neighbours", synthetic("tall", "binary"), n_neighbors=5),
        information("wide", synthetic("wide", "binary")),
        information("iris, with equal numbers", iris),
        information("diabetes, with equal numbers", diabetes),
        information("diabetes, sex discrete", diabetes, discrete_features=[1]),
        information("counts and classes", counts),
        information("counts and numbers", sparse),
        information("digits, discrete", digits, discrete_features=True),
        information("letters", letters),
    ])


if __name__ == "__main__":
    main()
