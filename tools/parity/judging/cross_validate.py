"""Fixtures of cross-validation with several scorers. The estimator is exact, so that only rounding differs."""

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold, cross_validate

from shapes import included, write_fixture

THREE = {"accuracy": "accuracy", "balancedAccuracy": "balanced_accuracy", "f1Macro": "f1_macro",
         "negLogLoss": "neg_log_loss", "rocAucOvr": "roc_auc_ovr"}
# Not neg_log_loss: for two classes scikit-learn's scorer computes 1 - p, which has no digits where p is almost 1.
TWO = {"accuracy": "accuracy", "matthewsCorrcoef": "matthews_corrcoef", "rocAuc": "roc_auc",
       "averagePrecision": "average_precision", "negBrierScore": "neg_brier_score"}


def validation(data, y, name, names):
    scores = cross_validate(LinearDiscriminantAnalysis(), data.X, y, cv=StratifiedKFold(4), scoring=list(names.values()),
                            return_train_score=True)
    expected = {kind: {ours: scores[f"{kind}_{theirs}"] for ours, theirs in names.items()} for kind in ("test", "train")}
    return {"name": name, "estimator": "cross_validate", "oracle": "scikit-learn", "data": data.spec,
            "params": {"scoring": list(names)}, "weighted": False, "expected": expected}


def main():
    iris, cancer = included("iris"), included("breastCancer")
    write_fixture("cross-validate", [
        validation(iris, iris.y, "three classes", THREE),
        # The second label in order is the positive one, as in Argmax; scikit-learn's scorers want it to be 1.
        validation(cancer, (cancer.y == max(cancer.y)).astype(int), "two classes", TWO),
    ])


if __name__ == "__main__":
    main()
