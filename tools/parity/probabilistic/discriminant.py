"""Fixtures of LinearDiscriminantAnalysis and QuadraticDiscriminantAnalysis."""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.model_selection import LeaveOneOut, cross_val_score

from r import r
from shapes import included, sample_rows, synthetic, write_fixture

NAMES = {"n_components": "nComponents", "store_covariance": "storeCovariance", "reg_param": "regParam"}


def camel(params):
    return {NAMES.get(key, key): value for key, value in params.items()}


def mass(method, data):
    first, rest = r(method, data.X, data.y)
    return np.column_stack([first, rest])


def decisions(model, X):
    return np.asarray(model.decision_function(X)).reshape(len(X), -1)


def solved(model):
    """lstsq leaves out directions of small columns (a cut-off of ε times the largest variance), and loses digits on the way.
    The same equations with the covariance brought to unit diagonal are solved to the last digits."""
    scale = 1 / np.sqrt(np.diag(model.covariance_))
    unit = model.covariance_ * np.outer(scale, scale)
    if np.linalg.cond(unit) > 1e12:
        return
    coef = (np.linalg.solve(unit, (model.means_ * scale).T).T) * scale
    intercept = -0.5 * np.sum(model.means_ * coef, axis=1) + np.log(model.priors_)
    two = len(model.classes_) == 2
    model.coef_ = coef[1:] - coef[:1] if two else coef
    model.intercept_ = intercept[1:] - intercept[:1] if two else intercept


def lda(name, data, with_mass=False, axes=True, **params):
    model = LinearDiscriminantAnalysis(**params).fit(data.X, data.y)
    if model.solver == "lsqr":
        solved(model)
    rows = sample_rows(len(data.y))
    expected = {
        "classes": model.classes_, "priors": model.priors_, "rows": rows,
        "predict": model.predict(data.X[rows]), "predictProba": model.predict_proba(data.X[rows]),
        "decision": decisions(model, data.X[rows]), "accuracy": model.score(data.X, data.y),
        "rank": int(model.scalings_.shape[1]) if hasattr(model, "scalings_") else 0,
    }
    if axes:
        # Axes up to their sign.
        expected["transform"] = np.abs(model.transform(data.X[rows]))
        expected["ratio"] = model.explained_variance_ratio_[: expected["transform"].shape[1]]
    if hasattr(model, "covariance_") and data.X.shape[1] < 15:
        expected["covariance"] = model.covariance_
    if with_mass:
        posterior = mass("lda", data)
        expected["mass"] = posterior[rows]
        assert np.abs(posterior - model.predict_proba(data.X)).max() < 1e-8, name
    return {"name": name, "estimator": "LinearDiscriminantAnalysis", "data": data.spec, "params": camel(params),
            "oracle": "scikit-learn" + (", MASS::lda" if with_mass else ""), "weighted": False, "expected": expected}


def qda(name, data, with_mass=False, **params):
    model = QuadraticDiscriminantAnalysis(**params).fit(data.X, data.y)
    rows = sample_rows(len(data.y))
    expected = {
        "classes": model.classes_, "priors": model.priors_, "rows": rows,
        "predict": model.predict(data.X[rows]), "predictProba": model.predict_proba(data.X[rows]),
        "decision": decisions(model, data.X[rows]), "accuracy": model.score(data.X, data.y),
    }
    if params.get("store_covariance"):
        expected["covariances"] = model.covariance_
    if with_mass:
        posterior = mass("qda", data)
        expected["mass"] = posterior[rows]
        assert np.abs(posterior - model.predict_proba(data.X)).max() < 1e-8, name
    return {"name": name, "estimator": "QuadraticDiscriminantAnalysis", "data": data.spec, "params": camel(params),
            "oracle": "scikit-learn" + (", MASS::qda" if with_mass else ""), "weighted": False, "expected": expected}


def qda_by_formula(name, data, reg):
    """scikit-learn's regularisation misses the directions in which a class with fewer rows than columns does not vary."""
    classes = np.unique(data.y)
    rows = sample_rows(len(data.y))
    z, priors = [], []
    for label in classes:
        X = data.X[data.y == label]
        mean, prior = X.mean(axis=0), len(X) / len(data.y)
        covariance = (1 - reg) * np.cov(X.T) + reg * np.eye(X.shape[1])
        u = data.X - mean
        squares = np.sum(u * np.linalg.solve(covariance, u.T).T, axis=1)
        z.append(np.log(prior) - 0.5 * np.linalg.slogdet(covariance)[1] - 0.5 * squares)
        priors.append(prior)
    z = np.array(z).T
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    right = classes[z.argmax(axis=1)]
    return {"name": name, "estimator": "QuadraticDiscriminantAnalysis", "data": data.spec, "params": {"regParam": reg},
            "oracle": "the formula", "weighted": False,
            "expected": {"classes": classes, "priors": priors, "rows": rows, "predict": right[rows],
                         "predictProba": p[rows], "decision": z[rows], "accuracy": np.mean(right == data.y)}}


def leave_one_out(name, data):
    right = lambda model: int(round(cross_val_score(model, data.X, data.y, cv=LeaveOneOut()).sum()))
    return {"name": f"leave-one-out, {name}", "estimator": "both", "data": data.spec, "params": {}, "weighted": False,
            "oracle": "scikit-learn",
            "expected": {"linear": right(LinearDiscriminantAnalysis()),
                         "quadratic": right(QuadraticDiscriminantAnalysis())}}


def main():
    iris, wine, cancer, digits = (included(s) for s in ("iris", "wine", "breastCancer", "digits"))
    tall, two = synthetic("tall", "three"), synthetic("tall", "binary")
    letters, wide = synthetic("letters", "letter"), synthetic("wide", "three")
    bad, collinear = synthetic("badlyScaled", "three"), synthetic("collinear", "binary")
    cases = [leave_one_out("iris", iris), leave_one_out("wine", wine)]
    for name, data in [("iris", iris), ("wine", wine), ("breast cancer", cancer), ("three classes", tall),
                       ("two classes", two), ("26 classes", letters), ("badly scaled columns", bad)]:
        cases += [
            lda(f"{name}, svd", data, with_mass=data is not bad),
            lda(f"{name}, lsqr", data, solver="lsqr", axes=False),
            lda(f"{name}, eigen", data, solver="eigen"),
            lda(f"{name}, lsqr, Ledoit–Wolf", data, solver="lsqr", shrinkage="auto", axes=False),
            lda(f"{name}, eigen, Ledoit–Wolf", data, solver="eigen", shrinkage="auto"),
            qda(f"{name}, QDA", data, with_mass=data is not bad),
        ]
    cases += [
        lda("digits, svd", digits),
        lda("digits, lsqr, shrinkage 0.3", digits, solver="lsqr", shrinkage=0.3, axes=False),
        lda("digits, eigen, Ledoit–Wolf", digits, solver="eigen", shrinkage="auto"),
        qda("digits, QDA, regParam 0.1", digits, reg_param=0.1),
        lda("more columns than rows, svd", wide),
        lda("more columns than rows, lsqr, Ledoit–Wolf", wide, solver="lsqr", shrinkage="auto", axes=False),
        lda("more columns than rows, eigen, shrinkage 0.5", wide, solver="eigen", shrinkage=0.5),
        qda_by_formula("more columns than rows, QDA, regParam 0.5", wide, 0.5),
        lda("dependent columns, svd", collinear),
        lda("dependent columns, eigen, shrinkage 0.1", collinear, solver="eigen", shrinkage=0.1),
        qda("dependent columns, QDA, regParam 0.01", collinear, reg_param=0.01),
        lda("iris, priors", iris, priors=[0.2, 0.5, 0.3]),
        lda("wine, priors, lsqr", wine, solver="lsqr", axes=False, priors=[0.2, 0.5, 0.3]),
        lda("wine, priors, eigen, shrinkage 0.1", wine, solver="eigen", priors=[0.2, 0.5, 0.3], shrinkage=0.1),
        lda("iris, one component", iris, n_components=1),
        lda("iris, stored covariance", iris, store_covariance=True),
        qda("iris, QDA, priors", iris, priors=[0.2, 0.5, 0.3]),
        qda("iris, QDA, stored covariances", iris, store_covariance=True, reg_param=0.05),
        qda("wine, QDA, regParam 1e-3", wine, reg_param=1e-3),
    ]
    write_fixture("discriminant", cases)


if __name__ == "__main__":
    main()
