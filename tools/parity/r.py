"""Calls oracle.R and brings its coefficients back as (intercept, coef) with one row a vector."""

import os
import subprocess
import tempfile

import numpy as np

from certify import dense

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle.R")


def r_value(value):
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "c(" + ",".join(repr(float(v)) for v in value) + ")"
    return repr(float(value))


def r(method, X, y, weight=None, **options):
    with tempfile.TemporaryDirectory() as folder:
        def save(name, values, fmt):
            np.savetxt(os.path.join(folder, name), values, fmt=fmt, delimiter=",")

        save("X.csv", dense(X), "%.17g")
        y = np.asarray(y)
        save("y.csv", y, "%s" if y.dtype.kind == "U" else "%.17g")
        save("weight.csv", np.ones(len(y)) if weight is None else weight, "%.17g")
        with open(os.path.join(folder, "options.R"), "w") as f:
            f.write("options <- list(" + ",".join(f"{k}={r_value(v)}" for k, v in options.items()) + ")\n")
        subprocess.run(["Rscript", SCRIPT, method, folder], check=True)
        rows = np.atleast_2d(np.genfromtxt(os.path.join(folder, "out.csv"), delimiter=","))
    return rows[:, 0], rows[:, 1:]
