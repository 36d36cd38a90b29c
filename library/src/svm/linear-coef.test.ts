import { describe, expect, it } from "vitest";
import { DataError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { loadDataset } from "../datasets/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { SVC, SVR } from "./index.js";

const { X, y } = await loadDataset("iris");
const numbers = X.data.filter((_, e) => e % 4 === 3);

/** w_k·x_i + b_k. */
const planes = (x: Matrix, w: Matrix, b: ArrayLike<number>): number[] =>
  Array.from({ length: x.rows * w.rows }, (_, e) => {
    const [i, k] = [Math.floor(e / w.rows), e % w.rows];
    return w.row(k).reduce((sum, v, j) => sum + v * x.at(i, j), b[k]!);
  });

const largest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, v, e) => Math.max(most, Math.abs(v - b[e]!)), 0);

describe("coef of the linear kernel", () => {
  it.each(["ovo", "ovr"] as const)("with intercept is the decision function, %s", (multiClass) => {
    const model = new SVC({ kernel: "linear", multiClass, decisionFunctionShape: "ovo" }).fit(X, y);
    expect([model.coef.rows, model.coef.cols]).toEqual([3, 4]);
    expect(largest(planes(X, model.coef, model.intercept), model.decisionFunction(X).data)).toBeLessThan(
      1e-10,
    );
  });

  it("is the same for sparse rows, in a saved model, and of SVR", () => {
    const sparse = CsrMatrix.fromDense(X);
    const dense = new SVC({ kernel: "linear" }).fit(X, y);
    expect(largest(dense.coef.data, new SVC({ kernel: "linear" }).fit(sparse, y).coef.data)).toBeLessThan(
      1e-6,
    );
    const loaded = loadModel(saveModel(dense), SVC);
    expect(loaded.coef).toEqual(dense.coef);
    expect(loaded.nSupport).toEqual(dense.nSupport);
    const regressor = new SVR({ kernel: "linear" }).fit(X, numbers);
    const w = new Matrix(regressor.coef, 1, 4);
    expect(largest(planes(X, w, [regressor.intercept]), regressor.predict(X))).toBeLessThan(1e-12);
  });

  it("keeps its digits for rows far from 0", () => {
    const moved = new Matrix(
      X.data.map((v) => v + 2 ** 20),
      X.rows,
      X.cols,
    );
    const fit = (x: Matrix) => new SVC({ kernel: "linear", tol: 1e-8 }).fit(x, y).coef.data;
    expect(largest(fit(moved), fit(X))).toBeLessThan(1e-6);
  });

  it("does not exist for other kernels", () => {
    expect(() => new SVC().fit(X, y).coef).toThrow(DataError);
    expect(() => new SVC().fit(X, y).coef).toThrow("SVC.coef: the kernel must be linear");
    expect(() => new SVR({ kernel: "poly" }).fit(X, numbers).coef).toThrow(
      "SVR.coef: the kernel must be linear",
    );
  });
});

describe("nSupport", () => {
  it.each(["ovo", "ovr"] as const)("counts the support vectors of each class, %s", (multiClass) => {
    const shuffled = y.map((_, i) => y[(i * 7) % 150]!);
    const rows = X.selectRows(Int32Array.from(y, (_, i) => (i * 7) % 150));
    const model = new SVC({ multiClass }).fit(rows, shuffled);
    const counts = model.classes.map(
      (label) => Array.from(model.support).filter((i) => shuffled[i] === label).length,
    );
    expect([...model.nSupport]).toEqual(counts);
  });

  it("leaves out rows of weight 0", () => {
    const sampleWeight = y.map((_, i) => i % 2);
    const model = new SVC().fit(X, y, { sampleWeight });
    const counts = model.classes.map(
      (label) => Array.from(model.support).filter((i) => y[i] === label).length,
    );
    expect([...model.nSupport]).toEqual(counts);
    expect(Array.from(model.support).every((i) => i % 2 === 1)).toBe(true);
  });
});
