"""Fixtures of many classes made of two: one against the rest, one against one, output codes. Members are exact or tightly solved."""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from shapes import included, write_fixture

MEMBERS = {
    "LogisticRegression": lambda: LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000),
    # LIBLINEAR penalises the intercept.
    "LinearSVC": lambda: LinearSVC(dual=False, tol=1e-12, max_iter=100000, fit_intercept=False),
    "LogisticRegression, balanced": lambda: LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000,
                                                               class_weight="balanced"),
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis,
    "GaussianNB": GaussianNB,
    # Stumps of few rows: no two splits are equally good.
    "DecisionTreeClassifier": lambda: DecisionTreeClassifier(max_depth=1, random_state=0),
}


def useful_seed(K):
    """The first seed whose codes differ, without constant columns: scikit-learn draws others too."""
    for seed in range(1000):
        book = np.random.RandomState(seed).uniform(size=(K, int(1.5 * K))) > 0.5
        if len(np.unique(book, axis=0)) == K and np.all(book.any(axis=0) & ~book.all(axis=0)):
            return seed
    raise ValueError("no seed")


def case(data, dataset, member, kind, step):
    model = kind(MEMBERS[member]())
    if kind is OutputCodeClassifier:
        model.random_state = useful_seed(len(np.unique(data.y)))
    model.fit(data.X, data.y)
    rows = np.arange(0, len(data.y), step)
    expected = {"rows": rows, "predict": model.predict(data.X[rows])}
    for ours, theirs in (("predictProba", "predict_proba"), ("decisionFunction", "decision_function")):
        if hasattr(model, theirs):
            expected[ours] = getattr(model, theirs)(data.X[rows])
    if kind is OutputCodeClassifier:
        expected["codeBook"] = (model.code_book_ > 0).astype(int)
    return {"name": f"{kind.__name__}: {dataset}, {member}", "estimator": kind.__name__, "oracle": "scikit-learn", "data": data.spec,
            "params": {"member": member}, "weighted": False, "expected": expected}


def main():
    sets = (("iris", included("iris"), 7), ("wine", included("wine", standardize=True), 7),
            ("digits", included("digits"), 61), ("two classes", included("breastCancer", standardize=True), 29))
    cases = []
    for dataset, data, step in sets:
        for member in MEMBERS:
            # Pixels that never change have no variance, and ten classes on them no unique minimum without much work.
            if dataset == "digits" and member not in ("LogisticRegression", "DecisionTreeClassifier"):
                continue
            for kind in (OneVsRestClassifier, OneVsOneClassifier, OutputCodeClassifier):
                cases.append(case(data, dataset, member, kind, step))
    write_fixture("multiclass", cases)


if __name__ == "__main__":
    main()
