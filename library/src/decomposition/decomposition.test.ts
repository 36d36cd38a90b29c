import { describe, expect, it } from "vitest";
import { drawnNormals } from "../../test/support/random-rows.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { KernelPCA, PCA, TruncatedSVD } from "./index.js";

const random = new Random(8);
const noise = (rows: number, cols: number) => drawnNormals(random, rows, cols);

describe("PCA", () => {
  const X = noise(60, 6);

  it("takes the smallest number of components that explain more than a fraction", () => {
    const { explainedVarianceRatio } = new PCA().fit(X);
    for (const nComponents of [0.3, 0.5, 0.9]) {
      const k = new PCA({ nComponents }).fit(X).nComponents;
      const sum = (count: number) => explainedVarianceRatio.slice(0, count).reduce((a, b) => a + b, 0);
      expect(sum(k)).toBeGreaterThan(nComponents);
      expect(sum(k - 1)).toBeLessThanOrEqual(nComponents);
    }
  });

  it("makes the largest entry of every component positive", () => {
    for (const row of new PCA().fit(X).components.toArray())
      expect(Math.max(...row)).toBe(Math.max(...row.map(Math.abs)));
  });

  it("finds the same components far from the origin", () => {
    const moved = new Matrix(
      X.data.map((value) => value + 1e6),
      X.rows,
      X.cols,
    );
    const [near, far] = [new PCA().fit(X), new PCA().fit(moved)];
    far.components.data.forEach((value, e) => {
      // The rows themselves are rounded to 1e-10 at this offset.
      expect(value).toBeCloseTo(near.components.data[e]!, 6);
    });
  });

  it("gives constant columns no weight, and constant rows no variance", () => {
    const constant = Matrix.fromRows(X.toArray().map((row) => [...row, 7]));
    const model = new PCA({ nComponents: 6 }).fit(constant);
    for (let k = 0; k < 6; k++) expect(model.components.at(k, 6)).toBeCloseTo(0, 12);
    const same = new PCA({ whiten: true }).fit([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(Array.from(same.explainedVariance)).toEqual([0, 0]);
    expect(same.transform([[1, 2]]).data.every(Number.isFinite)).toBe(true);
  });

  it("refuses too many components, a fraction for random projections, one row, and scores of NaN", () => {
    expect(() => new PCA({ nComponents: 7 }).fit(X)).toThrow("nComponents must be at most the smaller");
    expect(() => new PCA({ nComponents: 0.5, svdSolver: "randomized" })).toThrow(
      "nComponents must be an integer",
    );
    expect(() => new PCA().fit([[1, 2]])).toThrow("at least two rows");
    const model = new PCA({ nComponents: 2 }).fit(X);
    expect(() => model.inverseTransform([[1, Number.NaN]])).toThrow("X[0][1] must be a finite number");
    expect(model.inverseTransform([]).cols).toBe(6);
    expect(model.featureNamesOut).toEqual(["pca0", "pca1"]);
  });
});

describe("TruncatedSVD", () => {
  const X = noise(40, 90);
  for (let e = 0; e < X.data.length; e++) if (random.uniform() < 0.8) X.data[e] = 0;
  const sparse = CsrMatrix.fromDense(X);

  it.each([sparse, CsrMatrix.fromDense(X.transpose())])(
    "finds in sparse rows what it finds in dense ones",
    (rows) => {
      const exact = new TruncatedSVD({ nComponents: 4, algorithm: "exact" }).fit(rows.toDense());
      const found = new TruncatedSVD({ nComponents: 4, nIter: 40 }).fit(rows);
      found.singularValues.forEach((value, k) => {
        expect(value).toBeCloseTo(exact.singularValues[k]!, 8);
      });
      found.transform(rows).data.forEach((value, e) => {
        expect(value).toBeCloseTo(exact.transform(rows).data[e]!, 4);
      });
    },
  );

  it("with all components gives the rows back", () => {
    const model = new TruncatedSVD({ nComponents: 40, algorithm: "exact" }).fit(sparse);
    model.inverseTransform(model.transform(sparse)).data.forEach((value, e) => {
      expect(value).toBeCloseTo(X.data[e]!, 6);
    });
  });

  it("has singular values of 0 where X has no more rank", () => {
    const flat = Matrix.fromRows(Array.from({ length: 12 }, (_, i) => [i, 2 * i, 3 * i]));
    for (const algorithm of ["exact", "randomized"] as const) {
      const model = new TruncatedSVD({ nComponents: 3, algorithm }).fit(flat);
      expect(model.singularValues[1]! / model.singularValues[0]!).toBeLessThan(1e-7);
      expect(model.components.data.every(Number.isFinite)).toBe(true);
    }
    expect(() => new TruncatedSVD({ nComponents: 4 }).fit(flat)).toThrow("nComponents must be at most");
  });
});

describe("KernelPCA", () => {
  it("has the components that were asked for, or says why not", () => {
    // Of an indefinite matrix whose eigenvalues are 5, 4, 3, 2, 1, −3, −4, centred or not: vectors orthogonal to (1, …, 1).
    const angle = (i: number, k: number) => Math.cos((Math.PI * k * (i + 0.5)) / 8) / 2;
    const values = [5, 4, 3, 2, 1, -3, -4];
    const K = Array.from({ length: 8 }, (_, i) =>
      Array.from({ length: 8 }, (_, j) =>
        values.reduce((sum, v, k) => sum + v * angle(i, k + 1) * angle(j, k + 1), 0),
      ),
    );
    const fit = (nComponents: number | null) => new KernelPCA({ kernel: "precomputed", nComponents }).fit(K);
    expect(Array.from(fit(null).eigenvalues, (v) => Number(v.toFixed(9)))).toEqual([5, 4, 3, 2, 1]);
    expect(() => fit(7)).toThrow(
      /nComponents must be at most 6, since 2 eigenvalues of the centred kernel matrix are negative.*got 7/,
    );
    // The sixth is 0: its direction is (1, …, 1), which centring removes.
    const six = fit(6);
    expect(six.eigenvalues[5]).toBe(0);
    expect(
      six
        .transform(K)
        .column(5)
        .every((z) => z === 0),
    ).toBe(true);
    // Positive definite, of rank 2.
    const flat = new KernelPCA({ kernel: "linear", nComponents: 4 }).fit([
      [0, 1],
      [2, 1],
      [5, 3],
      [1, 1],
      [0, 7],
    ]);
    const loaded = loadModel(saveModel(flat), KernelPCA);
    for (const model of [flat, loaded]) {
      expect(model.transform([[1, 2]]).cols).toBe(4);
      expect(model.eigenvalues.filter((v) => v > 0)).toHaveLength(2);
    }
  });

  const X = noise(50, 3);

  it("with the linear kernel has the scores of PCA", () => {
    const plain = new PCA({ nComponents: 3 }).fit(X).transform(X);
    const kernel = new KernelPCA({ kernel: "linear", nComponents: 3 }).fit(X).transform(X);
    for (let k = 0; k < 3; k++) {
      const sign = Math.sign(plain.at(0, k) * kernel.at(0, k));
      for (let i = 0; i < 50; i++) expect(sign * kernel.at(i, k)).toBeCloseTo(plain.at(i, k), 10);
    }
  });

  it.each(["rbf", "laplacian", "exponential", "poly", "rationalQuadratic", "inverseMultiquadric"] as const)(
    "scores of the training rows have variance λ/n and no correlation (%s)",
    (kernel) => {
      const model = new KernelPCA({ kernel, nComponents: 4, coef0: 1 }).fit(X);
      const Z = model.transform(X);
      for (let a = 0; a < 4; a++) {
        for (let b = 0; b <= a; b++) {
          let sum = 0;
          for (let i = 0; i < 50; i++) sum += Z.at(i, a) * Z.at(i, b);
          expect(sum / model.eigenvalues[0]!).toBeCloseTo(
            a === b ? model.eigenvalues[a]! / model.eigenvalues[0]! : 0,
            9,
          );
        }
      }
    },
  );

  it("says so where a kernel leaves no positive eigenvalue", () => {
    const fit = () => new KernelPCA({ kernel: "multiquadric", coef0: 1, nComponents: 2 }).fit(X);
    expect(fit).toThrow("the centred kernel matrix must be of at least one positive eigenvalue");
  });
});
