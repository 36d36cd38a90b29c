import { describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { setThreads } from "../runtime/threads.js";
import { mergeScatter, type Scatter } from "./moments.js";
import { rowScatter, rowsByClass } from "./row-scatter.js";

const normal = (rows: number, cols: number, offset = 0) => {
  const random = new Random(3);
  const data = Float64Array.from({ length: rows * cols }, () => random.normal() + offset);
  return new Matrix(data, rows, cols);
};
const someWeights = (rows: number) => {
  const random = new Random(4);
  return Float64Array.from({ length: rows }, () => 0.5 + random.uniform());
};
const everything = (rows: number) => Int32Array.from({ length: rows }, (_, i) => i);

/** The definition, in two plain passes. */
function twin(x: Matrix, rows: Int32Array, weights?: Float64Array): Scatter {
  const { cols } = x;
  const w = (i: number) => weights?.[i] ?? 1;
  const count = rows.reduce((sum, i) => sum + w(i), 0);
  const mean = Float64Array.from({ length: cols }, (_, j) =>
    rows.reduce((sum, i) => sum + (w(i) * x.at(i, j)) / count, 0),
  );
  const scatter = new Float64Array(cols * cols);
  for (const i of rows)
    for (let a = 0; a < cols; a++)
      for (let b = 0; b < cols; b++)
        scatter[a * cols + b]! += w(i) * (x.at(i, a) - mean[a]!) * (x.at(i, b) - mean[b]!);
  return { count, mean, scatter };
}

function expectSame(ours: Scatter, expected: Scatter, within = 1e-12): void {
  expect(ours.count).toBeCloseTo(expected.count, 9);
  const size = Math.max(...expected.scatter, Number.MIN_VALUE);
  ours.scatter.forEach((value, e) => {
    expect(Math.abs(value - expected.scatter[e]!) / size).toBeLessThan(within);
  });
  ours.mean.forEach((value, j) => {
    expect(Math.abs(value - expected.mean[j]!)).toBeLessThan(within * (1 + Math.abs(value)));
  });
}

describe("rowScatter", () => {
  it.each([
    [1, 1],
    [50, 3],
    [511, 21],
    [513, 30],
    [4099, 17],
  ])("of %i × %i are the definition's, by loops or by kernels", (rows, cols) => {
    const x = normal(rows, cols, 3);
    const chosen = everything(rows).filter((i) => i % 3 !== 1);
    const weights = someWeights(rows);
    expectSame(rowScatter("test", x, chosen, undefined), twin(x, chosen));
    expectSame(rowScatter("test", x, chosen, weights), twin(x, chosen, weights));
  });

  it("have the same bits with one thread and with two", () => {
    const x = normal(20_000, 24);
    const rows = everything(20_000).filter((i) => i % 2 === 0);
    const before = rowScatter("test", x, rows, undefined);
    setThreads(1);
    try {
      expect(rowScatter("test", x, rows, undefined)).toEqual(before);
    } finally {
      setThreads(2);
    }
  });

  it("do not cancel at an offset of 1e6, nor with a trend that fools the sample", () => {
    const x = normal(3000, 10, 1e6);
    expectSame(rowScatter("test", x, everything(3000), undefined), twin(x, everything(3000)), 1e-9);
    const jump = normal(3000, 10);
    for (let e = 0; e < 2990 * 10; e++) jump.data[e]! *= 1e-6;
    expectSame(rowScatter("test", jump, everything(3000), undefined), twin(jump, everything(3000)));
  });

  it("of a constant column are its value and exactly 0", () => {
    const x = normal(40, 3);
    for (let i = 0; i < 40; i++) x.data[3 * i + 1] = 0.1;
    const { mean, scatter } = rowScatter("test", x, everything(40), undefined);
    expect(mean[1]).toBe(0.1);
    expect([scatter[1], scatter[3], scatter[4], scatter[5], scatter[7]]).toEqual([0, 0, 0, 0, 0]);
  });

  it("of numbers whose squares do not fit a double are an error", () => {
    for (const size of [1e160, 1e-160]) {
      const x = new Matrix(Float64Array.of(size, -size, 2 * size), 3, 1);
      expect(() => rowScatter("test", x, everything(3), undefined)).toThrow(DataError);
    }
  });

  it("of parts add up to those of the whole, whatever the parts", () => {
    const random = new Random(5);
    const x = normal(300, 5, 100);
    const parts = rowsByClass(
      Int32Array.from({ length: 300 }, () => random.below(4)),
      4,
    );
    const merged = parts
      .map((rows) => rowScatter("test", x, rows, undefined))
      .reduce((a, b) => mergeScatter(a, b));
    expectSame(merged, twin(x, everything(300)));
  });
});
