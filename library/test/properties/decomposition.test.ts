import { describe, expect, it } from "vitest";
import { Matrix } from "../../src/data/matrix.js";
import { KernelPCA, PCA } from "../../src/decomposition/index.js";
import { fc } from "../support/properties.js";

/** Rows of noise of full rank: more rows than columns, or fewer. */
const rows = fc
  .tuple(
    fc.integer({ min: 1, max: 60 }),
    fc.integer({ min: 2, max: 80 }),
    fc.integer({ min: 0, max: 2 ** 31 }),
  )
  .map(([cols, count, seed]) => {
    let state = seed;
    const next = () => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return state / 2 ** 31;
    };
    return Matrix.fromRows(Array.from({ length: count }, () => Array.from({ length: cols }, next)));
  });

/** Largest |a − b|. */
const gap = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((most, value, e) => Math.max(most, Math.abs(value - b[e]!)), 0);

describe("principal components", () => {
  it("all of them give the rows back, whichever solver found them", () => {
    fc.assert(
      fc.property(rows, fc.constantFrom("auto", "covariance", "gram"), (X, svdSolver) => {
        const model = new PCA({ svdSolver }).fit(X);
        expect(gap(model.inverseTransform(model.transform(X)).data, X.data)).toBeLessThan(1e-7);
        expect(model.explainedVarianceRatio.reduce((sum, r) => sum + r, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  it("are orthonormal, also where rows leave directions without variance", () => {
    fc.assert(
      fc.property(rows, fc.constantFrom("covariance", "gram"), (X, svdSolver) => {
        const { components } = new PCA({ svdSolver }).fit(X);
        for (let a = 0; a < components.rows; a++) {
          for (let b = 0; b <= a; b++) {
            const dot = components.row(a).reduce((sum, v, j) => sum + v * components.at(b, j), 0);
            expect(Math.abs(dot - (a === b ? 1 : 0))).toBeLessThan(1e-8);
          }
        }
      }),
    );
  });

  it("whitened scores have covariance I", () => {
    fc.assert(
      fc.property(rows, (X) => {
        // Rows less their mean span one direction less than there are rows.
        const nComponents = Math.min(X.rows - 1, X.cols);
        const Z = new PCA({ nComponents, whiten: true }).fit(X).transform(X);
        for (let a = 0; a < Z.cols; a++) {
          for (let b = 0; b <= a; b++) {
            let sum = 0;
            for (let i = 0; i < Z.rows; i++) sum += Z.at(i, a) * Z.at(i, b);
            expect(Math.abs(sum / (Z.rows - 1) - (a === b ? 1 : 0))).toBeLessThan(1e-5);
          }
        }
      }),
    );
  });

  it("do not depend on the order of rows or their place; a rotation of X turns components, not variances", () => {
    fc.assert(
      fc.property(rows, (X) => {
        const variances = new PCA().fit(X).explainedVariance;
        const order = Array.from({ length: X.rows }, (_, i) => X.rows - 1 - i);
        const moved = new Matrix(
          X.data.map((v) => v + 1000),
          X.rows,
          X.cols,
        );
        const turned = rotated(X);
        for (const other of [X.selectRows(order), moved, turned])
          expect(gap(new PCA().fit(other).explainedVariance, variances)).toBeLessThan(1e-10);
      }),
    );
  });

  it("in the feature space of the linear kernel are those of X", () => {
    fc.assert(
      fc.property(rows, (X) => {
        const nComponents = Math.min(X.rows - 1, X.cols, 3);
        const plain = new PCA({ nComponents }).fit(X);
        const kernel = new KernelPCA({ kernel: "linear", nComponents }).fit(X);
        const squares = plain.singularValues.map((s) => s * s);
        expect(gap(kernel.eigenvalues, squares)).toBeLessThan(1e-9 * squares[0]!);
      }),
    );
  });
});

/** The first two columns turned by 36.87°. */
function rotated(X: Matrix): Matrix {
  const out = new Matrix(X.data.slice(), X.rows, X.cols);
  if (X.cols < 2) return out;
  for (let i = 0; i < X.rows; i++) {
    out.data[i * X.cols] = 0.8 * X.at(i, 0) - 0.6 * X.at(i, 1);
    out.data[i * X.cols + 1] = 0.6 * X.at(i, 0) + 0.8 * X.at(i, 1);
  }
  return out;
}
