import { at, lanes, loadUpTo } from "../../shared/lanes";
import { DEPTH } from "../tensor.layout";
import { panel, STEP } from "./tile";

/**
 * Packing of B: slices of DEPTH rows; in a slice, one panel after another; in a panel, a first row (the bias
 * in the first slice, zeros in others), then the rows of the slice. Columns beyond the last are zeros.
 */

/** Bytes of B's packing before slice l/DEPTH, for n columns in `panels` panels. */
// @inline
export function sliceStart(l: i32, panels: i32): usize {
  return <usize>(l + l / DEPTH) * <usize>panels * STEP;
}

/**
 * Transposes: out[e·step + r] = from[r·stride + e] for r < lanes, e < depth, where rows r ≥ count are zeros.
 * step and stride in bytes.
 */
export function transpose<T>(
  from: usize,
  stride: usize,
  count: i32,
  depth: i32,
  out: usize,
  step: usize,
): void {
  let e = 0;
  if (count >= lanes<T>()) {
    for (; e <= depth - lanes<T>(); e += lanes<T>(), out += step * <usize>lanes<T>()) {
      const source = at<T>(from, e);
      const r0 = v128.load(source);
      const r1 = v128.load(source + stride);
      if (sizeof<T>() == 8) {
        v128.store(out, v128.shuffle<u64>(r0, r1, 0, 2));
        v128.store(out + step, v128.shuffle<u64>(r0, r1, 1, 3));
      } else {
        const r2 = v128.load(source + 2 * stride);
        const r3 = v128.load(source + 3 * stride);
        const low01 = v128.shuffle<u32>(r0, r1, 0, 4, 1, 5);
        const low23 = v128.shuffle<u32>(r2, r3, 0, 4, 1, 5);
        const high01 = v128.shuffle<u32>(r0, r1, 2, 6, 3, 7);
        const high23 = v128.shuffle<u32>(r2, r3, 2, 6, 3, 7);
        v128.store(out, v128.shuffle<u64>(low01, low23, 0, 2));
        v128.store(out + step, v128.shuffle<u64>(low01, low23, 1, 3));
        v128.store(out + 2 * step, v128.shuffle<u64>(high01, high23, 0, 2));
        v128.store(out + 3 * step, v128.shuffle<u64>(high01, high23, 1, 3));
      }
    }
  }
  for (; e < depth; e++, out += step) {
    for (let r = 0; r < lanes<T>(); r++) {
      const value: T = r < count ? load<T>(at<T>(from + <usize>r * stride, e)) : 0;
      store<T>(at<T>(out, r), value);
    }
  }
}

/** out[e·step + r] = from[e·stride + r] for r < lanes, e < depth, where r ≥ count are zeros. */
function copyVectors<T>(from: usize, stride: usize, count: i32, depth: i32, out: usize, step: usize): void {
  if (count >= lanes<T>()) {
    for (let e = 0; e < depth; e++, from += stride, out += step) v128.store(out, v128.load(from));
  } else if (count > 0) {
    for (let e = 0; e < depth; e++, from += stride, out += step) v128.store(out, loadUpTo<T>(from, count, 0));
  } else {
    for (let e = 0; e < depth; e++, out += step) v128.store(out, v128.splat<T>(0));
  }
}

/**
 * Packs the panels [first, last) of B, which has n columns and sums over k.
 * b      rows `ldb` bytes apart: k × n, or n × k if `transposed`
 * bias   the address of n numbers, or 0
 */
export function packPanels<T>(
  b: usize,
  ldb: usize,
  transposed: bool,
  k: i32,
  n: i32,
  bias: usize,
  out: usize,
  first: i32,
  last: i32,
): void {
  const panels = (n + panel<T>() - 1) / panel<T>();
  for (let l = 0; l < max(k, 1); l += DEPTH) {
    const depth = min(DEPTH, k - l);
    const slice = out + sliceStart(l, panels);
    for (let q = first; q < last; q++) {
      for (let half = 0; half < 2; half++) {
        const j = q * panel<T>() + half * lanes<T>();
        const to = slice + <usize>q * <usize>(depth + 1) * STEP + ((<usize>half) << 4);
        const count = n - j;
        const initial = bias != 0 && l == 0 && count > 0;
        v128.store(to, initial ? loadUpTo<T>(at<T>(bias, j), count, 0) : v128.splat<T>(0));
        if (transposed) transpose<T>(at<T>(b + <usize>j * ldb, l), ldb, count, depth, to + STEP, STEP);
        else copyVectors<T>(at<T>(b + <usize>l * ldb, j), ldb, count, depth, to + STEP, STEP);
      }
    }
  }
}
