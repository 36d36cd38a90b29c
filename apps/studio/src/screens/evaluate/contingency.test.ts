import { adjustedRandScore } from "argmax/metrics";
import { expect, test } from "vitest";
import { contingencyOf } from "./contingency.js";

test("rows are counted by cluster and category, missing ones apart", () => {
  // Rows 1, 3 and 4 of a table of five, whose column has codes 0, 1, 1, −1, 1.
  const { clusters, used, counts } = contingencyOf([2, -1, 2], [1, 3, 4], [0, 1, 1, -1, 1]);
  expect(clusters).toEqual([-1, 2]);
  expect(used).toEqual([-1, 1]);
  expect(Array.from(counts)).toEqual([1, 0, 0, 2]);
});

test("the adjusted Rand index is the library's", () => {
  const clusters = Array.from({ length: 60 }, (_, i) => (i * 7) % 4);
  const codes = Array.from({ length: 60 }, (_, i) => (i % 9 === 0 ? 2 : (i * 7) % 4 > 1 ? 1 : 0));
  const rows = clusters.map((_, i) => i);
  expect(contingencyOf(clusters, rows, codes).adjustedRand).toBeCloseTo(
    adjustedRandScore(codes, clusters),
    12,
  );
  expect(contingencyOf([0, 0, 0], [0, 1, 2], [1, 1, 1]).adjustedRand).toBe(1);
});
