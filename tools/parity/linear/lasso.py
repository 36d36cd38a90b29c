"""Fixtures of Lasso, ElasticNet and their paths.

  min over (w, b):  1/(2 Σs) Σᵢ sᵢ (yᵢ − w·xᵢ − b)²  +  alpha · l1Ratio ‖w‖₁  +  ½ alpha (1 − l1Ratio) ‖w‖²

scikit-learn and glmnet both rescale sample weights to a sum of n, which is the division by Σs.
"""

import numpy as np
import sklearn.linear_model as lm

from certify import agree, dense, minimise_rows
from r import r
from shapes import included, sample_rows, synthetic, write_fixture


def squared(y):
    return lambda z: (0.5 * (z - y) ** 2, z - y, np.ones_like(z))


def objective(X, y, s, alpha, ratio, w, b):
    residual = y - dense(X) @ w - b
    return s @ residual**2 / (2 * s.sum()) + alpha * ratio * np.abs(w).sum() + 0.5 * alpha * (1 - ratio) * w @ w


def certified(data, alpha, ratio, s, intercept, start):
    y = np.asarray(data.y, float)
    w, b, F = minimise_rows(data.X, squared(y), s / s.sum(), l2=alpha * (1 - ratio), l1=alpha * ratio,
                            intercept=intercept, start=start)
    agree("the formula", F, objective(data.X, y, s, alpha, ratio, w, b), 1e-12)
    return w, b, F


def case(name, data, alpha, ratio=1.0, weighted=False, intercept=True, unique=True):
    """`unique=False`: dependent columns leave the coefficients open; objective and predictions are not."""
    s = data.weight if weighted else np.ones(len(data.y))
    y = np.asarray(data.y, float)
    make = lm.Lasso if ratio == 1 else lambda **kw: lm.ElasticNet(l1_ratio=ratio, **kw)
    model = make(alpha=alpha, fit_intercept=intercept, tol=1e-14, max_iter=10**6)
    model.fit(data.X, y, sample_weight=s if weighted else None)
    start = np.append(model.coef_, model.intercept_) if intercept else model.coef_
    w, b, F = certified(data, alpha, ratio, s, intercept, start)
    agree(f"{name}, predictions", dense(data.X) @ w + b, model.predict(data.X), 1e-6)
    if unique:
        # Relative to the largest entry of w: badly scaled columns make that a weak claim; the predictions are the strong one.
        agree(f"{name}, coefficients", w, model.coef_, 1e-5)
    rows = sample_rows(len(y))
    return {
        "name": name,
        "estimator": type(model).__name__,
        "oracle": f"scikit-learn {type(model).__name__}",
        "data": data.spec,
        "params": {"alpha": alpha, **({} if ratio == 1 else {"l1Ratio": ratio}),
                   **({} if intercept else {"fitIntercept": False})},
        "weighted": weighted,
        "expected": {"objective": F, **({"coef": w, "intercept": b} if unique else {}),
                     "rows": rows, "predict": dense(data.X)[rows] @ w + b},
    }


def path_case(name, data, steps, eps, ratio=1.0, glmnet=False):
    """The path from the smallest alpha with w = 0 down to eps times it, in `steps` geometric steps."""
    X, y = dense(data.X), np.asarray(data.y, float)
    n, s = len(y), np.ones(len(y))
    Xc, yc = X - X.mean(axis=0), y - y.mean()
    alphas, coefs, _ = lm.enet_path(Xc, yc, l1_ratio=ratio, n_alphas=steps, eps=eps, tol=1e-14, max_iter=10**6)
    agree(f"{name}, first alpha", alphas[0], np.abs(Xc.T @ yc).max() / (n * ratio), 1e-12)
    oracle = "scikit-learn " + ("lasso_path" if ratio == 1 else "enet_path")
    if glmnet:
        _, r_w = r("glmnet.gaussian", X, y, alpha=1, **{"lambda": alphas, "intercept": True})
        # glmnet stops at its own measure of change (thresh 1e-16 of the null deviance).
        agree(f"{name}, glmnet", coefs.T, r_w, 1e-4)
        oracle += ", R glmnet"
    certificates = [certified(data, alpha, ratio, s, True, np.append(w, y.mean() - X.mean(axis=0) @ w))
                    if step > 0 else (np.zeros(X.shape[1]), y.mean(), yc @ yc / (2 * n))
                    for step, (alpha, w) in enumerate(zip(alphas, coefs.T))]
    agree(f"{name}, the path", [w for w, _, _ in certificates], coefs.T, 1e-5)
    return {
        "name": name,
        "estimator": "lassoPath" if ratio == 1 else "elasticNetPath",
        "oracle": oracle,
        "data": data.spec,
        "params": {"nAlphas": steps, "eps": eps, **({} if ratio == 1 else {"l1Ratio": ratio})},
        "expected": {
            "alphas": alphas,
            "objectives": [F for _, _, F in certificates],
            "coefs": [w for w, _, _ in certificates],
            "intercepts": [b for _, b, _ in certificates],
        },
    }


def main():
    diabetes = included("diabetes", standardize=True)
    number = lambda shape: synthetic(shape, "number")
    write_fixture("lasso", [
        case("diabetes", diabetes, 1.5),
        case("diabetes, nearly least squares", diabetes, 1e-3),
        case("n ≫ d", number("tall"), 0.1),
        case("n ≫ d, sample weights", number("tall"), 0.1, weighted=True),
        case("n ≫ d, no intercept", number("tall"), 0.1, intercept=False),
        case("n ≫ d, alpha so large that all is zero", number("tall"), 50.0),
        case("d ≫ n", number("wide"), 0.1),
        case("collinear columns", number("collinear"), 0.02, unique=False),
        case("badly scaled columns", number("badlyScaled"), 0.05),
        case("sparse", number("sparse"), 0.02),
        case("sparse, sample weights", number("sparse"), 0.02, weighted=True),
        case("sparse, no intercept", number("sparse"), 0.02, intercept=False),
        case("elastic net, diabetes", diabetes, 0.5, 0.7),
        case("elastic net, d ≫ n", number("wide"), 0.2, 0.5),
        case("elastic net, collinear columns", number("collinear"), 0.05, 0.5),
        case("elastic net, badly scaled columns", number("badlyScaled"), 0.05, 0.9),
        case("elastic net, sparse, sample weights", number("sparse"), 0.05, 0.3, weighted=True),
        case("elastic net, n ≫ d, no intercept", number("tall"), 0.3, 0.2, intercept=False),
    ])
    write_fixture("lasso-path", [
        path_case("diabetes", diabetes, 60, 1e-3, glmnet=True),
        path_case("d ≫ n", number("wide"), 25, 1e-2, glmnet=True),
        path_case("elastic net, diabetes", diabetes, 25, 1e-3, ratio=0.5),
    ])


if __name__ == "__main__":
    main()
