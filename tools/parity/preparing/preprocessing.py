"""Fixtures of StandardScaler and MinMaxScaler."""

import numpy as np
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from certify import dense
from shapes import included, sample_rows, synthetic, write_fixture


def standard(name, data, with_mean=True, with_std=True, weighted=False):
    model = StandardScaler(with_mean=with_mean, with_std=with_std)
    model.fit(data.X, sample_weight=data.weight if weighted else None)
    rows = sample_rows(data.X.shape[0], 6)
    return {
        "name": name, "estimator": "StandardScaler", "oracle": "scikit-learn StandardScaler", "data": data.spec,
        "params": {**({} if with_mean else {"withMean": False}), **({} if with_std else {"withStd": False})},
        "weighted": weighted,
        "expected": {**({"mean": model.mean_} if with_mean else {}), **({"scale": model.scale_} if with_std else {}),
                     "rows": rows, "transform": dense(model.transform(data.X))[rows]},
    }


def min_max(name, data, feature_range=(0, 1)):
    model = MinMaxScaler(feature_range=feature_range).fit(data.X)
    rows = sample_rows(data.X.shape[0], 6)
    return {
        "name": name, "estimator": "MinMaxScaler", "oracle": "scikit-learn MinMaxScaler", "data": data.spec,
        "params": {} if feature_range == (0, 1) else {"featureRange": feature_range}, "weighted": False,
        "expected": {"dataMin": model.data_min_, "dataMax": model.data_max_, "rows": rows,
                     "transform": np.asarray(model.transform(data.X))[rows]},
    }


def main():
    tall, bad, sparse = (synthetic(s, "number") for s in ("tall", "badlyScaled", "sparse"))
    digits = included("digits")  # some pixels are never inked: constant columns
    write_fixture("preprocessing", [
        standard("wine", included("wine")),
        standard("digits, constant columns", digits),
        standard("badly scaled columns", bad),
        standard("sample weights", tall, weighted=True),
        standard("deviation only", tall, with_mean=False),
        standard("mean only", tall, with_std=False),
        standard("sparse, deviation only", sparse, with_mean=False),
        min_max("min-max, wine", included("wine")),
        min_max("min-max, digits, constant columns", digits),
        min_max("min-max, badly scaled columns to [−1, 1]", bad, (-1, 1)),
    ])


if __name__ == "__main__":
    main()
