"""Fixtures of LinearRegression and Ridge: closed forms, so every digit counts."""

import numpy as np
import sklearn.linear_model as lm

from certify import agree, dense
from r import r
from shapes import included, sample_rows, synthetic, write_fixture


def solve(X, y, weight, alpha, intercept, rank_deficient):
    """min over (w, b): Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + alpha ‖w‖²; of several minimisers the one of least ‖w‖."""
    X = dense(X)
    mean, y_mean = (np.average(X, axis=0, weights=weight), np.average(y, weights=weight)) if intercept else (0, 0)
    root = np.sqrt(weight)
    A, t = (X - mean) * root[:, None], (y - y_mean) * root
    if rank_deficient:
        w = np.linalg.pinv(A, rcond=1e-10) @ t
    else:
        A, t = np.vstack([A, np.sqrt(alpha) * np.eye(X.shape[1])]), np.concatenate([t, np.zeros(X.shape[1])])
        scale = 1 / np.linalg.norm(A, axis=0)
        w = scale * np.linalg.lstsq(A * scale, t, rcond=None)[0]
    return w, float(y_mean - np.sum(mean * w))


def objective(X, y, weight, alpha, w, b):
    """Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + alpha ‖w‖²"""
    residual = y - dense(X) @ w - b
    return weight @ residual**2 + alpha * w @ w


def case(name, data, alpha=None, weighted=False, intercept=True, rank_deficient=False, oracle_of_r=None):
    s = data.weight if weighted else np.ones(len(data.y))
    y = np.asarray(data.y, float)
    w, b = solve(data.X, y, s, alpha or 0, intercept, rank_deficient)
    if alpha is None:
        model = lm.LinearRegression(fit_intercept=intercept)
    else:
        model = lm.Ridge(alpha=alpha, fit_intercept=intercept, tol=1e-14)
    model.fit(data.X, y, sample_weight=s)
    # scikit-learn's sparse least squares (lsqr) stops at 1e-6; 1e-5 still rules out another objective.
    agree(f"{name}, predictions", dense(data.X) @ w + b, model.predict(data.X), 1e-5)
    oracle = f"scikit-learn {type(model).__name__}"
    if oracle_of_r:
        method, options = oracle_of_r
        r_b, r_w = r(method, data.X, y, s, **options)
        agree(f"{name}, R", np.append(w, b), np.append(r_w[0], r_b[0]), 1e-6)
        oracle += f", R {method}"
    rows = sample_rows(len(y))
    return {
        "name": name,
        "estimator": "LinearRegression" if alpha is None else "Ridge",
        "oracle": oracle,
        "data": data.spec,
        "params": {**({} if alpha is None else {"alpha": alpha}), **({} if intercept else {"fitIntercept": False})},
        "weighted": weighted,
        "expected": {
            "objective": objective(data.X, y, s, alpha or 0, w, b),
            "coef": w,
            "intercept": b,
            "rows": rows,
            "predict": dense(data.X)[rows] @ w + b,
        },
    }


def main():
    diabetes = included("diabetes", standardize=True)
    number = lambda shape: synthetic(shape, "number")
    n = len(diabetes.y)
    # glmnet divides y by its population deviation sd before it applies the ridge penalty: lambda = alpha · sd / n.
    write_fixture("least-squares", [
        case("n ≫ d", number("tall"), oracle_of_r=("lm", {})),
        case("n ≫ d, sample weights", number("tall"), weighted=True, oracle_of_r=("lm", {})),
        case("n ≫ d, no intercept", number("tall"), intercept=False),
        case("d ≫ n", number("wide"), rank_deficient=True),
        case("collinear columns", number("collinear"), rank_deficient=True),
        case("badly scaled columns", number("badlyScaled")),
        case("sparse", number("sparse"), rank_deficient=True),
        case("sparse, sample weights", number("sparse"), weighted=True, rank_deficient=True),
        case("diabetes", diabetes, oracle_of_r=("lm", {})),
        case("ridge, diabetes", diabetes, alpha=1, oracle_of_r=("lm.ridge", {"lambda": 1})),
        case("ridge, diabetes, glmnet", diabetes, alpha=30,
             oracle_of_r=("glmnet.gaussian", {"alpha": 0, "lambda": 30 * np.std(diabetes.y) / n, "intercept": True})),
        case("ridge, n ≫ d, sample weights", number("tall"), alpha=2.5, weighted=True),
        case("ridge, n ≫ d, no intercept", number("tall"), alpha=2.5, intercept=False),
        case("ridge, d ≫ n", number("wide"), alpha=1),
        case("ridge, d ≫ n, sample weights", number("wide"), alpha=1, weighted=True),
        case("ridge, collinear columns", number("collinear"), alpha=1e-3),
        case("ridge, badly scaled columns", number("badlyScaled"), alpha=1),
        case("ridge, sparse", number("sparse"), alpha=0.5),
        case("ridge, sparse, sample weights, no intercept", number("sparse"), alpha=0.5, weighted=True, intercept=False),
    ])


if __name__ == "__main__":
    main()
