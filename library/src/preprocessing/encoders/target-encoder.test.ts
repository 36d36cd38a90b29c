import { describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import { Random } from "../../core/numbers/random.js";
import { Table } from "../../data/table/table.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { TargetEncoder } from "../index.js";

/** λ mean(c) + (1 − λ) mean, term by term as the comment of the class writes it. */
function byFormula(
  x: readonly unknown[],
  y: readonly number[],
  smooth: number | "auto",
  asked: unknown,
): number {
  const mean = (list: readonly number[]) => list.reduce((sum, v) => sum + v, 0) / list.length;
  const variance = (list: readonly number[]) => mean(list.map((v) => (v - mean(list)) ** 2));
  const own = y.filter((_, i) => x[i] === asked);
  if (own.length === 0) return mean(y);
  const n = own.length;
  const lambda = smooth === "auto" ? (n * variance(y)) / (n * variance(y) + variance(own)) : n / (n + smooth);
  return lambda * mean(own) + (1 - lambda) * mean(y);
}

describe("TargetEncoder", () => {
  it.each(["auto", 0, 3.5] as const)("encodes categories by the formula, smooth %s", (smooth) => {
    const random = new Random(4);
    const x = Array.from({ length: 80 }, () => [["a", "b", null, "d"][random.below(4)]!, random.below(3)]);
    const y = x.map(([a], i) => (a === "a" ? 2 : 0) + random.normal() + i / 40);
    const model = new TargetEncoder({ smooth }).fit(x, y);
    const Z = model.transform([...x.slice(0, 20), ["new", 99]]);
    for (let i = 0; i < 21; i++)
      for (let j = 0; j < 2; j++) {
        const column = x.map((row) => row[j]);
        const asked = i === 20 ? "nothing" : x[i]![j];
        // Sums of eighty numbers in the same order, divided in another one.
        expect(Z.at(i, j)).toBeCloseTo(byFormula(column, y, smooth, asked), 12);
      }
  });

  it("encodes two classes by the second, and three by one column each", () => {
    const x = [["a"], ["a"], ["b"], ["b"]];
    const two = new TargetEncoder({ smooth: 0 }).fit(x, ["no", "yes", "yes", "yes"]);
    expect(two.transform([["a"], ["b"]]).toArray()).toEqual([[0.5], [1]]);
    expect(two.featureNames()).toEqual(["x0"]);
    const three = new TargetEncoder({ smooth: 0 }).fit(x, ["p", "q", "r", "r"]);
    expect(three.transform([["a"], ["b"]]).toArray()).toEqual([
      [0.5, 0.5, 0],
      [0, 0, 1],
    ]);
    expect(three.featureNames(["town"])).toEqual(["town_p", "town_q", "town_r"]);
    const numbers = new TargetEncoder({ smooth: 0, targetType: "classes" }).fit(x, [7, 8, 9, 9]);
    expect(numbers.transform([["b"]]).toArray()).toEqual([[0, 0, 1]]);
  });

  it("encodes each row of fit by the other folds", () => {
    const random = new Random(1);
    const x = Array.from({ length: 30 }, () => [["a", "b", "c"][random.below(3)]!]);
    const y = x.map(() => random.normal());
    const { X, model } = new TargetEncoder({ shuffle: false, cv: 3 }).fitAndTransform(x, y);
    for (let i = 0; i < 30; i++) {
      const fold = Math.floor(i / 10);
      const others = Array.from(x.keys()).filter((r) => Math.floor(r / 10) !== fold);
      const own = byFormula(
        others.map((r) => x[r]![0]),
        others.map((r) => y[r]!),
        "auto",
        x[i]![0],
      );
      expect(X.at(i, 0)).toBeCloseTo(own, 12);
    }
    expect(X.data).not.toEqual(model.transform(x).data);
  });

  it("never lets a row's own target into its encoding", () => {
    const x = Array.from({ length: 40 }, (_, i) => [i % 4 === 0 ? "a" : "b"]);
    const y = x.map((_, i) => i % 7);
    const before = new TargetEncoder().fitTransform(x, y);
    const after = new TargetEncoder().fitTransform(
      x,
      y.map((v, i) => (i === 12 ? 1e6 : v)),
    );
    expect(after.at(12, 0)).toBe(before.at(12, 0));
    expect(after.at(16, 0) === before.at(16, 0) && after.at(20, 0) === before.at(20, 0)).toBe(false);
  });

  it("finds a table's columns by name, and is saved with its encodings", () => {
    const table = Table.fromColumns({ town: ["Oslo", "Rome", null, "Rome"], size: [1, 2, 1, 2] });
    const model = new TargetEncoder().fit(table, ["x", "y", "z", "z"]);
    expect(model.transform(table.select(["size", "town"])).data).toEqual(model.transform(table).data);
    const loaded = loadModel(saveModel(model), TargetEncoder);
    expect(loaded.transform(table).data).toEqual(model.transform(table).data);
    expect(loaded.featureNames()).toEqual(model.featureNames());
  });

  it("refuses to learn without y, and says what it is for", () => {
    expect(() => new TargetEncoder().fit([["a"]], undefined as never)).toThrow(
      /y must be the targets, whose means encode categories/,
    );
    expect(() => new TargetEncoder().fit([["a"], ["b"]], [1, Number.NaN])).toThrow(DataError);
    expect(() => new TargetEncoder({ cv: 5 }).fitTransform([["a"], ["b"]], [1, 2])).toThrow(/2/);
  });
});
