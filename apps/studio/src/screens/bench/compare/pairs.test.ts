import { compareScores } from "argmax/selection";
import { expect, test } from "vitest";
import type { Trained } from "../../../work/protocol.js";
import type { Measured } from "./contenders.js";
import { disputedRows, mcnemar, pairsOf } from "./pairs.js";

const rows = Int32Array.of(2, 3, 5, 8, 9, 12);

function measured(id: string, task: Trained["task"], truth: number[], predicted: number[], scores: number[]) {
  const held = { rows, truth: Float64Array.from(truth), predicted: Float64Array.from(predicted) };
  return { id, label: id, held, trained: { task, scores } } as unknown as Measured;
}

const truth = [0, 1, 2, 0, 1, 2];
const a = measured("a", "classification", truth, [0, 1, 2, 1, 1, 0], [0.7, 0.8, 0.9]);
const b = measured("b", "classification", truth, [0, 2, 2, 0, 0, 0], [0.6, 0.8, 0.7]);
const c = measured("c", "classification", truth, [0, 1, 2, 1, 1, 1], [0.7, 0.7, 0.9]);

test("classifiers: rows of the table on which one of two is right, and the test of their folds", () => {
  const [first] = pairsOf([a, b]);
  expect([first!.onlyFirst, first!.onlySecond]).toEqual([[3, 9], [8]]);
  expect(first!.scores).toEqual(compareScores([0.7, 0.8, 0.9], [0.6, 0.8, 0.7]));
  expect(pairsOf([a, b, c]).map((pair) => pair.first.id + pair.second.id)).toEqual(["ab", "ac", "bc"]);
});

test("a row is disputed if any two answers differ, right or wrong", () => {
  expect(disputedRows([a, b])).toEqual([3, 8, 9]);
  expect(disputedRows([a, c])).toEqual([12]);
  expect(disputedRows([a, b, c])).toEqual([3, 8, 9, 12]);
});

test("a single split has no test of folds", () => {
  const [pair] = pairsOf([
    measured("a", "classification", truth, truth, [1]),
    measured("b", "classification", truth, truth, [1]),
  ]);
  expect([pair!.scores, pair!.onlyFirst, pair!.onlySecond]).toEqual([null, [], []]);
});

test("regressions: the nearer one; equal errors count for neither", () => {
  const values = [1, 2, 3, 4, 5, 6];
  const [pair] = pairsOf([
    measured("a", "regression", values, [1.1, 2, 3.5, 4, 4, 6], [0.9, 0.8]),
    measured("b", "regression", values, [1, 2, 4, 3, 6, 6], [0.8, 0.8]),
  ]);
  expect([pair!.onlyFirst, pair!.onlySecond]).toEqual([[5, 8], [2]]);
});

test("clusterings: the adjusted Rand index, whatever the numbers of the clusters", () => {
  const of = (id: string, clusters: number[]) => {
    const all = Int32Array.of(0, 1, 2, 3, 4, 5);
    const one = measured(id, "clustering", truth, clusters, []);
    return { ...one, held: { ...one.held, rows: all } };
  };
  const [same] = pairsOf([of("a", [0, 0, 1, 1, 2, 2]), of("b", [2, 2, 0, 0, 1, 1])]);
  expect(same!.agreement).toBe(1);
  // Pairs together in both 1, in the first 3, in the second 2, of 15: (1 − 0.4) / (2.5 − 0.4).
  const [other] = pairsOf([of("a", [0, 0, 1, 1, 2, 2]), of("b", [0, 0, 1, 2, 1, 3])]);
  expect(other!.agreement).toBeCloseTo(0.6 / 2.1, 12);
});

test("McNemar's p is the two-sided binomial tail", () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
  for (const [x, y] of [
    [0, 5],
    [3, 9],
    [7, 7],
    [1, 0],
  ] as const) {
    const n = x + y;
    let tail = 0;
    for (let k = 0; k <= Math.min(x, y); k++) tail += choose(n, k) / 2 ** n;
    expect(mcnemar(x, y)).toBeCloseTo(Math.min(1, 2 * tail), 12);
  }
  expect(mcnemar(0, 0)).toBe(1);
  // 2⁻⁴⁰⁰⁰ alone is 0 in doubles: the tail of 2.5 deviations, by the normal distribution 0.0118.
  expect(mcnemar(1920, 2080)).toBeCloseTo(0.0118, 3);
});
