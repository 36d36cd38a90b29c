import { BernoulliNB, LogisticRegression, MultinomialNB, Random } from "argmax";
import { describe, expect, it } from "vitest";

describe("X20 class densities of the exponential family: the posterior is logistic in a linear form", () => {
  const random = new Random(20);
  const labels = Array.from({ length: 40 }, (_, i) => i % 2);
  const logit = (p: number) => Math.log(p / (1 - p));

  /** Log-odds are affine if f(x) + f(z) = f(x + z) + f(0), and the coefficients are then those of the unit vectors. */
  const affineForm = (f: (x: number[]) => number, d: number) => {
    const zero = new Array<number>(d).fill(0);
    const b = f(zero);
    return { b, w: zero.map((_, j) => f(zero.map((_, k) => (k === j ? 1 : 0))) - b) };
  };

  it("of Bernoulli features", () => {
    const X = labels.map((y) => Array.from({ length: 3 }, () => (random.uniform() < 0.3 + 0.4 * y ? 1 : 0)));
    const model = new BernoulliNB().fit(X, labels);
    const odds = (x: number[]) => logit(model.predictProba([x]).at(0, 1));
    const { w, b } = affineForm(odds, 3);
    for (let code = 0; code < 8; code++) {
      const x = [code & 1, (code >> 1) & 1, code >> 2];
      // Fourteen digits of p leave twelve of its logit.
      expect(odds(x)).toBeCloseTo(
        x.reduce((sum, v, j) => sum + w[j]! * v, b),
        12,
      );
    }
    const p = [0, 1, 2].map((j) => [0, 1].map((k) => Math.exp(model.featureLogProb.at(k, j))));
    w.forEach((value, j) => {
      expect(value).toBeCloseTo(logit(p[j]![1]!) - logit(p[j]![0]!), 12);
    });
  });

  it("of multinomial counts: w = log θ₁ − log θ₀", () => {
    const X = labels.map((y) =>
      Array.from({ length: 4 }, (_, j) => Math.floor(4 * random.uniform() * (j < 2 ? 1 + y : 2 - y))),
    );
    const model = new MultinomialNB().fit(X, labels);
    const odds = (x: number[]) => logit(model.predictProba([x]).at(0, 1));
    const { w, b } = affineForm(odds, 4);
    for (const x of [
      [1, 2, 0, 1],
      [3, 0, 0, 2],
      [1, 1, 1, 1],
    ])
      expect(odds(x)).toBeCloseTo(
        x.reduce((sum, v, j) => sum + w[j]! * v, b),
        11,
      );
    w.forEach((value, j) => {
      expect(value).toBeCloseTo(model.featureLogProb.at(1, j) - model.featureLogProb.at(0, j), 12);
    });
  });

  it("of Poisson counts: logistic regression on the distribution itself finds w = log(λ₁/λ₀), b = λ₀ − λ₁ + log π₁/π₀", () => {
    const [lambda, prior] = [
      [2, 5],
      [0.3, 0.7],
    ];
    // Counts up to 60 hold all but 1e-40 of both classes.
    const rows: number[][] = [];
    const y: number[] = [];
    const sampleWeight: number[] = [];
    for (const k of [0, 1]) {
      let p = Math.exp(-lambda[k]!);
      for (let count = 0; count <= 60; count++) {
        rows.push([count]);
        y.push(k);
        sampleWeight.push(1000 * prior[k]! * p);
        p *= lambda[k]! / (count + 1);
      }
    }
    const model = new LogisticRegression({ penalty: "none", tol: 1e-10 }).fit(rows, y, { sampleWeight });
    expect(model.report.converged).toBe(true);
    expect(model.coef.at(0, 0)).toBeCloseTo(Math.log(5 / 2), 7);
    expect(model.intercept[0]).toBeCloseTo(2 - 5 + Math.log(0.7 / 0.3), 7);
  });
});
