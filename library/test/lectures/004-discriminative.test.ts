import {
  gaussianPrior,
  LinearClassifier,
  LinearSVC,
  LogisticRegression,
  l1,
  l2,
  logistic,
  SoftmaxRegression,
  sgd,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

const iris = await loadDataset("iris");
const two = Array.from({ length: 100 }, (_, i) => i);
const X2 = iris.X.selectRows(two);
const y2 = two.map((i) => iris.y[i]!);
const sigmoid = (h: number) => 1 / (1 + Math.exp(-h));

describe("E2 dot products, projections, hyperplanes", () => {
  it("the decision value over ‖w‖ is the signed distance from the plane", () => {
    const model = new LogisticRegression().fit(X2, y2);
    const w = model.coef.row(0);
    const size = Math.sqrt(w.reduce((sum, v) => sum + v * v, 0));
    const x = X2.row(7);
    const z = model.decisionFunction([x]).data[0]!;
    // Walking −z/‖w‖ along the unit normal ends on the plane.
    const foot = x.map((v, j) => v - (z / size) * (w[j]! / size));
    expect(model.decisionFunction([foot]).data[0]!).toBeCloseTo(0, 12);
  });
});

describe("E3 logistic regression by per-example ascent", () => {
  const X = [
    [0.5, -1],
    [2, 0.3],
    [-1, 1.5],
    [0.1, 0.2],
  ];
  const y = [1, 0, 1, 0];
  const N = X.length;

  it("w ← w + ε[x(y − g) − w/(λN)] is the sgd solver with a constant rate and a Gaussian prior", () => {
    const eps = 0.3;
    const lambda = 2;
    const w = [0, 0];
    let b = 0;
    for (let pass = 0; pass < 3; pass++) {
      for (let i = 0; i < N; i++) {
        const g = sigmoid(w[0]! * X[i]![0]! + w[1]! * X[i]![1]! + b);
        for (const j of [0, 1]) w[j]! += eps * (X[i]![j]! * (y[i]! - g) - w[j]! / (lambda * N));
        b += eps * (y[i]! - g);
      }
    }
    const model = new LinearClassifier({
      loss: logistic(),
      // e^(−w²/2λ): a Gaussian prior of variance λ.
      penalty: gaussianPrior(Math.sqrt(lambda)),
      solver: sgd({ learningRate: "constant", eta0: eps, shuffle: false }),
      maxIter: 3,
    }).fit(X, y);
    expect(model.coef.at(0, 0)).toBeCloseTo(w[0]!, 12);
    expect(model.coef.at(0, 1)).toBeCloseTo(w[1]!, 12);
    expect(model.intercept[0]).toBeCloseTo(b, 12);
  });

  it("strength 1/λ: the L2 MAP fit is LogisticRegression with C = λ, and L1 gives zeros", () => {
    const lambda = 0.5;
    const map = new LinearClassifier({ loss: logistic(), penalty: l2(1 / (lambda * 100)), tol: 1e-8 }).fit(
      X2,
      y2,
    );
    const named = new LogisticRegression({ C: lambda, tol: 1e-8 }).fit(X2, y2);
    for (let j = 0; j < 4; j++) expect(map.coef.at(0, j)).toBeCloseTo(named.coef.at(0, j), 8);
    const sparse = new LogisticRegression({ C: 0.1, penalty: "l1" }).fit(X2, y2);
    expect(sparse.coef.data.filter((v) => v === 0).length).toBeGreaterThan(0);
    expect(l1(0.1).l1).toBe(0.1);
  });
});

describe("E4 multiclass logistic with a reference class", () => {
  const symmetric = new SoftmaxRegression({ penalty: "none", tol: 1e-6, maxIter: 500 }).fit(iris.X, iris.y);
  const reference = new SoftmaxRegression({
    penalty: "none",
    form: "reference",
    tol: 1e-6,
    maxIter: 500,
  }).fit(iris.X, iris.y);

  it("has (N + 1)(M − 1) parameters, and the last class scores 0", () => {
    expect(reference.nParameters).toBe(5 * 2);
    expect(symmetric.nParameters).toBe(5 * 3);
    expect(reference.coef.row(2).every((w) => w === 0)).toBe(true);
    expect(reference.intercept[2]).toBe(0);
  });

  it("gives the same probabilities as the symmetric form", () => {
    const p = symmetric.predictProba(iris.X);
    const q = reference.predictProba(iris.X);
    // Unpenalised irises are nearly separable: the optimum is flat, so probabilities agree to the digits it fixes.
    for (let e = 0; e < p.data.length; e++) expect(q.data[e]).toBeCloseTo(p.data[e]!, 3);
    expect(reference.report.objective).toBeCloseTo(symmetric.report.objective, 5);
  });
});

describe("E5 maximum margin", () => {
  // Closest points of the classes: (1, 0) and (3, 0). The widest street is 2 wide, its middle x = 2.
  const X = [
    [0, 1],
    [1, 0],
    [0, -1],
    [3, 0],
    [4, 1],
    [4, -1],
  ];
  const y = ["left", "left", "left", "right", "right", "right"];
  const model = new LinearSVC({ loss: "hinge", C: 1e4, tol: 1e-7 }).fit(X, y);

  it("M = 2/√(w·w) is the width of the street", () => {
    expect(model.marginWidths[0]).toBeCloseTo(2, 6);
    expect(model.coef.at(0, 0)).toBeCloseTo(1, 6);
    expect(model.coef.at(0, 1)).toBeCloseTo(0, 6);
    expect(model.intercept[0]).toBeCloseTo(-2, 6);
  });

  it("the support vectors are the rows with functional margin 1", () => {
    const { functional, minFunctional, minGeometric } = model.margins(X, y);
    const support = [...functional.keys()].filter((i) => functional[i]! < 1 + 1e-5);
    expect(support).toEqual([1, 3]);
    expect(minFunctional).toBeCloseTo(1, 6);
    expect(minGeometric).toBeCloseTo(1, 6);
  });
});

describe("E6 soft margin with slack", () => {
  const X = [[0], [1], [2], [3], [1.8]];
  const y = [-1, -1, 1, 1, -1];

  it("slacks are max(0, 1 − margin) and enter the objective ½‖w‖² + C Σ ξ", () => {
    const model = new LinearSVC({ loss: "hinge", C: 0.7, tol: 1e-7 }).fit(X, y);
    const slack = model.slacks(X, y);
    const { functional } = model.margins(X, y);
    slack.forEach((s, i) => {
      expect(s).toBeCloseTo(Math.max(0, 1 - functional[i]!), 12);
    });
    const objective = 0.5 * model.coef.data[0]! ** 2 + 0.7 * slack.reduce((a, b) => a + b, 0);
    expect(model.report.objective).toBeCloseTo(objective, 8);
  });

  it("C → ∞ tends to the hard margin", () => {
    const hard = 2 / (2 - 1.8);
    const widths = [1, 100, 1e4].map(
      (C) => 2 / new LinearSVC({ loss: "hinge", C, tol: 1e-7 }).fit(X, y).marginWidths[0]!,
    );
    expect(widths[2]).toBeCloseTo(hard, 4);
    expect(Math.abs(widths[2]! - hard)).toBeLessThanOrEqual(Math.abs(widths[0]! - hard));
  });
});
