"""Fixtures of decision trees (node by node) and of forests (scores over seeds).

Of equally good splits scikit-learn draws one and rpart takes another, so every split is searched again here, in doubles: where
the best one is not alone the node is marked as tied, what is below it is not stored, and neither are predictions that pass it.
scikit-learn rounds X to 32 bits, which moves thresholds by as much; rpart does not.
"""

import os
import subprocess
import tempfile

import numpy as np
import scipy.sparse as sp
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from shapes import included, sample_rows, synthetic, write_fixture

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {"criterion": "criterion", "max_depth": "maxDepth", "min_samples_leaf": "minSamplesLeaf",
         "min_samples_split": "minSamplesSplit", "max_leaf_nodes": "maxLeafNodes", "class_weight": "classWeight",
         "min_impurity_decrease": "minImpurityDecrease", "min_weight_fraction_leaf": "minWeightFractionLeaf",
         "ccp_alpha": "ccpAlpha", "max_features": "maxFeatures", "bootstrap": "bootstrap"}
CRITERIA = {"squared_error": "squaredError", "absolute_error": "absoluteError"}
# Worths that differ by less than this part of them are equal but for rounding.
TIE = 1e-10
# The library's logarithms are natural, scikit-learn's have base 2.
NATS = np.log(2)


def camel(params):
    """The library's names and units."""
    out = {NAMES[k]: v for k, v in params.items()}
    if "criterion" in out:
        out["criterion"] = CRITERIA.get(out["criterion"], out["criterion"])
    if params.get("criterion") == "entropy":
        for k in ("minImpurityDecrease", "ccpAlpha"):
            if k in out:
                out[k] *= NATS
    return out


def xlogx(v):
    return np.where(v > 0, v * np.log(np.where(v > 0, v, 1)), 0)


def impurity(criterion, sums, weight):
    """Total impurity (times the weight) of nodes with these sums: of classes, or of w, wy and the criterion's own."""
    if criterion == "gini":
        return weight - (sums**2).sum(-1) / weight
    if criterion == "entropy":
        return xlogx(weight) - xlogx(sums).sum(-1)
    if criterion == "squared_error":
        return sums[..., 1] - sums[..., 0] ** 2 / weight
    mean = np.maximum(sums[..., 0], 0) / weight
    return np.where(sums[..., 0] > 0, sums[..., 1] - xlogx(mean) * weight, np.inf)  # no side without an event


def statistics(criterion, y, w):
    if criterion == "absolute_error":
        return y[:, None]
    if criterion in ("gini", "entropy"):
        return (y[:, None] == np.unique(y)) * w[:, None]
    return np.column_stack([w * y, w * (xlogx(y) if criterion == "poisson" else y * y)])


def deviations(y, w):
    """Weighted absolute deviations from the weighted median."""
    if len(y) == 0:
        return 0.0
    order = np.argsort(y)
    median = y[order][np.searchsorted(w[order].cumsum(), 0.5 * w.sum())]
    return float((w * np.abs(y - median)).sum())


def held_by(criterion, S, w):
    """Total impurity of some rows."""
    return deviations(S[:, 0], w) if criterion == "absolute_error" else impurity(criterion, S.sum(0), w.sum())


def best_splits(criterion, X, S, w, least, least_weight):
    """(total impurity, column, rows on the left, first value on the right) of the splits no other beats."""
    n, total, weight = len(w), S.sum(0), w.sum()
    found = []
    for j in range(X.shape[1]):
        order = np.argsort(X[:, j], kind="stable")
        v = X[order, j]
        sums, weights = S[order].cumsum(0)[:-1], w[order].cumsum()[:-1]
        left = np.arange(1, n)
        fine = (v[1:] > v[:-1]) & (left >= least) & (n - left >= least)
        fine &= (weights >= least_weight) & (weight - weights >= least_weight)
        if not fine.any():
            continue
        sums, weights, left, v = sums[fine], weights[fine], left[fine], v[1:][fine]
        if criterion == "absolute_error":
            sides = [(order[:c], order[c:]) for c in left]
            held = np.array([sum(deviations(S[r, 0], w[r]) for r in pair) for pair in sides])
        else:
            held = impurity(criterion, sums, weights) + impurity(criterion, total - sums, weight - weights)
        found += [(h, j, c, x) for h, c, x in zip(held, left, v)]
    if not found:
        return []
    least_held = min(f[0] for f in found)
    scale = max(abs(held_by(criterion, S, w)), 1e-300)
    return [f for f in found if f[0] <= least_held + TIE * scale]


def described(criterion, X, y, w, least, least_weight, nodes):
    """Lists in preorder of an oracle's tree. `nodes` yields (feature, threshold) in preorder, feature −1 at a leaf."""
    S = statistics(criterion, y, w)
    lists = {k: [] for k in ("features", "thresholds", "counts", "weights", "impurities", "gains")}
    blurred = np.zeros(len(y), bool)  # rows below a tie
    leaf_of = np.zeros(len(y), int)

    def visit(rows, hidden):
        feature, threshold = next(nodes)
        at = len(lists["features"])
        tied, gain = False, 0
        if feature >= 0:
            goes = X[rows, feature] <= threshold
            if not hidden:
                best = best_splits(criterion, X[rows], S[rows], w[rows], least, least_weight)
                tied = len(best) > 1
                parts = [held_by(criterion, S[r], w[r]) for r in (rows[goes], rows[~goes])]
                whole = held_by(criterion, S[rows], w[rows])
                # The oracle's split is the one that was found here.
                assert sum(parts) <= best[0][0] + TIE * abs(whole), (feature, threshold, best[:2])
                gain = (whole - sum(parts)) / w[rows].sum()
        if not hidden:
            weight = w[rows].sum()
            lists["features"].append(-2 if tied else feature)
            lists["thresholds"].append(threshold if feature >= 0 and not tied else 0)
            lists["counts"].append(len(rows))
            lists["weights"].append(round(weight, 9))
            lists["impurities"].append(round(float(held_by(criterion, S[rows], w[rows]) / weight) + 0.0, 13))
            lists["gains"].append(round(float(gain), 13))
            leaf_of[rows] = at
        if tied:
            blurred[rows] = True
        if feature >= 0:
            visit(rows[goes], hidden or tied)
            visit(rows[~goes], hidden or tied)

    visit(np.arange(len(y)), False)
    return lists, blurred


def preorder(tree):
    """scikit-learn numbers nodes as it meets them, which is not preorder with max_leaf_nodes."""
    waiting = [0]
    while waiting:
        k = waiting.pop()
        leaf = tree.children_left[k] < 0
        yield (-1, 0.0) if leaf else (int(tree.feature[k]), float(tree.threshold[k]))
        if not leaf:
            waiting += [tree.children_right[k], tree.children_left[k]]


def given(data, weighted):
    """Dense rows of weight above 0 as both see them, their targets and weights."""
    X = data.X.toarray() if sp.issparse(data.X) else data.X
    w = data.weight if weighted else np.ones(len(data.y))
    keep = w > 0
    return X[keep], np.asarray(data.y)[keep], w[keep]


def class_weights(rule, y, w):
    if rule is None:
        return w
    classes = np.unique(y)
    if rule == "balanced":
        sums = np.array([(y == k).sum() for k in classes])
        rule = dict(zip(classes, len(y) / (len(classes) * sums)))
    return w * np.array([rule.get(k, 1) for k in y])


def sklearn_case(name, data, weighted=False, whole=False, path=False, **params):
    """`whole`: the case is refused if a node is tied."""
    X, y, w = given(data, weighted)
    classify = y.dtype.kind == "U" or params.get("criterion") in ("gini", "entropy")
    model = (DecisionTreeClassifier if classify else DecisionTreeRegressor)(random_state=0, **params)
    criterion = model.criterion
    model.fit(X, y, sample_weight=w if weighted else None)
    weights = class_weights(params.get("class_weight"), y, w)
    # As scikit-learn sees the rows.
    X32 = X.astype(np.float32).astype(float)
    least_weight = params.get("min_weight_fraction_leaf", 0) * weights.sum()
    lists, blurred = described(criterion, X32, y, weights, params.get("min_samples_leaf", 1), least_weight,
                               preorder(model.tree_))
    if blurred.sum() > (0 if whole else 0.6 * len(y)):
        raise SystemExit(f"{name}: {blurred.sum()} rows below ties")
    every = np.arange(len(data.y)) if not weighted else np.flatnonzero(data.weight > 0)
    rows = sample_rows(len(y), 40)
    rows = rows[~blurred[rows]]
    expected = {**lists, "rows": every[rows], "predict": model.predict(X[rows]), "tied": int(blurred.sum())}
    if classify:
        expected["classes"] = model.classes_
        expected["predictProba"] = np.round(model.predict_proba(X[rows]), 13)
    if not blurred.any():
        # Rows that it has not seen, and what the columns were good for.
        between = 0.7 * X[:-1] + 0.3 * X[1:]
        expected["between"] = model.predict(between[rows[:-1]])
        expected["importances"] = np.round(model.feature_importances_, 12)
    if path:
        steps = model.cost_complexity_pruning_path(X, y, sample_weight=w if weighted else None)
        unit = NATS if criterion == "entropy" else 1
        expected["path"] = {"alphas": steps.ccp_alphas * unit, "impurities": steps.impurities * unit}
    return {"name": name, "estimator": "DecisionTreeClassifier" if classify else "DecisionTreeRegressor",
            "oracle": "scikit-learn", "data": data.spec, "params": camel({"criterion": criterion, **params}),
            "weighted": weighted, "expected": expected}


def by_rpart(X, y, w, split, minsplit, minbucket, maxdepth):
    with tempfile.TemporaryDirectory() as folder:
        for file, values in [("X", X), ("weight", w), ("options", [minsplit, minbucket, maxdepth])]:
            np.savetxt(os.path.join(folder, f"{file}.csv"), values, fmt="%.17g", delimiter=",")
        np.savetxt(os.path.join(folder, "y.csv"), y, fmt="%s" if y.dtype.kind == "U" else "%.17g")
        subprocess.run(["Rscript", os.path.join(HERE, "rpart.R"), folder, split], check=True)
        return np.atleast_2d(np.genfromtxt(os.path.join(folder, "out.csv"), delimiter=","))


def rpart_preorder(table):
    """rpart sends what is at least the threshold to either side; here it goes right."""
    at = 0

    def read():
        nonlocal at
        variable, _, threshold, side, _ = table[at]
        at += 1
        if variable == 0:
            return [(-1, 0.0)]
        first, second = read(), read()
        left, right = (first, second) if side < 0 else (second, first)
        return [(int(variable) - 1, float(np.nextafter(threshold, -np.inf)))] + left + right

    return iter(read())


def rpart_case(name, data, split, minsplit=2, minbucket=1, maxdepth=30, weighted=False):
    X, y, w = given(data, weighted)
    criterion = {"gini": "gini", "information": "entropy", "anova": "squared_error"}[split]
    table = by_rpart(X, y, w, split, minsplit, minbucket, maxdepth)
    lists, blurred = described(criterion, X, y, w, minbucket, 0, rpart_preorder(table))
    every = np.arange(len(data.y)) if not weighted else np.flatnonzero(data.weight > 0)
    params = {"criterion": criterion, "min_samples_split": minsplit, "min_samples_leaf": minbucket}
    if maxdepth < 30:
        params["max_depth"] = maxdepth
    return {"name": f"rpart, {name}", "estimator": "DecisionTreeRegressor" if split == "anova" else "DecisionTreeClassifier",
            "oracle": "rpart", "data": data.spec, "params": camel(params), "weighted": weighted,
            "expected": {**lists, "rows": every[:0], "predict": [], "tied": int(blurred.sum())}}


FORESTS = {"RandomForestClassifier": RandomForestClassifier, "ExtraTreesClassifier": ExtraTreesClassifier,
           "RandomForestRegressor": RandomForestRegressor, "ExtraTreesRegressor": ExtraTreesRegressor}


def forest_case(estimator, set_name, least=1, trees=100, seeds=10, **params):
    """Held-out scores over seeds: odd rows learn, even rows judge. Leaves of several rows leave few ties."""
    data = included(set_name)
    X, y = data.X, np.asarray(data.y)
    scores, importances, oob = [], [], []
    forest = FORESTS[estimator]
    for seed in range(seeds):
        extra = {"oob_score": True} if params.get("bootstrap", estimator.startswith("Random")) else {}
        model = forest(n_estimators=trees, min_samples_leaf=least, random_state=seed, **extra, **params).fit(X[1::2], y[1::2])
        scores.append(model.score(X[::2], y[::2]))
        importances.append(model.feature_importances_)
        if extra:
            oob.append(model.oob_score_)
    expected = {"scores": np.round(scores, 9), "importances": np.round(np.mean(importances, axis=0), 6),
                "deviations": np.round(np.std(importances, axis=0, ddof=1), 6)}
    if oob:
        expected["oob"] = np.round(oob, 9)
    special = "".join(f", {v if k == 'criterion' else f'{k} {v}'}" for k, v in params.items())
    return {"name": f"{estimator}, {set_name}, leaves of {least}{special}", "estimator": estimator, "oracle": "scikit-learn", "data": data.spec,
            "params": {"nEstimators": trees, "minSamplesLeaf": least, **camel(params)}, "weighted": False, "expected": expected}


def main():
    cancer, digits, diabetes = (included(s) for s in ("breastCancer", "digits", "diabetes"))
    # Setosa is told from the others by two columns equally well.
    iris = included("iris", classes=("versicolor", "virginica"))
    wine = included("wine")
    two, three, number, count = (synthetic("tall", t) for t in ("binary", "three", "number", "count"))
    letters, words, wide = synthetic("letters", "letter"), synthetic("sparse", "number"), synthetic("wide", "number")
    lean = {"min_samples_leaf": 3}
    case = sklearn_case
    cases = [
        case("gini, iris", iris), case("gini, wine", wine),
        case("entropy, breast cancer", cancer, criterion="entropy"),
        case("entropy, three classes", three, criterion="entropy"), case("gini, letters", letters),
        case("gini, depth 6, digits", digits, criterion="gini", max_depth=6),
        case("entropy, depth 5, digits", digits, criterion="entropy", max_depth=5),
        case("gini, weights", three, weighted=True), case("entropy, weights", two, weighted=True, criterion="entropy"),
        case("gini, letters, weights", letters, weighted=True, max_depth=8),
        case("balanced classes", cancer, class_weight="balanced", max_depth=4),
        case("classes of 1 and 3.75", two, class_weight={"yes": 3.75}, min_samples_leaf=5),
        case("classes and rows have weights", three, weighted=True, class_weight={"low": 2.25, "mid": 0.75}, max_depth=5),
        case("leaves of 8 rows, breast cancer", cancer, min_samples_leaf=8),
        case("leaves of 8 rows, entropy", three, min_samples_leaf=8, criterion="entropy"),
        case("splits of 40 rows", cancer, min_samples_split=40, criterion="entropy"),
        case("7 leaves, three classes", three, max_leaf_nodes=7, whole=True),
        case("6 leaves, entropy", three, max_leaf_nodes=6, criterion="entropy", whole=True),
        case("gain of 0.015", three, min_impurity_decrease=0.015),
        case("gain of 0.02 bits", two, min_impurity_decrease=0.02, criterion="entropy"),
        case("leaves of a twelfth of the weight", three, weighted=True, min_weight_fraction_leaf=1 / 12),
        case("squared error, leaves of 3 rows", number, **lean), case("squared error, diabetes", diabetes, min_samples_leaf=4),
        case("squared error, depth 5", number, max_depth=5), case("squared error, d ≫ n", wide, max_depth=3),
        case("squared error, counts of words", words, min_samples_leaf=4),
        case("squared error, weights", number, weighted=True, **lean),
        case("squared error, 12 leaves", diabetes, max_leaf_nodes=12, whole=True),
        case("squared error, gain of 0.1", number, min_impurity_decrease=0.1, whole=True),
        case("poisson", count, criterion="poisson", max_depth=4),
        case("poisson, leaves of 6 rows", count, criterion="poisson", min_samples_leaf=6),
        case("poisson, weights", count, weighted=True, criterion="poisson", max_depth=4, min_samples_leaf=3),
        case("absolute error, leaves of 3 rows", number, criterion="absolute_error", **lean),
        # Not with weights: scikit-learn 1.2 then misses the best split of some nodes, which the search of this file finds.
        case("absolute error, 9 leaves", number, criterion="absolute_error", max_leaf_nodes=9, path=True, whole=True),
        case("absolute error, gain of 0.05", number, criterion="absolute_error", min_impurity_decrease=0.05),
        case("absolute error, pruned", number, criterion="absolute_error", ccp_alpha=0.03, **lean),
        case("pruned, squared error", number, ccp_alpha=0.1, path=True, whole=True, **lean),
        case("pruned, diabetes", diabetes, ccp_alpha=30, path=True, whole=True, min_samples_leaf=6),
        case("pruned, weights", number, weighted=True, ccp_alpha=0.05, path=True, whole=True, **lean),
        case("pruned, three classes", three, path=True, whole=True, ccp_alpha=0.01, max_leaf_nodes=8),
        case("pruned, entropy", three, path=True, whole=True, ccp_alpha=0.02, max_leaf_nodes=8, criterion="entropy"),
        rpart_case("gini, iris", iris, "gini"), rpart_case("gini, breast cancer", cancer, "gini"),
        rpart_case("information, breast cancer", cancer, "information"), rpart_case("gini, three classes", three, "gini"),
        rpart_case("information, three classes", three, "information", minsplit=10, minbucket=4),
        rpart_case("gini, weights", two, "gini", weighted=True, maxdepth=6), rpart_case("gini, letters", letters, "gini", maxdepth=8),
        rpart_case("anova", number, "anova", minsplit=6, minbucket=3), rpart_case("anova, diabetes", diabetes, "anova", minbucket=4),
    ]
    for c in cases:
        print(f'{c["name"]}: {len(c["expected"]["features"])} nodes, {c["expected"]["tied"]} rows below ties')
    write_fixture("trees", cases)
    kinds = {"Classifier": ("digits", "breastCancer"), "Regressor": ("diabetes",)}
    forests = [forest_case(f"{forest}{kind}", name, least) for forest in ("RandomForest", "ExtraTrees")
               for kind, names in kinds.items() for name in names for least in (1, 6)]
    absolute = {"criterion": "absolute_error", "trees": 30}
    forests += [
        forest_case("RandomForestRegressor", "diabetes", 6, **absolute),
        forest_case("RandomForestRegressor", "diabetes", 3, **absolute, bootstrap=False, max_features=0.3),
        forest_case("ExtraTreesRegressor", "diabetes", 1, **absolute),
        forest_case("ExtraTreesRegressor", "diabetes", 6, **absolute, max_features=0.3),
    ]
    write_fixture("forests", forests)


if __name__ == "__main__":
    main()
