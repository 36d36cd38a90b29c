import { axpyRow, dotRow } from "../shared/rows";

/**
 * The two loops of L-BFGS [Nocedal & Wright, algorithm 7.4] around an initial matrix that the caller applies.
 *
 * s, y   `memory` slots of n doubles each; slot of the k-th newest pair: (newest − k) mod memory
 * rho    1 / s·y per slot;  alpha  one double per slot, written by the first loop and read by the second
 */
export function firstLoop(
  s: usize,
  y: usize,
  rho: usize,
  alpha: usize,
  n: i32,
  memory: i32,
  newest: i32,
  count: i32,
  q: usize,
): void {
  const stride = (<usize>n) << 3;
  for (let k = 0; k < count; k++) {
    const slot = <usize>((newest - k + memory) % memory);
    const a = load<f64>(rho + (slot << 3)) * dotRow(s + slot * stride, q, n);
    store<f64>(alpha + (slot << 3), a);
    axpyRow(-a, y + slot * stride, q, n);
  }
}

export function secondLoop(
  s: usize,
  y: usize,
  rho: usize,
  alpha: usize,
  n: i32,
  memory: i32,
  newest: i32,
  count: i32,
  q: usize,
): void {
  const stride = (<usize>n) << 3;
  for (let k = count - 1; k >= 0; k--) {
    const slot = <usize>((newest - k + memory) % memory);
    const b = load<f64>(rho + (slot << 3)) * dotRow(y + slot * stride, q, n);
    axpyRow(load<f64>(alpha + (slot << 3)) - b, s + slot * stride, q, n);
  }
}

/** partials[0] += partials[1] + … in order; `size` doubles each. */
export function foldPartials(partials: usize, size: i32, count: i32): void {
  const stride = (<usize>size) << 3;
  for (let c = 1; c < count; c++) axpyRow(1, partials + <usize>c * stride, partials, size);
}
