import { afterEach, describe, expect, it } from "vitest";
import { corners, xor } from "../../test/support/corners.js";
import { normals } from "../../test/support/random-rows.js";
import { Random } from "../core/numbers/random.js";
import { loadDataset } from "../datasets/index.js";
import { type FormulaName, formulaNames } from "../kernel-functions/kernel.js";
import { bindKernel, kernelOf } from "../kernel-functions/kernel-params.js";
import { kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import { kernelRows } from "../numeric/kernel-functions/kernel-scores.js";
import { kernelValue } from "../numeric/kernel-functions/kernel-tree.js";
import { setThreads, threads } from "../numeric/runtime/threads.js";
import { SVC, SVR } from "./index.js";

/** Classes that overlap: the sign of a curved function, some of it turned round. */
function overlapping(rows: number, cols: number, seed: number) {
  const x = normals(rows, cols, seed);
  const random = new Random(seed + 1);
  const y = Array.from({ length: rows }, (_, i) => {
    const inside = x.at(i, 0) ** 2 + x.at(i, 1) > 0.8;
    return inside !== random.uniform() < 0.1 ? "in" : "out";
  });
  return { x, y };
}

const [gamma, c] = [0.7, 1.3];
const formulas: Readonly<Record<FormulaName, (dot: number, r: number) => number>> = {
  linear: (dot) => dot,
  poly: (dot) => (gamma * dot + c) ** 3,
  quadratic: (dot) => (gamma * dot + c) ** 2,
  sigmoid: (dot) => Math.tanh(gamma * dot + c),
  rbf: (_, r) => Math.exp(-gamma * r * r),
  exponential: (_, r) => Math.exp(-gamma * r),
  laplacian: (_, r) => Math.exp(-gamma * r),
  multiquadric: (_, r) => Math.sqrt(r * r + c * c),
  inverseMultiquadric: (_, r) => 1 / Math.sqrt(r * r + c * c),
  rationalQuadratic: (_, r) => 1 - (r * r) / (r * r + c),
  thinPlate: (_, r) => (r === 0 ? 0 : r * r * Math.log(r)),
};

describe("kernels", () => {
  it.each(formulaNames)("%s is its formula", (name) => {
    // 19 points and 5 columns: panels of eight that are not full.
    const x = normals(19, 5, 3);
    const z = normals(7, 5, 4);
    const kernel = bindKernel(kernelOf("test", { kernel: name, gamma, degree: 3, coef0: c }), x, undefined);
    if (kernel.kind !== "tree") throw new Error("a formula is a tree");
    const values = kernelRows("test", z, kernelPoints(x, kernel.tree), kernel.tree);
    for (let i = 0; i < 7; i++) {
      for (let s = 0; s < 19; s++) {
        const [a, b] = [z.row(i), x.row(s)];
        const dot = a.reduce((sum, v, j) => sum + v * b[j]!, 0);
        const r = Math.sqrt(a.reduce((sum, v, j) => sum + (v - b[j]!) ** 2, 0));
        expect(values.at(i, s)).toBeCloseTo(formulas[name](dot, r), 11);
        expect(kernelValue(kernel.tree, a, b)).toBeCloseTo(formulas[name](dot, r), 11);
      }
    }
  });
});

describe("SVC", () => {
  const before = threads();
  afterEach(() => setThreads(before));

  it.each([0.01, 1, 100])("meets the conditions of optimality, C = %d", (C) => {
    const { x, y } = overlapping(300, 3, 7);
    const tol = 1e-4;
    const model = new SVC({ C, tol }).fit(x, y);
    const f = model.decisionFunction(x).data;
    const alpha = new Float64Array(300);
    for (const [s, i] of model.support.entries()) alpha[i] = model.dualCoef.data[s]!;
    // Σ yα = 0, and each row is where its α says: outside the margin, on it, or inside.
    expect(alpha.reduce((sum, a) => sum + a, 0)).toBeCloseTo(0, 9);
    for (let i = 0; i < 300; i++) {
      const sign = y[i] === "out" ? 1 : -1;
      const margin = sign * f[i]!;
      const size = Math.abs(alpha[i]!);
      expect(sign * alpha[i]!).toBeGreaterThanOrEqual(0);
      // Kernel values are kept in 32 bits: margins of size C Σ k move by 1e-7 of that.
      const slack = tol + 1e-5 * C;
      if (size === 0) expect(margin).toBeGreaterThanOrEqual(1 - slack);
      else if (size < C) expect(Math.abs(margin - 1)).toBeLessThanOrEqual(slack);
      else expect(margin).toBeLessThanOrEqual(1 + slack);
    }
  });

  it("learns the same with little cache, without shrinking, and with one thread", () => {
    const { x, y } = overlapping(1500, 6, 9);
    const all = new SVC({ tol: 1e-5 }).fit(x, y);
    // Six kilobytes a row: forty rows of 1,500 fit, and rows have to be given up and shrunk.
    const small = new SVC({ tol: 1e-5, cacheSize: 0.25 }).fit(x, y);
    const whole = new SVC({ tol: 1e-5, cacheSize: 0.25, shrinking: false }).fit(x, y);
    for (const other of [small, whole]) {
      expect(Math.abs(other.report.objective / all.report.objective - 1)).toBeLessThan(1e-7);
      expect(other.predict(x)).toEqual(all.predict(x));
    }
    setThreads(1);
    const alone = new SVC({ tol: 1e-5, cacheSize: 0.25 }).fit(x, y);
    expect(alone.dualCoef).toEqual(small.dualCoef);
    expect(alone.intercept).toEqual(small.intercept);
  });

  it("takes equal points of opposite classes, and a kernel that cannot tell any apart", () => {
    const x = [[0], [0], [1], [1], [2], [2]];
    const model = new SVC({ C: 2 }).fit(x, ["a", "b", "a", "b", "a", "b"]);
    expect(model.report.converged).toBe(true);
    for (const v of model.decisionFunction(x).data) expect(v).toBeCloseTo(0, 2);
    const flat = new SVC({ kernel: "poly", degree: 0, coef0: 1 }).fit([[0], [1], [2]], ["a", "b", "b"]);
    expect(flat.predict([[5]])).toEqual(["b"]);
  });

  it("knows its street: margins, its width, slacks", () => {
    // The widest street between (−1, ·) and (1, ·) is 2 wide; the row at 0.5 is inside it.
    const x = [
      [-1, 0],
      [-1, 1],
      [1, 0],
      [1, 1],
      [0.5, 0.5],
    ];
    const hard = new SVC({ kernel: "linear", C: 1000, tol: 1e-6 }).fit(x.slice(0, 4), ["a", "a", "b", "b"]);
    expect(hard.marginWidths[0]).toBeCloseTo(2, 5);
    const { functional, geometric } = hard.margins(x, ["a", "a", "b", "b", "b"]);
    expect(functional[4]).toBeCloseTo(0.5, 5);
    expect(geometric[0]).toBeCloseTo(1, 5);
    const slacks = hard.slacks(x, ["a", "a", "b", "b", "b"]);
    expect(slacks[4]).toBeCloseTo(0.5, 5);
    expect(Math.max(...slacks.subarray(0, 4))).toBeLessThan(1e-5);
  });

  it("solves XOR, which no plane can", () => {
    expect(new SVC({ kernel: "rbf", gamma: 1, C: 10 }).fit(corners, xor).predict(corners)).toEqual(xor);
    expect(
      new SVC({ kernel: "quadratic", gamma: 1, coef0: 1, C: 10 }).fit(corners, xor).predict(corners),
    ).toEqual(xor);
  });

  it("one against the rest goes by the highest margin", async () => {
    const { X, y } = await loadDataset("iris");
    const model = new SVC({ multiClass: "ovr" }).fit(X, y);
    const z = model.decisionFunction(X);
    expect(z.cols).toBe(3);
    expect(model.score(X, y)).toBeGreaterThan(0.95);
    const best = Array.from({ length: X.rows }, (_, i) => {
      const row = Array.from(z.row(i));
      return model.classes[row.indexOf(Math.max(...row))];
    });
    expect(model.predict(X)).toEqual(best);
  });

  it("refuses numbers whose kernels do not fit, and a kernel that would divide by 0", () => {
    expect(() => new SVC({ kernel: "linear" }).fit([[1e30], [-1e30]], [0, 1])).toThrow(/Scale it/);
    expect(() => new SVC({ kernel: "rationalQuadratic" })).toThrow(/coef0 must be > 0/);
  });
});

describe("SVC of many classes", () => {
  it("takes time in proportion to the pairs of classes", () => {
    // 120 classes are 7,140 problems of 6 rows.
    const x = Array.from({ length: 360 }, (_, i) => [i % 12, Math.floor((i % 120) / 12)]);
    const y = Array.from({ length: 360 }, (_, i) => `class ${i % 120}`);
    expect(new SVC({ gamma: 4 }).fit(x, y).score(x, y)).toBe(1);
  }, 10_000);
});

describe("SVR", () => {
  it("leaves rows inside the tube without a coefficient", () => {
    const x = normals(200, 2, 5);
    const y = Float64Array.from({ length: 200 }, (_, i) => Math.sin(2 * x.at(i, 0)) + 0.3 * x.at(i, 1));
    const epsilon = 0.2;
    const model = new SVR({ C: 10, epsilon, tol: 1e-5 }).fit(x, y);
    const fitted = model.predict(x);
    const used = new Set(model.support);
    for (let i = 0; i < 200; i++) {
      if (!used.has(i)) expect(Math.abs(fitted[i]! - y[i]!)).toBeLessThanOrEqual(epsilon + 1e-3);
      else expect(Math.abs(fitted[i]! - y[i]!)).toBeGreaterThanOrEqual(epsilon - 1e-3);
    }
    expect(model.score(x, y)).toBeGreaterThan(0.9);
  });
});
