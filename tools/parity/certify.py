"""Proof that an expected value is the minimum, independent of the oracle that proposed it.

Every objective of the fixtures is convex. An oracle (scikit-learn, LIBLINEAR, glmnet, R) proposes coefficients; the
functions here finish them by Newton's method on the exact objective and prove the result:
  smooth       the Newton decrement ½ gᵀH⁻¹g, which estimates F − min F, is below 1e-13 of F
  with ‖w‖₁    the same on the non-zero coordinates, and |∂F/∂wⱼ| ≤ λ on the zero ones
  hinge-like   see kinks.py
A case whose proof fails stops the script.
"""

import numpy as np
import scipy.sparse as sp


def dense(X):
    return X.toarray() if sp.issparse(X) else np.asarray(X, float)


def newton_step(g, H):
    """−H⁺g, columns first scaled to a unit diagonal, so that badly scaled features keep their digits.

    Directions along which F does not change (dependent columns, the common shift of softmax) get no step.
    """
    scale = 1 / np.sqrt(np.maximum(np.diag(H), np.finfo(float).tiny))
    scaled = H * scale[:, None] * scale[None, :]
    step = np.linalg.lstsq(scaled, -g * scale, rcond=1e-13)[0] * scale
    return step


def newton(value_gradient_hessian, start, iterations=200):
    """Damped Newton on a smooth convex F; returns the minimiser and its decrement relative to |F|."""
    x = np.array(start, float)
    F, g, H = value_gradient_hessian(x)
    best = np.inf
    for _ in range(iterations):
        step = newton_step(g, H)
        decrement = -0.5 * g @ step
        if decrement <= 1e-30 * max(1, abs(F)) or (decrement < 1e-18 * abs(F) and decrement >= best / 4):
            break
        best = min(best, decrement)
        t = 1.0
        while True:
            # Once the decrease is below rounding, the full step is taken on trust; the decrement judges it next.
            F1, g1, H1 = value_gradient_hessian(x + t * step)
            if F1 <= F - 1e-4 * t * 2 * decrement or (decrement < 1e-12 * abs(F) and t == 1.0):
                break
            t /= 2
            if t < 1e-10:
                raise ArithmeticError(f"no descent at F = {F}, decrement {decrement}")
        x, F, g, H = x + t * step, F1, g1, H1
    decrement = max(0.0, -0.5 * g @ newton_step(g, H))
    if not decrement <= 1e-13 * max(abs(F), 1e-6):
        raise ArithmeticError(f"not a minimum: F = {F}, decrement {decrement}")
    return x, F


def minimise(fgh, start, l1, penalised, slack=1e-9):
    """min F(x) + l1 Σ_{j ∈ penalised} |xⱼ| by active sets around Newton, with F smooth and convex.

    `slack` bounds the relative violation of the optimality conditions at the zero coordinates.
    """
    x = np.array(start, float)
    if l1 == 0:
        return newton(fgh, x)
    x[penalised & (np.abs(x) < 1e-7 * np.abs(x).max())] = 0
    sign = np.where(penalised, np.sign(x), 0.0)
    for _ in range(500):
        free = ~penalised | (sign != 0)

        def restricted(u):
            full = np.zeros_like(x)
            full[free] = u
            F, g, H = fgh(full)
            return F + l1 * sign[free] @ u, g[free] + l1 * sign[free], H[np.ix_(free, free)]

        u, F = newton(restricted, x[free])
        x = np.zeros_like(x)
        x[free] = u
        flipped = penalised & free & (x * sign <= 0)
        if flipped.any():  # the worst one leaves; the others may recover without it
            out = np.argmax(np.where(flipped, np.abs(x), -1))
            sign[out], x[out] = 0, 0
            continue
        g = fgh(x)[1]
        excess = np.where(penalised & ~free, np.abs(g) - l1, -np.inf)
        worst = np.argmax(excess)
        if excess[worst] <= slack * l1:
            return x, F
        sign[worst] = -np.sign(g[worst])
    raise ArithmeticError("the active set did not settle")


def with_ones(X, intercept):
    X = dense(X)
    return np.column_stack([X, np.ones(len(X))]) if intercept else X


def minimise_rows(X, loss, weight, l2=0.0, l1=0.0, intercept=True, start=None, slack=1e-9):
    """min over (w, b): Σᵢ weightᵢ φᵢ(w·xᵢ + b) + ½ l2 ‖w‖² + l1 ‖w‖₁.

    loss(z) returns φ, φ′, φ″ of every row. b is never penalised. Returns w, b, objective.
    """
    A = with_ones(X, intercept)
    n, m = A.shape
    penalised = np.arange(m) < m - (1 if intercept else 0)
    ridge = l2 * penalised

    def fgh(x):
        value, slope, curve = loss(A @ x)
        F = weight @ value + 0.5 * ridge @ (x * x)
        return F, A.T @ (weight * slope) + ridge * x, (A * (weight * curve)[:, None]).T @ A + np.diag(ridge)

    x, F = minimise(fgh, np.zeros(m) if start is None else start, l1, penalised, slack)
    return (x[:-1], x[-1], F) if intercept else (x, 0.0, F)


def minimise_softmax(X, codes, K, weight, l2=0.0, l1=0.0, intercept=True, start=None, slack=1e-9):
    """min over (W, b): Σᵢ weightᵢ (logΣₖ exp zᵢₖ − z_{i,yᵢ}) + ½ l2 ‖W‖² + l1 ‖W‖₁. Returns W (K×d), b, objective."""
    A = with_ones(X, intercept)
    n, m = A.shape
    Y = np.eye(K)[codes]
    penalised = np.tile(np.arange(m) < m - (1 if intercept else 0), K)
    ridge = l2 * penalised

    def fgh(x):
        Z = A @ x.reshape(K, m).T
        top = Z.max(axis=1)
        E = np.exp(Z - top[:, None])
        P = E / E.sum(axis=1)[:, None]
        value = top + np.log(E.sum(axis=1)) - Z[np.arange(n), codes]
        g = ((P - Y) * weight[:, None]).T @ A
        H = np.empty((K, m, K, m))
        for k in range(K):
            for j in range(k, K):
                D = weight * (P[:, k] * ((k == j) - P[:, j]))
                H[k, :, j, :] = (A * D[:, None]).T @ A
                H[j, :, k, :] = H[k, :, j, :].T
        F = weight @ value + 0.5 * ridge @ (x * x)
        return F, g.ravel() + ridge * x, H.reshape(K * m, K * m) + np.diag(ridge)

    x, F = minimise(fgh, np.zeros(K * m) if start is None else np.asarray(start).ravel(), l1, penalised, slack)
    T = x.reshape(K, m)
    return (T[:, :-1], T[:, -1], F) if intercept else (T, np.zeros(K), F)


def agree(what, ours, theirs, tolerance):
    """The oracle and the finished minimum are the same point; a larger difference means a misread objective."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    off = np.max(np.abs(ours - theirs)) / max(1e-12, np.max(np.abs(ours)))
    if not off <= tolerance:
        raise AssertionError(f"{what}: differs from the oracle by {off:.2e} (allowed {tolerance:.0e})")
