import { STEP_HEAD } from "../tensor.layout";
import { STEP, write } from "./tile";

/**
 * Products whose left side has many zeros, as images and one-hot columns do: of the sum over k, four rows of A take only the steps in which one
 * of them is not zero. A step is the offset of its row of B in a packed panel (8 bytes), then an entry of each of the four rows.
 */

/** Bytes of a step. */
// @inline
export function stepBytes<T>(): usize {
  return STEP_HEAD + 4 * sizeof<T>();
}

/**
 * Writes the steps of up to four rows of A to `out` and returns the address after the last of them. There is room for `depth` steps; rows beyond
 * `rows` repeat the first.
 */
export function gatherSteps<T>(a: usize, row: usize, step: usize, rows: i32, depth: i32, out: usize): usize {
  let a0 = a;
  let a1 = rows > 1 ? a + row : a;
  let a2 = rows > 2 ? a + 2 * row : a;
  let a3 = rows > 3 ? a + 3 * row : a;
  // The row of the bias comes first in a panel.
  let offset = <u32>STEP;
  let e = 0;
  if (sizeof<T>() == 4 && step == 4) {
    for (; e <= depth - 4; e += 4) {
      const r0 = v128.load(a0);
      const r1 = v128.load(a1);
      const r2 = v128.load(a2);
      const r3 = v128.load(a3);
      const low01 = v128.shuffle<u32>(r0, r1, 0, 4, 1, 5);
      const low23 = v128.shuffle<u32>(r2, r3, 0, 4, 1, 5);
      const high01 = v128.shuffle<u32>(r0, r1, 2, 6, 3, 7);
      const high23 = v128.shuffle<u32>(r2, r3, 2, 6, 3, 7);
      out = putFloats(v128.shuffle<u64>(low01, low23, 0, 2), offset, out);
      out = putFloats(v128.shuffle<u64>(low01, low23, 1, 3), offset + <u32>STEP, out);
      out = putFloats(v128.shuffle<u64>(high01, high23, 0, 2), offset + 2 * <u32>STEP, out);
      out = putFloats(v128.shuffle<u64>(high01, high23, 1, 3), offset + 3 * <u32>STEP, out);
      offset += 4 * <u32>STEP;
      a0 += 16;
      a1 += 16;
      a2 += 16;
      a3 += 16;
    }
  } else if (sizeof<T>() == 4 && row == 4 && rows > 3) {
    for (; e < depth; e++, a0 += step, offset += <u32>STEP) out = putFloats(v128.load(a0), offset, out);
  }
  for (; e < depth; e++, offset += <u32>STEP) {
    const x0 = load<T>(a0);
    const x1 = load<T>(a1);
    const x2 = load<T>(a2);
    const x3 = load<T>(a3);
    store<u32>(out, offset);
    store<T>(out, x0, STEP_HEAD);
    store<T>(out, x1, STEP_HEAD + sizeof<T>());
    store<T>(out, x2, STEP_HEAD + 2 * sizeof<T>());
    store<T>(out, x3, STEP_HEAD + 3 * sizeof<T>());
    if (x0 != 0 || x1 != 0 || x2 != 0 || x3 != 0) out += stepBytes<T>();
    a0 += step;
    a1 += step;
    a2 += step;
    a3 += step;
  }
  return out;
}

/** Writes a step of floats; returns the address of the next one, which is the same for zeros: a jump could not be predicted. */
// @inline
function putFloats(x: v128, offset: u32, out: usize): usize {
  store<u32>(out, offset);
  v128.store(out, x, STEP_HEAD);
  const some = <usize>v128.any_true(f32x4.ne(x, f32x4.splat(0)));
  return out + (stepBytes<f32>() & (0 - some));
}

/** What `tiles` computes, for up to four rows whose steps are at [from, end), with the packed panel b. */
export function stepTile<T>(
  from: usize,
  end: usize,
  b: usize,
  rows: i32,
  c: usize,
  ldc: usize,
  add: bool,
  floor: T,
): void {
  const low = v128.splat<T>(floor);
  let c00 = v128.load(b);
  let c01 = v128.load(b, 16);
  let c10 = c00;
  let c11 = c01;
  let c20 = c00;
  let c21 = c01;
  let c30 = c00;
  let c31 = c01;
  for (; from < end; from += stepBytes<T>()) {
    const p = b + <usize>load<u32>(from);
    const b0 = v128.load(p);
    const b1 = v128.load(p, 16);
    let s = v128.load_splat<T>(from, STEP_HEAD);
    c00 = v128.add<T>(c00, v128.mul<T>(s, b0));
    c01 = v128.add<T>(c01, v128.mul<T>(s, b1));
    s = v128.load_splat<T>(from, STEP_HEAD + sizeof<T>());
    c10 = v128.add<T>(c10, v128.mul<T>(s, b0));
    c11 = v128.add<T>(c11, v128.mul<T>(s, b1));
    s = v128.load_splat<T>(from, STEP_HEAD + 2 * sizeof<T>());
    c20 = v128.add<T>(c20, v128.mul<T>(s, b0));
    c21 = v128.add<T>(c21, v128.mul<T>(s, b1));
    s = v128.load_splat<T>(from, STEP_HEAD + 3 * sizeof<T>());
    c30 = v128.add<T>(c30, v128.mul<T>(s, b0));
    c31 = v128.add<T>(c31, v128.mul<T>(s, b1));
  }
  write<T>(c, c00, c01, add, low);
  if (rows > 1) write<T>(c + ldc, c10, c11, add, low);
  if (rows > 2) write<T>(c + 2 * ldc, c20, c21, add, low);
  if (rows > 3) write<T>(c + 3 * ldc, c30, c31, add, low);
}
