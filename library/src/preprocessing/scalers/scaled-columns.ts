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
  const { data, rows, cols } = x;
  const out = new Float64Array(data.length);
  for (let from = 0; from < data.length; from += BLOCK_ROWS * cols) {
    const to = Math.min(data.length, from + BLOCK_ROWS * cols);
    for (let j = 0; j < cols; j++) {
      const c = center ? center[j]! : 0;
      const s = scale[j]!;
      for (let e = from + j; e < to; e += cols) out[e] = (data[e]! - c) / s;
    }
  }
  return new Matrix(out, rows, scale.length);
}

/** z · scale + center, which undoes it. */
export function unscaledColumns(z: Design, center: Float64Array | undefined, scale: Float64Array): Design {
  if (z instanceof CsrMatrix) {
    const values = z.values.map((value, e) => value * scale[z.indices[e]!]!);
    return new CsrMatrix({ ...z, values });
  }
  const { data, rows, cols } = z;
  const out = new Float64Array(data.length);
  for (let from = 0; from < data.length; from += BLOCK_ROWS * cols) {
    const to = Math.min(data.length, from + BLOCK_ROWS * cols);
    for (let j = 0; j < cols; j++) {
      const c = center ? center[j]! : 0;
      const s = scale[j]!;
      for (let e = from + j; e < to; e += cols) out[e] = data[e]! * s + c;
    }
  }
  return new Matrix(out, rows, scale.length);
}
