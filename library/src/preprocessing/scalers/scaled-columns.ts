import { DataError } from "../../core/errors.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";

/** Rows that are changed column by column: they stay in the first cache, and what a column is divided by in a register. */
const BLOCK_ROWS = 128;

/** (x − center) / scale, column by column; the center of sparse rows is 0. */
export function scaledColumns(x: Design, center: Float64Array | undefined, scale: Float64Array): Design {
  if (x instanceof CsrMatrix) {
    const values = x.values.map((value, e) => value / scale[x.indices[e]!]!);
    return new CsrMatrix({ ...x, values });
  }
  const out = Matrix.zeros(x.rows, scale.length);
  eachBlock(x, (from, to, step, j) => {
    const [c, s] = [center ? center[j]! : 0, scale[j]!];
    for (let e = from; e < to; e += step) out.data[e] = (x.data[e]! - c) / s;
  });
  return out;
}

/** z · scale + center, which undoes it. */
export function unscaledColumns(z: Design, center: Float64Array | undefined, scale: Float64Array): Design {
  if (z instanceof CsrMatrix) {
    const values = z.values.map((value, e) => value * scale[z.indices[e]!]!);
    return new CsrMatrix({ ...z, values });
  }
  const out = Matrix.zeros(z.rows, scale.length);
  eachBlock(z, (from, to, step, j) => {
    const [c, s] = [center ? center[j]! : 0, scale[j]!];
    for (let e = from; e < to; e += step) out.data[e] = z.data[e]! * s + c;
  });
  return out;
}

/** Column j of each block of rows: its entries are at from, from + step, … below `to`. */
function eachBlock(
  { data, cols }: Matrix,
  visit: (from: number, to: number, step: number, j: number) => void,
): void {
  for (let from = 0; from < data.length; from += BLOCK_ROWS * cols) {
    const to = Math.min(data.length, from + BLOCK_ROWS * cols);
    for (let j = 0; j < cols; j++) visit(from + j, to, cols, j);
  }
}

/** Every entry changed by itself and its column; `cols` wide also where there are no rows. */
export function changedEntries(
  x: Matrix,
  cols: number,
  change: (value: number, j: number) => number,
): Matrix {
  const out = Matrix.zeros(x.rows, cols);
  for (let i = 0, e = 0; i < x.rows; i++)
    for (let j = 0; j < cols; j++, e++) out.data[e] = change(x.data[e]!, j);
  return out;
}

/** Throws for a column whose range overflows a double. */
export function requireRange(where: string, j: number, low: number, high: number): void {
  if (Number.isFinite(high - low)) return;
  const expected = "of a range that fits a double";
  throw new DataError(where, `column ${j} of X`, expected, `values from ${low} to ${high}`);
}
