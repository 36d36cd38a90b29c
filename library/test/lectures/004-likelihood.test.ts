import {
  gradientDescent,
  LinearClassifier,
  LinearRegressor,
  LogisticRegression,
  logistic,
  none,
  Random,
  sgd,
  squared,
} from "argmax";
import { describe, expect, it } from "vitest";

const random = new Random(146);
const X = Array.from({ length: 80 }, () => [random.normal(), 2 + random.normal()]);
const y: number[] = X.map(([a, b]) => (a! - 0.5 * b! + 1.5 * random.normal() > -1 ? 1 : 0));

describe("Y20 the forms of the log-likelihood are one", () => {
  const model = new LogisticRegression({ penalty: "none", tol: 1e-10 }).fit(X, y);
  const z = Array.from(model.decisionFunction(X).data);
  const g = z.map((v) => 1 / (1 + Math.exp(-v)));
  const sum = (of: (i: number) => number) => y.reduce((total, _, i) => total + of(i), 0);
  const forms = {
    "log Π g^y (1 − g)^(1 − y)": Math.log(
      y.reduce<number>((p, t, i) => p * (t === 1 ? g[i]! : 1 - g[i]!), 1),
    ),
    "Σ (1 − y) log(1 − g) + y log g": sum((i) => (1 - y[i]!) * Math.log(1 - g[i]!) + y[i]! * Math.log(g[i]!)),
    "Σ y log(g/(1 − g)) + log(1 − g)": sum(
      (i) => y[i]! * Math.log(g[i]! / (1 - g[i]!)) + Math.log(1 - g[i]!),
    ),
    "Σ y w·x − log(1 + e^(w·x))": sum((i) => y[i]! * z[i]! - Math.log(1 + Math.exp(z[i]!))),
  };

  it.each(Object.entries(forms))("%s = −objective of the report", (_, value) => {
    expect(model.report.converged).toBe(true);
    expect(-value).toBeCloseTo(model.report.objective, 10);
  });

  it("and it is the largest: every step away lowers it", () => {
    const at = (w: readonly number[], b: number) =>
      sum((i) => {
        const v = X[i]!.reduce((total, x, j) => total + x * w[j]!, b);
        return y[i]! * v - Math.log(1 + Math.exp(v));
      });
    const [w, b] = [Array.from(model.coef.row(0)), model.intercept[0]!];
    expect(at(w, b)).toBeCloseTo(-model.report.objective, 10);
    for (const step of [-0.01, 0.01]) {
      expect(at(w, b + step)).toBeLessThan(-model.report.objective);
      for (const j of [0, 1]) expect(at(w.with(j, w[j]! + step), b)).toBeLessThan(-model.report.objective);
    }
  });
});

describe("Y21 a step that is too big", () => {
  const best = new LogisticRegression({ penalty: "none", tol: 1e-10 }).fit(X, y).report.objective / X.length;
  const perExample = (eta0: number) =>
    new LinearClassifier({
      loss: logistic(),
      penalty: none(),
      solver: sgd({ learningRate: "constant", eta0, shuffle: false }),
      maxIter: 50,
    }).fit(X, y);
  const batch = (learningRate: number) =>
    new LinearRegressor({
      loss: squared(),
      penalty: none(),
      solver: gradientDescent({ learningRate }),
      maxIter: 2000,
    }).fit(X, y);

  it("squared loss: beyond 2 / λ of the largest eigenvalue the steps grow, and the report says that they diverged", () => {
    // λ of the second moments of (1, x): the mean of x₂ is 2, so that it is above 5.
    const fine = batch(0.1);
    expect(fine.report).toMatchObject({ converged: true, warnings: [] });
    const model = batch(1);
    expect(model.report.converged).toBe(false);
    expect(model.report.warnings[0]).toBe("The steps diverged: lower the learning rate.");
    expect([...model.coef, model.intercept].every(Number.isFinite)).toBe(true);
    expect(model.predict(X).every(Number.isFinite)).toBe(true);
  });

  it.each([
    [1e308, /^The steps diverged: lower eta0/],
    // The logistic gradient is bounded: steps stay finite, and jump over the maximum for ever.
    [100, /^The loss is above that of a constant model: lower eta0/],
  ])("per example, ε = %d: the report says so, and finite weights are kept", (eta0, warning) => {
    const { report, coef, intercept } = perExample(eta0);
    expect(report.converged).toBe(false);
    expect(report.warnings[0]).toMatch(warning);
    expect([...coef.data, ...intercept].every(Number.isFinite)).toBe(true);
    // log 2 and less: the constant model, not the one at the end of the steps.
    expect(report.objective).toBeLessThanOrEqual(Math.LN2);
  });

  it("a smaller one gets near the maximum, and one that is too small nowhere", () => {
    const model = perExample(0.01);
    expect(model.report.warnings.join(" ")).not.toMatch(/diverged|above/);
    expect(model.report.objective).toBeLessThan(1.05 * best);
    expect(perExample(1e-6).report.objective).toBeGreaterThan(1.1 * best);
  });
});
