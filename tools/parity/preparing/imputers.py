"""Fixtures of the imputers: a few rows with gaps, which are null, and what scikit-learn makes of them."""

import numpy as np
import scipy.sparse as sp
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer

from certify import dense
from shapes import write_fixture

NAN = float("nan")
NUMBERS = [
    [1.5, NAN, 3, NAN], [2.5, 4, NAN, NAN], [NAN, 4, 0, NAN], [-7, 1, 0, NAN], [2.5, 1, 3, NAN], [100, NAN, 8, NAN],
]
NEW = [[NAN, NAN, NAN, 5], [1, 2, 3, NAN], [NAN, 0, NAN, NAN]]
WORDS = [["b", "x"], ["a", None], [None, "x"], ["b", "y"], ["a", "y"], ["c", "y"]]
NEW_WORDS = [[None, None], ["zz", "x"]]
# Whole numbers, so that scikit-learn's products of rows are exact: rows 1 and 2 are equally near to the first two of ASKED, row 5 shares no
# column with them, and row 0 equals the third where both have values.
TIED = [[1, 2, NAN, 4, NAN], [3, 2, 7, 1, NAN], [5, 4, 8, 1, NAN], [8, 8, 1, NAN, NAN], [NAN, 4, 8, 9, NAN], [NAN, NAN, 3, NAN, NAN]]
ASKED = [[4, 3, NAN, 1, 6], [NAN, NAN, NAN, 2, NAN], [1, 2, 5, NAN, NAN], [NAN, NAN, NAN, NAN, NAN], [2, 3, 4, 5, 6]]
NAMES = {"n_neighbors": "nNeighbors", "fill_value": "fillValue", "add_indicator": "addIndicator", "keep_empty_features": "keepEmptyFeatures"}


def gaps(rows):
    return [[None if isinstance(v, float) and v != v else v for v in row] for row in rows]


def case(name, rows, new, sparse=False, **params):
    X = np.array(rows, dtype=object if isinstance(rows[0][0], str) else float)
    Z = np.array(new, dtype=X.dtype)
    if sparse:
        X, Z = sp.csr_matrix(X), sp.csr_matrix(Z)
    missing = None if X.dtype == object else NAN
    model = SimpleImputer(missing_values=missing, **params).fit(X)
    statistics = [None if v != v else v for v in model.statistics_.tolist()]
    ours = {NAMES.get(k, k): "mostFrequent" if v == "most_frequent" else v for k, v in params.items()}
    answer = model.transform(Z)
    answer = answer.tolist() if X.dtype == object else gaps(dense(answer).tolist() if sparse else answer.tolist())
    return {"name": name, "estimator": "SimpleImputer", "oracle": "scikit-learn", "data": {}, "params": ours,
            "weighted": False,
            "expected": {"cells": gaps(rows), "asked": gaps(new), "sparse": sparse, "statistics": statistics,
                         "transform": answer, "names": list(model.get_feature_names_out())}}


def rows_with_gaps(n, d):
    """Numbers with a tenth of them gone; no two distances are equal."""
    rng = np.random.default_rng(n)
    X = np.round(rng.normal(size=(n, 3)) @ rng.normal(size=(3, d)) + rng.normal(size=(n, d)), 4)
    X[rng.uniform(size=X.shape) < 0.1] = NAN
    return X.tolist()


def nearest(name, rows, new, **params):
    model = KNNImputer(**params).fit(np.array(rows, dtype=float))
    kept = np.arange(len(rows[0])) if params.get("keep_empty_features") else np.flatnonzero(model._valid_mask)
    names = [f"x{j}" for j in kept]
    names += [name for name in model.get_feature_names_out() if name.startswith("missingindicator")]
    ours = {NAMES.get(k, k): v for k, v in params.items()}
    return {"name": name, "estimator": "KNNImputer", "oracle": "scikit-learn", "data": {}, "params": ours, "weighted": False,
            "expected": {"cells": gaps(rows), "asked": gaps(new), "transform": model.transform(np.array(new, dtype=float)),
                         "names": names}}


def marks(name, rows, new, sparse=False, **params):
    X = np.array(rows, dtype=object if isinstance(rows[0][0], str) else float)
    Z = np.array(new, dtype=X.dtype)
    if sparse:
        X, Z = sp.csr_matrix(X), sp.csr_matrix(Z)
    model = MissingIndicator(missing_values=None if X.dtype == object else NAN, **params).fit(X)
    ours = {{"error_on_new": "errorOnNew"}.get(k, k): v for k, v in params.items()}
    answer = model.transform(Z)
    answer = np.asarray(dense(answer) if sparse else answer).astype(int)
    return {"name": name, "estimator": "MissingIndicator", "oracle": "scikit-learn", "data": {}, "params": ours, "weighted": False,
            "expected": {"cells": gaps(rows), "asked": gaps(new), "sparse": sparse, "transform": answer,
                         "names": list(model.get_feature_names_out())}}


def main():
    cases = []
    for sparse in (False, True):
        cases += [
            marks(f"gaps{', sparse' * sparse}", NUMBERS, NEW, sparse),
            marks(f"gaps of all columns{', sparse' * sparse}", NUMBERS, NEW, sparse, features="all"),
            marks(f"new gaps{', sparse' * sparse}", NEW, NUMBERS, sparse, error_on_new=False),
        ]
    cases.append(marks("gaps in words", WORDS, NEW_WORDS))
    for weights in ("uniform", "distance"):
        # With uniform weights version 1.2 counts rows without a common column where others are fewer than k.
        for k in (1, 2) if weights == "uniform" else (1, 2, 4):
            for keep in (False, True):
                cases.append(nearest(f"nearest {k}, {weights}{', empty kept' * keep}", TIED, ASKED, n_neighbors=k, weights=weights,
                                     add_indicator=keep, keep_empty_features=keep))
        many = rows_with_gaps(60, 6)
        cases.append(nearest(f"60 rows, {weights}", many, many, weights=weights))
        cases.append(nearest(f"60 rows, {weights}, others asked, 12 neighbours", many, rows_with_gaps(20, 6), weights=weights,
                             n_neighbors=12))
    cases.append(nearest("more neighbours than rows, distance", TIED, ASKED, n_neighbors=9, weights="distance"))
    for strategy in ("mean", "median", "most_frequent", "constant"):
        for indicator in (False, True):
            for keep in (False, True):
                for sparse in (False, True):
                    label = f"{strategy}{', indicators' * indicator}{', empty kept' * keep}{', sparse' * sparse}"
                    cases.append(case(label, NUMBERS, NEW, sparse=sparse, strategy=strategy, add_indicator=indicator,
                                      keep_empty_features=keep))
    cases += [
        case("a constant of −1.5", NUMBERS, NEW, strategy="constant", fill_value=-1.5),
        case("words, most frequent", WORDS, NEW_WORDS, strategy="most_frequent"),
        case("words, a constant", WORDS, NEW_WORDS, strategy="constant"),
        case("words, a given constant", WORDS, NEW_WORDS, strategy="constant", fill_value="none"),
    ]
    write_fixture("imputers", cases)


if __name__ == "__main__":
    main()
