"""Fixtures of the column transformer and of unions: mixed rows, and what scikit-learn makes of them."""

import numpy as np
import scipy.sparse as sp
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler

from certify import dense
from shapes import write_fixture

TOWNS = ["Oslo", "Rome", "Bonn", "Cairo", "Lima", "Kyoto", "Paris"]
WORDS = "red blue car house big small old new".split()


def rows(count, seed):
    rng = np.random.default_rng(seed)
    return [[round(float(rng.normal(40, 9)), 2), TOWNS[int(rng.integers(7))], round(float(rng.normal()), 3),
             " ".join(rng.choice(WORDS, 3)), None if rng.random() < 0.2 else round(float(rng.random()), 3)]
            for _ in range(count)]


def case(name, parts, remainder="drop", threshold=0.3):
    """The names of the parts are those that the test builds the same transformers from."""
    made = {"standard": lambda: StandardScaler(), "minMax": lambda: MinMaxScaler(),
            "oneHot": lambda: OneHotEncoder(handle_unknown="ignore"), "tfidf": lambda: TfidfVectorizer(),
            "median": lambda: make_pipeline(SimpleImputer(strategy="median"), StandardScaler()),
            "passthrough": lambda: "passthrough", "drop": lambda: "drop"}
    fitted, asked = rows(24, 1), rows(6, 2)
    X, Z = (np.array([[np.nan if c is None else c for c in r] for r in t], dtype=object) for t in (fitted, asked))
    transformer = ColumnTransformer(
        [(part, made[part](), columns[0] if part == "tfidf" else columns) for part, columns in parts],
        remainder=made[remainder](), sparse_threshold=threshold)
    transformer.fit_transform(X)
    answer = transformer.transform(Z)
    sparse = sp.issparse(answer)
    answer = np.asarray(dense(answer), dtype=float)
    return {"name": name, "estimator": "ColumnTransformer", "oracle": "scikit-learn", "data": {}, "params": {},
            "weighted": False,
            "expected": {"cells": fitted, "asked": asked, "parts": parts, "remainder": remainder,
                         "threshold": threshold, "sparse": sparse, "transform": answer}}


def union(name, parts, weights):
    """All numbers of the rows, filled, through several transformers."""
    made = {"standard": lambda: StandardScaler(), "minMax": lambda: MinMaxScaler(), "passthrough": lambda: "passthrough",
            "oneHot": lambda: OneHotEncoder(handle_unknown="ignore"), "drop": lambda: "drop"}
    fitted, asked = (np.array([[r[0], r[2]] for r in rows(n, seed)]) for n, seed in ((24, 1), (6, 2)))
    transformer = FeatureUnion([(part, made[part]()) for part in parts], transformer_weights=weights).fit(fitted)
    answer = transformer.transform(asked)
    return {"name": name, "estimator": "FeatureUnion", "oracle": "scikit-learn", "data": {}, "params": {}, "weighted": False,
            "expected": {"rows": fitted, "asked": asked, "parts": parts, "weights": weights or {},
                         "sparse": sp.issparse(answer), "transform": np.asarray(dense(answer), dtype=float)}}


def main():
    unions = [
        union("two scalers", ["standard", "minMax"], None),
        union("a scaler and the rows themselves, weighted", ["minMax", "passthrough"], {"minMax": 3.0, "passthrough": 0.5}),
        union("sparse and dense", ["oneHot", "drop", "standard"], {"oneHot": 2.0}),
    ]
    write_fixture("feature-union", unions)
    cases = [
        case("numbers", [("standard", [0]), ("minMax", [2])]),
        case("numbers and towns", [("standard", [0, 2]), ("oneHot", [1])]),
        case("towns, sparse", [("oneHot", [1])]),
        case("towns at a threshold of 1", [("standard", [0]), ("oneHot", [1])], threshold=1.0),
        case("towns, never sparse", [("oneHot", [1])], threshold=0.0),
        case("text", [("tfidf", [3]), ("oneHot", [1])], threshold=0.9),
        case("all kinds", [("standard", [2, 0]), ("oneHot", [1]), ("tfidf", [3]), ("median", [4])]),
        case("the rest passed through", [("oneHot", [1]), ("drop", [3, 4])], remainder="passthrough"),
        case("the rest scaled", [("oneHot", [1]), ("drop", [3, 4])], remainder="minMax"),
        case("columns dropped and passed through", [("drop", [0]), ("passthrough", [2]), ("oneHot", [1])]),
    ]
    write_fixture("compose", cases)


if __name__ == "__main__":
    main()
