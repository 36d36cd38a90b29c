"""Fixtures of bagging: it is random, so what is compared are means of held-out scores over seeds, with their standard errors."""

import numpy as np
from sklearn.ensemble import BaggingClassifier, BaggingRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB

from shapes import included, write_fixture

MEMBERS = {"tree": lambda: None, "GaussianNB": GaussianNB, "Ridge": Ridge,
           "LogisticRegression": lambda: LogisticRegression(tol=1e-8, max_iter=10_000)}
SEEDS = range(40)


def snake(name):
    return "".join("_" + c.lower() if c.isupper() else c for c in name)


def case(name, data, member, kind=BaggingClassifier, **params):
    """Rows with a number divisible by 3 judge, the others teach."""
    held = np.arange(len(data.y)) % 3 == 0
    X, y = data.X, np.asarray(data.y)
    given = {snake(k): v for k, v in params.items()}
    scores, oob = [], []
    for seed in SEEDS:
        model = kind(MEMBERS[member](), oob_score=params.get("bootstrap", True), random_state=seed, **given)
        model.fit(X[~held], y[~held])
        scores.append(model.score(X[held], y[held]))
        oob.append(getattr(model, "oob_score_", np.nan))
    expected = {"score": np.mean(scores), "deviation": np.std(scores, ddof=1), "seeds": len(SEEDS)}
    if not np.isnan(oob).any():
        expected |= {"oobScore": np.mean(oob), "oobDeviation": np.std(oob, ddof=1)}
    return {"name": name, "estimator": kind.__name__, "oracle": f"scikit-learn {kind.__name__}", "data": data.spec,
            "params": {"member": member, **params}, "weighted": False, "expected": expected}


def main():
    cancer, wine, diabetes = included("breastCancer", standardize=True), included("wine"), included("diabetes")
    write_fixture("bagging", [
        case("trees, wine", wine, "tree", nEstimators=25),
        case("trees on half of the columns, breast cancer", cancer, "tree", nEstimators=25, maxFeatures=0.5),
        case("naive Bayes on few rows, wine", wine, "GaussianNB", nEstimators=20, maxSamples=0.2),
        case("logistic regression, columns drawn with replacement, breast cancer", cancer, "LogisticRegression",
             nEstimators=15, maxFeatures=0.3, bootstrapFeatures=True),
        case("trees without replacement, wine", wine, "tree", nEstimators=20, maxSamples=0.5, bootstrap=False),
        case("trees, diabetes", diabetes, "tree", BaggingRegressor, nEstimators=25),
        case("ridge on half of the columns, diabetes", diabetes, "Ridge", BaggingRegressor, nEstimators=25, maxFeatures=0.5),
    ])


if __name__ == "__main__":
    main()
