import { BIN_SLOTS, MISSING_BIN } from "../trees.layout";
import { keyOf } from "./sorting";

/**
 * Bins of a column of n values: a byte per row, the index of its value among the different values, ascending; MISSING_BIN for NaN.
 * Returns the number of bins, MISSING_BIN + 1 if values are missing; 0 if there are more than `most` different values.
 * work   BIN_SLOTS keys and their bins: a hash table with linear probing, whose empty slots are 0, which is the key of no number;
 *        then the keys by their first row
 */
export function binColumn(x: usize, n: i32, most: i32, work: usize, bins: usize): i32 {
  const keys = work + BIN_SLOTS * 16;
  memory.fill(work, 0, BIN_SLOTS * 16);
  let count: i32 = 0;
  let missing = false;
  for (let i: usize = 0; i < <usize>n; i++) {
    const value = load<f64>(x + (i << 3));
    if (value != value) {
      missing = true;
      store<u8>(bins + i, <u8>MISSING_BIN);
      continue;
    }
    const key = keyOf(value);
    let slot = slotOf(key);
    while (load<u64>(work + (slot << 4)) != key) {
      if (load<u64>(work + (slot << 4)) == 0) {
        if (count == most) return 0;
        store<u64>(work + (slot << 4), key);
        store<u64>(work + (slot << 4), <u64>count, 8);
        store<u64>(keys + ((<usize>count) << 3), key);
        count++;
        break;
      }
      slot = (slot + 1) & (BIN_SLOTS - 1);
    }
    store<u8>(bins + i, load<u8>(work + (slot << 4), 8));
  }
  // Bins by the first row become bins by value.
  const order = work;
  store<u8>(order + <usize>MISSING_BIN, <u8>MISSING_BIN);
  for (let a: usize = 0; a < <usize>count; a++) {
    const key = load<u64>(keys + (a << 3));
    let smaller: i32 = 0;
    for (let b: usize = 0; b < <usize>count; b++) smaller += <i32>(load<u64>(keys + (b << 3)) < key);
    store<u8>(order + a, <u8>smaller);
  }
  for (let i: usize = 0; i < <usize>n; i++) store<u8>(bins + i, load<u8>(order + <usize>load<u8>(bins + i)));
  return missing ? <i32>MISSING_BIN + 1 : count;
}

/** [Knuth 1998, 6.4: multiplicative hashing]; BIN_SLOTS is 2¹⁰. */
// @inline
function slotOf(key: u64): usize {
  return <usize>((key * 0x9e3779b97f4a7c15) >> 54);
}
