import { kernels, LinearSVC, Matrix, PolynomialFeatures, Random, SVC } from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";
import { alphasOf, exactMachine } from "../support/exact-machine.js";

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, v, j) => sum + v * b[j]!, 0);
const sum = (list: ArrayLike<number>) => Array.from(list).reduce((total, v) => total + v, 0);

describe("E5 maximum margin, by the support vector machine", () => {
  // Closest points of the classes: (1, 0) and (3, 2). The widest street is √8 wide and runs across their connection.
  const X = [
    [0, 0],
    [1, 0],
    [-1, 0],
    [3, 2],
    [4, 2],
    [3, 4],
  ];
  const y = [-1, -1, -1, 1, 1, 1];
  const model = new SVC({ kernel: "linear", C: Infinity, tol: 1e-9 }).fit(X, y);
  const alpha = alphasOf(model, 6);
  const w = [0, 1].map((j) => sum(X.map((x, i) => alpha[i]! * y[i]! * x[j]!)));

  it("M = 2/√(w·w) is the width of the street, and λ = 2/(w·w) leads across it: x⁺ = x⁻ + λw", () => {
    expect(model.normSquares[0]).toBeCloseTo(dot(w, w), 9);
    expect(model.marginWidths[0]).toBeCloseTo(Math.sqrt(8), 6);
    expect(model.marginWidths[0]).toBeCloseTo(2 / Math.sqrt(model.normSquares[0]!), 12);
    const lambda = 2 / model.normSquares[0]!;
    expect(1 + lambda * w[0]!).toBeCloseTo(3, 6);
    expect(0 + lambda * w[1]!).toBeCloseTo(2, 6);
  });

  it("the support vectors are the two closest points, at ±1; all others are further out", () => {
    expect([...model.support]).toEqual([1, 3]);
    expect((model.supportVectors as Matrix).toArray()).toEqual([X[1], X[3]]);
    const f = model.decisionFunction(X).data;
    expect(f[1]).toBeCloseTo(-1, 6);
    expect(f[3]).toBeCloseTo(1, 6);
    for (const i of [0, 2, 4, 5]) expect(y[i]! * f[i]!).toBeGreaterThan(1);
    // Σ α y = 0, and both α are 2/d² of the distance d between them.
    expect(alpha[1]).toBeCloseTo(2 / 8, 6);
    expect(alpha[3]).toBeCloseTo(2 / 8, 6);
  });
});

describe("X3 the street itself: +1 if w·x + b ≥ 1, −1 if w·x + b ≤ −1, undefined between", () => {
  // Asked about: rows on both sides of the street and some inside it.
  const X = [
    [0, 1],
    [0, 0],
    [3, 0],
    [4, 4],
  ];
  const y = ["minus", "minus", "plus", "plus"] as const;
  const asked = [
    [-5, 0],
    [0, 1.5],
    [1, 1],
    [1.5, 1],
    [2, 0.5],
    [9, 1],
  ];
  const machines = {
    SVC: new SVC({ kernel: "linear", C: Infinity, tol: 1e-9 }).fit(X, y),
    LinearSVC: new LinearSVC({ C: 1e5, loss: "hinge", tol: 1e-9, maxIter: 1e5 }).fit(X, y),
  };

  it.each(Object.entries(machines))("%s rejects the rows inside when asked to, and only then", (_, model) => {
    const f = model.decisionFunction(asked).data;
    const expected = Array.from(f, (z) => (z >= 1 ? "plus" : z <= -1 ? "minus" : undefined));
    expect(new Set(expected)).toEqual(new Set(["plus", "minus", undefined]));
    expect(model.predict(asked, { minMargin: 1 })).toEqual(expected);
    expect(model.predict(asked)).toEqual(Array.from(f, (z) => (z > 0 ? "plus" : "minus")));
  });

  it("gives every training row its label, since a hard margin leaves the street empty", () => {
    // Support vectors are at ±1 as exactly as the machine was solved.
    expect(machines.SVC.predict(X, { minMargin: 1 - 1e-6 })).toEqual(y);
  });

  it("moves with the threshold", () => {
    const f = machines.SVC.decisionFunction(asked).data;
    const expected = Array.from(f, (z) => (z - 0.5 >= 1 ? "plus" : z - 0.5 <= -1 ? "minus" : undefined));
    expect(machines.SVC.predict(asked, { threshold: 0.5, minMargin: 1 })).toEqual(expected);
  });

  it("of several classes: the winner of all pairs must be outside the street of each", async () => {
    const { X, y } = await loadDataset("iris");
    const model = new SVC({ kernel: "linear", decisionFunctionShape: "ovo" }).fit(X, y);
    const pairs = model.decisionFunction(X);
    const labels = model.predict(X);
    const outside = labels.map((label, i) => {
      const [a, b, c] = [pairs.at(i, 0), pairs.at(i, 1), pairs.at(i, 2)];
      // Columns: setosa over versicolor, setosa over virginica, versicolor over virginica.
      const own = { setosa: [a, b], versicolor: [-a, c], virginica: [-b, -c] }[label];
      return own.every((z) => z >= 1);
    });
    expect(outside).toContain(false);
    const expected = labels.map((label, i) => (outside[i] ? label : undefined));
    expect(model.predict(X, { minMargin: 1 })).toEqual(expected);
  });
});

describe("E6 soft margin with slack, by the support vector machine", () => {
  const random = new Random(11);
  const y = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 1 : -1));
  const touching = y.map((sign) => [sign + random.normal(), random.normal()]);
  const apart = y.map((sign) => [2 * sign + (2 * random.uniform() - 1), random.normal()]);
  const machine = (C: number) => new SVC({ kernel: "linear", C, tol: 1e-8 });

  it.each([0.01, 0.3, 1, 10])("C = %d: slacks are how far rows are inside, and cost C each", (C) => {
    const model = machine(C).fit(touching, y);
    const alpha = alphasOf(model, 40);
    const slacks = model.slacks(touching, y);
    const f = model.decisionFunction(touching).data;
    slacks.forEach((slack, i) => {
      expect(slack).toBe(Math.max(0, 1 - y[i]! * f[i]!));
      // A row with slack has paid all it can.
      if (slack > 1e-4) expect(alpha[i]).toBeCloseTo(C, 12);
    });
    const primal = 0.5 * model.normSquares[0]! + C * sum(slacks);
    // No gap is left between the primal and the dual but the tolerance.
    expect(primal / -model.report.objective).toBeCloseTo(1, 5);
  });

  it("a higher C: less slack, a narrower street", () => {
    const models = [0.001, 0.01, 0.1, 1, 10, 100].map((C) => machine(C).fit(touching, y));
    for (let e = 1; e < models.length; e++) {
      // Σ α reaches 1e3, and kernel values are rounded at 1e-7.
      expect(models[e]!.marginWidths[0]).toBeLessThanOrEqual(models[e - 1]!.marginWidths[0]! + 1e-4);
      expect(sum(models[e]!.slacks(touching, y))).toBeLessThanOrEqual(
        sum(models[e - 1]!.slacks(touching, y)) + 1e-4,
      );
    }
    expect(sum(models.at(-1)!.slacks(touching, y))).toBeGreaterThan(1);
  });

  it("C → ∞ tends to the hard margin, and is it from the largest α on", () => {
    const hard = machine(Infinity).fit(apart, y);
    const largest = Math.max(...alphasOf(hard, 40));
    const away = [0.01, 0.1, 0.5, 1.01, 1e3].map((part) =>
      Math.abs(machine(part * largest).fit(apart, y).marginWidths[0]! - hard.marginWidths[0]!),
    );
    for (let e = 1; e < away.length; e++) expect(away[e]).toBeLessThanOrEqual(away[e - 1]! + 1e-6);
    expect(away[2]).toBeGreaterThan(1e-3);
    expect(away[3]).toBeLessThan(1e-5);
    expect(away[4]).toBeLessThan(1e-5);
  });

  it("is the solution of its QP, found by trying", () => {
    const [X, c] = [touching.slice(0, 7), y.slice(0, 7)];
    const gram = X.map((a) => X.map((b) => dot(a, b)));
    for (const C of [0.05, 0.5, 5]) {
      const exact = exactMachine(gram, c, { C })!;
      expect(machine(C).fit(X, c).report.objective).toBeCloseTo(exact.objective, 5);
    }
  });
});

describe("E7 the dual form, kernels, one class against the rest", async () => {
  const { X, y } = await loadDataset("iris");

  it("w·x + b = Σ α y x·xˡ + b, α ≥ 0, Σ α y = 0", () => {
    const two = Int32Array.from({ length: 100 }, (_, i) => 50 + i);
    const rows = X.selectRows(two);
    const labels = Array.from(two, (i) => y[i]!);
    const model = new SVC({ kernel: "linear", tol: 1e-6 }).fit(rows, labels);
    const signs = labels.map((label) => (label === model.classes[1] ? 1 : -1));
    const alpha = alphasOf(model, 100);
    expect(dot(alpha, signs)).toBeCloseTo(0, 10);
    model.support.forEach((i, s) => {
      expect(model.dualCoef.at(0, s)).toBe(signs[i]! * alpha[i]!);
    });
    const w = Array.from({ length: 4 }, (_, j) =>
      sum(signs.map((sign, i) => sign * alpha[i]! * rows.at(i, j))),
    );
    model.decisionFunction(rows).data.forEach((f, i) => {
      expect(f).toBeCloseTo(dot(w, rows.row(i)) + model.intercept[0]!, 9);
    });
  });

  it("K(x, z) = φ(x)·φ(z): the quadratic kernel is the linear machine of mapped rows", () => {
    const map = new PolynomialFeatures({ degree: 2 }).fit(X);
    const scale = map.powers
      .toArray()
      .map((powers) => (sum(powers) === 0 || powers.includes(2) ? 1 : Math.SQRT2));
    const features = map.transform(X);
    const phi = new Matrix(
      features.data.map((v, e) => v * scale[e % features.cols]!),
      features.rows,
      features.cols,
    );
    const short = { C: 1e-3, tol: 1e-7 };
    const mapped = new SVC({ kernel: "linear", ...short }).fit(phi, y);
    const kernel = new SVC({ kernel: kernels.quadratic({ gamma: 1, coef0: 1 }), ...short }).fit(X, y);
    expect(kernel.predict(X)).toEqual(mapped.predict(phi));
    const [f, g] = [kernel.decisionFunction(X).data, mapped.decisionFunction(phi).data];
    // Kernel values of up to 1e4, in 32 bits, and α of 1e-3.
    f.forEach((v, e) => {
      expect(v).toBeCloseTo(g[e]!, 4);
    });
  });

  it("each class has a machine against all others, and the highest margin decides", () => {
    const options = { gamma: 0.5, tol: 1e-6 } as const;
    const model = new SVC({ ...options, multiClass: "ovr" }).fit(X, y);
    const z = model.decisionFunction(X);
    expect([z.rows, z.cols]).toEqual([150, 3]);
    model.classes.forEach((name, k) => {
      const alone = new SVC(options).fit(
        X,
        y.map((label) => (label === name ? 1 : 0)),
      );
      alone.decisionFunction(X).data.forEach((f, i) => {
        expect(z.at(i, k)).toBeCloseTo(f, 9);
      });
    });
    model.predict(X).forEach((label, i) => {
      expect(z.at(i, model.classes.indexOf(label))).toBe(Math.max(...z.row(i)));
    });
    expect(model.score(X, y)).toBeGreaterThan(0.97);
  });
});
