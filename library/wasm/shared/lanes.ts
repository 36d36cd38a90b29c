/**
 * Vectors of 16 bytes: four f32 or two f64. Kernels are written once for both, as generic functions of T. The
 * last vector of a range may be a partial one: its entries are read and written one by one, since what
 * follows may belong to another tensor.
 */

/** Entries per vector. */
// @inline
export function lanes<T>(): i32 {
  return <i32>(16 / sizeof<T>());
}

/** Address of entry e. */
// @inline
export function at<T>(base: usize, e: i32): usize {
  return base + <usize>e * sizeof<T>();
}

/** The next `count` entries; lanes beyond them have the value `fill`. */
// @inline
export function loadUpTo<T>(from: usize, count: i32, fill: T): v128 {
  if (count >= lanes<T>()) return v128.load(from);
  return loadPart<T>(from, count, fill);
}

function loadPart<T>(from: usize, count: i32, fill: T): v128 {
  let x = v128.splat<T>(fill);
  x = v128.replace_lane<T>(x, 0, load<T>(from));
  if (sizeof<T>() == 4) {
    if (count > 1) x = v128.replace_lane<T>(x, 1, load<T>(from, sizeof<T>()));
    if (count > 2) x = v128.replace_lane<T>(x, 2, load<T>(from, 2 * sizeof<T>()));
  }
  return x;
}

/** Writes the first `count` lanes, or all if there are fewer. */
// @inline
export function storeUpTo<T>(to: usize, x: v128, count: i32): void {
  if (count >= lanes<T>()) v128.store(to, x);
  else storePart<T>(to, x, count);
}

function storePart<T>(to: usize, x: v128, count: i32): void {
  store<T>(to, v128.extract_lane<T>(x, 0));
  if (sizeof<T>() == 4) {
    if (count > 1) store<T>(to, v128.extract_lane<T>(x, 1), sizeof<T>());
    if (count > 2) store<T>(to, v128.extract_lane<T>(x, 2), 2 * sizeof<T>());
  }
}

/** Sum of all lanes. */
export function sumOfLanes<T>(x: v128): T {
  if (sizeof<T>() == 4) {
    const low = v128.extract_lane<T>(x, 0) + v128.extract_lane<T>(x, 1);
    return (low + (v128.extract_lane<T>(x, 2) + v128.extract_lane<T>(x, 3))) as T;
  }
  return (v128.extract_lane<T>(x, 0) + v128.extract_lane<T>(x, 1)) as T;
}

/** Largest lane. */
export function maxOfLanes<T>(x: v128): T {
  const half = v128.pmax<T>(x, v128.shuffle<u64>(x, x, 1, 0));
  if (sizeof<T>() == 8) return v128.extract_lane<T>(half, 0);
  return max<T>(v128.extract_lane<T>(half, 0), v128.extract_lane<T>(half, 1));
}

/** Stores four vectors one after the other. */
// @inline
export function storeFour(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
}
