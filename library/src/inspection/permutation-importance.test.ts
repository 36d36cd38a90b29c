import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { LinearRegression } from "../linear/index.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import { permutationImportance } from "./permutation-importance.js";

const random = new Random(5);
const X = Array.from({ length: 200 }, () => [random.normal(), random.normal(), random.normal()]);
const y = X.map(([a, b]) => 3 * a! - b!);
const model = new LinearRegression().fit(X, y);

describe("permutationImportance", () => {
  it("of squared error in a linear model is 2 w² times the variance, on average", () => {
    const { mean, repeats, baseline } = permutationImportance(model, X, y, {
      scoring: "negMeanSquaredError",
      nRepeats: 200,
    });
    expect(repeats.rows).toBe(3);
    expect(repeats.cols).toBe(200);
    expect(baseline).toBeCloseTo(0, 12);
    [3, 1].forEach((w, j) => {
      const column = X.map((row) => row[j]!);
      const centre = column.reduce((sum, v) => sum + v, 0) / 200;
      const squares = column.reduce((sum, v) => sum + (v - centre) ** 2, 0);
      // Over all permutations E(x_i − x_π(i))² = 2 Σ(x − mean)² / n. The mean of 200 draws is off by about 1 %: four deviations are 4 %.
      expect(mean[j]! / ((2 * w * w * squares) / 200)).toBeCloseTo(1, 1);
    });
    expect(Math.abs(mean[2]!)).toBeLessThan(1e-12);
  });

  it("has the mean and the deviation of its repeats, and the same for the same seed", () => {
    const first = permutationImportance(model, X, y, { nRepeats: 3, randomState: 4 });
    const own = first.repeats.row(0);
    const mean = (own[0]! + own[1]! + own[2]!) / 3;
    expect(first.mean[0]).toBeCloseTo(mean, 14);
    expect(first.std[0]! ** 2).toBeCloseTo(own.reduce((sum, v) => sum + (v - mean) ** 2, 0) / 3, 14);
    expect(permutationImportance(model, X, y, { nRepeats: 3, randomState: 4 })).toEqual(first);
    expect(permutationImportance(model, X, y, { nRepeats: 3, randomState: 5 })).not.toEqual(first);
  });

  it("is the same for sparse rows, and for tables with text in any order of columns", () => {
    const dense = permutationImportance(model, X, y);
    const sparse = permutationImportance(model, CsrMatrix.fromDense(Matrix.fromRows(X)), y);
    sparse.mean.forEach((value, j) => {
      expect(value).toBeCloseTo(dense.mean[j]!, 10);
    });
    const table = Table.fromColumns({
      city: X.map((row) => (row[0]! > 0 ? "Oslo" : "Rome")),
      size: X.map((row) => row[1]!),
    });
    const labels = X.map((row) => (row[0]! > 0 ? "n" : "s"));
    const tree = new DecisionTreeClassifier().fit(table, labels);
    const found = permutationImportance(tree, table.select(["size", "city"]), labels, {
      scoring: "accuracy",
    });
    expect(found.names).toEqual(["city", "size"]);
    expect(found.mean[0]).toBeGreaterThan(0.3);
    expect(found.mean[1]).toBe(0);
    expect(String(found).split("\n")[0]).toBe("PermutationImportance of a score of 1.000");
  });

  it("weighs rows: those of weight 0 do not count", () => {
    const sampleWeight = y.map((_, i) => (i < 100 ? 1 : 0));
    const wrong = y.map((v, i) => (i < 100 ? v : 1e6));
    const { baseline } = permutationImportance(model, X, wrong, { sampleWeight });
    expect(baseline).toBeCloseTo(1, 10);
  });

  it("refuses scorers and options that do not exist", () => {
    expect(() => permutationImportance(model, X, y, { scoring: "r3" as never })).toThrow("scoring");
    expect(() => permutationImportance(model, X, y, { nRepeats: 0 })).toThrow("nRepeats");
  });
});
