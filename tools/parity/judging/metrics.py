"""Fixtures of the metrics, with and without sample weights."""

import numpy as np
import sklearn.metrics as m

from shapes import write_fixture


def main():
    rng = np.random.default_rng(7)
    n = 40
    names = np.array(["cat", "dog", "eel"])
    truth = rng.integers(0, 3, n)
    guess = np.where(rng.random(n) < 0.6, truth, rng.integers(0, 3, n))
    guess[guess == 2] = np.where(rng.random((guess == 2).sum()) < 0.7, 2, 0)
    P = np.round(rng.dirichlet([1, 1, 1], n), 3)
    P[:, 2] = np.round(1 - P[:, 0] - P[:, 1], 3)
    P[0] = [0, 0.25, 0.75]  # a probability of zero for the class that may be the truth
    weight = rng.integers(1, 9, n) / 4
    y = np.round(rng.normal(size=n) * 3 + 1, 3)
    z = np.round(y + rng.normal(size=n), 3)
    inputs = {"yTrue": names[truth], "yPred": names[guess], "proba": P, "classes": names, "sampleWeight": weight,
              "target": y, "estimate": z}
    cases = []
    for name, s in (("plain", None), ("weighted", weight)):
        cases.append({
            "name": name, "estimator": "metrics", "oracle": "scikit-learn metrics", "inputs": inputs,
            "weighted": s is not None,
            "expected": {
                "accuracy": m.accuracy_score(names[truth], names[guess], sample_weight=s),
                "confusion": m.confusion_matrix(names[truth], names[guess], sample_weight=s),
                # Probabilities are first clipped to [ε, 1 − ε], ε = 2.2e-16.
                "logLoss": m.log_loss(names[truth], P, labels=names, sample_weight=s, eps=np.finfo(float).eps),
                "r2": m.r2_score(y, z, sample_weight=s),
                "meanSquaredError": m.mean_squared_error(y, z, sample_weight=s),
            },
        })
    write_fixture("metrics", cases)


if __name__ == "__main__":
    main()
