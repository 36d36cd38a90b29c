import { accuracyScore, confusionMatrix, logLoss, meanSquaredError, r2Score } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Case, casesOf } from "../fixtures.js";

interface Inputs {
  readonly yTrue: readonly string[];
  readonly yPred: readonly string[];
  readonly proba: readonly (readonly number[])[];
  readonly classes: readonly string[];
  readonly sampleWeight: readonly number[];
  readonly target: readonly number[];
  readonly estimate: readonly number[];
}

interface MetricsExpected {
  readonly accuracy: number;
  readonly confusion: readonly (readonly number[])[];
  readonly logLoss: number;
  readonly r2: number;
  readonly meanSquaredError: number;
}

type MetricsCase = Case<MetricsExpected> & { readonly inputs: Inputs };

// Sums of forty terms: only rounding differs.
const rounding = 1e-13;

describe("metrics are scikit-learn's", () => {
  for (const fixture of casesOf<MetricsExpected>("metrics") as readonly MetricsCase[]) {
    const { inputs, expected, weighted } = fixture;
    const { yTrue, yPred, proba, classes, target, estimate } = inputs;
    const options = weighted ? { sampleWeight: inputs.sampleWeight } : {};

    it(`accuracy and confusion matrix agree: ${fixture.name}`, () => {
      expectClose([accuracyScore(yTrue, yPred, options)], [expected.accuracy], rounding);
      const confusion = confusionMatrix(yTrue, yPred, { ...options, labels: classes });
      expect(confusion.classes).toEqual(classes);
      expectClose(confusion.matrix.data as Float64Array, expected.confusion.flat(), rounding);
    });

    it(`log loss clips a probability of zero as scikit-learn does: ${fixture.name}`, () => {
      expectClose([logLoss(yTrue, proba, { ...options, labels: classes })], [expected.logLoss], 1e-12);
    });

    it(`R² and mean squared error agree: ${fixture.name}`, () => {
      expectClose([r2Score(target, estimate, options)], [expected.r2], rounding);
      expectClose([meanSquaredError(target, estimate, options)], [expected.meanSquaredError], rounding);
    });
  }
});
