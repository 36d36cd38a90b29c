"""Fixtures of AdaBoostClassifier: every round's vote, error and stump.

scikit-learn draws one of equal splits, so a case counts only if several seeds agree on every round; of more rounds than that the first
ones are kept. Its trees round X to 32 bits, which moves thresholds by as much.
"""

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from shapes import included, sample_rows, synthetic, write_fixture

MEMBERS = {
    "DecisionStump": lambda: DecisionTreeClassifier(max_depth=1),
    "GaussianNB": lambda: GaussianNB(var_smoothing=0),  # its ε does not know weights
    "LogisticRegression": lambda: LogisticRegression(tol=1e-10, max_iter=10_000),
}
SEEDS = range(4)


def fitted(member, X, y, weight, rounds, rate, seed):
    model = AdaBoostClassifier(MEMBERS[member](), n_estimators=rounds, learning_rate=rate, algorithm="SAMME",
                               random_state=seed)
    return model.fit(X, y, sample_weight=weight)


def agreed(models):
    """How many rounds all seeds have in common."""
    same = np.ones(min(len(m.estimators_) for m in models), bool)
    for m in models[1:]:
        for t in range(len(same)):
            a, b = models[0], m
            same[t] &= np.isclose(a.estimator_errors_[t], b.estimator_errors_[t], rtol=1e-12, atol=0)
            if hasattr(a.estimators_[t], "tree_"):
                p, q = a.estimators_[t].tree_, b.estimators_[t].tree_
                same[t] &= p.feature[0] == q.feature[0] and p.threshold[0] == q.threshold[0]
    return len(same) if same.all() else int(np.argmin(same))


def case(name, data, member="DecisionStump", rounds=30, rate=1.0, weighted=False):
    X, y = data.X, np.asarray(data.y)
    weight = data.weight if weighted else None
    if member == "DecisionStump":
        rounds = agreed([fitted(member, X, y, weight, rounds, rate, seed) for seed in SEEDS])
        if rounds < 5:
            raise SystemExit(f"{name}: only {rounds} rounds without ties")
    model = fitted(member, X, y, weight, rounds, rate, 0)
    done = len(model.estimators_)  # fewer where a member is perfect or no better than chance
    rows = sample_rows(len(y))
    stumps = {}
    if member == "DecisionStump":
        stumps = {"features": [m.tree_.feature[0] for m in model.estimators_],
                  "thresholds": [m.tree_.threshold[0] for m in model.estimators_]}
    return {
        "name": f"{name}, {done} rounds", "estimator": "AdaBoostClassifier",
        "oracle": f"scikit-learn AdaBoostClassifier(algorithm='SAMME') of {member}", "data": data.spec,
        "params": {"member": member, "nEstimators": rounds, "learningRate": rate}, "weighted": weighted,
        "expected": {"classes": model.classes_, "estimatorWeights": model.estimator_weights_[:done],
                     "estimatorErrors": model.estimator_errors_[:done], **stumps, "score": model.score(X, y), "rows": rows,
                     "predict": model.predict(X[rows]), "predictProba": model.predict_proba(X[rows]),
                     "decision": np.atleast_2d(model.decision_function(X[rows]).T).T},
    }


def main():
    cancer, wine, digits = included("breastCancer"), included("wine"), included("digits")
    two, three = synthetic("tall", "binary"), synthetic("tall", "three")
    write_fixture("ada-boost", [
        case("stumps, breast cancer", cancer),
        case("stumps, breast cancer, learning rate 0.5", cancer, rate=0.5, rounds=60),
        case("stumps, breast cancer, 200 rounds", cancer, rounds=200),
        case("stumps, wine", wine),
        case("stumps, digits", digits),
        case("stumps, tall", two, rounds=100),
        case("stumps, tall, sample weights", two, weighted=True, rounds=100),
        case("stumps, tall, three classes", three, rounds=60),
        case("stumps, tall, three classes, sample weights", three, weighted=True, rounds=60),
        case("naive Bayes, breast cancer", cancer, member="GaussianNB", rounds=8),
        case("naive Bayes, tall, sample weights", two, member="GaussianNB", rounds=8, weighted=True),
        case("logistic regression, standardized breast cancer", included("breastCancer", standardize=True),
             member="LogisticRegression", rounds=8),
        case("logistic regression, tall, sample weights", two, member="LogisticRegression", rounds=8, weighted=True),
    ])


if __name__ == "__main__":
    main()
