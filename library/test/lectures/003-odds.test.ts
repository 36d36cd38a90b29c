import { BernoulliNB, CategoricalNB, Lasso, lassoPath, SoftmaxRegression } from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

describe("X9 two exponentiated predictors are one logistic function", () => {
  it("e^{w₁x} / (e^{w₁x} + e^{w₂x}) = σ((w₁ − w₂)ᵀx), to the last digits", async () => {
    const { X, y } = await loadDataset("iris");
    const rows = X.selectRows(Array.from({ length: 100 }, (_, i) => i + 50));
    const labels = Array.from({ length: 100 }, (_, i) => y[i + 50]!);
    const model = new SoftmaxRegression({ C: 1 }).fit(rows, labels);
    expect(model.coef.rows).toBe(2);
    const p = model.predictProba(rows);
    for (let i = 0; i < 100; i++) {
      const x = rows.row(i);
      const difference = x.reduce(
        (sum, v, j) => sum + (model.coef.at(0, j) - model.coef.at(1, j)) * v,
        model.intercept[0]! - model.intercept[1]!,
      );
      // Rounding of z, of size 10, enters p as p(1 − p) times it.
      expect(p.at(i, 0)).toBeCloseTo(1 / (1 + Math.exp(-difference)), 14);
    }
  });
});

describe("X10 parameters of naive Bayes, and of the full joint table", () => {
  it.each([2, 3, 5])("with %i classes: d k for the features and k − 1 for the classes", (k) => {
    const d = 6;
    const rows = Array.from({ length: 4 * k }, (_, i) =>
      Array.from({ length: d }, (_, j) => ((i * 7 + j * 3) >> 1) & 1),
    );
    const y = rows.map((_, i) => i % k);
    expect(new BernoulliNB().fit(rows, y).nParameters).toBe(d * k + k - 1);
    // A table of all 2^d rows per class has (2^d − 1) k numbers and the same k − 1: one column of 2^d values.
    const joint = rows.map((row) => [row.reduce((code, bit) => 2 * code + bit, 0)]);
    const table = new CategoricalNB({ minCategories: 2 ** d }).fit(joint, y);
    expect(table.nParameters).toBe((2 ** d - 1) * k + k - 1);
  });
});

describe("D2 the lasso path lets columns in one after another", () => {
  it("on a fine path of the diabetes data no two of them enter together", async () => {
    const { X, y } = await loadDataset("diabetes");
    const path = lassoPath(X, y, { nAlphas: 3000, tol: 1e-8 });
    const entry = Array.from({ length: X.cols }, (_, j) =>
      Array.from({ length: 3000 }, (_, a) => path.coefs.at(a, j)).findIndex((w) => w !== 0),
    );
    expect(entry.every((a) => a > 0)).toBe(true);
    expect(new Set(entry).size).toBe(X.cols);
    // Just below the largest alpha there is one column, and above it none.
    const largest = path.alphas[0]!;
    const active = (alpha: number) =>
      new Lasso({ alpha, tol: 1e-10 }).fit(X, y).coef.filter((w) => w !== 0).length;
    expect(active(largest * 1.000001)).toBe(0);
    expect(active(largest * 0.999)).toBe(1);
  });
});
