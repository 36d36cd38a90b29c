"""The sides of the benchmark that are Python (scikit-learn, XGBoost): reads a job file, fits, prints one line of JSON."""

import importlib
import json
import pickle
import sys
import warnings

import numpy as np
import scipy.sparse as sp

from sklearn.pipeline import make_pipeline

from measure import report, time_calls, time_fits

EXPLAINED = 1000  # rows whose contributions are measured
TAUGHT = 5000  # documents that a classifier of single documents learns from

warnings.simplefilter("ignore")  # a solver that stops early shows in its objective


def rows_of(data):
    if "sparse" not in data:
        return np.fromfile(data["dense"]).reshape(data["rows"], data["cols"])
    files = data["sparse"]
    values, indices = np.fromfile(files["values"]), np.fromfile(files["indices"], np.int32)
    indptr = np.fromfile(files["indptr"], np.int32)
    return sp.csr_matrix((values, indices, indptr), shape=(data["rows"], data["cols"]))


def targets_of(data):
    y = np.fromfile(data["y"], np.int32 if data["classes"] > 0 else np.float64)
    return y.reshape(-1, data["targets"]) if "targets" in data else y


def package_of(call):
    """The package that a dotted name belongs to: scikit-learn's names leave it out."""
    package = call.split(".")[0]
    return package if package in ("xgboost", "torch", "pandas") else "sklearn"


def named(call):
    module, name = call.rsplit(".", 1)
    return getattr(importlib.import_module(module if module == package_of(call) else f"sklearn.{module}"), name)


def iterations_of(model):
    count = getattr(model, "n_iter_", None)
    return None if count is None else int(np.max(count))


def learned(model):
    coef = np.atleast_2d(model.coef_)
    intercept = np.broadcast_to(np.atleast_1d(model.intercept_), (len(coef),))
    return np.concatenate([coef.ravel(), intercept]).astype(float)


def fit(job):
    X, y = rows_of(job["data"]), targets_of(job["data"])
    seeds = [{"random_state": seed} for seed in range(job["seeds"])] if "seeds" in job else [{}]

    def fit_all():
        return [named(job["call"])(**job["params"], **seed).fit(X, y) for seed in seeds]

    models, times = time_fits(fit_all, job, len(seeds))
    np.concatenate([learned(model) for model in models]).tofile(job["out"])
    vectors, cols = np.atleast_2d(models[0].coef_).shape
    counts = [iterations_of(model) for model in models]
    iterations = {} if None in counts else {"iterations": float(np.mean(counts))}
    return {**times, **iterations, "shape": {"vectors": vectors, "cols": cols}}


def classify(job):
    """A fit and the classes of its rows."""
    X, y = rows_of(job["data"]), targets_of(job["data"])

    def fit_and_predict():
        model = named(job["call"])(**job["params"]).fit(X, y)
        model.predict(X)
        return model

    model, times = time_fits(fit_and_predict, job)
    loss = -np.mean(model.predict_log_proba(X)[np.arange(len(y)), y])
    return {**times, "checksum": float(loss)}


def texts_of(data):
    with open(data["texts"], encoding="utf-8") as f:
        return json.load(f)


def vectorize(job):
    """Documents into a matrix."""
    texts = texts_of(job["data"])
    params = {key: tuple(value) if isinstance(value, list) else value for key, value in job["params"].items()}
    X, times = time_fits(lambda: named(job["call"])(**params).fit_transform(texts), job)
    return {**times, "checksum": float(np.abs(X.data).sum())}


def mixed_frame(X, numbers):
    """A DataFrame of numbers, with a gap in every 97th row, and strings."""
    import pandas as pd

    table = {}
    for j in range(X.shape[1]):
        if j >= numbers:
            table[f"c{j}"] = np.array([f"value {int(code)}" for code in X[:, j]], dtype=object)
        else:
            table[f"n{j}"] = np.where(np.arange(len(X)) % 97 == j, np.nan, X[:, j])
    return pd.DataFrame(table)


def as_numbers(frame, numbers, **params):
    """The steps that argmax's TableVectorizer chooses for such a table."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    names = list(frame.columns)
    parts = [("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), names[:numbers]),
             ("categories", OneHotEncoder(min_frequency=0.005, handle_unknown="infrequent_if_exist",
                                          drop="if_binary"), names[numbers:])]
    return ColumnTransformer(parts, **params)


def columns(job):
    """A table of numbers and strings into a matrix."""
    from sklearn.preprocessing import OneHotEncoder

    numbers = job["params"]["numbers"]
    frame = mixed_frame(rows_of(job["data"]), numbers)
    if numbers == 0:
        strings = frame.to_numpy()
        Z, times = time_fits(lambda: OneHotEncoder().fit_transform(strings), job)
    else:
        Z, times = time_fits(lambda: as_numbers(frame, numbers).fit_transform(frame), job)
    return {**times, "checksum": float(np.abs(Z.data if sp.issparse(Z) else Z).sum())}


def compare(job):
    """The models of argmax's compare on the folds of a mixed table; the checksum is the best mean accuracy, negated."""
    from sklearn import discriminant_analysis, ensemble, linear_model, naive_bayes, neighbors, neural_network, svm, tree
    from sklearn.model_selection import StratifiedKFold

    params = dict(job["params"])
    numbers = params.pop("numbers")
    frame, y = mixed_frame(rows_of(job["data"]), numbers), targets_of(job["data"])
    models = [linear_model.LogisticRegression(), svm.LinearSVC(), discriminant_analysis.LinearDiscriminantAnalysis(),
              naive_bayes.GaussianNB(), neighbors.KNeighborsClassifier(), svm.SVC(),
              tree.DecisionTreeClassifier(max_depth=6), ensemble.RandomForestClassifier(),
              ensemble.ExtraTreesClassifier(), ensemble.AdaBoostClassifier(),
              ensemble.HistGradientBoostingClassifier(), neural_network.MLPClassifier()]

    def best():
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        return max(named(job["call"])(make_pipeline(as_numbers(frame, numbers, sparse_threshold=0), model),
                                      frame, y, cv=folds, **params).mean() for model in models)

    score, times = time_fits(best, job)
    return {**times, "checksum": -float(score)}


def classify_one(job):
    """One document after the other, as strings, through a pipeline that has learned from the first of them."""
    texts, y = texts_of(job["data"])[:TAUGHT], targets_of(job["data"])[:TAUGHT]
    model = make_pipeline(*(named(step)() for step in job["params"]["steps"])).fit(texts, y)
    asked = [[text] for text in texts[:500]]
    times = time_calls(lambda i: model.predict(asked[i % len(asked)]), job["minSeconds"])
    return {**times, "checksum": float(sum(model.predict(one)[0] for one in asked))}


def kernel_of(model, A, B):
    if model.kernel == "linear":
        return A @ B.T
    if model.kernel == "poly":
        return (model._gamma * (A @ B.T) + model.coef0) ** model.degree
    squares = np.sum(A**2, 1)[:, None] + np.sum(B**2, 1)[None, :] - 2 * A @ B.T
    return np.exp(-model._gamma * squares)


def half_square(model, vectors, a):
    """½ aᵀKa, some rows at a time."""
    parts = range(0, len(a), 1000)
    return 0.5 * sum(a[s:s + 1000] @ (kernel_of(model, vectors[s:s + 1000], vectors) @ a) for s in parts)


def dual_of(model, y):
    """The dual objective, summed over the pairs of classes."""
    vectors = model.support_vectors_
    if not hasattr(model, "classes_"):
        a = model.dual_coef_[0]
        return half_square(model, vectors, a) + model.epsilon * np.abs(a).sum() - y[model.support_] @ a
    if len(model.classes_) == 2:
        a = model.dual_coef_[0]
        return half_square(model, vectors, a) - np.abs(a).sum()
    ends = np.concatenate([[0], np.cumsum(model.n_support_)])
    total = 0.0
    for i in range(len(model.classes_)):
        for j in range(i + 1, len(model.classes_)):
            first, second = slice(ends[i], ends[i + 1]), slice(ends[j], ends[j + 1])
            a = np.concatenate([model.dual_coef_[j - 1, first], model.dual_coef_[i, second]])
            total += half_square(model, np.concatenate([vectors[first], vectors[second]]), a) - np.abs(a).sum()
    return total


def support(job):
    """A support vector machine and its dual objective."""
    X, y = rows_of(job["data"]), targets_of(job["data"])
    model, times = time_fits(lambda: named(job["call"])(**job["params"]).fit(X, y), job)
    return {**times, "iterations": int(np.sum(model.n_iter_)), "checksum": float(dual_of(model, y))}


def support_predict(job):
    X, y = rows_of(job["data"]), targets_of(job["data"])
    model = named(job["call"])(**job["params"]).fit(X, y)
    predicted, times = time_fits(lambda: model.predict(X), job)
    return {**times, "checksum": float(np.sum(predicted))}


LEARNED = 3000  # rows that a kernel ridge regression learns from before it is asked


def kernel_ridge(job):
    X, y = rows_of(job["data"]), targets_of(job["data"])
    model, times = time_fits(lambda: named(job["call"])(**job["params"]).fit(X, y), job)
    f = model.predict(X)
    objective = np.sum((y - f) ** 2) + job["params"]["alpha"] * model.dual_coef_ @ f
    return {**times, "checksum": float(objective)}


def kernel_ridge_predict(job):
    X, y = rows_of(job["data"]), targets_of(job["data"])
    model = named(job["call"])(**job["params"]).fit(X[:LEARNED], y[:LEARNED])
    predicted, times = time_fits(lambda: model.predict(X), job)
    return {**times, "checksum": float(np.abs(predicted).sum())}


def mapped(job):
    """A map and a classifier behind it, and its mean log loss."""
    X, y = rows_of(job["data"]), targets_of(job["data"])

    def fit_all():
        return make_pipeline(*(named(call)(**params) for call, params in job["params"]["steps"])).fit(X, y)

    model, times = time_fits(fit_all, job)
    return {**times, "checksum": float(-np.mean(model.predict_log_proba(X)[np.arange(len(y)), y]))}


def held_out(job):
    """The first four fifths of the rows are learned from, the others judge: wrong classes, or 1 - R^2."""
    X, y = rows_of(job["data"]), targets_of(job["data"])
    cut = int(0.8 * len(y))
    fit = lambda: named(job["call"])(**job["params"]).fit(X[:cut], y[:cut])
    if job["action"] == "heldOut":
        model, times = time_fits(fit, job)
    else:
        model = fit()
        _, times = time_fits(lambda: model.predict(X[cut:]), job)
    return {**times, "checksum": float(1 - model.score(X[cut:], y[cut:]))}


def explained(job):
    """TreeSHAP of the first EXPLAINED rows by a model of all rows, judged by its error on them: contributions sum to predictions."""
    X, y = rows_of(job["data"]), targets_of(job["data"])
    booster = named(job["call"])(**job["params"]).fit(X, y).get_booster()
    rows = importlib.import_module("xgboost").DMatrix(X[:EXPLAINED])
    found, times = time_fits(lambda: booster.predict(rows, pred_contribs=True), job)
    rest = y[:EXPLAINED] - found.sum(axis=1)
    return {**times, "checksum": float(np.sum(rest**2) / np.sum((y[:EXPLAINED] - np.mean(y[:EXPLAINED])) ** 2))}


def parted(job):
    X = rows_of(job["data"])
    cut = X.shape[0] - job["queries"]
    return X[:cut], X[cut:]


def search(job):
    """An index and the neighbours of all queries; what is compared is their mean distance."""
    points, queries = parted(job)
    found, times = time_fits(lambda: named(job["call"])(**job["params"]).fit(points).kneighbors(queries), job)
    return {**times, "checksum": float(found[0].mean())}


def search_one(job):
    points, queries = parted(job)
    model = named(job["call"])(**job["params"]).fit(points)
    single = [[row] for row in queries[:500].tolist()]
    times = time_calls(lambda i: model.kneighbors(single[i % len(single)]), job["minSeconds"])
    return {**times, "checksum": float(sum(model.kneighbors(row)[0][0, 0] for row in single))}


def within(job):
    """All neighbours within a radius; what is compared is their number."""
    points, queries = parted(job)
    found, times = time_fits(lambda: named(job["call"])(**job["params"]).fit(points).radius_neighbors(queries), job)
    return {**times, "checksum": float(sum(len(indices) for indices in found[1]))}


def started(params, X):
    """start: the first rows are the first centres, so that both sides take the same way."""
    params = dict(params)
    if params.pop("start", None) != "firstRows":
        return params
    if "n_clusters" in params:
        return {**params, "init": X[: params["n_clusters"]], "n_init": 1}
    k, d = params["n_components"], X.shape[1]
    one = np.ones(d) if params.get("covariance_type") == "diag" else np.eye(d)
    return {**params, "means_init": X[:k], "weights_init": np.full(k, 1 / k), "precisions_init": np.stack([one] * k)}


def judged(model, X):
    """What a fit is judged by; lower is better."""
    if hasattr(model, "inertia_"):
        return model.inertia_
    if hasattr(model, "explained_variance_"):
        return -np.sum(model.explained_variance_)
    if hasattr(model, "score_samples"):
        return -model.score(X)
    return len(set(model.labels_)) + np.mean(model.labels_ < 0)


def unsupervised(job):
    X = rows_of(job["data"])
    params = started(job["params"], X)
    model, times = time_fits(lambda: named(job["call"])(**params).fit(X), job)
    return {**times, "checksum": float(judged(model, X))}


def trainer(job, X, y):
    """A function of a seed that trains a network and returns it with the mean loss of its last epoch."""
    params = dict(job["params"])
    if package_of(job["call"]) == "torch":
        import torch_networks  # takes seconds

        return torch_networks.trainer(job["call"].split(".")[1], X, y, job["data"]["classes"], **params)
    X = X.astype(params.pop("dtype", "float64"))

    def train_one(seed):
        model = named(job["call"])(**params, random_state=seed).fit(X, y)
        return model, model.loss_

    return train_one


def train(job):
    """The fit of a network, judged by the mean loss of its last epoch."""
    train_one = trainer(job, rows_of(job["data"]), targets_of(job["data"]))
    seeds = range(job.get("seeds", 1))
    trained, times = time_fits(lambda: [train_one(seed) for seed in seeds], job, len(seeds))
    return {**times, "checksum": float(np.mean([loss for _, loss in trained]))}


def train_predict(job):
    X, y = rows_of(job["data"]), targets_of(job["data"])
    model, _ = trainer(job, X, y)(0)
    predicted, times = time_fits(lambda: model.predict(X), job)
    return {**times, "checksum": float(np.mean(predicted != y))}


def gemm32(job):
    m, k = job["data"]["rows"], job["data"]["cols"]
    numbers = np.fromfile(job["data"]["dense"]).astype(np.float32)
    A, B = numbers[:m * k].reshape(m, k), numbers[m * k:].reshape(k, -1)
    result, times = time_fits(lambda: A @ B, job)
    return {**times, "checksum": float(np.abs(result).sum(dtype=float))}


def path(job):
    """The path functions leave the intercept to the caller: centre, follow, and undo."""
    X, y = rows_of(job["data"]), targets_of(job["data"])

    def follow():
        mean, y_mean = X.mean(axis=0), y.mean()
        alphas, coefs, _ = named(job["call"])(X - mean, y - y_mean, **job["params"])
        return alphas, coefs.T, y_mean - coefs.T @ mean

    (alphas, coefs, intercepts), times = time_fits(follow, job)
    np.concatenate([alphas, coefs.ravel(), intercepts]).tofile(job["out"])
    return {**times, "shape": {"vectors": len(alphas), "cols": coefs.shape[1]}}


def predict_one(job):
    X, y = rows_of(job["data"]), targets_of(job["data"])
    model = named(job["call"])(**job["params"]).fit(X, y)
    rows = [[row] for row in X.tolist()]
    times = time_calls(lambda i: model.predict(rows[i % len(rows)]), job["minSeconds"])
    return {**times, "checksum": float(sum(model.predict(row)[0] for row in rows))}


def ranking(job):
    scores, y = np.ascontiguousarray(rows_of(job["data"])[:, 0]), targets_of(job["data"])
    result, times = time_fits(lambda: named(job["call"])(y, scores, **job["params"]), job)
    return {**times, "checksum": float(result)}


def kernel(job):
    A = rows_of(job["data"])
    ones = np.ones(A.shape[1])
    flat = A.ravel()
    calls = {
        ("gemm", "matmul"): lambda: A @ A,
        ("gemv", "matmul"): lambda: A @ ones,
        ("gemv", "read"): lambda: np.dot(flat, flat),
        ("exp", "exp"): lambda: np.exp(flat),
    }
    result, times = time_fits(calls[job["action"], job["call"]], job)
    return {**times, **({} if job["call"] == "read" else {"checksum": float(np.abs(result).sum())})}


def csv(job):
    """The sum of all numbers that are there."""
    import io

    with open(job["data"]["csv"], "rb") as f:
        data = f.read()
    table, times = time_fits(lambda: named(job["call"])(io.BytesIO(data)), job)
    return {**times, "checksum": float(np.nansum(table.select_dtypes("number").to_numpy(float)))}


def tune(job):
    """A search; its score is negated: lower is better in the table."""
    from scipy.stats import loguniform, randint, uniform

    X, y = rows_of(job["data"]), targets_of(job["data"])
    params = dict(job["params"])
    inner = named(params.pop("estimator"))(**params.pop("params"))
    space = params.pop("space", None)
    kinds = {"logUniform": loguniform, "integers": lambda a, b: randint(a, b + 1), "uniform": lambda a, b: uniform(a, b - a)}
    if space is not None:
        params["param_distributions"] = {
            key: kinds[r[0]](*r[1:]) if r[0] in kinds else r for key, r in space.items()
        }
    search, times = time_fits(lambda: named(job["call"])(inner, **params).fit(X, y), job)
    return {**times, "checksum": -float(search.best_score_)}


def reload(job):
    """joblib, to and from memory; the checksum is the sum of the loaded model's predictions."""
    import io

    import joblib

    X, y = rows_of(job["data"]), targets_of(job["data"])
    model = named(job["call"])(**job["params"]).fit(X, y)

    def there_and_back():
        file = io.BytesIO()
        joblib.dump(model, file)
        file.seek(0)
        return joblib.load(file)

    loaded, times = time_fits(there_and_back, job)
    return {**times, "checksum": float(loaded.predict(X).sum())}


def save(job):
    """Not a measurement: the model file that start.py loads."""
    model = named(job["call"])(**job["params"]).fit(rows_of(job["data"]), targets_of(job["data"]))
    with open(job["out"], "wb") as f:
        pickle.dump(model, f)
    return {}


ACTIONS = {"fit": fit, "classify": classify, "vectorize": vectorize, "columns": columns, "classifyOne": classify_one,
           "support": support, "supportPredict": support_predict, "kernelRidge": kernel_ridge,
           "kernelRidgePredict": kernel_ridge_predict, "mapped": mapped,
           "heldOut": held_out, "heldOutPredict": held_out, "explain": explained, "search": search, "searchOne": search_one, "within": within, "unsupervised": unsupervised,
           "train": train, "trainPredict": train_predict, "gemm32": gemm32, "path": path,
           "predictOne": predict_one, "ranking": ranking, "csv": csv, "tune": tune, "compare": compare, "reload": reload, "gemm": kernel, "gemv": kernel, "exp": kernel, "save": save}

if __name__ == "__main__":
    with open(sys.argv[1]) as f:
        JOB = json.load(f)
    VERSION = importlib.import_module(package_of(JOB["call"])).__version__
    report({"version": VERSION, **ACTIONS[JOB["action"]](JOB)})
