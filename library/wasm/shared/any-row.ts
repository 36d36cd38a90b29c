import { axpyRow, dotRow } from "./rows";

/** Row products for both layouts: indptr = 0 means dense rows of d, otherwise compressed sparse rows. */

// @inline
export function rowDot(x: usize, indptr: usize, indices: usize, i: i32, d: i32, w: usize): f64 {
  if (indptr == 0) return dotRow(x + ((<usize>i * <usize>d) << 3), w, d);
  let sum: f64 = 0;
  const end = load<i32>(indptr + ((<usize>i) << 2), 4);
  for (let e = load<i32>(indptr + ((<usize>i) << 2)); e < end; e++) {
    sum +=
      load<f64>(x + ((<usize>e) << 3)) *
      load<f64>(w + ((<usize>load<i32>(indices + ((<usize>e) << 2))) << 3));
  }
  return sum;
}

// @inline
export function rowAdd(scale: f64, x: usize, indptr: usize, indices: usize, i: i32, d: i32, w: usize): void {
  if (indptr == 0) {
    axpyRow(scale, x + ((<usize>i * <usize>d) << 3), w, d);
    return;
  }
  const end = load<i32>(indptr + ((<usize>i) << 2), 4);
  for (let e = load<i32>(indptr + ((<usize>i) << 2)); e < end; e++) {
    const at = w + ((<usize>load<i32>(indices + ((<usize>e) << 2))) << 3);
    store<f64>(at, load<f64>(at) + scale * load<f64>(x + ((<usize>e) << 3)));
  }
}
