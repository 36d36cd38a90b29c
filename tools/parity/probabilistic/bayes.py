"""Fixtures of the naive Bayes family. Every model is a closed form, so the oracles' numbers are the truth themselves.

A case may prepare its data (`prepare`), as library/test/parity/bayes.test.ts does once more:
  bins     columns become ⌊count (x − min) / (max − min)⌋, the largest value in the last bin; "columns": these only
  cyclic   the class of row i is "c" and i mod cyclic in two digits
  alone    this row is a class of its own
  batches  the rows are learned in pieces that end before these rows, by partial fits
"""

import os
import subprocess
import tempfile

import numpy as np
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

from certify import agree
from shapes import included, sample_rows, synthetic, write_fixture

MODELS = {m.__name__: m for m in (BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB)}


def snake(name):
    return "".join("_" + c.lower() if c.isupper() else c for c in name)


def binned(X, count, columns=None):
    X = X.copy()
    for j in range(X.shape[1]) if columns is None else columns:
        low, high = X[:, j].min(), X[:, j].max()
        X[:, j] = np.minimum(count - 1, np.floor((X[:, j] - low) / (high - low) * count))
    return X


def prepared(data, bins=None, columns=None, cyclic=None, alone=None):
    X, y = data.X, np.asarray(data.y).copy()
    if bins:
        X = binned(X, bins, columns)
    if cyclic:
        y = np.array([f"c{i % cyclic:02}" for i in range(len(y))])
    if alone is not None:
        y = y.astype("U16")
        y[alone] = "alone"
    return X, y


def fitted(estimator, params, X, y, weight, batches):
    model = MODELS[estimator](**{snake(k): v for k, v in params.items()})
    if not batches:
        return model.fit(X, y, sample_weight=weight)
    for begin, end in zip([0, *batches], [*batches, len(y)]):
        model.partial_fit(X[begin:end], y[begin:end], classes=np.unique(y),
                          sample_weight=None if weight is None else weight[begin:end])
    return model


def learned(model):
    """What was learned about some of the columns."""
    columns = sample_rows(model.n_features_in_, 8)
    if isinstance(model, GaussianNB):
        return {"columns": columns, "theta": model.theta_[:, columns], "var": model.var_[:, columns]}
    if isinstance(model, CategoricalNB):
        return {"columns": columns[:2], "categories": [model.feature_log_prob_[j] for j in columns[:2]]}
    return {"columns": columns, "featureLogProb": model.feature_log_prob_[:, columns]}


def case(name, estimator, data, weighted=False, batches=None, repeated=False, prepare=None, **params):
    """`repeated`: weights by repeating rows, since scikit-learn's ε does not know weights. They are quarters."""
    prepare = prepare or {}
    X, y = prepared(data, **prepare)
    weight = data.weight if weighted else None
    if repeated:
        model = fitted(estimator, params, np.repeat(X, (4 * weight).astype(int), axis=0),
                       np.repeat(y, (4 * weight).astype(int)), None, None)
    else:
        model = fitted(estimator, params, X, y, weight, batches)
    rows = sample_rows(len(y), 8 if len(model.classes_) > 10 else 12)
    spec = {**prepare, **({"batches": batches} if batches else {})}
    return {
        "name": name, "estimator": estimator,
        "oracle": f"scikit-learn {estimator}{', every row repeated as often as it weighs' if repeated else ''}",
        "data": data.spec, **({"prepare": spec} if spec else {}), "params": params, "weighted": weighted,
        "expected": {"classes": model.classes_, **learned(model), "rows": rows,
                     "predict": model.predict(X[rows]), "predictProba": model.predict_proba(X[rows]),
                     "joint": model.predict_joint_log_proba(X[rows])},
    }


def e1071(X, y):
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(os.path.join(folder, "X.csv"), X, fmt="%.17g", delimiter=",")
        np.savetxt(os.path.join(folder, "y.csv"), y, fmt="%s")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "naive_bayes.R")
        subprocess.run(["Rscript", script, folder], check=True)
        rows = np.genfromtxt(os.path.join(folder, "out.csv"), delimiter=",")
    return np.split(rows, 2, axis=1)


def e1071_case(name, data):
    """R divides by n − 1; everything else of the model is the same."""
    mean, deviation = e1071(data.X, data.y)
    classes, counts = np.unique(data.y, return_counts=True)
    var = deviation**2 * (1 - 1 / counts[:, None])
    oracle = GaussianNB(var_smoothing=0).fit(data.X, data.y)
    agree(f"{name}, theta", oracle.theta_, mean, 1e-12)
    agree(f"{name}, var", oracle.var_, var, 1e-12)
    rows = sample_rows(len(data.y))
    return {
        "name": name, "estimator": "GaussianNB", "oracle": "R e1071::naiveBayes, its variances times (n − 1)/n",
        "data": data.spec, "params": {"varSmoothing": 0}, "weighted": False,
        "expected": {"classes": classes, "columns": np.arange(data.X.shape[1]), "theta": mean, "var": var, "rows": rows,
                     "predict": oracle.predict(data.X[rows]), "predictProba": oracle.predict_proba(data.X[rows]),
                     "joint": oracle.predict_joint_log_proba(data.X[rows])},
    }


def mixed_case(name, data, bins, blocks, rest):
    """The sum of the blocks' log-likelihoods, each from scikit-learn's model of that block alone."""
    X, y = prepared(data, bins=bins["count"], columns=bins["columns"])
    classes, counts = np.unique(y, return_counts=True)
    joint = np.tile(np.log(counts / len(y)), (len(y), 1))
    kinds = {"gaussian": "GaussianNB", "bernoulli": "BernoulliNB", "categorical": "CategoricalNB",
             "multinomial": "MultinomialNB"}
    named = {j for block in blocks for j in block["columns"]}
    others = {"model": rest, "columns": [j for j in range(X.shape[1]) if j not in named]}
    for block in [*blocks, others]:
        own = {k: v for k, v in block.items() if k not in ("model", "columns")}
        model = fitted(kinds[block["model"]], own, X[:, block["columns"]], y, None, None)
        joint += model.predict_joint_log_proba(X[:, block["columns"]]) - np.log(counts / len(y))
    P = np.exp(joint - joint.max(axis=1)[:, None])
    P /= P.sum(axis=1)[:, None]
    rows = sample_rows(len(y))
    return {
        "name": name, "estimator": "MixedNB", "oracle": "scikit-learn's four models, one a block", "data": data.spec,
        "prepare": {"bins": bins["count"], "columns": bins["columns"]},
        "params": {"blocks": blocks, "rest": rest}, "weighted": False,
        "expected": {"classes": classes, "rows": rows, "predict": classes[P[rows].argmax(axis=1)],
                     "predictProba": P[rows], "joint": joint[rows]},
    }


def count_cases():
    digits = included("digits")  # some pixels are never inked: words that no document has
    sparse, three = synthetic("sparse", "binary"), synthetic("sparse", "three")
    priors = [0.05, 0.15] + [0.1] * 8
    per_pixel = [0.25 * (1 + j % 5) for j in range(64)]
    return [
        case("multinomial, digits", "MultinomialNB", digits),
        case("multinomial, digits, alpha 0.1", "MultinomialNB", digits, alpha=0.1),
        case("multinomial, digits, alpha 0", "MultinomialNB", digits, alpha=0),
        case("multinomial, digits, one alpha a column", "MultinomialNB", digits, alpha=per_pixel),
        case("multinomial, digits, uniform prior", "MultinomialNB", digits, fitPrior=False),
        case("multinomial, digits, given prior", "MultinomialNB", digits, classPrior=priors),
        case("multinomial, digits in three partial fits", "MultinomialNB", digits, batches=[3, 700]),
        case("multinomial, digits, 20 classes", "MultinomialNB", digits, prepare={"cyclic": 20}),
        case("multinomial, digits, a class with one row", "MultinomialNB", digits, prepare={"alone": 5}),
        case("multinomial, sparse, an empty document and an empty column", "MultinomialNB", sparse),
        case("multinomial, sparse, sample weights", "MultinomialNB", three, weighted=True),
        case("complement, digits", "ComplementNB", digits),
        case("complement, digits, norm", "ComplementNB", digits, norm=True),
        case("complement, digits, alpha 0", "ComplementNB", digits, alpha=0),
        case("complement, digits, norm, in partial fits", "ComplementNB", digits, batches=[40], norm=True),
        case("complement, sparse, sample weights, norm", "ComplementNB", three, weighted=True, norm=True),
        case("complement, digits, 20 classes", "ComplementNB", digits, prepare={"cyclic": 20}),
    ]


def binary_cases():
    cancer, digits = included("breastCancer", standardize=True), included("digits")
    sparse = synthetic("sparse", "three")
    return [
        case("Bernoulli, breast cancer above its means", "BernoulliNB", cancer),
        case("Bernoulli, breast cancer, alpha 0", "BernoulliNB", cancer, alpha=0),
        case("Bernoulli, breast cancer, given prior", "BernoulliNB", cancer, classPrior=[0.25, 0.75]),
        case("Bernoulli, digits darker than 8", "BernoulliNB", digits, binarize=8, alpha=0.5),
        case("Bernoulli, digits in three partial fits", "BernoulliNB", digits, binarize=8, batches=[1, 900]),
        case("Bernoulli, digits, 20 classes", "BernoulliNB", digits, binarize=8, prepare={"cyclic": 20}),
        case("Bernoulli, sparse", "BernoulliNB", sparse),
        case("Bernoulli, sparse, sample weights, uniform prior", "BernoulliNB", sparse, weighted=True, fitPrior=False),
        case("Bernoulli, a class with one row", "BernoulliNB", cancer, prepare={"alone": 7}),
    ]


def category_cases():
    wine, digits = included("wine"), included("digits")
    return [
        case("categorical, wine in 5 bins", "CategoricalNB", wine, prepare={"bins": 5}),
        case("categorical, wine, alpha 0", "CategoricalNB", wine, alpha=0, prepare={"bins": 5}),
        case("categorical, wine, min categories", "CategoricalNB", wine, minCategories=8, alpha=0.3,
             prepare={"bins": 5}),
        case("categorical, wine, uniform prior", "CategoricalNB", wine, fitPrior=False, prepare={"bins": 3}),
        case("categorical, digits, ink as a category", "CategoricalNB", digits),
        case("categorical, digits in partial fits", "CategoricalNB", digits, minCategories=17, batches=[100, 101]),
        case("categorical, wine, a class with one row", "CategoricalNB", wine, prepare={"bins": 5, "alone": 3}),
    ]


def gaussian_cases():
    iris, wine, cancer, digits = (included(name) for name in ("iris", "wine", "breastCancer", "digits"))
    tall, letters = synthetic("tall", "three"), synthetic("letters", "letter")
    return [
        case("Gaussian, iris", "GaussianNB", iris),
        case("Gaussian, wine", "GaussianNB", wine),
        case("Gaussian, breast cancer", "GaussianNB", cancer),
        case("Gaussian, digits, constant columns", "GaussianNB", digits),
        case("Gaussian, iris, given priors", "GaussianNB", iris, priors=[0.2, 0.3, 0.5]),
        case("Gaussian, wine, much smoothing", "GaussianNB", wine, varSmoothing=1e-3),
        case("Gaussian, sample weights", "GaussianNB", tall, weighted=True, repeated=True),
        case("Gaussian, 26 classes", "GaussianNB", letters),
        # scikit-learn's ε is that of the last batch: without it, partial fits are the same model.
        case("Gaussian, wine in partial fits", "GaussianNB", wine, batches=[60, 131], varSmoothing=0),
        case("Gaussian, badly scaled columns", "GaussianNB", synthetic("badlyScaled", "three"), varSmoothing=0),
        e1071_case("Gaussian, iris, e1071", iris),
        e1071_case("Gaussian, wine, e1071", wine),
    ]


def mixed_cases():
    wine = included("wine")
    blocks = [
        {"model": "categorical", "columns": [1, 5], "alpha": 0.5},
        {"model": "bernoulli", "columns": [6, 7], "binarize": 1.5},
        {"model": "multinomial", "columns": [3, 4, 12], "alpha": 2},
    ]
    bins = {"count": 4, "columns": [1, 5]}
    return [
        mixed_case("mixed, wine", wine, bins, blocks, "gaussian"),
        mixed_case("mixed, wine, the rest multinomial", wine, bins, blocks[:2], "multinomial"),
    ]


def main():
    write_fixture("bayes", [*count_cases(), *binary_cases(), *category_cases(), *gaussian_cases(), *mixed_cases()])


if __name__ == "__main__":
    main()
