"""Fixtures of GridSearchCV with several scorers."""

from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from shapes import included, write_fixture

NAMES = {"accuracy": "accuracy", "f1Macro": "f1_macro", "matthewsCorrcoef": "matthews_corrcoef", "negBrierScore": "neg_brier_score",
         "negLogLoss": "neg_log_loss", "rocAuc": "roc_auc"}


def search(name, kind, estimator, data, y, grid, scoring, refit):
    theirs = {ours: NAMES[ours] for ours in scoring}
    found = GridSearchCV(estimator, grid, cv=StratifiedKFold(4), scoring=theirs, refit=refit).fit(data.X, y)
    results = found.cv_results_
    expected = {
        "params": results["params"],
        "mean": {ours: results[f"mean_test_{ours}"] for ours in scoring},
        "std": {ours: results[f"std_test_{ours}"] for ours in scoring},
        "rank": {ours: results[f"rank_test_{ours}"] for ours in scoring},
        "bestIndex": int(found.best_index_),
        "bestParams": found.best_params_,
        "bestScore": found.best_score_,
    }
    return {"name": name, "estimator": kind, "oracle": "scikit-learn", "data": data.spec,
            "params": {"grid": grid, "scoring": list(scoring), "refit": refit}, "weighted": False, "expected": expected}


def main():
    cancer, iris = included("breastCancer", standardize=True), included("iris", standardize=True)
    # The second label in order is the positive one, as in Argmax; scikit-learn's scorers want it to be 1.
    malignant = (cancer.y == max(cancer.y)).astype(int)
    # Newton: L-BFGS stops when the objective has settled, with half of the digits of the coefficients.
    logistic = LogisticRegression(solver="newton-cholesky", tol=1e-10)
    strengths = {"C": [0.001, 0.01, 0.1, 1, 10]}
    kernels = {"C": [0.1, 1, 10], "gamma": [0.001, 0.01, 0.1]}
    write_fixture("searches", [
        *(search(f"logistic regression, two classes, by {refit}", "LogisticRegression", logistic, cancer, malignant, strengths,
                 ("accuracy", "rocAuc", "negBrierScore"), refit) for refit in ("accuracy", "rocAuc", "negBrierScore")),
        *(search(f"support vectors, two classes, by {refit}", "SVC", SVC(tol=1e-8), cancer, malignant, kernels,
                 ("rocAuc", "matthewsCorrcoef"), refit) for refit in ("rocAuc", "matthewsCorrcoef")),
        search("logistic regression, three classes", "LogisticRegression", LogisticRegression(solver="newton-cg", tol=1e-7), iris, iris.y, strengths,
               ("f1Macro", "negLogLoss"), "negLogLoss"),
    ])


if __name__ == "__main__":
    main()
