import { Matrix } from "../../data/matrix.js";
import { gemm } from "../linalg/products.js";
import { powerBelow } from "../rows/power-below.js";
import type { Metric } from "./metric.js";
import { mainDirections } from "./projection.js";

/** Half a unit in the last place of 1 in 32 bits: the largest relative error of one rounding. */
const UNIT = 2 ** -24;

/** ‖g‖² from which a query is too far away for 32 bits, since ‖f‖ ≤ 1: all points pass its filter. */
const FARTHEST = 1e30;

/** Points farther than this from their mean are measured without a filter: their scale would underflow. */
const LARGEST = 2 ** 500;

/**
 * A lower bound by which the kernels exclude points. Filter coordinates f of a point and g of a query are such that
 *
 *   ½‖f‖² − g·f  ≤  a · (reduced distance) + b                                       (euclidean; −g·f for cosine)
 *
 * for exact numbers, with equality where no coordinate is dropped. b also includes a bound of the rounding errors of the left side in
 * 32 bits, (depth + 6) u ‖g‖ ‖f‖ + 2u ‖f‖² with u = 2⁻²⁴ [Higham 2002, section 3.1], so that no near point is excluded.
 */
export interface Filter {
  readonly depth: number;
  readonly a: number;
  /** Coordinates of rows from … from + count − 1, row by row; and b of each row, for queries. */
  coordinatesInto(x: Matrix, from: number, count: number, out: Float64Array, b?: Float64Array): void;
}

/** Minimum numbers of columns and rows for a filter along a few directions. */
const PROJECTED_COLUMNS = 96;
const PROJECTED_ROWS = 2000;

/** Rows that the directions are learned from. */
const SAMPLE = 1000;

/** `count` evenly spaced rows. */
const evenly = (x: Matrix, count: number): Matrix =>
  x.selectRows(Int32Array.from({ length: count }, (_, r) => Math.floor((r * x.rows) / count)));

/** Relative error of √(‖g‖² − ‖Qᵀg‖²), half of whose digits may cancel. */
const REST_ERROR = 4e-8;

/**
 * Coordinates Qᵀg along orthonormal directions Q and, as one more, the norm of the residual ‖g − QQᵀg‖: distances between them are never
 * above those of the rows, by the triangle inequality of the residuals.
 */
function projectedFilter(whole: Filter, x: Matrix): Filter | undefined {
  const sample = Matrix.zeros(Math.min(SAMPLE, x.rows), x.cols);
  whole.coordinatesInto(evenly(x, sample.rows), 0, sample.rows, sample.data);
  const directions = mainDirections(sample);
  if (directions === undefined) return undefined;
  const kept = directions.cols;
  const depth = kept + 1;
  const coordinatesInto = (z: Matrix, from: number, count: number, out: Float64Array, b?: Float64Array) => {
    const g = Matrix.zeros(count, x.cols);
    whole.coordinatesInto(z, from, count, g.data, b);
    const along = gemm(g, directions);
    for (let r = 0; r < count; r++) {
      let square = 0;
      for (let j = 0, e = r * x.cols; j < x.cols; j++, e++) square += g.data[e]! * g.data[e]!;
      let held = 0;
      for (let c = 0; c < kept; c++) {
        const value = along.data[r * kept + c]!;
        out[r * depth + c] = value;
        held += value * value;
      }
      out[r * depth + kept] = Math.sqrt(Math.max(0, square - held));
      // Added to the bound for all columns, which is above that for fewer.
      if (b) b[r]! += 2 * REST_ERROR * (1 + Math.sqrt(square)) * (1 + Math.sqrt(square));
    }
  };
  return { depth, a: whole.a, coordinatesInto };
}

/** All coordinates, or those along a few directions if these exclude most points. */
function euclideanFilter(x: Matrix): Filter | undefined {
  const whole = centredFilter(x);
  if (whole === undefined) return undefined;
  if (x.cols < PROJECTED_COLUMNS || x.rows < PROJECTED_ROWS) return whole;
  return projectedFilter(whole, x) ?? whole;
}

/** Coordinates are centred at the mean of the points and scaled by a power of two, so that ‖f‖ ≤ 1 and 32 bits suffice. */
function centredFilter(x: Matrix): Filter | undefined {
  const { rows, cols, data } = x;
  const mean = columnMeans(x);
  let most = 0;
  for (let i = 0, e = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, e++) {
      const size = Math.abs(data[e]! - mean[j]!);
      if (size > most) most = size;
    }
  if (!(most < LARGEST)) return undefined;
  const scale = most === 0 ? 1 : powerBelow(1 / (most * Math.sqrt(cols)), 500);
  const depth = cols;
  return {
    depth,
    a: (scale * scale) / 2,
    coordinatesInto: (z, from, count, out, b) => {
      for (let r = 0, e = from * cols, o = 0; r < count; r++) {
        let square = 0;
        for (let j = 0; j < cols; j++, e++, o++) {
          const value = (z.data[e]! - mean[j]!) * scale;
          out[o] = value;
          square += value * value;
        }
        if (b === undefined) continue;
        b[r] = -square / 2 + 1e-12 * square + roundingOf(depth, Math.sqrt(square));
        if (square < FARTHEST) continue;
        b[r] = Infinity;
        out.fill(0, o - cols, o);
      }
    },
  };
}

/** Rows divided by their norms; rows of zeros are unchanged. */
function cosineFilter(x: Matrix): Filter {
  const { cols } = x;
  return {
    depth: cols,
    a: 1,
    coordinatesInto: (z, from, count, out, b) => {
      for (let r = 0, o = 0; r < count; r++, o += cols) {
        const row = z.data.subarray((from + r) * cols, (from + r + 1) * cols);
        const norm = normOf(row);
        for (let j = 0; j < cols; j++) out[o + j] = norm > 0 ? row[j]! / norm : 0;
        if (b) b[r] = -1 + roundingOf(cols, 1);
      }
    },
  };
}

export const filterOf = (metric: Metric, x: Matrix): Filter | undefined =>
  metric.name === "euclidean" ? euclideanFilter(x) : metric.name === "cosine" ? cosineFilter(x) : undefined;

/** The bound of rounding errors for ‖f‖ ≤ 1 and ‖g‖ = `length`; 5 % more for the terms of higher order. */
const roundingOf = (depth: number, length: number): number => 1.05 * UNIT * ((depth + 6) * length + 2);

/** ‖row‖ without overflow. */
export function normOf(row: ArrayLike<number>): number {
  let most = 0;
  for (let j = 0; j < row.length; j++) if (Math.abs(row[j]!) > most) most = Math.abs(row[j]!);
  if (most === 0) return 0;
  let sum = 0;
  for (let j = 0; j < row.length; j++) {
    const value = row[j]! / most;
    sum += value * value;
  }
  return most * Math.sqrt(sum);
}

/** ‖row‖ of the rows from … from + count − 1. */
export function normsOf({ data, cols, rows }: Matrix, from = 0, count = rows): Float64Array {
  const norms = new Float64Array(count);
  for (let r = 0; r < count; r++) norms[r] = normOf(data.subarray((from + r) * cols, (from + r + 1) * cols));
  return norms;
}

/** Means by terms divided first, which do not overflow. */
function columnMeans({ rows, cols, data }: Matrix): Float64Array {
  const mean = new Float64Array(cols);
  for (let i = 0, e = 0; i < rows; i++) for (let j = 0; j < cols; j++, e++) mean[j]! += data[e]! / rows;
  return mean;
}
