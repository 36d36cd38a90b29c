import { makeCircles, SVC, SVR } from "argmax";
import { describe, expect, it } from "vitest";

describe("B8 SVM for classification, with kernels", () => {
  const { X, y } = makeCircles({ nSamples: 120, noise: 0.05, factor: 0.5, randomState: 3 });

  it("separates a ring from what is inside it, which no line can", () => {
    expect(new SVC({ kernel: "linear" }).fit(X, y).score(X, y)).toBeLessThan(0.8);
    expect(new SVC({ kernel: "rbf" }).fit(X, y).score(X, y)).toBe(1);
    expect(new SVC({ kernel: "quadratic", coef0: 1 }).fit(X, y).score(X, y)).toBe(1);
  });

  it("rows that are not support vectors can be left out, and nothing changes", () => {
    const machine = new SVC({ gamma: 1, tol: 1e-7 });
    const all = machine.fit(X, y);
    const some = machine.fit(
      X.selectRows(all.support),
      Array.from(all.support, (i) => y[i]!),
    );
    expect(all.support.length).toBeLessThan(40);
    const [f, g] = [all.decisionFunction(X).data, some.decisionFunction(X).data];
    // Both stop at a violation of 1e-7, with kernel values of seven digits.
    f.forEach((v, i) => {
      expect(g[i]).toBeCloseTo(v, 5);
    });
  });
});

describe("B8 SVM for regression, with kernels", () => {
  const line = Array.from({ length: 41 }, (_, i) => [i / 10 - 2]);
  const curve = line.map(([v]) => (v === 0 ? 1 : Math.sin(3 * v!) / (3 * v!)));

  it("keeps the rows in a tube of half-width ε, and needs only those on its edge", () => {
    const epsilon = 0.05;
    const model = new SVR({ gamma: 2, C: 1e4, epsilon, tol: 1e-7 }).fit(line, curve);
    const error = model.predict(line).map((fit, i) => Math.abs(fit - curve[i]!));
    for (const e of error) expect(e).toBeLessThan(epsilon + 1e-5);
    for (const i of model.support) expect(error[i]).toBeCloseTo(epsilon, 5);
    expect(model.support.length).toBeLessThan(20);
  });

  it("a wider tube needs fewer support vectors", () => {
    const counts = [0, 0.02, 0.1, 0.3].map(
      (epsilon) => new SVR({ gamma: 2, C: 10, epsilon, tol: 1e-4 }).fit(line, curve).support.length,
    );
    for (let e = 1; e < counts.length; e++) expect(counts[e]).toBeLessThan(counts[e - 1]!);
  });

  it("a tube that holds all rows is flat, in their middle, without support vectors", () => {
    const model = new SVR({ epsilon: 1 }).fit(line, curve);
    expect(model.support.length).toBe(0);
    expect(model.intercept).toBeCloseTo((Math.max(...curve) + Math.min(...curve)) / 2, 12);
    expect(model.report.objective).toBe(0);
  });

  it("two rows: the flattest line between the edges of their tubes", () => {
    // y = 0 at 0 and 1 at 1: slope 1 − 2ε through the middle (½, ½).
    const model = new SVR({ kernel: "linear", C: 100, epsilon: 0.2, tol: 1e-9 }).fit([[0], [1]], [0, 1]);
    const [at0, at1] = model.predict([[0], [1]]);
    expect(at0).toBeCloseTo(0.2, 6);
    expect(at1).toBeCloseTo(0.8, 6);
  });
});
