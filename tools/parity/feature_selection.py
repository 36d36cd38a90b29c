"""Fixtures of feature selection: scores of all columns, and which are kept."""

import numpy as np
from sklearn.feature_selection import SelectKBest, SelectPercentile, VarianceThreshold, chi2, f_classif, f_regression

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
                         "selected": np.flatnonzero(model.get_support())}}


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
    ])


if __name__ == "__main__":
    main()
