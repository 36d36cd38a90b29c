import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import type { ColumnProblem } from "../numeric/columns/column-problem.js";
import { openColumns } from "../numeric/columns/open-columns.js";
import { LassoState } from "./lasso-descent.js";

const matrixOf = (rows: number, cols: number, seed: number) => {
  const random = new Random(seed);
  const data = Float64Array.from({ length: rows * cols }, () => random.normal());
  return { x: new Matrix(data, rows, cols), y: Float64Array.from({ length: rows }, () => random.normal()) };
};

const opened = (rows: number, cols: number): ColumnProblem => {
  const { x, y } = matrixOf(rows, cols, rows * 100 + cols);
  return openColumns("test", x, y, undefined, true, undefined);
};

/** One sweep at a time, so that the work done pays for the products soon after the first. */
function sweepOften(columns: ColumnProblem, list: Int32Array, times: number): void {
  const c = new Float64Array(columns.cols);
  for (let k = 0; k < times; k++) {
    columns.correlationsInto(c);
    columns.sweep(list, c, { l1: 2, l2: 0.5 }, 1, { enough: 0, finest: 0 });
  }
}

describe("sweeps with products of columns", () => {
  // Sizes around the kernel's edges: odd rows, columns that are not a multiple of 2, 4 or 8, more than the first capacity.
  it.each([
    [20, 1],
    [21, 3],
    [40, 6],
    [41, 9],
    [64, 17],
    [301, 150],
  ])("reach the minimum on %i × %i, with the residual that belongs to it", (rows, cols) => {
    const columns = opened(rows, cols);
    try {
      const list = Int32Array.from({ length: cols }, (_, j) => j);
      sweepOften(columns, list, 400);
      const c = new Float64Array(cols);
      columns.correlationsInto(c);
      const w = columns.coefficients;
      for (let j = 0; j < cols; j++) {
        const slack = Math.abs(c[j]! - 0.5 * w[j]!);
        if (w[j] === 0) expect(slack).toBeLessThanOrEqual(2 + 1e-9);
        // 400 sweeps contract the error of these well-conditioned columns to rounding.
        else expect(c[j]! - 0.5 * w[j]!).toBeCloseTo(2 * Math.sign(w[j]!), 8);
      }
    } finally {
      columns.close();
    }
  });

  it("goes on when columns are added a few at a time", () => {
    const columns = opened(200, 140);
    try {
      for (let m = 1; m <= 140; m += 7) {
        sweepOften(
          columns,
          Int32Array.from({ length: m }, (_, e) => (e * 3) % 140),
          30,
        );
      }
      const residual = new Float64Array(200);
      columns.residualInto(residual);
      const { x, y } = matrixOf(200, 140, 200 * 100 + 140);
      const w = Float64Array.from(columns.coefficients);
      const fitted = (i: number) => w.reduce((sum, v, j) => sum + v * (x.at(i, j) - columns.mean[j]!), 0);
      for (let i = 0; i < 200; i++) expect(residual[i]).toBeCloseTo(y[i]! - columns.yMean - fitted(i), 9);
    } finally {
      columns.close();
    }
  });
});

describe("LassoState", () => {
  it("is exact above l1 however far the residual has moved", () => {
    const columns = opened(50, 400);
    try {
      const state = new LassoState(columns);
      const exact = new Float64Array(400);
      const random = new Random(5);
      for (let round = 0; round < 30; round++) {
        const list = Int32Array.from({ length: 4 }, () => random.below(400));
        columns.place(
          Int32Array.from(new Set(list)),
          Float64Array.from(new Set(list), () => 0.05 * random.normal()),
        );
        const l1 = 2 + random.uniform() * 12;
        state.refresh(l1);
        columns.correlationsInto(exact);
        for (let j = 0; j < 400; j++) {
          if (Math.abs(exact[j]!) > l1 || columns.coefficients[j] !== 0)
            expect(state.correlations[j]).toBe(exact[j]);
          else expect(Math.abs(state.correlations[j]!)).toBeLessThanOrEqual(l1);
        }
      }
    } finally {
      columns.close();
    }
  });
});
