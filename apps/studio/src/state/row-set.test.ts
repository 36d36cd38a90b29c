import { expect, test } from "vitest";
import { noRows, RowSet } from "./row-set.js";

test("holds each row once, in ascending order", () => {
  const set = new RowSet([7, 2, 7, 0]);
  expect(set.size).toBe(3);
  expect([...set]).toEqual([0, 2, 7]);
  expect([0, 1, 2, 7, 8, -1, 1e9].map((row) => set.has(row))).toEqual([
    true,
    false,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("rows are added and taken away in copies", () => {
  const set = noRows.with([4]).with(Int32Array.of(4, 9));
  expect([...set]).toEqual([4, 9]);
  expect([...set.without(4)]).toEqual([9]);
  expect(set.without(4).without(9).size).toBe(0);
  expect(set.without(5).size).toBe(2);
  expect(noRows.size).toBe(0);
});
