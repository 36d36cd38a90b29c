"""Fixtures of the encoders: outputs of a few rows, exactly."""

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import (Binarizer, KBinsDiscretizer, Normalizer, OneHotEncoder, OrdinalEncoder,
                                   PolynomialFeatures)

from certify import dense
from shapes import included, sample_rows, synthetic, write_fixture

CELLS = [
    ["Oslo", 3, True], ["Rome", 1, False], ["Oslo", 2, True], ["Bonn", 3, True], ["Rome", 3, False],
    ["Oslo", 1, True], ["Ålesund", 10, True], ["Oslo", 3, False], ["Rome", 2, False], ["Bonn", 3, True],
]
NEW = [["Oslo", 3, True], ["Paris", 7, False], ["Bonn", 10, False]]
NAMES = {"sparse_output": "sparseOutput", "handle_unknown": "handleUnknown", "min_frequency": "minFrequency",
         "max_categories": "maxCategories", "unknown_value": "unknownValue", "n_bins": "nBins",
         "interaction_only": "interactionOnly", "include_bias": "includeBias"}
VALUES = {"infrequent_if_exist": "infrequentIfExist", "if_binary": "ifBinary",
          "use_encoded_value": "useEncodedValue"}


def camel(params):
    return {NAMES.get(key, key): VALUES.get(value, value) if isinstance(value, str) else value
            for key, value in params.items()}


def cells(name, Class, new=False, **params):
    X = np.array(CELLS, dtype=object)
    model = Class(**params).fit(X)
    Z = np.array(NEW, dtype=object) if new else X
    names = [str(n).replace("_infrequent_sklearn", "_infrequent").replace("_True", "_true").replace("_False", "_false")
             for n in model.get_feature_names_out()]
    return {"name": name, "estimator": Class.__name__, "oracle": "scikit-learn", "data": {}, "params": camel(params),
            "weighted": False,
            "expected": {"cells": CELLS, "asked": Z.tolist(), "transform": dense(model.transform(Z)), "names": names}}


def numbers(name, Class, data, **params):
    model = Class(**params).fit(data.X)
    rows = sample_rows(data.X.shape[0], 8)
    Z = dense(model.transform(data.X[rows]))
    expected = {"rows": rows, "transform": Z}
    if isinstance(model, KBinsDiscretizer):
        expected["edges"] = [edges if np.isfinite(edges).all() else [] for edges in model.bin_edges_]
    if isinstance(model, PolynomialFeatures):
        expected["names"] = list(model.get_feature_names_out())
        expected["powers"] = model.powers_
    return {"name": name, "estimator": Class.__name__, "oracle": "scikit-learn", "data": data.spec,
            "params": camel(params), "weighted": False, "expected": expected}


def main():
    iris, wine, digits = included("iris"), included("wine"), included("digits")
    tall, sparse, bad = (synthetic(s, "number") for s in ("tall", "sparse", "badlyScaled"))
    one_hot = lambda name, **params: cells(f"one-hot, {name}", OneHotEncoder, **params)
    cases = [
        one_hot("defaults"),
        one_hot("dense", sparse_output=False),
        one_hot("first dropped", drop="first"),
        one_hot("binary dropped", drop="if_binary"),
        one_hot("named dropped", drop=["Rome", 3, False]),
        one_hot("unknown ignored", handle_unknown="ignore", new=True),
        one_hot("at least two rows", min_frequency=2),
        one_hot("at least a quarter of the rows", min_frequency=0.25),
        one_hot("two categories at most", max_categories=2),
        one_hot("unknown is infrequent", min_frequency=3, handle_unknown="infrequent_if_exist", new=True),
        one_hot("infrequent and first dropped", min_frequency=2, drop="first"),
        one_hot("given categories", categories=[["Rome", "Oslo", "Bonn", "Ålesund", "Paris"], [1, 2, 3, 7, 10],
                                                [False, True]], new=True),
        cells("ordinal", OrdinalEncoder),
        cells("ordinal, unknown −1", OrdinalEncoder, handle_unknown="use_encoded_value", unknown_value=-1, new=True),
    ]
    for strategy in ("quantile", "uniform", "kmeans"):
        for name, data in (("iris", iris), ("wine", wine), ("badly scaled columns", bad)):
            cases.append(numbers(f"bins, {name}, {strategy}", KBinsDiscretizer, data, strategy=strategy,
                                 encode="ordinal"))
        cases.append(numbers(f"bins, digits, {strategy}", KBinsDiscretizer, digits, strategy=strategy, n_bins=3,
                             encode="ordinal"))
    cases += [
        numbers("bins, one-hot", KBinsDiscretizer, iris, n_bins=[2, 3, 4, 5]),
        numbers("bins, one-hot, dense", KBinsDiscretizer, iris, encode="onehot-dense", n_bins=4, strategy="uniform"),
        numbers("binarizer", Binarizer, tall, threshold=0.5),
        numbers("binarizer, sparse", Binarizer, sparse, threshold=0.5),
    ]
    for norm in ("l1", "l2", "max"):
        cases += [numbers(f"normalizer, {norm}", Normalizer, wine, norm=norm),
                  numbers(f"normalizer, {norm}, sparse", Normalizer, sparse, norm=norm)]
    cases += [
        numbers("polynomial, degree 2", PolynomialFeatures, iris),
        numbers("polynomial, degree 3", PolynomialFeatures, iris, degree=3),
        numbers("polynomial, degree 4 and 5", PolynomialFeatures, iris, degree=[4, 5], include_bias=False),
        numbers("polynomial, interactions", PolynomialFeatures, iris, degree=3, interaction_only=True),
        numbers("polynomial, no bias", PolynomialFeatures, tall, include_bias=False),
        numbers("polynomial, degree 0", PolynomialFeatures, iris, degree=0),
    ]
    thin = sparse._replace(X=sp.csr_matrix(sparse.X[:, :12]), spec={**sparse.spec, "columns": 12})
    for degree in (2, 3):
        for only in (False, True):
            cases.append(numbers(f"polynomial, sparse, degree {degree}{', interactions' if only else ''}",
                                 PolynomialFeatures, thin, degree=degree, interaction_only=only))
    write_fixture("encoders", cases)


if __name__ == "__main__":
    main()
