import { afterEach, describe, expect, it } from "vitest";
import { apart, normals } from "../../test/support/random-rows.js";
import { DataError } from "../core/errors.js";
import { Matrix } from "../data/matrix.js";
import { kernelMatrix, kernels } from "../kernel-functions/index.js";
import { trainingRows } from "../kernel-functions/training-rows.js";
import { Ridge } from "../linear/ridge.js";
import { setThreads, threads } from "../numeric/runtime/threads.js";
import { KernelRidge } from "./index.js";
import { ridgeByCholesky } from "./ridge-cholesky.js";
import { ridgeByConjugateGradients } from "./ridge-conjugate-gradients.js";

const all = threads();
afterEach(() => setThreads(all));

function curve(rows: number, cols: number, seed: number) {
  const x = normals(rows, cols, seed);
  const y = Float64Array.from(
    { length: rows },
    (_, i) => 2 + Math.sin(2 * x.at(i, 0)) + x.at(i, 1) * x.at(i, 2),
  );
  return { x, y, weights: Float64Array.from({ length: rows }, (_, i) => 1 + (i % 3)) };
}

describe("KernelRidge", () => {
  for (const [n, d] of [
    [60, 4],
    [450, 7],
    [8, 20],
  ] as const) {
    for (const alpha of [10, 1, 1e-4, 1e-10, 0]) {
      it(`is Ridge with the linear kernel: ${n} × ${d}, alpha = ${alpha}`, () => {
        const { x, y, weights } = curve(n, d, n);
        const z = normals(30, d, 5);
        for (const fitIntercept of [true, false]) {
          const params = { alpha, fitIntercept };
          const kernel = new KernelRidge({ ...params, kernel: "linear" }).fit(x, y, {
            sampleWeight: weights,
          });
          const linear = new Ridge(params).fit(x, y, { sampleWeight: weights });
          // The dual system squares nothing, but its condition is that of X Xᵀ/α: up to 1e9 before pivots are used instead.
          expect(apart(kernel.predict(z), linear.predict(z))).toBeLessThan(1e-6);
          expect(Math.abs(kernel.intercept - linear.intercept)).toBeLessThan(1e-6);
          const excess = kernel.report.objective - linear.report.objective;
          expect(Math.abs(excess)).toBeLessThan(1e-6 * (1 + linear.report.objective));
        }
      });
    }
  }

  it("solves (K + α S⁻¹) c = y − b, Σ c = 0", () => {
    const { x, y, weights } = curve(120, 3, 2);
    const kernel = kernels.rbf({ gamma: 0.4 });
    const K = kernelMatrix(kernel, x);
    const model = new KernelRidge({ kernel, alpha: 0.3, fitIntercept: true }).fit(x, y, {
      sampleWeight: weights,
    });
    const c = model.dualCoef;
    expect(Math.abs(c.reduce((sum, v) => sum + v, 0))).toBeLessThan(1e-9);
    const left = Float64Array.from(y, (_, i) => {
      const product = K.row(i).reduce((sum, k, t) => sum + k * c[t]!, 0);
      return product + (0.3 / weights[i]!) * c[i]! + model.intercept;
    });
    expect(apart(left, y)).toBeLessThan(1e-10);
    const f = model.predict(x);
    const errors = y.reduce((sum, v, i) => sum + weights[i]! * (v - f[i]!) ** 2, 0);
    const size = c.reduce((sum, v, i) => sum + v * (f[i]! - model.intercept), 0);
    expect(model.report.objective).toBeCloseTo(errors + 0.3 * size, 8);
  });

  it("finds by conjugate gradients what Cholesky finds, the same bits on any number of threads", () => {
    const { x, y, weights } = curve(900, 6, 3);
    const training = trainingRows("test", kernels.rbf(), { x }, undefined);
    const ridge = weights.map((s) => 0.5 / s);
    const sides = [y, new Float64Array(y.length).fill(1)];
    const system = { where: "test", training, ridge, y: sides };
    const direct = ridgeByCholesky(system)!;
    const iterated = ridgeByConjugateGradients(system)!;
    for (const v of [0, 1]) expect(apart(iterated.solutions[v]!, direct.solutions[v]!)).toBeLessThan(1e-8);
    expect(iterated.residual).toBeLessThan(1e-8);
    setThreads(1);
    expect(ridgeByConjugateGradients(system)).toEqual(iterated);
    expect(ridgeByCholesky(system)).toEqual(direct);
  });

  it("says how it was solved: steps while the ridge is strong, then a factor, then pivots", () => {
    const { x, y } = curve(500, 3, 4);
    const solver = (alpha: number) => new KernelRidge({ alpha, gamma: 0.05 }).fit(x, y).report.solver;
    expect(solver(1)).toBe("conjugateGradients");
    expect(solver(1e-4)).toBe("cholesky");
    expect(solver(1e-12)).toBe("pivotedCholesky");
    expect(solver(0)).toBe("pivotedCholesky");
  });

  it("without a ridge goes through every point that it can, and averages copies", () => {
    const { x, y } = curve(40, 3, 6);
    expect(apart(new KernelRidge({ alpha: 0, gamma: 1 }).fit(x, y).predict(x), y)).toBeLessThan(1e-6);
    const model = new KernelRidge({ alpha: 0, gamma: 1 }).fit([[0], [0], [5]], [1, 3, 7]);
    expect(apart(model.predict([[0], [5]]), [2, 7])).toBeLessThan(1e-9);
  });

  it("takes one row, constant columns, copies, more columns than rows, and precomputed matrices", () => {
    expect(new KernelRidge({ alpha: 1 }).fit([[3]], [4]).predict([[3]])[0]).toBeCloseTo(2, 12);
    const { x, y } = curve(50, 3, 7);
    const wide = new Matrix(
      x.data.map((v, e) => (e % 3 === 1 ? 5 : v)),
      50,
      3,
    );
    expect(new KernelRidge().fit(wide, y).predict(wide).every(Number.isFinite)).toBe(true);
    const K = kernelMatrix(kernels.rbf({ gamma: 0.3 }), x);
    const model = new KernelRidge({ kernel: "precomputed" }).fit(K, y);
    expect(apart(model.predict(K), new KernelRidge({ gamma: 0.3 }).fit(x, y).predict(x))).toBeLessThan(1e-12);
  });

  it("refuses what it cannot solve", () => {
    const many = Matrix.zeros(20_001, 1);
    expect(() => new KernelRidge().fit(many, new Float64Array(20_001))).toThrow(
      /at most 20000 rows.*Nystroem/s,
    );
    expect(() => new KernelRidge({ kernel: "thinPlate" })).toThrow(/positive definite/);
    const indefinite = [
      [0, 1],
      [1, 0],
    ];
    expect(() => new KernelRidge({ kernel: "precomputed", alpha: 0.1 }).fit(indefinite, [1, 2])).toThrow(
      DataError,
    );
    expect(() => new KernelRidge({ kernel: "linear" }).fit([[1e200], [1]], [1, 2])).toThrow(DataError);
  });
});
