/** Rows of a panel: a cache line per column, four vectors of sums. */
const PANEL: i32 = 8;

/** Squares of the differences that are numbers; 0 where an entry of either row is NaN. */
// @inline
function present(difference: v128, mask: v128): v128 {
  const own = v128.and(difference, mask);
  return f64x2.mul(own, own);
}

/**
 * Squared distances of rows with gaps (NaN), over the columns that both have: d / count · Σ ((q − v) s)², NaN where count = 0.
 *
 * panels   ⌈n / 8⌉ panels of d × 8 doubles: the entries of a column side by side; rows past the last are NaN
 * queries  count × d doubles, row by row;  scales  the factor s of each query
 * out      count × (8 · panelCount) doubles, 16-byte aligned like everything else
 * Chunk c is the queries from c · chunkRows on, and writes their rows of `out` only.
 */
export function gapDistancesChunk(
  panels: usize,
  panelCount: i32,
  d: i32,
  queries: usize,
  scales: usize,
  count: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const to = min(count, (chunk + 1) * chunkRows);
  const one = f64x2.splat(1);
  const width = f64x2.splat(<f64>d);
  for (let i = chunk * chunkRows; i < to; i++) {
    const query = queries + ((<usize>i * <usize>d) << 3);
    const scale = v128.load64_splat(scales + ((<usize>i) << 3));
    let at = panels;
    let result = out + ((<usize>i * <usize>panelCount * <usize>PANEL) << 3);
    for (let p = 0; p < panelCount; p++, result += (<usize>PANEL) << 3) {
      let s0 = f64x2.splat(0);
      let s1 = f64x2.splat(0);
      let s2 = f64x2.splat(0);
      let s3 = f64x2.splat(0);
      let n0 = f64x2.splat(0);
      let n1 = f64x2.splat(0);
      let n2 = f64x2.splat(0);
      let n3 = f64x2.splat(0);
      for (let j = 0; j < d; j++, at += (<usize>PANEL) << 3) {
        const value = load<f64>(query + ((<usize>j) << 3));
        if (value != value) continue;
        const q = f64x2.splat(value);
        const d0 = f64x2.mul(f64x2.sub(q, v128.load(at)), scale);
        const d1 = f64x2.mul(f64x2.sub(q, v128.load(at, 16)), scale);
        const d2 = f64x2.mul(f64x2.sub(q, v128.load(at, 32)), scale);
        const d3 = f64x2.mul(f64x2.sub(q, v128.load(at, 48)), scale);
        const m0 = f64x2.eq(d0, d0);
        const m1 = f64x2.eq(d1, d1);
        const m2 = f64x2.eq(d2, d2);
        const m3 = f64x2.eq(d3, d3);
        s0 = f64x2.add(s0, present(d0, m0));
        s1 = f64x2.add(s1, present(d1, m1));
        s2 = f64x2.add(s2, present(d2, m2));
        s3 = f64x2.add(s3, present(d3, m3));
        n0 = f64x2.add(n0, v128.and(one, m0));
        n1 = f64x2.add(n1, v128.and(one, m1));
        n2 = f64x2.add(n2, v128.and(one, m2));
        n3 = f64x2.add(n3, v128.and(one, m3));
      }
      // 0 / 0 is NaN: the rows have no column in common.
      v128.store(result, f64x2.mul(f64x2.div(s0, n0), width));
      v128.store(result, f64x2.mul(f64x2.div(s1, n1), width), 16);
      v128.store(result, f64x2.mul(f64x2.div(s2, n2), width), 32);
      v128.store(result, f64x2.mul(f64x2.div(s3, n3), width), 48);
    }
  }
}
