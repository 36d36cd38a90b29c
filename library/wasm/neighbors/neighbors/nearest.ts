/**
 * The k nearest points found so far: a binary heap of (reduced distance, number), the farthest first. Of equal distances the larger
 * number is the farther one, so that ties go to the smaller number in any order of insertion.
 */

// @inline
function farther(d: f64, i: i32, e: f64, j: i32): bool {
  return d > e || (d == e && i > j);
}

/** Whether (d, i) is nearer than the farthest of a full heap. */
// @inline
export function enters(distances: usize, indices: usize, d: f64, i: i32): bool {
  const top = load<f64>(distances);
  return d < top || (d == top && i < load<i32>(indices));
}

/** An empty heap of k places: all at an infinite distance. */
export function emptyHeap(distances: usize, indices: usize, k: i32): void {
  for (let e: i32 = 0; e < k; e++) {
    store<f64>(distances + ((<usize>e) << 3), Infinity);
    store<i32>(indices + ((<usize>e) << 2), i32.MAX_VALUE);
  }
}

/** Replaces the farthest of `k` by (d, i). */
export function replaceFarthest(distances: usize, indices: usize, k: i32, d: f64, i: i32): void {
  let at: i32 = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= k) break;
    let cd = load<f64>(distances + ((<usize>child) << 3));
    let ci = load<i32>(indices + ((<usize>child) << 2));
    if (child + 1 < k) {
      const rd = load<f64>(distances + ((<usize>child) << 3), 8);
      const ri = load<i32>(indices + ((<usize>child) << 2), 4);
      if (farther(rd, ri, cd, ci)) {
        child++;
        cd = rd;
        ci = ri;
      }
    }
    if (!farther(cd, ci, d, i)) break;
    store<f64>(distances + ((<usize>at) << 3), cd);
    store<i32>(indices + ((<usize>at) << 2), ci);
    at = child;
  }
  store<f64>(distances + ((<usize>at) << 3), d);
  store<i32>(indices + ((<usize>at) << 2), i);
}

/** Turns the heap into a list, the nearest first. */
export function sortHeap(distances: usize, indices: usize, k: i32): void {
  for (let size = k - 1; size > 0; size--) {
    const d = load<f64>(distances + ((<usize>size) << 3));
    const i = load<i32>(indices + ((<usize>size) << 2));
    store<f64>(distances + ((<usize>size) << 3), load<f64>(distances));
    store<i32>(indices + ((<usize>size) << 2), load<i32>(indices));
    replaceFarthest(distances, indices, size, d, i);
  }
}
