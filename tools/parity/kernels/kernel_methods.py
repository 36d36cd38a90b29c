"""Fixtures of KernelRidge, Nystroem, KernelLogisticRegression and KernelFisherDiscriminant, against scikit-learn.

It has no logistic regression and no discriminant with a kernel: theirs are the linear ones on the eigenvectors of the kernel
matrix, scaled so that their products are its entries.
"""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import pairwise_kernels

from shapes import included, sample_rows, synthetic, write_fixture

# Eigenvalues below this share of the largest are rounding.
RANK = 1e-13


def kernel_matrix(A, B, kernel):
    return pairwise_kernels(A, B, metric=kernel["kernel"], filter_params=True,
                            **{k: v for k, v in kernel.items() if k != "kernel"})


def case(name, estimator, data, params, weighted, expected):
    return {"name": f"{estimator}: {name}", "estimator": estimator, "data": data.spec, "params": params, "oracle": "scikit-learn",
            "weighted": weighted, "expected": expected}


def ridge(name, data, kernel, alpha, weighted=False):
    weight = data.weight if weighted else np.ones(data.X.shape[0])
    y = np.asarray(data.y, float)
    model = KernelRidge(alpha=alpha, **kernel).fit(data.X, y, weight)
    rows = sample_rows(len(y))
    K = kernel_matrix(data.X, data.X, kernel)
    f = K @ model.dual_coef_
    objective = np.sum(weight * (y - f) ** 2) + alpha * model.dual_coef_ @ f
    return case(name, "KernelRidge", data, {**kernel, "alpha": alpha}, weighted,
                {"rows": rows, "predict": model.predict(data.X[rows]), "objective": float(objective)})


def nystroem(name, data, kernel, count):
    model = Nystroem(n_components=count, random_state=0, **kernel).fit(data.X)
    rows = sample_rows(data.X.shape[0])
    features = model.transform(data.X[rows])
    return case(name, "Nystroem", data, kernel, False,
                {"rows": rows, "components": model.component_indices_, "products": features @ features.T})


def features_of(data, kernel):
    values, vectors = np.linalg.eigh(kernel_matrix(data.X, data.X, kernel))
    keep = values > RANK * values[-1]
    return vectors[:, keep] * np.sqrt(values[keep])


def logistic(name, data, kernel, C, weighted=False):
    F = features_of(data, kernel)
    weight = data.weight if weighted else np.ones(len(data.y))
    keep = weight > 0
    model = LogisticRegression(C=C, tol=1e-10, max_iter=100_000).fit(F[keep], data.y[keep], weight[keep])
    rows = sample_rows(len(data.y))
    logs = model.predict_log_proba(F)
    own = logs[np.arange(len(data.y)), np.searchsorted(model.classes_, data.y)]
    objective = -C * np.sum(weight * own) + 0.5 * np.sum(model.coef_**2)
    return case(name, "KernelLogisticRegression", data, {**kernel, "C": C}, weighted,
                {"rows": rows, "classes": model.classes_, "predict": model.predict(F[rows]),
                 "predictProba": model.predict_proba(F[rows]), "objective": float(objective)})


def fisher(name, data, kernel, shrinkage):
    F = features_of(data, kernel)
    solver = {"solver": "lsqr", "shrinkage": shrinkage} if shrinkage > 0 else {"solver": "svd"}
    model = LinearDiscriminantAnalysis(**solver).fit(F, data.y)
    rows = sample_rows(len(data.y))
    return case(name, "KernelFisherDiscriminant", data, {**kernel, "shrinkage": shrinkage}, False,
                {"rows": rows, "classes": model.classes_, "predict": model.predict(F[rows]),
                 "predictProba": model.predict_proba(F[rows]),
                 "decision": np.asarray(model.decision_function(F[rows])).reshape(len(rows), -1)})


def rbf(gamma):
    return {"kernel": "rbf", "gamma": gamma}


def poly(degree, gamma, coef0):
    return {"kernel": "poly", "degree": degree, "gamma": gamma, "coef0": coef0}


def main():
    linear = {"kernel": "linear"}
    diabetes = included("diabetes", standardize=True)
    iris, wine = included("iris"), included("wine", standardize=True)
    cancer = included("breastCancer", standardize=True)
    number, sparse = synthetic("tall", "number"), synthetic("sparse", "number")
    two, three = synthetic("tall", "binary"), synthetic("tall", "three")
    cases = [
        ridge("diabetes, rbf", diabetes, rbf(0.05), 1.0), ridge("diabetes, rbf, weak", diabetes, rbf(0.1), 1e-3),
        ridge("diabetes, linear", diabetes, linear, 2.0),
        ridge("diabetes, cubic", diabetes, poly(3, 0.05, 1.0), 1.0),
        ridge("tall, rbf, weighted", number, rbf(0.2), 0.5, weighted=True),
        ridge("tall, quadratic, weighted", number, poly(2, 0.3, 1.0), 0.1, weighted=True),
        ridge("more columns than rows", synthetic("wide", "number"), rbf(0.01), 0.3),
        ridge("sparse rows", sparse, rbf(0.1), 1.0),
        nystroem("iris, rbf", iris, rbf(0.3), 20), nystroem("diabetes, cubic", diabetes, poly(3, 0.1, 1.0), 50),
        nystroem("breast cancer, rbf", cancer, rbf(0.02), 100),
        logistic("breast cancer, rbf", cancer, rbf(0.02), 1.0), logistic("iris, quadratic", iris, poly(2, 0.1, 1.0), 0.5),
        logistic("two classes, weighted", two, rbf(0.2), 2.0, weighted=True),
        logistic("three classes, weighted", three, rbf(0.3), 1.0, weighted=True),
        fisher("wine, rbf", wine, rbf(0.1), 0.1), fisher("iris, quadratic", iris, poly(2, 0.1, 1.0), 0.0),
        fisher("two classes, rbf", two, rbf(0.3), 0.5), fisher("wine, linear", wine, linear, 0.0),
    ]
    write_fixture("kernel-methods", cases)


if __name__ == "__main__":
    main()
