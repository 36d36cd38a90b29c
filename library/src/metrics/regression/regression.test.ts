import { describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import { meanAbsoluteError, meanSquaredError, r2Score, rootMeanSquaredError } from "../index.js";

const y = [3, -0.5, 2, 7];
const predicted = [2.5, 0, 2, 8];
const sampleWeight = [1, 2, 0.5, 3];

describe("regression metrics", () => {
  it("agree with scikit-learn 1.2.1, weighted or not", () => {
    expect(meanSquaredError(y, predicted)).toBe(0.375);
    expect(meanSquaredError(y, predicted, { sampleWeight })).toBeCloseTo(0.5769230769230769, 15);
    expect(meanAbsoluteError(y, predicted, { sampleWeight })).toBeCloseTo(0.6923076923076923, 15);
    expect(r2Score(y, predicted)).toBeCloseTo(0.9486081370449679, 15);
    expect(r2Score(y, predicted, { sampleWeight })).toBeCloseTo(0.9463401210787011, 15);
    expect(rootMeanSquaredError(y, predicted)).toBe(Math.sqrt(0.375));
  });

  it("take typed arrays", () => {
    expect(meanSquaredError(Float32Array.from(y), Float64Array.from(predicted))).toBe(0.375);
  });

  it("refuse what is not finite", () => {
    expect(() => meanSquaredError([1, Number.NaN], [1, 2])).toThrow(
      "meanSquaredError: yTrue[1] must be a finite number, got NaN.",
    );
    expect(() => meanAbsoluteError([1], ["1"] as never)).toThrow(DataError);
  });
});

describe("r2Score", () => {
  it("has its digits where numbers far from 0 are nearly equal", () => {
    // Both differ by 7.5e-6, of which the mean of five loses a part if it is rounded once.
    const [a, b] = [-999999.9999997029, -999999.99999219];
    const weighted = r2Score([a, b], [0, 0], { sampleWeight: [3, 2] });
    const gap = a - b;
    // Σ w (y − ȳ)² = 3 · 2 / 5 · gap².
    expect(weighted / (1 - (3 * a * a + 2 * b * b) / (1.2 * gap * gap))).toBeCloseTo(1, 13);
    expect(r2Score([a, a, a, b, b], [0, 0, 0, 0, 0]) / weighted).toBeCloseTo(1, 13);
  });

  it("is 1 for exact predictions, 0 for the mean, and below 0 for worse", () => {
    expect(r2Score([1, 2, 3], [1, 2, 3])).toBe(1);
    expect(r2Score([1, 2, 3], [2, 2, 2])).toBe(0);
    expect(r2Score([1, 2, 3], [3, 2, 1])).toBe(-3);
  });

  it("of a constant y is 1 or 0, also when its mean is not exact", () => {
    const tenths = [0.1, 0.1, 0.1];
    expect(r2Score(tenths, tenths)).toBe(1);
    expect(r2Score(tenths, [0.1, 0.1, 0.2])).toBe(0);
  });

  it("stays finite for numbers whose squares overflow", () => {
    expect(r2Score([1e200, 2e200, 3e200], [1e200, 2e200, 2e200])).toBe(0.5);
    expect(r2Score([1e-200, 2e-200, 3e-200], [1e-200, 2e-200, 2e-200])).toBeCloseTo(0.5, 14);
  });

  it("counts an entry of weight 2 twice and one of weight 0 not at all", () => {
    expect(r2Score([1, 2, 4, 50], [1, 3, 3, 0], { sampleWeight: [1, 2, 1, 0] })).toBeCloseTo(
      r2Score([1, 2, 2, 4], [1, 3, 3, 3]),
      14,
    );
  });

  it("of one entry does not exist", () => {
    expect(() => r2Score([1], [1])).toThrow(DataError);
  });
});
