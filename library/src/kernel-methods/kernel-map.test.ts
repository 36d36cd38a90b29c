import { describe, expect, it } from "vitest";
import { apart, normals, products } from "../../test/support/random-rows.js";
import { DataError, ParameterError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { kernelMatrix, kernels } from "../kernel-functions/index.js";
import { KernelMap, Nystroem } from "./index.js";

// Of factors with pivots down to 1e-12 of the diagonal: their roots, times some rounding.
const EXACT = 1e-9;

const parts = [
  kernels.linear(),
  kernels.quadratic({ gamma: 0.3 }),
  kernels.polynomial({ gamma: 0.2, degree: 4 }),
  kernels.rbf({ gamma: 0.2 }),
  kernels.laplacian({ gamma: 0.5 }),
  kernels.inverseMultiquadric(),
  kernels.rationalQuadratic({ coef0: 2 }),
  kernels.sum(kernels.linear(), kernels.rbf()),
  kernels.product(kernels.linear({ coef0: 1 }), kernels.rbf()),
];

describe("KernelMap", () => {
  for (const kernel of parts) {
    it(`has the ${kernel.name} kernel's values for products, with training rows and with new ones`, () => {
      const x = normals(170, 4, 1);
      const z = normals(30, 4, 2);
      // γ of one matrix for all of them.
      const everything = kernelMatrix(kernel, x, Matrix.fromRows([...rowsOf(x), ...rowsOf(z)]));
      const { model, X } = new KernelMap({ kernel }).fitAndTransform(x);
      const Z = model.transform(z);
      const scale = everything.data.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
      const both = Matrix.fromRows([...rowsOf(X), ...rowsOf(Z)]);
      expect(apart(products(X, both).data, everything.data) / scale).toBeLessThan(EXACT);
      expect(apart(model.transform(x).data, X.data) / Math.sqrt(scale)).toBeLessThan(EXACT);
    });
  }

  it("has as many columns as the kernel matrix has rank", () => {
    const columns = (x: Matrix, kernel: "linear" | "rbf" | "quadratic") =>
      new KernelMap({ kernel, coef0: 1, gamma: 1 }).fit(x).nComponents;
    const x = normals(200, 3, 4);
    expect(columns(x, "linear")).toBe(3);
    // 1, x_j, x_j x_l.
    expect(columns(x, "quadratic")).toBe(10);
    expect(columns(normals(7, 30, 4), "linear")).toBe(7);
    const twice = Matrix.fromRows([...rowsOf(x), ...rowsOf(x)]);
    expect(columns(twice, "rbf")).toBe(columns(x, "rbf"));
    expect(columns(Matrix.zeros(5, 2), "linear")).toBe(1);
    expect(columns(Matrix.fromRows([[2, 1]]), "rbf")).toBe(1);
  });

  it("leaves out no more of the trace than tol", () => {
    const x = normals(300, 2, 5);
    for (const tol of [0.3, 1e-2, 1e-5]) {
      const X = new KernelMap({ gamma: 0.1, tol }).fitTransform(x);
      let left = 0;
      for (let i = 0; i < x.rows; i++) left += 1 - X.row(i).reduce((sum, v) => sum + v * v, 0);
      expect(left).toBeLessThanOrEqual(tol * x.rows);
      expect(left).toBeGreaterThanOrEqual(-1e-10);
      expect(X.cols).toBeLessThan(60);
    }
  });

  it("takes sparse rows, precomputed matrices and functions for the same kernel", () => {
    const x = normals(60, 5, 6);
    for (let e = 0; e < x.data.length; e++) if (e % 4 > 0) x.data[e] = 0;
    const gamma = 0.4;
    const K = kernelMatrix(kernels.rbf({ gamma }), x);
    const value = (a: Float64Array, b: Float64Array) =>
      Math.exp(-gamma * a.reduce((sum, v, j) => sum + (v - b[j]!) ** 2, 0));
    const sparse = CsrMatrix.fromDense(x);
    const maps = [
      new KernelMap({ gamma }).fitTransform(sparse),
      new KernelMap({ kernel: "precomputed" }).fitTransform(K),
      new KernelMap({ kernel: value }).fitTransform(x),
    ];
    for (const X of maps) expect(apart(products(X, X).data, K.data)).toBeLessThan(EXACT);
    const precomputed = new KernelMap({ kernel: "precomputed" }).fit(K);
    const rows = K.selectRows(Int32Array.of(3, 50));
    expect(
      apart(products(precomputed.transform(rows), precomputed.transform(K)).data, rows.data),
    ).toBeLessThan(EXACT);
  });

  it("refuses kernels that are not inner products, by what they say or by their matrix", () => {
    expect(() => new KernelMap({ kernel: "sigmoid" })).toThrow(ParameterError);
    expect(() => new KernelMap({ kernel: kernels.multiquadric() })).toThrow(/positive definite/);
    const indefinite = [
      [
        [1, 2],
        [2, 1],
      ],
      [
        [0, 1],
        [1, 0],
      ],
      [
        [1, 0],
        [0, -1],
      ],
    ];
    for (const K of indefinite)
      expect(() => new KernelMap({ kernel: "precomputed" }).fit(K)).toThrow(/negative eigenvalues/);
    const distance = (a: Float64Array, b: Float64Array) => Math.abs(a[0]! - b[0]!);
    expect(() => new KernelMap({ kernel: distance }).fit([[0], [1], [3]])).toThrow(DataError);
  });

  it("says when kernel values do not fit a double", () => {
    expect(() => new KernelMap({ kernel: "linear" }).fit([[1e160], [1]])).toThrow(
      /row 0 of X must be small enough/,
    );
    const model = new KernelMap({ kernel: "poly", degree: 5, coef0: 1, gamma: 1 }).fit([[1], [2]]);
    expect(() => model.transform([[1e100]])).toThrow(DataError);
  });
});

describe("Nystroem", () => {
  it("has the products k(x, x_b) K_bb⁻¹ k(x_b, z) of the rows b that it drew", () => {
    const x = normals(300, 4, 7);
    const z = normals(40, 4, 8);
    const kernel = kernels.rbf({ gamma: 0.2 });
    const model = new Nystroem({ kernel, nComponents: 20, randomState: 3 }).fit(x);
    const b = x.selectRows(model.componentIndices);
    expect(apart(b.data, (model.components as Matrix).data)).toBe(0);
    expect(new Set(model.componentIndices).size).toBe(20);
    const solved = solve(kernelMatrix(kernel, b), kernelMatrix(kernel, b, x));
    const expected = products(kernelMatrix(kernel, z, b), transposed(solved));
    expect(apart(products(model.transform(z), model.transform(x)).data, expected.data)).toBeLessThan(EXACT);
  });

  it("is the whole map when the sample is everything, and loses what the sample does not span", () => {
    const x = normals(50, 3, 9);
    const K = kernelMatrix(kernels.rbf({ gamma: 0.5 }), x);
    const error = (nComponents: number) => {
      const X = new Nystroem({ gamma: 0.5, nComponents }).fitTransform(x);
      return apart(products(X, X).data, K.data);
    };
    expect(error(1000)).toBeLessThan(EXACT);
    expect(error(5)).toBeGreaterThan(0.1);
  });

  it("draws other rows with another seed, and has no column for a copy", () => {
    const x = normals(200, 3, 10);
    const rows = (randomState: number) => [
      ...new Nystroem({ nComponents: 9, randomState }).fit(x).componentIndices,
    ];
    expect(rows(1)).toEqual(rows(1));
    expect(rows(1)).not.toEqual(rows(2));
    const copies = Matrix.fromRows(Array.from({ length: 40 }, (_, i) => [i % 4, 1]));
    expect(new Nystroem({ nComponents: 30 }).fit(copies).nComponents).toBe(4);
  });
});

const rowsOf = (m: Matrix) => Array.from({ length: m.rows }, (_, i) => m.row(i));
const transposed = (m: Matrix) => m.transpose();

/** A⁻¹ B by elimination. */
function solve(a: Matrix, b: Matrix): Matrix {
  const n = a.rows;
  const [m, out] = [a.data.slice(), new Matrix(b.data.slice(), b.rows, b.cols)];
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = m[i * n + k]! / m[k * n + k]!;
      for (let j = 0; j < n; j++) m[i * n + j]! -= factor * m[k * n + j]!;
      for (let j = 0; j < b.cols; j++) out.data[i * b.cols + j]! -= factor * out.data[k * b.cols + j]!;
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < b.cols; j++) out.data[i * b.cols + j]! /= m[i * n + i]!;
  return out;
}
