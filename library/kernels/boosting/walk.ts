/**
 * Trees as arrays of nodes of 24 bytes: the threshold (or the leaf's value), the column (−1: a leaf), the left child's number, to which
 * the right one is next, and two marks: where missing values go, and the number of the set of a split by categories (−1: none).
 */
export const NODE: usize = 24;

@inline
function goesRight(node: usize, x: f64, sets: usize): bool {
  const set = load<i32>(node, 20);
  if (x != x) return load<i32>(node, 16) == 0;
  if (set < 0) return x > load<f64>(node);
  const b = <i32>x;
  return ((load<u32>(sets + (<usize>set << 5) + (<usize>(b >> 5) << 2)) >> (b & 31)) & 1) == 0;
}

/** The value of the leaf that a row of numbers (categories as their bins) comes to. */
@inline
export function leafValue(nodes: usize, row: usize, sets: usize): f64 {
  let node = nodes;
  let j = load<i32>(node, 8);
  while (j >= 0) {
    const right = <usize>goesRight(node, load<f64>(row + (<usize>j << 3)), sets);
    node = nodes + (<usize>load<i32>(node, 12) + right) * NODE;
    j = load<i32>(node, 8);
  }
  return load<f64>(node);
}

/** Rows whose numbers stay near while all trees are walked. */
const BLOCK: i32 = 64;

/** out[i·K + k] += the values of trees k, k + K, … for rows from … to − 1. */
export function walkRows(
  x: usize, d: i32, from: i32, to: i32, nodes: usize, starts: usize, trees: i32, K: i32, sets: usize, out: usize,
): void {
  for (let first = from; first < to; first += BLOCK) {
    const end = min(to, first + BLOCK);
    for (let tree: i32 = 0; tree < trees; tree++) {
      const root = nodes + <usize>load<i32>(starts + (<usize>tree << 2)) * NODE;
      const k = tree % K;
      for (let i = first; i < end; i++) {
        const place = out + (<usize>(i * K + k) << 3);
        store<f64>(place, load<f64>(place) + leafValue(root, x + ((<usize>i * <usize>d) << 3), sets));
      }
    }
  }
}
