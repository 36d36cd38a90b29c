"""Fixtures of SVC and SVR with kernels that LIBSVM lacks, against kernlab.

kernlab proposes α and b. The kernel is computed here once more, and the gap between primal and dual proves how near to the
minimum they are.
"""

import os
import subprocess
import tempfile

import numpy as np
from scipy.spatial.distance import cdist

from shapes import included, sample_rows, synthetic, write_fixture

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernlab.R")
TOL = 1e-7
# Relative to the objective: kernlab keeps kernel values in 32 bits. The dual, of which margins are the slope, is far nearer.
GAP = 1e-5

KERNELS = {
    "laplacian": lambda r, par: np.exp(-par * r),
    "exponential": lambda r, par: np.exp(-par * r),
    "inverseMultiquadric": lambda r, par: 1 / np.sqrt(r**2 + par**2),
    "rationalQuadratic": lambda r, par: 1 - r**2 / (r**2 + par),
}


def kernlab(X, y, **options):
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(os.path.join(folder, "X.csv"), X, fmt="%.17g", delimiter=",")
        np.savetxt(os.path.join(folder, "y.csv"), y, fmt="%s" if y.dtype.kind == "U" else "%.17g")
        with open(os.path.join(folder, "options.R"), "w") as f:
            given = (f"{k}={v!r}" if isinstance(v, str) else f"{k}={float(v)!r}" for k, v in options.items())
            f.write("options <- list(" + ",".join(given) + ")\n")
        subprocess.run(["Rscript", SCRIPT, folder], check=True)
        b, *coef = np.genfromtxt(os.path.join(folder, "out.csv"), delimiter=",")
    return np.array(coef), -b


def params_of(kernel, par, **rest):
    shape = "gamma" if kernel in ("laplacian", "exponential") else "coef0"
    return {"kernel": kernel, shape: par, **rest}


def proven(name, dual, primal):
    gap = (primal + dual) / abs(dual)
    if not -1e-12 <= gap < GAP:
        raise ValueError(f"{name}: kernlab stopped {gap} from the minimum")
    return float(dual)


def classifier(name, data, kernel, par, C=1.0):
    coef, b = kernlab(data.X, data.y, type="C-svc", kernel=kernel, par=par, C=C, epsilon=0.1, tol=TOL)
    classes = np.unique(data.y)
    sign = np.where(data.y == classes[1], 1.0, -1.0)
    # kernlab's first class is +1, or its second: as its coefficients say.
    if np.sum(coef * sign) < 0:
        coef, b = -coef, -b
    assert np.all(coef * sign >= 0) and abs(coef.sum()) < 1e-8 * np.abs(coef).sum()
    K = KERNELS[kernel](cdist(data.X, data.X), par)
    f = K @ coef + b
    square = coef @ K @ coef
    objective = proven(name, 0.5 * square - np.abs(coef).sum(), 0.5 * square + C * np.maximum(0, 1 - sign * f).sum())
    rows = sample_rows(len(f))
    return {"name": name, "estimator": "SVC", "data": data.spec, "params": params_of(kernel, par, C=C, tol=TOL),
            "oracle": "kernlab", "weighted": False,
            "expected": {"classes": classes, "rows": rows, "decision": f[rows], "objective": objective,
                         "nSupport": int(np.sum(coef != 0))}}


def regressor(name, data, kernel, par, C=1.0, epsilon=0.1):
    z = np.asarray(data.y, float)
    coef, b = kernlab(data.X, z, type="eps-svr", kernel=kernel, par=par, C=C, epsilon=epsilon, tol=TOL)
    K = KERNELS[kernel](cdist(data.X, data.X), par)
    f = K @ coef + b
    square = coef @ K @ coef
    dual = 0.5 * square + epsilon * np.abs(coef).sum() - z @ coef
    primal = 0.5 * square + C * np.maximum(0, np.abs(z - f) - epsilon).sum()
    rows = sample_rows(len(f))
    return {"name": name, "estimator": "SVR", "data": data.spec,
            "params": params_of(kernel, par, C=C, epsilon=epsilon, tol=TOL), "oracle": "kernlab", "weighted": False,
            "expected": {"rows": rows, "decision": f[rows], "objective": proven(name, dual, primal),
                         "nSupport": int(np.sum(coef != 0))}}


def main():
    cancer, diabetes = (included(name, standardize=True) for name in ("breastCancer", "diabetes"))
    two, number = synthetic("tall", "binary"), synthetic("tall", "number")
    shapes = {"laplacian": 0.2, "exponential": 0.05, "inverseMultiquadric": 1.5, "rationalQuadratic": 20.0}
    cases = []
    for kernel, par in shapes.items():
        cases += [
            classifier(f"breast cancer, {kernel}", cancer, kernel, par),
            classifier(f"overlapping classes, {kernel}, C = 10", two, kernel, par, C=10.0),
            regressor(f"diabetes, {kernel}", diabetes, kernel, par, C=50.0, epsilon=5.0),
            regressor(f"tall, {kernel}", number, kernel, par),
        ]
    write_fixture("kernel-machines", cases)


if __name__ == "__main__":
    main()
