import { describe, expect, it } from "vitest";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { LinearRegression, LogisticRegression } from "../linear/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";
import { decisionBoundary } from "./decision-boundary.js";
import { partialDependence } from "./partial-dependence.js";

const X = Array.from({ length: 30 }, (_, i) => [i % 5, i % 3, (i * 7) % 4]);
const y = X.map(([a, b, c]) => 2 * a! - b! + 0.5 * c!);

describe("partialDependence", () => {
  it("of a linear model is a line of its coefficient, for dense and sparse rows", () => {
    const model = new LinearRegression().fit(X, y);
    for (const rows of [X, CsrMatrix.fromDense(Matrix.fromRows(X))]) {
      const { grid, average, individual, features } = partialDependence(model, rows, 0, { individual: true });
      expect(features).toEqual(["x0"]);
      expect(grid).toEqual([[0, 1, 2, 3, 4]]);
      for (let p = 1; p < 5; p++) expect(average.data[p]! - average.data[p - 1]!).toBeCloseTo(2, 10);
      expect(individual![0]!.rows).toBe(30);
      expect(individual![0]!.row(4)[2]! - individual![0]!.row(4)[0]!).toBeCloseTo(4, 10);
    }
  });

  it("of two features has all pairs, the second fastest", () => {
    const model = new LinearRegression().fit(X, y);
    const { average } = partialDependence(model, X, [0, 1], {
      grid: [
        [0, 10],
        [0, 1, 2],
      ],
    });
    expect(average.cols).toBe(6);
    expect(average.data[5]! - average.data[0]!).toBeCloseTo(2 * 10 - 2, 9);
    expect(average.data[1]! - average.data[0]!).toBeCloseTo(-1, 9);
  });

  it("tries all categories of a table, and has a curve per class", () => {
    const table = Table.fromColumns({
      size: X.map((row) => row[0]!),
      city: X.map((row) => ["Oslo", "Rome", "Bonn"][row[1]!]!),
    });
    const labels = X.map((row) => (row[1] === 0 ? "n" : "s"));
    const tree = new DecisionTreeClassifier().fit(table, labels);
    const { grid, average, outputNames } = partialDependence(tree, table.select(["city", "size"]), "city");
    expect(grid).toEqual([["Bonn", "Oslo", "Rome"]]);
    expect(outputNames).toEqual(["n", "s"]);
    expect([...average.row(0)]).toEqual([0, 1, 0]);
  });

  it("leaves missing values where the feature is not the one", () => {
    const gaps = X.map((row, i) => (i % 4 === 0 ? [row[0]!, Number.NaN, row[2]!] : row));
    const model = new DecisionTreeRegressor().fit(gaps, y);
    const { grid, average } = partialDependence(model, gaps, 1);
    expect(grid).toEqual([[0, 1, 2]]);
    expect(average.data.every(Number.isFinite)).toBe(true);
  });

  it("refuses features and values that do not exist", () => {
    const model = new LinearRegression().fit(X, y);
    expect(() => partialDependence(model, X, 3)).toThrow("features must be the number of a column (0 to 2)");
    expect(() => partialDependence(model, X, [1, 1])).toThrow("two different ones");
    expect(() => partialDependence(model, X, 0, { grid: [["a"]] })).toThrow(
      'the value of "x0" must be a number',
    );
    expect(() => partialDependence(model, X, 0, { grid: [[1], [2]] })).toThrow(
      "one list of values per feature",
    );
    expect(() => partialDependence(model, X, 0, { percentiles: [0.9, 0.1] })).toThrow("percentiles");
  });
});

describe("decisionBoundary", () => {
  it("has the model's own outputs at the points of the grid", () => {
    const labels = y.map((v) => (v > 4 ? "high" : "low"));
    const model = new LogisticRegression().fit(X, labels);
    const found = decisionBoundary(model, X, { features: [0, 2], resolution: 7, margin: 0 });
    expect([...found.x]).toEqual([0, 4 / 6, 8 / 6, 2, 16 / 6, 20 / 6, 4]);
    // Column 1 has the median of its values, 1.
    const row = [[found.x[3]!, 1, found.y[5]!]];
    expect([...found.values.row(5 * 7 + 3)]).toEqual([...model.predictProba(row).data]);
    expect(found.classes![found.predicted![5 * 7 + 3]!]).toBe(model.predict(row)[0]);
    expect(found.features).toEqual(["x0", "x2"]);
  });

  it("of tables holds categories at the most frequent one, and refuses text as an axis", () => {
    const table = Table.fromColumns({
      a: X.map((row) => row[0]!),
      city: X.map((_, i) => (i % 4 === 0 ? "Rome" : "Oslo")),
      b: X.map((row) => row[2]!),
    });
    const model = new DecisionTreeRegressor().fit(table, y);
    const found = decisionBoundary(model, table, { features: ["a", "b"], resolution: 3 });
    const point = Table.fromColumns({ a: [found.x[1]!], city: ["Oslo"], b: [found.y[2]!] });
    expect(found.values.data[2 * 3 + 1]).toBe(model.predict(point)[0]);
    expect(() => decisionBoundary(model, table)).toThrow('column "city" must be numbers');
    expect(() => decisionBoundary(model, table, { features: ["a", "a"] })).toThrow("two different columns");
  });
});
