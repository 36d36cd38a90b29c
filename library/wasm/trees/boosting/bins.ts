import { BINS, Column } from "../boosting.layout";

/**
 * The number of edges below x, by a binary search without branches: `edges` has 256 ascending doubles, the unused ones Infinity. x is in
 * bin b if edges[b − 1] < x ≤ edges[b].
 */
// @inline
function binOf(edges: usize, x: f64): usize {
  let at = edges;
  at += (<usize>(load<f64>(at, 127 * 8) < x)) << 10;
  at += (<usize>(load<f64>(at, 63 * 8) < x)) << 9;
  at += (<usize>(load<f64>(at, 31 * 8) < x)) << 8;
  at += (<usize>(load<f64>(at, 15 * 8) < x)) << 7;
  at += (<usize>(load<f64>(at, 7 * 8) < x)) << 6;
  at += (<usize>(load<f64>(at, 3 * 8) < x)) << 5;
  at += (<usize>(load<f64>(at, 8) < x)) << 4;
  at += (<usize>(load<f64>(at) < x)) << 3;
  return (at - edges) >> 3;
}

/** The index of x among the categories; `count` if it is not one of them. */
// @inline
function categoryOf(edges: usize, count: i32, x: f64): i32 {
  const b = <i32>binOf(edges, x);
  return b < count && load<f64>(edges + ((<usize>b) << 3)) == x ? b : count;
}

/**
 * Bins of a chunk of `count` rows of d columns at x, the rows from `first` on of `total`: row by row, and column by column unless
 * `colBins` is 0.
 * columns   Column per column
 * missing   32-bit per column, set to 1 if a value is missing
 */
export function boostBins(
  x: usize,
  count: i32,
  d: i32,
  total: i32,
  first: i32,
  edges: usize,
  columns: usize,
  rowBins: usize,
  colBins: usize,
  missing: usize,
  rows: i32,
  chunk: i32,
): void {
  const begin = chunk * rows;
  const end = min(count, begin + rows);
  for (let j: i32 = 0; j < d; j++) {
    const own = edges + ((<usize>(j * BINS)) << 3);
    const column = changetype<Column>(columns + <usize>j * offsetof<Column>());
    const bins = column.bins;
    const categorical = column.categorical != 0;
    const rowBytes = <usize>((d + 7) & ~7);
    let out = rowBins + <usize>(first + begin) * rowBytes + <usize>j;
    let copy = colBins + <usize>j * <usize>total + <usize>(first + begin);
    let from = x + ((<usize>begin * <usize>d + <usize>j) << 3);
    const step = (<usize>d) << 3;
    let anyMissing = false;
    for (let i = begin; i < end; i++, from += step, out += rowBytes, copy++) {
      const value = load<f64>(from);
      let b = bins;
      if (value == value)
        b = categorical ? categoryOf(own, bins, value) : min(<i32>binOf(own, value), bins - 1);
      if (b == bins) anyMissing = true;
      store<u8>(out, <u8>b);
      if (colBins != 0) store<u8>(copy, <u8>b);
    }
    if (anyMissing) store<i32>(missing + ((<usize>j) << 2), 1);
  }
}
