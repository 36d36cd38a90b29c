"""Fixtures of isotonic regression: ties in x, weights, bounds, both directions and the automatic one."""

import numpy as np
from sklearn.isotonic import IsotonicRegression

from shapes import write_fixture


def main():
    rng = np.random.default_rng(3)
    n = 50
    x = np.round(rng.normal(size=n), 1)
    y = np.round(np.sin(x) + 0.4 * rng.normal(size=n), 3)
    weight = rng.integers(0, 5, n) / 2
    z = np.round(np.linspace(-3.5, 3.5, 29), 3)
    cases = []
    for name, params, target, s in (
        ("increasing", {}, y, None),
        ("weighted", {}, y, weight),
        ("decreasing", {"increasing": False}, y, None),
        ("bounded", {"y_min": -0.5, "y_max": 0.6}, y, weight),
        ("bounded below, falling", {"y_min": -0.3, "increasing": False}, -y, weight),
        ("automatic, rising", {"increasing": "auto"}, y, None),
        ("automatic, falling", {"increasing": "auto"}, -y, None),
        ("automatic, weighted", {"increasing": "auto"}, -y, weight),
        ("whole targets, many ties", {}, np.round(2 * y), None),
    ):
        model = IsotonicRegression(out_of_bounds="clip", **params).fit(x, target, sample_weight=s)
        cases.append({"name": name, "estimator": "IsotonicRegression", "oracle": "scikit-learn", "params": params,
                      "weighted": s is not None, "inputs": {"x": x, "y": target, "z": z, "sampleWeight": weight},
                      "expected": {"predict": model.predict(z), "thresholds": model.X_thresholds_,
                                   "values": model.y_thresholds_, "increasing": bool(model.increasing_)}})
    write_fixture("isotonic", cases)


if __name__ == "__main__":
    main()
