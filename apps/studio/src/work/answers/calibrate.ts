import type { FittedClassifier } from "argmax/core";
import { Matrix } from "argmax/data";
import { CalibratedClassifier } from "argmax/meta";
import { StratifiedKFold } from "argmax/selection";
import type { Answer, Ask } from "../protocol.js";

const FOLDS = 5;

/**
 * Recalibrated probabilities of held-out rows, cross-fitted: the calibrator of a row has learned from other folds only. Undefined methods
 * where a class has fewer rows than there are folds.
 */
export async function calibrate({ score, isPositive, seed }: Ask<"calibrate">): Promise<Answer<"calibrate">> {
  const labels = Array.from(isPositive, Number);
  const positives = labels.reduce((sum, label) => sum + label, 0);
  if (Math.min(positives, labels.length - positives) < FOLDS) return { sigmoid: null, isotonic: null };
  const rows = new Matrix(Float64Array.from(score), score.length, 1);
  const folds = [
    ...new StratifiedKFold({ nSplits: FOLDS, shuffle: true, randomState: seed }).split(rows, labels),
  ];
  const by = (method: "sigmoid" | "isotonic"): Float64Array => {
    const out = new Float64Array(score.length);
    for (const { train, test } of folds) {
      const calibrated = new CalibratedClassifier({ method }).fit(
        rows.selectRows(train),
        Array.from(train, (e) => labels[e]!),
        { prefit: scoreAsModel as FittedClassifier<number> },
      );
      const p = calibrated.predictProba(rows.selectRows(test));
      for (const [at, e] of test.entries()) out[e] = p.data[2 * at + 1]!;
    }
    return out;
  };
  return { sigmoid: by("sigmoid"), isotonic: by("isotonic") };
}

/** The scores themselves as the decision function of a fitted model. */
const scoreAsModel: Partial<FittedClassifier<number>> & { decisionFunction(x: Matrix): Matrix } = {
  classes: [0, 1],
  nFeatures: 1,
  featureNamesIn: undefined,
  predict: (x: Matrix) => Array.from(x.data, (f) => (f > 0 ? 1 : 0)),
  decisionFunction: (x: Matrix) => x,
};
