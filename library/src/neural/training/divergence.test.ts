import { describe, expect, it } from "vitest";
import { MLPClassifier, MLPRegressor } from "../index.js";

const X = Array.from({ length: 200 }, (_, i) => [Math.sin(i), Math.cos(2.3 * i)]);
const t = X.map(([a, b]) => 30 * (3 * a! + b!));
const labels = t.map((value) => (value > 0 ? "up" : "down"));

describe("steps that diverge", () => {
  it.each([0.1, 0.5, 10])(
    "are reported at a rate of %f, and the weights of the smallest loss are kept",
    (rate) => {
      const estimator = new MLPRegressor({ solver: "sgd", learningRateInit: rate, hiddenLayerSizes: [8] });
      const fitted = estimator.fit(X, t);
      const { report } = fitted;
      expect(report.converged).toBe(false);
      expect(report.warnings[0]).toMatch(
        /^Diverged.* The model has the weights of the smallest loss. Lower the learning rate/,
      );
      // No worse than the first weights, which answer with about 0: R² is about 0.
      expect(fitted.score(X, t)).toBeGreaterThan(-0.01);
      const errors = fitted.predict(X).map((y, i) => (y - t[i]!) ** 2);
      const loss = errors.reduce((sum, e) => sum + e, 0) / (2 * t.length);
      // The report is about the weights that the model has; float32 and the penalty of 1e-4 are the difference.
      expect(report.objective / loss).toBeCloseTo(1, 4);
    },
  );

  it("are reported for classes, too", () => {
    const far = X.map(([a, b]) => [1e4 * a!, 1e4 * b!]);
    const estimator = new MLPClassifier({
      solver: "sgd",
      learningRateInit: 50,
      activation: "identity",
      maxIter: 5,
    });
    const { converged, warnings } = estimator.fit(far, labels).report;
    expect(converged).toBe(false);
    expect(warnings[0]).toMatch(/^Diverged/);
  });

  it("are not seen where training works, is short, or goes on from a good model", () => {
    for (const solver of ["sgd", "adam"] as const) {
      const estimator = new MLPClassifier({
        solver,
        hiddenLayerSizes: [8],
        maxIter: 60,
        learningRateInit: 0.01,
      });
      const model = estimator.fit(X, labels);
      const more = new MLPClassifier({ ...estimator.params, maxIter: 61 }).fit(X, labels, { resume: model });
      const part = estimator.partialFit(model, X.slice(0, 20), labels.slice(0, 20));
      for (const { report } of [model, more, part])
        for (const warning of report.warnings) expect(warning).not.toMatch(/Diverged/);
    }
  });
});

describe("the last epoch", () => {
  it("is reported as the limit, also when one epoch was left or wanted", () => {
    const estimator = (maxIter: number) => new MLPClassifier({ hiddenLayerSizes: [4], maxIter });
    const model = estimator(3).fit(X, labels);
    const resumed = estimator(4).fit(X, labels, { resume: model });
    expect(resumed.report.warnings).toEqual(["Stopped after maxIter = 4 epochs: raise maxIter."]);
    expect(estimator(1).fit(X, labels).report.warnings).toEqual([
      "Stopped after maxIter = 1 epochs: raise maxIter.",
    ]);
    expect(estimator(3).partialFit(model, X, labels).report.warnings).toEqual([]);
  });
});
