"""Fixtures of HuberRegressor and PoissonRegressor."""

import numpy as np
import sklearn.linear_model as lm
from scipy.special import xlogy

from certify import agree, dense, minimise_rows, newton, with_ones
from r import r
from shapes import included, sample_rows, synthetic, write_fixture


def objective_huber(X, y, s, epsilon, alpha, w, b, scale):
    """Σᵢ sᵢ (σ + H((yᵢ − w·xᵢ − b)/σ) σ) + alpha ‖w‖²,   H(u) = u² if |u| ≤ ε, else 2ε|u| − ε²."""
    u = np.abs(y - dense(X) @ w - b) / scale
    H = np.where(u <= epsilon, u**2, 2 * epsilon * u - epsilon**2)
    return s @ (scale + H * scale) + alpha * w @ w


def minimise_huber(X, y, s, epsilon, alpha, intercept, start):
    """Newton on (w, b, σ), in which the objective is jointly convex."""
    A = with_ones(X, intercept)
    m = A.shape[1]
    ridge = 2 * alpha * (np.arange(m) < m - (1 if intercept else 0))

    def fgh(x):
        v, sigma = x[:m], x[m]
        r = y - A @ v
        near = np.abs(r) <= epsilon * sigma
        if sigma <= 0:
            return np.inf, np.zeros(m + 1), np.eye(m + 1)
        value = sigma + np.where(near, r**2 / sigma, 2 * epsilon * np.abs(r) - epsilon**2 * sigma)
        slope = np.where(near, -2 * r / sigma, -2 * epsilon * np.sign(r))
        slope_sigma = 1 - np.where(near, (r / sigma) ** 2, epsilon**2)
        g = np.append(A.T @ (s * slope) + ridge * v, s @ slope_sigma)
        H = np.zeros((m + 1, m + 1))
        H[:m, :m] = (A * (s * near * 2 / sigma)[:, None]).T @ A + np.diag(ridge)
        H[:m, m] = H[m, :m] = A.T @ (s * near * 2 * r / sigma**2)
        H[m, m] = s @ (near * 2 * r**2 / sigma**3)
        return s @ value + 0.5 * ridge @ v**2, g, H

    x, F = newton(fgh, start)
    return (x[:m - 1], x[m - 1], x[m], F) if intercept else (x[:m], 0.0, x[m], F)


def huber_case(name, data, epsilon=1.35, alpha=1e-4, weighted=False, intercept=True):
    y = np.asarray(data.y, float)
    s = data.weight if weighted else np.ones(len(y))
    model = lm.HuberRegressor(epsilon=epsilon, alpha=alpha, fit_intercept=intercept, max_iter=10**5, tol=1e-10)
    model.fit(data.X, y, sample_weight=s)
    b0 = [model.intercept_] if intercept else []
    w, b, scale, F = minimise_huber(data.X, y, s, epsilon, alpha, intercept,
                                    np.concatenate([model.coef_, b0, [model.scale_]]))
    agree(f"{name}, the formula", F, objective_huber(data.X, y, s, epsilon, alpha, w, b, scale), 1e-12)
    agree(f"{name}, predictions", dense(data.X) @ w + b, model.predict(data.X), 1e-3)  # L-BFGS on a function with kinks in H
    rows = sample_rows(len(y))
    return {
        "name": name, "estimator": "HuberRegressor", "oracle": "scikit-learn HuberRegressor", "data": data.spec,
        "params": {"epsilon": epsilon, "alpha": alpha, **({} if intercept else {"fitIntercept": False})},
        "weighted": weighted,
        "expected": {"objective": F, "coef": w, "intercept": b, "scale": scale, "rows": rows,
                     "predict": dense(data.X)[rows] @ w + b},
    }


def objective_poisson(X, y, s, alpha, w, b):
    """1/(2Σs) Σᵢ sᵢ dev(yᵢ, exp(w·xᵢ + b)) + ½ alpha ‖w‖²,   dev(y, μ) = 2 (y log(y/μ) − y + μ)."""
    z = dense(X) @ w + b
    return s @ (xlogy(y, y) - y * z - y + np.exp(z)) / s.sum() + 0.5 * alpha * w @ w


def poisson_case(name, data, alpha=1.0, weighted=False, intercept=True, glm=False):
    y = np.asarray(data.y, float)
    s = data.weight if weighted else np.ones(len(y))

    def loss(z):
        mu = np.exp(z)
        return xlogy(y, y) - y * z - y + mu, mu - y, mu

    model = lm.PoissonRegressor(alpha=alpha, fit_intercept=intercept, solver="lbfgs", tol=1e-10, max_iter=10**5)
    model.fit(data.X, y, sample_weight=s)
    start = np.append(model.coef_, model.intercept_) if intercept else model.coef_
    w, b, F = minimise_rows(data.X, loss, s / s.sum(), alpha, 0.0, intercept, start)
    agree(f"{name}, the formula", F, objective_poisson(data.X, y, s, alpha, w, b), 1e-12)
    agree(f"{name}, predictions", np.exp(dense(data.X) @ w + b), model.predict(data.X), 1e-4)
    oracle = "scikit-learn PoissonRegressor"
    if glm:
        r_b, r_w = r("glm.poisson", data.X, y, s)
        agree(f"{name}, R", np.append(w, b), np.append(r_w[0], r_b[0]), 1e-6)
        oracle += ", R glm"
    rows = sample_rows(len(y))
    return {
        "name": name, "estimator": "PoissonRegressor", "oracle": oracle, "data": data.spec,
        "params": {"alpha": alpha, **({} if intercept else {"fitIntercept": False})}, "weighted": weighted,
        "expected": {"objective": F, "coef": w, "intercept": b, "rows": rows,
                     "predict": np.exp(dense(data.X)[rows] @ w + b)},
    }


def main():
    diabetes = included("diabetes", standardize=True)
    number, count = (lambda shape: synthetic(shape, "number")), (lambda shape: synthetic(shape, "count"))
    write_fixture("huber", [
        huber_case("diabetes", diabetes),
        huber_case("diabetes, epsilon = 1.05, alpha = 10", diabetes, 1.05, 10.0),
        huber_case("n ≫ d", number("tall")),
        huber_case("n ≫ d, sample weights", number("tall"), weighted=True),
        huber_case("n ≫ d, no intercept", number("tall"), intercept=False),
        huber_case("collinear columns", number("collinear"), alpha=0.1),
        huber_case("sparse", number("sparse"), alpha=0.1),
    ])
    write_fixture("poisson", [
        poisson_case("diabetes", diabetes, 1.0),
        poisson_case("diabetes, no penalty", diabetes, 0.0, glm=True),
        poisson_case("n ≫ d", count("tall"), 0.1),
        poisson_case("n ≫ d, no penalty, sample weights", count("tall"), 0.0, weighted=True, glm=True),
        poisson_case("n ≫ d, no intercept", count("tall"), 0.1, intercept=False),
        poisson_case("d ≫ n", count("wide"), 0.1),
        poisson_case("collinear columns", count("collinear"), 0.05),
        poisson_case("sparse, sample weights", count("sparse"), 0.05, weighted=True),
    ])


if __name__ == "__main__":
    main()
