import {
  binaryRates,
  Cascade,
  LogisticRegression,
  Matrix,
  pipeline,
  Random,
  StandardScaler,
  trainTestSplit,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

const logistic = () => pipeline(new StandardScaler(), new LogisticRegression());

describe("C14 a cascade of classifiers with costs of features", () => {
  /** A questionnaire, a blood test and a biopsy: increasing predictive power at increasing cost. */
  const patients = (n: number, seed: number) => {
    const random = new Random(seed);
    const y = Array.from({ length: n }, () => (random.uniform() < 0.1 ? "ill" : "healthy"));
    const X = y.map((label) => [1.8, 2.6, 4].map((d) => (label === "ill" ? d : 0) + random.normal()));
    return { X: Matrix.fromRows(X), y };
  };
  const costs = [1, 20, 400];
  const cascade = new Cascade({
    stages: costs.map((cost, s) => ({ features: [s], cost, estimator: logistic() })),
    sensitivity: 0.95,
    positiveLabel: "ill",
  });
  const train = patients(6000, 1);
  const model = cascade.fit(train.X, train.y);
  const test = patients(6000, 2);
  const report = model.evaluate(test.X, test.y);

  it("has stages with feature sets and costs of their own, x = (x₁, …, x_S)", () => {
    expect(model.stages.map(({ features, cost }) => ({ features, cost }))).toEqual(
      costs.map((cost, s) => ({ features: [s], cost })),
    );
  });

  it("has sensitive early stages, and later ones that are more specific", () => {
    for (const { tpr } of report.stages.slice(0, -1)) expect(tpr).toBeGreaterThan(0.95);
    const [first, second, third] = report.stages.map(({ specificity }) => specificity);
    expect(first).toBeGreaterThan(0.2);
    expect(second).toBeGreaterThan(first!);
    expect(third).toBeGreaterThan(0.97);
  });

  it("lets negatives leave early: fewer samples at every stage, none that comes back", () => {
    const { stages, labels, reached } = model.predictWithCost(test.X);
    expect(reached[0]).toBe(6000);
    expect(reached[1]!).toBeLessThan(0.8 * reached[0]!);
    expect(reached[2]!).toBeLessThan(0.6 * reached[1]!);
    for (const [i, label] of labels.entries()) if (stages[i]! < 2) expect(label).toBe("healthy");
  });

  it("costs less than one classifier on all features at the same sensitivity", () => {
    expect(model.heldOut.sensitivity).toBeGreaterThanOrEqual(0.95);
    expect(model.heldOut.single.sensitivity).toBeGreaterThanOrEqual(0.95);
    expect(report.single.cost).toBe(421);
    expect(report.costPerSample).toBeLessThan(report.single.cost / 2);
    // Two standard errors of 0.95 among 600 test positives and 600 that thresholds were chosen on: √(0.05 × 0.95 × 2/600) × 2.
    expect(Math.abs(report.sensitivity - report.single.sensitivity)).toBeLessThan(0.0252);
    const expected = report.stages.reduce((sum, { cost, reached }) => sum + cost * reached, 0);
    expect(report.costPerSample).toBeCloseTo(expected, 10);
  });

  it("has rates of the confusion matrix: TPR = 1 − FNR, FPR = 1 − TNR", () => {
    const rates = binaryRates(test.y, model.predict(test.X), { positiveLabel: "ill" });
    expect(report.sensitivity).toBeCloseTo(rates.tpr, 12);
    expect(report.specificity).toBeCloseTo(rates.tnr, 12);
    expect(rates.fnr + rates.tpr).toBe(1);
  });

  it("saves costs on real diagnoses, and answers as well as one classifier, over ten splits", async () => {
    const { X, y } = await loadDataset("breastCancer");
    const range = (from: number) => Array.from({ length: 10 }, (_, j) => from + j);
    const reports = Array.from({ length: 10 }, (_, randomState) => {
      const parts = trainTestSplit(X, y, { testSize: 0.3, stratify: true, randomState });
      const real = new Cascade({
        stages: [
          { features: range(0), cost: 1, estimator: logistic() },
          { features: range(20), cost: 10, estimator: logistic() },
        ],
        sensitivity: 0.95,
        positiveLabel: "malignant",
        randomState,
      });
      return real.fit(parts.train.X, parts.train.y).evaluate(parts.test.X, parts.test.y);
    });
    const mean = (of: (report: (typeof reports)[number]) => number) =>
      reports.reduce((sum, report) => sum + of(report), 0) / reports.length;
    expect(mean(({ costPerSample }) => costPerSample)).toBeLessThan(0.6 * reports[0]!.single.cost);
    // Rates of 64 positives and 107 negatives of a split have standard errors of 0.03; ten overlapping splits about a third of it.
    expect(mean((own) => own.sensitivity - own.single.sensitivity)).toBeGreaterThan(-0.02);
    expect(mean((own) => own.specificity - own.single.specificity)).toBeGreaterThan(-0.02);
    // The promise is 0.95; three of these standard errors.
    expect(mean(({ sensitivity }) => sensitivity)).toBeGreaterThan(0.95 - 0.03);
  });
});
