import { leavesInto } from "./leaves";
import { integer, real } from "./task";

/**
 * Leaves of sparse rows: some of them are made dense in `dense`, which has `batch` × d zeros before and after, and walked like dense ones.
 * starts, columns   32-bit, values doubles: the rows' entries in the d columns that trees ask about
 */

/** Writes the entries of rows from … to − 1; true if none of their numbers is missing. */
export function scatter(starts: usize, columns: usize, values: usize, d: i32, from: i32, to: i32, dense: usize): bool {
  let sum: f64 = 0;
  for (let i = from; i < to; i++) {
    const row = dense + ((<usize>(i - from) * <usize>d) << 3);
    for (let e = integer(starts, i); e < integer(starts, i + 1); e++) {
      const value = real(values, e);
      // 0·x is NaN for NaN, and 0 for numbers, which are finite here.
      sum += 0 * value;
      store<f64>(row + (<usize>integer(columns, e) << 3), value);
    }
  }
  return sum == 0;
}

/** Zeros again. */
export function clear(starts: usize, columns: usize, d: i32, from: i32, to: i32, dense: usize): void {
  for (let i = from; i < to; i++) {
    const row = dense + ((<usize>(i - from) * <usize>d) << 3);
    for (let e = integer(starts, i); e < integer(starts, i + 1); e++) {
      store<f64>(row + (<usize>integer(columns, e) << 3), 0);
    }
  }
}

/** Adds the values of row i's leaf in each of the trees to out[i, k], for rows from … to − 1 at `dense`. */
export function addSums(
  dense: usize, d: i32, from: i32, to: i32, nodes: usize, pool: usize, fast: bool, treeStarts: usize, trees: i32, values: usize, width: i32,
  out: usize, leaves: usize,
): void {
  const bytes = <usize>width << 3;
  for (let t: i32 = 0; t < trees; t++) {
    leavesInto(dense, d, 0, to - from, nodes + (<usize>integer(treeStarts, 2 * t) << 4), pool, fast, leaves);
    const first = integer(treeStarts, 2 * t + 1);
    let sums = out + <usize>from * bytes;
    for (let i = from; i < to; i++, sums += bytes) {
      const own = values + <usize>(first + integer(leaves, i - from)) * bytes;
      for (let k: usize = 0; k < bytes; k += 8) store<f64>(sums + k, load<f64>(sums + k) + load<f64>(own + k));
    }
  }
}
