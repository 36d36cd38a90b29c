import {
  AdaBoostClassifier,
  Cascade,
  DataError,
  DecisionStump,
  GaussianNB,
  loadModel,
  Matrix,
  saveModel,
} from "argmax";
import { describe, expect, it } from "vitest";
import { fc } from "../support/properties.js";

/** Rows of small whole numbers, many of them equal, with two or three classes. */
const problems = fc.integer({ min: 2, max: 3 }).chain((K) =>
  fc
    .array(
      fc.record({
        row: fc.tuple(
          fc.integer({ min: -4, max: 4 }),
          fc.integer({ min: 0, max: 20 }),
          fc.integer({ min: 0, max: 1 }),
        ),
        label: fc.integer({ min: 0, max: K - 1 }),
        weight: fc.integer({ min: 0, max: 3 }),
      }),
      { minLength: 6, maxLength: 40 },
    )
    .filter((rows) => new Set(rows.filter(({ weight }) => weight > 0).map(({ label }) => label)).size === K)
    .map((rows) => ({
      X: rows.map(({ row }) => [...row]),
      y: rows.map(({ label }) => label),
      sampleWeight: rows.map(({ weight }) => weight),
    })),
);

/** The model, or undefined where columns tell nothing about the classes. */
function fitted(X: number[][], y: number[], sampleWeight?: number[], estimator = new DecisionStump()) {
  try {
    return new AdaBoostClassifier({ estimator, nEstimators: 6 }).fit(X, y, { sampleWeight });
  } catch (error) {
    expect(error).toBeInstanceOf(DataError);
    return undefined;
  }
}

describe("AdaBoostClassifier", () => {
  it("has row weights that sum to 1, and an exponential error that falls each round", () => {
    fc.assert(
      fc.property(problems, ({ X, y }) => {
        const model = fitted(X, y);
        if (model === undefined) return;
        for (const weights of model.stagedRowWeights(X, y))
          expect(weights.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 10);
        let before = 1;
        for (const error of model.exponentialErrors) {
          expect(error).toBeLessThan(before);
          before = error;
        }
      }),
    );
  });

  it("takes a row of weight w for the row w times", () => {
    fc.assert(
      fc.property(problems, ({ X, y, sampleWeight }) => {
        const rows = sampleWeight.flatMap((w, i) => Array.from({ length: w }, () => i));
        const one = fitted(X, y, sampleWeight);
        const many = fitted(
          rows.map((i) => X[i]!),
          rows.map((i) => y[i]!),
        );
        // Sums of equal weights round differently; an error of exactly chance may lie on either side.
        const T = Math.min(one?.members.length ?? 0, many?.members.length ?? 0);
        for (let t = 0; t < T; t++) expect(one!.estimatorErrors[t]).toBeCloseTo(many!.estimatorErrors[t]!, 9);
      }),
    );
  });

  it("asks about the order of values only: an increasing function of a column changes no answer", () => {
    fc.assert(
      fc.property(problems, fc.constantFrom("gini" as const, "error" as const), ({ X, y }, criterion) => {
        const moved = X.map(([a, b, c]) => [a! ** 3, Math.exp(b! / 4), 10 * c! - 3]);
        const estimator = new DecisionStump({ criterion });
        const [one, other] = [fitted(X, y, undefined, estimator), fitted(moved, y, undefined, estimator)];
        expect(other?.predict(moved)).toEqual(one?.predict(X));
      }),
    );
  });

  it("comes back from a file with the same bits", () => {
    fc.assert(
      fc.property(problems, ({ X, y }) => {
        const model = fitted(X, y);
        if (model === undefined) return;
        const back = loadModel(saveModel(model), AdaBoostClassifier);
        expect(back.predictProba(X)).toEqual(model.predictProba(X));
      }),
      { numRuns: 30 },
    );
  });
});

describe("Cascade", () => {
  const cases = fc.record({
    sensitivity: fc.double({ min: 0.5, max: 1, noNaN: true }),
    shifts: fc.tuple(fc.double({ min: 0, max: 3, noNaN: true }), fc.double({ min: 0, max: 3, noNaN: true })),
    seeds: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 80, maxLength: 80 }),
  });
  const rowsOf = ({ shifts, seeds }: { shifts: readonly number[]; seeds: readonly number[] }) => {
    const y = Array.from({ length: 40 }, (_, i) => i % 3 === 0);
    const X = y.map((ill, i) => shifts.map((shift, j) => (ill ? shift : 0) + seeds[2 * i + j]! + i / 1e4));
    return { X: Matrix.fromRows(X), y };
  };

  it("keeps the asked sensitivity on the rows its thresholds were chosen on, and costs at most all stages", () => {
    fc.assert(
      fc.property(cases, ({ sensitivity, ...given }) => {
        const { X, y } = rowsOf(given);
        const stages = [0, 1].map((j) => ({ features: [j], cost: 1 + 9 * j, estimator: new GaussianNB() }));
        const { heldOut } = new Cascade({ stages, sensitivity }).fit(X, y, { heldOut: { X, y } });
        expect(heldOut.sensitivity).toBeGreaterThanOrEqual(sensitivity - 1e-12);
        expect(heldOut.costPerSample).toBeLessThanOrEqual(heldOut.single.cost);
        for (const { reached, tpr, fpr } of heldOut.stages) {
          for (const share of [reached, tpr, fpr]) expect(share >= 0 && share <= 1).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});
