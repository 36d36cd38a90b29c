"""Fixtures of the imputers: a few rows with gaps, which are null, and what scikit-learn makes of them."""

import numpy as np
import scipy.sparse as sp
from sklearn.impute import SimpleImputer

from certify import dense
from shapes import write_fixture

NAN = float("nan")
NUMBERS = [
    [1.5, NAN, 3, NAN], [2.5, 4, NAN, NAN], [NAN, 4, 0, NAN], [-7, 1, 0, NAN], [2.5, 1, 3, NAN], [100, NAN, 8, NAN],
]
NEW = [[NAN, NAN, NAN, 5], [1, 2, 3, NAN], [NAN, 0, NAN, NAN]]
WORDS = [["b", "x"], ["a", None], [None, "x"], ["b", "y"], ["a", "y"], ["c", "y"]]
NEW_WORDS = [[None, None], ["zz", "x"]]
NAMES = {"fill_value": "fillValue", "add_indicator": "addIndicator", "keep_empty_features": "keepEmptyFeatures"}


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


def main():
    cases = []
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
