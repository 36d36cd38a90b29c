"""Exact minima of ½‖w‖² + Σᵢ φᵢ(w·xᵢ + b) for piecewise linear φ: the hinge and the ε-insensitive loss.

At the minimum a row lies either inside a linear piece, with slope gᵢ known, or on a kink zᵢ = κᵢ, with gᵢ somewhere
between the slopes at its two sides. An oracle's solution tells, nearly, which. The rest is linear:

    w = −Σ gᵢ xᵢ,     w·xᵢ + b = κᵢ on the kinks,     Σ gᵢ = 0 (only with an intercept)

Solved exactly, then checked: every row is on the piece it was put on, every gᵢ is between its two slopes. By convexity
that is a proof of the minimum. Rows that fail the check change sides and the system is solved again.
"""

import numpy as np

# How near to a kink counts as on it: oracles differ in their accuracy, and the proof tells which threshold was right.
NEAR = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3)


def hinge(t, C):
    """φᵢ(z) = Cᵢ max(0, 1 − tᵢ z): one kink at z = tᵢ. Returns pieces(z) → kink, below, above (slopes at its sides)."""
    def pieces(z):
        return t, np.where(t > 0, -C, 0.0), np.where(t > 0, 0.0, C)
    return pieces


def insensitive(y, C, epsilon):
    """φᵢ(z) = Cᵢ max(0, |z − yᵢ| − ε): kinks at yᵢ ± ε; each row is described by the kink nearer to z."""
    def pieces(z):
        if epsilon == 0:
            return y, -C, C
        over = z > y
        return (np.where(over, y + epsilon, y - epsilon), np.where(over, 0.0, -C), np.where(over, C, 0.0))
    return pieces


def solve_on(X, on, kink, g, intercept):
    """The linear system of the head of this file; `g` holds the slopes of the rows that are not on a kink."""
    A, m = X[on], int(on.sum())
    M = np.zeros((m + 1, m + 1))
    M[:m, :m] = -A @ A.T
    M[:m, m] = M[m, :m] = 1
    v = np.append(kink[on] + A @ (X[~on].T @ g[~on]), -g[~on].sum())
    if not intercept:
        M, v = M[:m, :m], v[:m]
    solution = np.linalg.lstsq(M, v, rcond=1e-13)[0]
    g = g.copy()
    g[on] = solution[:m]
    return -X.T @ g, solution[m] if intercept else 0.0, g


def attempt(X, pieces, w, b, intercept, near):
    z = X @ w + b
    kink, below, above = (np.array(v) for v in pieces(z))
    scale, top = max(1.0, np.abs(z).max()), np.abs(np.concatenate([below, above])).max()
    on = np.abs(z - kink) <= near * scale
    g = np.where(z < kink, below, above)
    for _ in range(300):
        if intercept and not on.any():
            return None  # the intercept would not be determined
        w, b, g = solve_on(X, on, kink, g, intercept)
        z = X @ w + b
        outside = np.where(on, np.maximum(below - g, g - above), 0)
        now, now_below, now_above = pieces(z)
        crossed = ~on & (np.where(z < now, now_below, now_above) != g)
        i = outside.argmax()
        if outside[i] > 1e-9 * top:  # the worst row leaves its kink
            on[i], g[i] = False, below[i] if g[i] < below[i] else above[i]
        elif crossed.any():  # the furthest row comes onto its kink
            i = np.where(crossed, np.abs(z - now), -1).argmax()
            on[i], kink[i], below[i], above[i] = True, now[i], now_below[i], now_above[i]
        else:
            met = np.abs(z - kink)[on].max(initial=0) <= 1e-9 * scale
            balanced = not intercept or abs(g.sum()) <= 1e-9 * top * len(g)
            return (w, b) if met and balanced else None
    return None


def finish(what, X, pieces, w, b, intercept):
    """The exact minimum near the oracle's (w, b)."""
    for near in NEAR:
        found = attempt(X, pieces, w, b, intercept, near)
        if found is not None:
            return found
    raise AssertionError(f"{what}: no proof of a minimum near the oracle's solution")
