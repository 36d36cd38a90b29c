import { describe, expect, it } from "vitest";
import { Table } from "../data/table/table.js";
import { LinearRegression } from "../linear/index.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import { counterfactual } from "./counterfactual.js";

const X = Array.from({ length: 60 }, (_, i) => [i % 10, (i * 3) % 7, i % 2]);
const labels = X.map(([a, b]) => (a! >= 6 || b! >= 5 ? "yes" : "no"));
const model = new DecisionTreeClassifier().fit(X, labels);

describe("counterfactual", () => {
  it("changes one feature where one is enough, to the nearest value that occurs", () => {
    const found = counterfactual(model, [2, 4, 1], { target: "yes", background: X });
    expect(found.prediction).toBe("yes");
    expect(found.changes).toEqual([{ feature: "x1", from: 4, to: 5 }]);
    expect(model.predict([found.row as number[]])).toEqual(["yes"]);
    expect(String(found)).toBe('Counterfactual: the prediction is "yes" with\n  x1: 4 → 5');
  });

  it("leaves features alone that may not change", () => {
    const found = counterfactual(model, [2, 4, 1], { target: "yes", background: X, features: [0] });
    expect(found.changes).toEqual([{ feature: "x0", from: 2, to: 6 }]);
    expect(() => counterfactual(model, [2, 4, 1], { target: "yes", background: X, features: [2] })).toThrow(
      "background must be rows whose changeable features give",
    );
  });

  it("changes nothing where the prediction is the target", () => {
    expect(counterfactual(model, [9, 6, 0], { target: "yes", background: X }).changes).toEqual([]);
  });

  it("takes an interval as the target of a regressor", () => {
    const line = new LinearRegression().fit(
      X,
      X.map((row) => row[0]! + 10 * row[1]!),
    );
    const found = counterfactual(line, [3, 3, 0], { target: [49.5, 60], background: X });
    expect(found.prediction).toBeGreaterThanOrEqual(49.5);
    expect(found.changes.some(({ feature }) => feature === "x1")).toBe(true);
  });

  it("reads tables with text, columns in any order", () => {
    const table = Table.fromColumns({
      city: X.map((row) => (row[0]! >= 5 ? "Oslo" : "Rome")),
      size: X.map((row) => row[1]!),
    });
    const tree = new DecisionTreeClassifier().fit(
      table,
      X.map((row) => (row[0]! >= 5 ? "n" : "s")),
    );
    const found = counterfactual(tree, table.head(1).select(["size", "city"]), {
      target: "n",
      background: table,
    });
    expect(found.changes).toEqual([{ feature: "city", from: "Rome", to: "Oslo" }]);
    expect(found.distance).toBe(1);
  });

  it("refuses targets that do not exist, and several rows", () => {
    const options = { background: X, target: "maybe" };
    expect(() => counterfactual(model, [1, 1, 1], options)).toThrow(
      'target must be one of the classes ("no", "yes")',
    );
    expect(() => counterfactual(model, X, { ...options, target: "yes" })).toThrow(
      "the row must be one row, got 60",
    );
    expect(() => counterfactual(model, [1, 1, 1], { target: "yes" } as never)).toThrow(
      "background must be given",
    );
  });
});
