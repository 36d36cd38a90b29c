import { at, lanes, loadUpTo, storeUpTo } from "../shared/lanes";

/**
 * Products of compressed sparse rows with a dense matrix, each compiled for f32 and f64.
 * indptr, indices   row r has the entries from indptr[r] to indptr[r + 1]
 * order             the number of the row that stands at each place; 0: the place itself
 * w                 the matrix, entries × m row-major; out and g have m numbers per place
 */

// @inline
function rowAt(order: usize, place: i32): i32 {
  return order == 0 ? place : load<i32>(order + ((<usize>place) << 2));
}

/** Vectors of the output that are summed in registers at a time. */
const WIDTH: i32 = 4;

/** out[p] = bias + Σ value · w[index] for a chunk of places; the terms in the order of the entries, the bias last. */
// @inline
export function sparseProductChunk<T>(
  indptr: usize,
  indices: usize,
  values: usize,
  order: usize,
  count: i32,
  w: usize,
  m: i32,
  bias: usize,
  out: usize,
  size: i32,
  chunk: i32,
): void {
  const end = min(count, (chunk + 1) * size);
  const step = WIDTH * lanes<T>();
  for (let place = chunk * size; place < end; place++) {
    const row = rowAt(order, place);
    const from = load<i32>(indptr + ((<usize>row) << 2));
    const to = load<i32>(indptr + ((<usize>row) << 2), 4);
    let k = 0;
    for (; k + step <= m; k += step) {
      let a = v128.splat<T>(0);
      let b = v128.splat<T>(0);
      let c = v128.splat<T>(0);
      let d = v128.splat<T>(0);
      for (let e = from; e < to; e++) {
        const v = v128.splat<T>(load<T>(at<T>(values, e)));
        const line = at<T>(w, load<i32>(indices + ((<usize>e) << 2)) * m + k);
        a = v128.add<T>(a, v128.mul<T>(v, v128.load(line)));
        b = v128.add<T>(b, v128.mul<T>(v, v128.load(line, 16)));
        c = v128.add<T>(c, v128.mul<T>(v, v128.load(line, 32)));
        d = v128.add<T>(d, v128.mul<T>(v, v128.load(line, 48)));
      }
      const target = at<T>(out, place * m + k);
      v128.store(target, withBias<T>(a, bias, k));
      v128.store(target, withBias<T>(b, bias, k + lanes<T>()), 16);
      v128.store(target, withBias<T>(c, bias, k + 2 * lanes<T>()), 32);
      v128.store(target, withBias<T>(d, bias, k + 3 * lanes<T>()), 48);
    }
    for (; k < m; k += lanes<T>()) {
      const left = m - k;
      let a = v128.splat<T>(0);
      for (let e = from; e < to; e++) {
        const v = v128.splat<T>(load<T>(at<T>(values, e)));
        const line = at<T>(w, load<i32>(indices + ((<usize>e) << 2)) * m + k);
        a = v128.add<T>(a, v128.mul<T>(v, loadUpTo<T>(line, left, 0)));
      }
      if (bias != 0) a = v128.add<T>(a, loadUpTo<T>(at<T>(bias, k), left, 0));
      storeUpTo<T>(at<T>(out, place * m + k), a, left);
    }
  }
}

// @inline
function withBias<T>(x: v128, bias: usize, k: i32): v128 {
  return bias == 0 ? x : v128.add<T>(x, v128.load(at<T>(bias, k)));
}

/** out[index] += value · g[p], place by place. */
// @inline
export function sparseGradient<T>(
  indptr: usize,
  indices: usize,
  values: usize,
  order: usize,
  count: i32,
  g: usize,
  m: i32,
  out: usize,
): void {
  for (let place = 0; place < count; place++) {
    const row = rowAt(order, place);
    const from = load<i32>(indptr + ((<usize>row) << 2));
    const to = load<i32>(indptr + ((<usize>row) << 2), 4);
    const line = at<T>(g, place * m);
    for (let e = from; e < to; e++) {
      const v = v128.splat<T>(load<T>(at<T>(values, e)));
      const target = at<T>(out, load<i32>(indices + ((<usize>e) << 2)) * m);
      for (let k = 0; k < m; k += lanes<T>()) {
        const left = m - k;
        const term = v128.mul<T>(v, loadUpTo<T>(at<T>(line, k), left, 0));
        const place = at<T>(target, k);
        storeUpTo<T>(place, v128.add<T>(loadUpTo<T>(place, left, 0), term), left);
      }
    }
  }
}
