import { describe, expect, it } from "vitest";
import type { FitReport, FittedModel } from "../../core/contract.js";
import type { Step } from "../../core/estimator.js";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { loadDataset } from "../../datasets/index.js";
import { softmax } from "../../losses/losses.js";
import { l1Ball } from "../../penalties/penalties.js";
import { saveModel } from "../../persistence/model-file.js";
import { HuberRegressor } from "../huber-regressor.js";
import { LinearClassifier } from "../linear-classifier.js";
import { LinearSVC } from "../linear-svc.js";
import { LogisticRegression } from "../logistic-regression.js";
import { SGDClassifier } from "../sgd-classifier.js";
import { SGDRegressor } from "../sgd-regressor.js";
import { SoftmaxRegression } from "../softmax-regression.js";

describe("the report", () => {
  it("gives the gradient of the objective as the estimator writes it, whatever C is", () => {
    const x = Matrix.fromRows([
      [0.2, 1.1],
      [1.3, -0.4],
      [-0.7, 0.6],
      [0.9, 0.8],
      [-1.2, -0.3],
    ]);
    const y = [0, 1, 0, 1, 1];
    for (const C of [0.1, 10]) {
      const model = new LogisticRegression({ C, maxIter: 1 }).fit(x, y);
      const [w, b] = [model.coef.row(0), model.intercept[0]!];
      // J = C Σ log(1 + e^{−±z}) + ½‖w‖²
      const gradient = [w[0]!, w[1]!, 0];
      for (let i = 0; i < x.rows; i++) {
        const z = w[0]! * x.at(i, 0) + w[1]! * x.at(i, 1) + b;
        const slope = C * (1 / (1 + Math.exp(-z)) - y[i]!);
        gradient[0]! += slope * x.at(i, 0);
        gradient[1]! += slope * x.at(i, 1);
        gradient[2]! += slope;
      }
      const largest = Math.max(...gradient.map(Math.abs));
      // The same sums in another order; the gradient is what is left of terms of size C.
      expect(model.report.gradientNorm).toBeCloseTo(largest, 12);
      expect(largest).toBeGreaterThan(1e-6);
    }
  });
});

describe("steps()", () => {
  const x = Matrix.fromRows(Array.from({ length: 60 }, (_, i) => [Math.sin(i * 1.3), Math.cos(i * 0.7)]));
  const labels = Array.from({ length: 60 }, (_, i) => ["a", "b", "c"][i % 3]!);
  const numbers = Float64Array.from(
    { length: 60 },
    (_, i) => x.at(i, 0) - 2 * x.at(i, 1) + 0.1 * Math.sin(i),
  );

  it.each([
    ["SGDClassifier", () => new SGDClassifier().steps(x, labels), () => new SGDClassifier().fit(x, labels)],
    ["SGDRegressor", () => new SGDRegressor().steps(x, numbers), () => new SGDRegressor().fit(x, numbers)],
    [
      "HuberRegressor",
      () => new HuberRegressor().steps(x, numbers),
      () => new HuberRegressor().fit(x, numbers),
    ],
  ] as const)("of %s end in the model that fit gives, and have a model at each", (_, steps, fit) => {
    const run: Generator<
      Step<FittedModel & { predict(x: Matrix): ArrayLike<unknown> }>,
      FittedModel,
      void
    > = steps();
    let count = 0;
    for (;;) {
      const step = run.next();
      if (step.done) {
        expect(saveModel(step.value)).toEqual(saveModel(fit()));
        break;
      }
      count++;
      expect(step.value.iteration).toBeGreaterThan(0);
      expect(step.value.model().predict(x).length).toBe(60);
    }
    expect(count).toBeGreaterThan(1);
  });
});

describe("softmax inside an l1 ball", () => {
  it("has coefficients inside the ball", () => {
    const x = Matrix.fromRows(Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(2 * i)]));
    const y = Array.from({ length: 40 }, (_, i) => (x.at(i, 0) > 0.4 ? 2 : x.at(i, 1) > 0 ? 1 : 0));
    const model = new LinearClassifier({ loss: softmax(), penalty: l1Ball(2) }).fit(x, y);
    const norm = model.coef.data.reduce((sum, w) => sum + Math.abs(w), 0);
    expect(norm).toBeLessThanOrEqual(2 * (1 + 1e-12));
    expect(norm).toBeGreaterThan(1.9);
  });
});

describe("maxIter", () => {
  it("is shared by L-BFGS and what continues it, while that costs less than a step of Newton's method", async () => {
    // 64 columns and 10 classes: a Hessian of side 650 costs as much as 325 iterations.
    const { X, y } = await loadDataset("digits");
    const { report } = new LogisticRegression().fit(X, y);
    expect(report).toMatchObject({ converged: true, solver: "lbfgs", warnings: [] });
    expect(report.iterations).toBeGreaterThan(60);
    expect(report.iterations).toBeLessThanOrEqual(200);
  });

  it("is never exceeded, and a larger one loses no convergence", () => {
    const random = new Random(8);
    // Rare classes that are nearly separable, on columns of different size: the first method does not converge.
    const n = 2000;
    const X = Array.from({ length: n }, (_, i) => {
      const k = i < n - 30 ? i % 3 : 3 + (i % 3);
      return Array.from(
        { length: 6 },
        (_, j) => (random.normal() + (j === k ? 3 : 0) + (j === 0 ? k : 0)) * 10 ** (j % 3),
      );
    });
    const y = X.map((_, i) => (i < n - 30 ? i % 3 : 3 + (i % 3)));
    const pair = y.map((k) => (k > 2 ? 1 : 0));
    for (const C of [1, 1e6])
      for (const labels of [y, pair])
        for (const Linear of [LogisticRegression, SoftmaxRegression, LinearSVC]) {
          let before: FitReport | undefined;
          for (const maxIter of [5, 50, 100, 150, 200, 300, 500, 1000]) {
            const { report } = new Linear({ C, maxIter }).fit(X, labels);
            const at = `${Linear.name} ${C} ${maxIter}`;
            expect(report.iterations, at).toBeLessThanOrEqual(maxIter);
            if (before?.converged) expect(report.converged, at).toBe(true);
            // Runs that stop earlier are no better, up to the tolerance of 1e-6 in w.
            if (before) expect(report.objective, at).toBeLessThanOrEqual(before.objective * (1 + 1e-9));
            before = report;
          }
          expect(before!.converged).toBe(true);
        }
  });
});
