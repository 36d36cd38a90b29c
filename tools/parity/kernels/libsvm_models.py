"""Fixtures of LIBSVM's model files: what `svm-train` wrote, `svm-predict` said, and the library behind both computed.

With a file of a model and one of rows as arguments, prints the decision values of the rows instead, one row a line.
"""

import ctypes
import json
import os
import subprocess
import sys
import tempfile


class Node(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int), ("value", ctypes.c_double)]


class Libsvm:
    """A model file, opened by LIBSVM itself. The programs print no decision values, and 6 digits of probabilities."""

    def __init__(self, path):
        self.lib = ctypes.CDLL("libsvm.so.3")
        self.lib.svm_load_model.restype = ctypes.c_void_p
        self.lib.svm_predict_values.restype = ctypes.c_double
        self.lib.svm_predict_probability.restype = ctypes.c_double
        self.model = ctypes.c_void_p(self.lib.svm_load_model(path.encode()))
        self.type = self.lib.svm_get_svm_type(self.model)
        self.classes = self.lib.svm_get_nr_class(self.model)

    def decision(self, row):
        K = self.classes
        out = (ctypes.c_double * (K * (K - 1) // 2 if self.type < 2 else 1))()
        self.lib.svm_predict_values(self.model, nodes(row), out)
        return list(out)

    def probabilities(self, row):
        out = (ctypes.c_double * self.classes)()
        self.lib.svm_predict_probability(self.model, nodes(row), out)
        return list(out)


def nodes(row):
    """`row` maps indices to values."""
    return (Node * (len(row) + 1))(*[Node(j, v) for j, v in row.items()], Node(-1, 0))


def entries(row):
    """A row as LIBSVM has it: indices from 1, zeros left out."""
    return {j + 1: float(v) for j, v in enumerate(row) if v != 0}


def line(label, row):
    return " ".join([f"{label:.17g}", *(f"{j}:{v:.17g}" for j, v in row.items())]) + "\n"


def run(folder, *words):
    return subprocess.run([str(word) for word in words], cwd=folder, check=True, capture_output=True, text=True)


def case(name, data, flags, labels=None, keep=None, precomputed=False, probability=False):
    """`labels` are the integers of the classes; `keep` the rows to learn from, in this order."""
    import numpy as np

    from shapes import sample_rows

    X = data.X.toarray() if hasattr(data.X, "toarray") else np.asarray(data.X)
    keep = np.arange(len(X)) if keep is None else np.asarray(keep)
    y = np.array([labels[label] for label in data.y]) if labels else np.asarray(data.y, float)
    K = X @ X[keep].T
    rowOf = (lambda i: {0: 1.0, **{t + 1: float(v) for t, v in enumerate(K[i])}}) if precomputed else (
        lambda i: entries(X[i]))
    rows = sample_rows(len(X))
    with tempfile.TemporaryDirectory() as folder:
        for file, chosen in (("train", keep), ("test", rows)):
            with open(os.path.join(folder, file), "w") as out:
                # The number of a training row stands in its index 0.
                for place, i in enumerate(chosen):
                    row = rowOf(i)
                    out.write(line(y[i], {**row, 0: place + 1} if precomputed else row))
        run(folder, "svm-train", "-q", *flags.split(), "train", "model")
        run(folder, "svm-predict", "test", "model", "labels")
        with open(os.path.join(folder, "labels")) as out:
            predicted = [float(word) for word in out]
        with open(os.path.join(folder, "model")) as out:
            model = out.read()
        libsvm = Libsvm(os.path.join(folder, "model"))
    expected = {"rows": rows, "predict": predicted, "decision": [libsvm.decision(rowOf(i)) for i in rows]}
    if probability:
        expected["predictProba"] = [libsvm.probabilities(rowOf(i)) for i in rows]
    return {"name": name, "estimator": "SVC" if labels else "SVR", "data": data.spec, "params": {}, "oracle": "LIBSVM",
            "weighted": False, "flags": flags, "model": model, "cols": X.shape[1],
            **({"trainingRows": keep} if precomputed else {}), "expected": expected}


def main():
    from shapes import included, synthetic, write_fixture

    iris = included("iris")
    wine, cancer, diabetes = (included(s, standardize=True) for s in ("wine", "breastCancer", "diabetes"))
    tall, sparse = synthetic("tall", "three"), synthetic("sparse", "binary")
    flowers = {"setosa": 7, "versicolor": -2, "virginica": 3}
    cultivars = {"class_0": 1, "class_1": 2, "class_2": 3}
    levels = {"low": 0, "mid": 2, "high": 1}
    # The first class that LIBSVM meets is its positive one, except that +1 is before -1.
    tumours = {"malignant": 1, "benign": -1}
    reverse = {"malignant": 1, "benign": 2}
    some = range(0, 569, 6)
    few = range(0, 442, 6)
    cases = [
        case("two classes, rbf", cancer, "-c 10", tumours, keep=some),
        case("two classes, the smaller one first", cancer, "-c 10", reverse, keep=some),
        case("two classes, linear", cancer, "-t 0", tumours, keep=some),
        case("two classes, cubic", cancer, "-t 1 -r 1 -g 0.05", reverse, keep=some),
        case("two classes, sigmoid", cancer, "-t 2 -g 0.01 -r -0.5", tumours, keep=some),
        case("two classes, weights", cancer, "-w1 5 -w-1 0.5 -c 0.1", tumours, keep=some),
        case("two classes, probabilities", cancer, "-b 1", tumours, keep=some, probability=True),
        case("two classes, probabilities, the smaller one first", cancer, "-b 1", reverse, keep=some,
             probability=True),
        case("two classes, nu", cancer, "-s 1 -n 0.2", tumours, keep=some),
        case("two classes, sparse rows", sparse, "-c 4 -g 0.1", {"yes": 1, "no": 0}),
        case("three classes, linear", iris, "-t 0", flowers),
        case("three classes, rbf", wine, "-c 2", cultivars),
        case("three classes, the last one first", wine, "-c 2", cultivars, keep=range(177, -1, -1)),
        case("three classes, quadratic", iris, "-t 1 -d 2 -r 1 -g 0.5", flowers),
        case("three classes, sigmoid", wine, "-t 2 -g 0.02", cultivars),
        case("three classes, nu", iris, "-s 1 -n 0.1", flowers),
        case("three classes that overlap, probabilities", tall, "-g 0.2 -b 1", levels, keep=range(0, 240, 3),
             probability=True),
        case("three classes, precomputed", iris, "-t 4", flowers, keep=range(140, -1, -3), precomputed=True),
        case("regression, rbf", diabetes, "-s 3 -c 100 -p 10", keep=few),
        case("regression, cubic, probabilities", diabetes, "-s 3 -t 1 -r 1 -g 0.05 -p 20 -b 1", keep=few),
        case("regression, nu, linear", diabetes, "-s 4 -t 0 -n 0.3 -c 5", keep=few),
        case("regression, precomputed", diabetes, "-s 3 -t 4 -c 2 -p 30", keep=few, precomputed=True),
    ]
    write_fixture("libsvm-models", cases)


def decide(model, rows):
    libsvm = Libsvm(model)
    with open(rows) as lines:
        for words in map(str.split, lines):
            pairs = (word.split(":") for word in words[1:])
            print(json.dumps(libsvm.decision({int(j): float(v) for j, v in pairs})))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        decide(*sys.argv[1:])
    else:
        main()
