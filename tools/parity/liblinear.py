"""Calls liblinear-train and reads the weights of its model file."""

import os
import subprocess
import tempfile

import numpy as np


def train(X, y, kind, C, epsilon=1e-12, p=None):
    """Weights of `liblinear-train -s kind`, without a bias. y is ±1 (or numbers for kinds 11–13).

    The first label LIBLINEAR meets is its positive class; the sign is turned so that +1 is positive.
    """
    with tempfile.TemporaryDirectory() as folder:
        rows, model = os.path.join(folder, "rows"), os.path.join(folder, "model")
        with open(rows, "w") as f:
            for x, t in zip(X, y):
                cells = " ".join(f"{j + 1}:{v:.17g}" for j, v in enumerate(x) if v != 0)
                f.write(f"{t:.17g} {cells}\n")
        options = ["-s", str(kind), "-c", f"{C:.17g}", "-e", f"{epsilon:.17g}", "-q"]
        if p is not None:
            options += ["-p", f"{p:.17g}"]
        subprocess.run(["liblinear-train", *options, rows, model], check=True, stdout=subprocess.DEVNULL)
        with open(model) as f:
            lines = f.read().split("\n")
    weights = np.array([float(v) for v in lines[lines.index("w") + 1:] if v.strip()])
    weights = np.append(weights, np.zeros(X.shape[1] - len(weights)))  # trailing all-zero columns are not in the file
    first = next((line.split()[1] for line in lines if line.startswith("label")), "1")
    return weights if float(first) > 0 else -weights
