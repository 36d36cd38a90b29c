"""Fixtures of the metrics of rankings, calibration, agreement and deviances, with and without sample weights."""

import numpy as np
import sklearn.calibration as c
import sklearn.metrics as m
from sklearn.preprocessing import label_binarize

from shapes import write_fixture


def ranking(y, score, s):
    """Two classes; the scores have ties."""
    fpr, tpr, thresholds = m.roc_curve(y, score, pos_label="yes", sample_weight=s)
    every = m.roc_curve(y, score, pos_label="yes", sample_weight=s, drop_intermediate=False)
    precision, recall, cuts = m.precision_recall_curve(y, score, pos_label="yes", sample_weight=s)
    det = m.det_curve(y, score, pos_label="yes", sample_weight=s)
    p = 1 / (1 + np.exp(-score))
    curve = c.calibration_curve(y, p, pos_label="yes", n_bins=4)
    quantiles = c.calibration_curve(y, p, pos_label="yes", n_bins=4, strategy="quantile")
    return {
        # The first threshold is infinite from scikit-learn 1.3 on.
        "roc": {"fpr": fpr, "tpr": tpr, "thresholds": thresholds[1:]},
        "everyRoc": {"fpr": every[0], "tpr": every[1], "thresholds": every[2][1:]},
        "precisionRecall": {"precision": precision, "recall": recall, "thresholds": cuts},
        "det": {"fpr": det[0], "fnr": det[1], "thresholds": det[2]},
        "rocAuc": m.roc_auc_score(y == "yes", score, sample_weight=s),
        "partialRocAuc": m.roc_auc_score(y == "yes", score, sample_weight=s, max_fpr=0.3),
        "averagePrecision": m.average_precision_score(y == "yes", score, sample_weight=s),
        "hinge": m.hinge_loss(y, score, sample_weight=s),
        "probability": p,
        "brier": m.brier_score_loss(y, p, pos_label="yes", sample_weight=s),
        # Without weights in either case: scikit-learn's curve has none.
        "calibration": {"probTrue": curve[0], "probPred": curve[1]},
        "quantileCalibration": {"probTrue": quantiles[0], "probPred": quantiles[1]},
    }


def several(y, P, names, s):
    """Three classes."""
    Y = label_binarize(y, classes=names)
    return {
        "rocAucOvr": m.roc_auc_score(y, P, multi_class="ovr", sample_weight=s),
        "rocAucOvrWeighted": m.roc_auc_score(y, P, multi_class="ovr", average="weighted", sample_weight=s),
        # Without weights in either case: scikit-learn refuses them.
        "rocAucOvo": m.roc_auc_score(y, P, multi_class="ovo"),
        "rocAucOvoWeighted": m.roc_auc_score(y, P, multi_class="ovo", average="weighted"),
        "averagePrecision": m.average_precision_score(Y, P, sample_weight=s),
        "averagePrecisionWeighted": m.average_precision_score(Y, P, average="weighted", sample_weight=s),
        "topTwo": m.top_k_accuracy_score(y, P, k=2, labels=names, sample_weight=s),
        "topOneCount": m.top_k_accuracy_score(y, P, k=1, labels=names, sample_weight=s, normalize=False),
        "hinge": m.hinge_loss(y, P * 5, labels=names, sample_weight=s),
    }


def agreement(y, z, s):
    return {
        "matthews": m.matthews_corrcoef(y, z, sample_weight=s),
        "kappa": m.cohen_kappa_score(y, z, sample_weight=s),
        "kappaLinear": m.cohen_kappa_score(y, z, weights="linear", sample_weight=s),
        "kappaQuadratic": m.cohen_kappa_score(y, z, weights="quadratic", sample_weight=s),
        "hamming": m.hamming_loss(y, z, sample_weight=s),
        "zeroOne": m.zero_one_loss(y, z, sample_weight=s),
        "zeroOneCount": m.zero_one_loss(y, z, sample_weight=s, normalize=False),
        "jaccardMacro": m.jaccard_score(y, z, average="macro", sample_weight=s),
        "jaccardMicro": m.jaccard_score(y, z, average="micro", sample_weight=s),
        "jaccardWeighted": m.jaccard_score(y, z, average="weighted", sample_weight=s),
        "fBetaMacro": m.fbeta_score(y, z, beta=0.5, average="macro", sample_weight=s),
        "fBetaWeighted": m.fbeta_score(y, z, beta=2, average="weighted", sample_weight=s),
        "report": m.classification_report(y, z, sample_weight=s),
        "preciseReport": m.classification_report(y, z, sample_weight=s, digits=5),
    }


def numbers(y, z, s):
    return {
        "medianAbsoluteError": m.median_absolute_error(y, z, sample_weight=s),
        "meanAbsolutePercentageError": m.mean_absolute_percentage_error(y, z, sample_weight=s),
        "meanSquaredLogError": m.mean_squared_log_error(y, z, sample_weight=s),
        "rootMeanSquaredLogError": m.mean_squared_log_error(y, z, sample_weight=s, squared=False),
        "maxError": m.max_error(y, z),
        "meanPinballLoss": m.mean_pinball_loss(y, z, alpha=0.3, sample_weight=s),
        "explainedVarianceScore": m.explained_variance_score(y, z, sample_weight=s),
        "meanPoissonDeviance": m.mean_poisson_deviance(y, z, sample_weight=s),
        "meanGammaDeviance": m.mean_gamma_deviance(y, z, sample_weight=s),
        "deviances": {str(p): m.mean_tweedie_deviance(y, z, power=p, sample_weight=s)
                      for p in (-1.5, 0, 1, 1.5, 2, 3)},
        "d2": {str(p): m.d2_tweedie_score(y, z, power=p, sample_weight=s) for p in (-1.5, 0, 1, 1.5, 2, 3)},
        "d2AbsoluteErrorScore": m.d2_absolute_error_score(y, z, sample_weight=s),
    }


def main():
    rng = np.random.default_rng(11)
    n = 61
    truth = rng.integers(0, 2, n)
    two = np.array(["no", "yes"])[truth]
    score = np.round(rng.normal(size=n) + truth - 0.5, 1)
    names = np.array(["cat", "dog", "eel"])
    own = rng.integers(0, 3, n)
    three = names[own]
    # Powers of two: ties, and sums of exactly 1.
    P = rng.multinomial(16, [1 / 3] * 3, n) / 16
    P = (P + 2 * np.eye(3)[own]) / 3
    P[:, 2] = 1 - P[:, 0] - P[:, 1]
    guess = names[np.where(rng.random(n) < 0.6, own, rng.integers(0, 3, n))]
    y = np.round(np.exp(rng.normal(size=n)), 3)
    z = np.round(y * np.exp(0.4 * rng.normal(size=n)), 3)
    # No half of the weight ends exactly at an entry: scikit-learn's weighted median is then the usual one.
    weight = rng.integers(0, 9, n) / 4
    weight[0] += 0.25 if int(weight.sum() * 4) % 2 == 0 else 0
    inputs = {"two": two, "score": score, "three": three, "proba": P, "guess": guess, "classes": names,
              "target": y, "estimate": z, "sampleWeight": weight}
    cases = []
    for name, s in (("plain", None), ("weighted", weight)):
        cases.append({
            "name": name, "estimator": "metrics", "oracle": "scikit-learn metrics", "inputs": inputs,
            "weighted": s is not None,
            "expected": {
                "ranking": ranking(two, score, s), "several": several(three, P, names, s),
                "agreement": agreement(three, guess, s), "numbers": numbers(y, z, s),
            },
        })
    write_fixture("evaluation", cases)


if __name__ == "__main__":
    main()
