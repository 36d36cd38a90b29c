import { describe, expect, it } from "vitest";
import { GaussianNB } from "../bayes/index.js";
import { DataError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import { loadDataset } from "../datasets/index.js";
import { LogisticRegression } from "../linear/index.js";
import { pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { trainTestSplit } from "../selection/index.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import { Cascade } from "./index.js";

const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Mean, and three standard errors of it. */
function estimate(values: readonly number[]): [number, number] {
  const m = mean(values);
  return [m, 3 * Math.sqrt(mean(values.map((v) => (v - m) ** 2)) / values.length)];
}

/** Three tests of rising power; a third of the rows are ill. */
function patients(n: number, random: Random) {
  const y = Array.from({ length: n }, (_, i) => i % 3 === 0);
  const rows = y.map((ill) => [1, 1.5, 2].map((d) => (ill ? d : 0) + random.normal()));
  return { X: Matrix.fromRows(rows), y };
}

const three = () => [0, 1, 2].map((j) => ({ features: [j], cost: 10 ** j, estimator: new GaussianNB() }));

describe("the sensitivity of a Cascade on rows it has not seen", () => {
  it("is on average what its blocks guarantee, with held-out rows", () => {
    const random = new Random(3);
    const got: number[] = [];
    const promised: number[] = [];
    for (let r = 0; r < 120; r++) {
      const { X, y } = patients(300, random);
      const fresh = patients(900, random);
      const cascade = new Cascade({ stages: three(), sensitivity: 0.9, heldOut: 0.4, randomState: r });
      const model = cascade.fit(X, y);
      got.push(model.evaluate(fresh.X, fresh.y).sensitivity);
      promised.push(model.guarantee.expected);
      expect(model.guarantee.positives).toBe(40);
      expect(model.guarantee.expected).toBeCloseTo(1 - 4 / 41, 12);
    }
    const [m, error] = estimate(got);
    // Thresholds that just keep 0.9 of the positives they were chosen on have 0.85 here, ten standard errors less.
    expect(Math.abs(m - mean(promised))).toBeLessThan(error);
  });

  it("is rarely below the requested one with a confidence, and more often without", () => {
    const below = (confidence: number | null) => {
      const random = new Random(4);
      const misses = Array.from({ length: 150 }, (_, r) => {
        const { X, y } = patients(360, random);
        const fresh = patients(3000, random);
        const params = { stages: three(), sensitivity: 0.85, heldOut: 0.5, confidence, randomState: r };
        const model = new Cascade(params).fit(X, y);
        if (confidence !== null) expect(model.guarantee.confidence).toBeGreaterThanOrEqual(confidence);
        return model.evaluate(fresh.X, fresh.y).sensitivity < 0.85 ? 1 : 0;
      });
      return mean(misses);
    };
    // 1 − 0.9 and three standard errors of a proportion of 0.1 among 150; 1000 test positives blur the edge by a fifth of its spread.
    expect(below(0.9)).toBeLessThan(0.1 + 3 * Math.sqrt(0.09 / 150));
    expect(below(null)).toBeGreaterThan(0.25);
  });

  it("is the requested one on real diagnoses, over sixty splits, by folds and with held-out rows", async () => {
    const { X, y } = await loadDataset("breastCancer");
    const range = (from: number) => Array.from({ length: 10 }, (_, j) => from + j);
    const logistic = pipeline(new StandardScaler(), new LogisticRegression());
    const stages = [0, 10, 20].map((from, s) => ({
      features: range(from),
      cost: 3 ** s,
      estimator: s === 0 ? new GaussianNB() : logistic,
    }));
    for (const heldOut of [null, 0.3]) {
      for (const sensitivity of [0.9, 0.95]) {
        const got = Array.from({ length: 60 }, (_, r) => {
          const { train, test } = trainTestSplit(X, y, { testSize: 0.3, stratify: true, randomState: r });
          const rules = { sensitivity, heldOut, positiveLabel: "malignant", randomState: 1000 + r };
          const model = new Cascade({ stages, ...rules }).fit(train.X, train.y);
          expect(model.guarantee.expected).toBeGreaterThanOrEqual(sensitivity);
          return model.evaluate(test.X, test.y).sensitivity;
        });
        const [m, error] = estimate(got);
        // A split is a draw of positives from the same 212, so that the promise holds for the mean over all splits.
        expect(m).toBeGreaterThan(sensitivity - error);
      }
    }
  });

  it("is the requested one with many ties, as of trees", () => {
    const random = new Random(8);
    const got = Array.from({ length: 60 }, (_, r) => {
      const { X, y } = patients(300, random);
      const fresh = patients(900, random);
      const stages = [0, 1, 2].map((j) => ({
        features: [j],
        cost: 1,
        estimator: new DecisionTreeClassifier({ maxDepth: 3 }),
      }));
      const model = new Cascade({ stages, sensitivity: 0.9, heldOut: 0.4, randomState: r }).fit(X, y);
      return model.evaluate(fresh.X, fresh.y).sensitivity;
    });
    const [m, error] = estimate(got);
    expect(m).toBeGreaterThan(0.9 - error);
  });

  it("cannot be guaranteed with too few positives: an error with a confidence, else a warning", () => {
    const { X, y } = patients(60, new Random(5));
    const few = new Cascade({ stages: three(), sensitivity: 0.98 }).fit(X, y);
    expect(few.warnings).toEqual([
      "Thresholds keep all of the 20 positives they were chosen on, which guarantees a sensitivity of 0.857 on new rows; " +
        "a sensitivity of 0.98 requires 49 or more positives.",
    ]);
    expect(few.heldOut.sensitivity).toBe(1);
    expect(few.guarantee.expected).toBeCloseTo(1 - 3 / 21, 12);
    const all = new Cascade({ stages: three(), sensitivity: 1 }).fit(X, y);
    expect(all.warnings[0]).toMatch(/a sensitivity of 1 requires infinitely many positives/);
    expect(all.heldOut.sensitivity).toBe(1);
    const sure = new Cascade({ stages: three(), sensitivity: 0.9, confidence: 0.95 });
    expect(() => sure.fit(X, y)).toThrow(
      "Cascade.fit: the positives that thresholds are chosen on must be 29 or more, for a sensitivity of 0.9 with a confidence " +
        "of 0.95, got 20. These allow a sensitivity of 0.86.",
    );
    const never = new Cascade({ stages: three(), sensitivity: 1, confidence: 0.5 });
    expect(() => never.fit(X, y)).toThrow(DataError);
    const scarce = new Cascade({ stages: three(), sensitivity: 0.95 }).fit(X, y);
    expect(scarce.warnings).toEqual([
      "Stages 0, 1 let all samples pass: with so few positives, 1 may be given up for 3 stages.",
    ]);
    expect(new Cascade({ stages: three(), sensitivity: 0.8 }).fit(X, y).warnings).toEqual([]);
  });

  it("is judged by folds in which no model has seen the rows it scores", () => {
    // Noise columns, and models that memorise: scores of training rows would be perfect.
    const random = new Random(6);
    const y = Array.from({ length: 400 }, (_, i) => i % 2 === 0);
    const X = Matrix.fromRows(y.map(() => [random.normal(), random.normal()]));
    const stages = [0, 1].map((j) => ({ features: [j], cost: 1, estimator: new DecisionTreeClassifier() }));
    const { heldOut } = new Cascade({ stages, sensitivity: 0.6 }).fit(X, y);
    // Chance: specificity ≈ 1 − sensitivity, with a standard error of 0.035.
    expect(heldOut.sensitivity + heldOut.specificity).toBeLessThan(1 + 4 * 0.035);
  });

  it("does with as many folds as the rarer class has rows", () => {
    const X = [[0], [1], [2], [3], [4], [5], [6], [7], [8]];
    const y = [0, 0, 0, 0, 0, 0, 1, 1, 1];
    const stages = [{ features: [0], cost: 1, estimator: new LogisticRegression() }];
    expect(new Cascade({ stages, sensitivity: 0.7, folds: 10 }).fit(X, y).predict([[0], [8]])).toEqual([
      0, 1,
    ]);
    const alone = new Cascade({ stages, sensitivity: 0.7 });
    expect(() => alone.fit(X.slice(0, 7), y.slice(0, 7))).toThrow(
      /Cascade.fit, StratifiedKFold.split: nSplits/,
    );
  });
});
