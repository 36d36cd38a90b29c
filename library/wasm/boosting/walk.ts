/**
 * Trees as arrays of nodes of 32 bytes: 0 the threshold, 8 the leaf's value, 16 the column, 20 how many bytes after the root the left child
 * is, after which the right one is next, 24 whether missing values go left, 28 the number of the set of categories that go left (−1: none).
 * A leaf is its own left child, and no number is above its threshold, Infinity: whoever has come there stays there.
 */
export const NODE: usize = 32;

/** The way by a set: x is the bin of a category. */
function rightOfSet(node: usize, x: f64, sets: usize): usize {
  const b = <i32>x;
  const word = load<u32>(sets + ((<usize>load<i32>(node, 28)) << 5) + ((<usize>(b >> 5)) << 2));
  return ((word >> (b & 31)) & 1) ^ 1;
}

// @inline
function step(root: usize, node: usize, row: usize, sets: usize): usize {
  const x = load<f64>(row + ((<usize>load<i32>(node, 16)) << 3));
  let right = <usize>(x > load<f64>(node)) | (<usize>(x != x) & (<usize>load<i32>(node, 24) ^ 1));
  if (sets != 0 && load<i32>(node, 28) >= 0 && x == x) right = rightOfSet(node, x, sets);
  return root + <usize>load<i32>(node, 20) + (right << 5);
}

/** Rows whose numbers stay near while all trees are walked. */
const BLOCK: i32 = 128;

// @inline
function bump(place: usize, node: usize): void {
  store<f64>(place, load<f64>(place) + load<f64>(node, 8));
}

/** out[i·K + k] += the values of trees k, k + K, … for rows from … to − 1. `sets` is 0 where no split is by categories. */
export function walkRows(
  x: usize,
  d: i32,
  from: i32,
  to: i32,
  nodes: usize,
  starts: usize,
  trees: i32,
  K: i32,
  sets: usize,
  out: usize,
): void {
  const wide = (<usize>d) << 3;
  const apart = (<usize>K) << 3;
  for (let first = from; first < to; first += BLOCK) {
    const end = min(to, first + BLOCK);
    for (let tree: i32 = 0; tree < trees; tree++) {
      const root = nodes + <usize>load<i32>(starts + ((<usize>tree) << 2)) * NODE;
      let row = x + <usize>first * wide;
      let place = out + ((<usize>(first * K + (tree % K))) << 3);
      let i = first;
      // Four rows side by side: each waits for memory while the others go on.
      for (; i + 3 < end; i += 4, row += 4 * wide, place += 4 * apart) {
        let a = root;
        let b = root;
        let c = root;
        let e = root;
        for (;;) {
          const nextA = step(root, a, row, sets);
          const nextB = step(root, b, row + wide, sets);
          const nextC = step(root, c, row + 2 * wide, sets);
          const nextE = step(root, e, row + 3 * wide, sets);
          const moved = (nextA ^ a) | (nextB ^ b) | (nextC ^ c) | (nextE ^ e);
          a = nextA;
          b = nextB;
          c = nextC;
          e = nextE;
          if (moved == 0) break;
        }
        bump(place, a);
        bump(place + apart, b);
        bump(place + 2 * apart, c);
        bump(place + 3 * apart, e);
      }
      for (; i < end; i++, row += wide, place += apart) {
        let a = root;
        for (let next = step(root, a, row, sets); next != a; next = step(root, a, row, sets)) a = next;
        bump(place, a);
      }
    }
  }
}
