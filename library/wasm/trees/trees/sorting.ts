import { MISSING, PAIR_BYTES } from "../trees.layout";

/**
 * Sorts columns once for all nodes and trees: a radix sort, byte by byte, of the 64 bits of a double, mapped so that they sort like
 * unsigned integers. Bytes that are equal in all rows are skipped.
 */

/** Shorter columns are sorted by insertion. */
const SHORT: i32 = 48;

// @inline
export function keyOf(value: f64): u64 {
  // −0 is 0.
  const bits = reinterpret<u64>(value + 0.0);
  return bits >> 63 ? ~bits : bits | 0x8000000000000000;
}

/**
 * Entries (rank and row) of the column at x for the n rows listed at `list` (32-bit), NaN last.
 * work   2 × 16 n bytes, and 8 × 256 × 4 for counts
 */
export function sortColumn(x: usize, list: usize, n: i32, work: usize, entries: usize): void {
  let from = work;
  const to = work + <usize>n * PAIR_BYTES;
  const counts = work + 2 * <usize>n * PAIR_BYTES;
  let present: i32 = 0;
  for (let e: i32 = 0; e < n; e++) {
    const row = load<u32>(list + ((<usize>e) << 2));
    const value = load<f64>(x + ((<usize>row) << 3));
    if (value != value) continue;
    const pair = from + <usize>present * PAIR_BYTES;
    store<u64>(pair, keyOf(value));
    store<u32>(pair, row, 8);
    present++;
  }
  // Missing values come last, in the order of rows.
  let missing = present;
  for (let e: i32 = 0; e < n; e++) {
    const row = load<u32>(list + ((<usize>e) << 2));
    const value = load<f64>(x + ((<usize>row) << 3));
    if (value == value) continue;
    const entry = entries + ((<usize>missing) << 3);
    missing++;
    store<u32>(entry, row);
    store<u32>(entry, MISSING, 4);
  }
  from = sortPairs(from, to, counts, present);
  let rank: u32 = 0;
  for (let e: i32 = 0; e < present; e++) {
    const pair = from + <usize>e * PAIR_BYTES;
    if (e > 0 && load<u64>(pair) != load<u64>(pair - PAIR_BYTES)) rank++;
    const entry = entries + ((<usize>e) << 3);
    store<u32>(entry, load<u32>(pair, 8));
    store<u32>(entry, rank, 4);
  }
}

/** Sorts n pairs at `from`, with a buffer of the same size at `to`; returns the address of the sorted pairs. */
// @inline
function sortPairs(from: usize, to: usize, counts: usize, n: i32): usize {
  if (n >= SHORT) return radix(from, to, counts, n);
  insertion(from, n);
  return from;
}

/**
 * Sorts the columns of sparse rows for all trees: entries (see sparse-columns.ts) whose numbers, none of them 0, and their rows (32-bit) lie column after column.
 * work   2 × 16 bytes for each number of the longest column, and 8 × 256 × 4 for counts
 */
export function sortStored(
  values: usize,
  rows: usize,
  starts: usize,
  columns: i32,
  work: usize,
  longest: i32,
  stored: usize,
  table: usize,
  zeroRanks: usize,
): void {
  const other = work + <usize>longest * PAIR_BYTES;
  const counts = other + <usize>longest * PAIR_BYTES;
  const zero = keyOf(0);
  for (let c: usize = 0; c < <usize>columns; c++) {
    const begin = <usize>load<i32>(starts + (c << 2));
    const end = <usize>load<i32>(starts + (c << 2), 4);
    let present: usize = 0;
    let missing = end;
    for (let e = end; e > begin; e--) {
      const value = load<f64>(values + ((e - 1) << 3));
      if (value == value) continue;
      missing--;
      store<u32>(stored + (missing << 3), load<u32>(rows + ((e - 1) << 2)));
      store<u32>(stored + (missing << 3), MISSING, 4);
    }
    for (let e = begin; e < end; e++) {
      const value = load<f64>(values + (e << 3));
      if (value != value) continue;
      store<u64>(work + present * PAIR_BYTES, keyOf(value));
      store<u32>(work + present * PAIR_BYTES, load<u32>(rows + (e << 2)), 8);
      present++;
    }
    const sorted = sortPairs(work, other, counts, <i32>present);
    // Zero has the rank after the negative values.
    let rank: u32 = 0;
    let negatives: u32 = 0;
    for (let e: usize = 0; e < present; e++) {
      const key = load<u64>(sorted + e * PAIR_BYTES);
      const isNew = e == 0 || key != load<u64>(sorted + (e - 1) * PAIR_BYTES);
      if (isNew) {
        store<f64>(table + ((begin + <usize>rank) << 3), valueOfKey(key));
        rank++;
        if (key < zero) negatives = rank;
      }
      const entry = stored + ((begin + e) << 3);
      store<u32>(entry, load<u32>(sorted + e * PAIR_BYTES, 8));
      store<u32>(entry, key < zero ? rank - 1 : rank, 4);
    }
    store<u32>(zeroRanks + (c << 2), negatives);
  }
}

// @inline
function valueOfKey(key: u64): f64 {
  return reinterpret<f64>(key >> 63 ? key & 0x7fffffffffffffff : ~key);
}

function insertion(pairs: usize, n: i32): void {
  for (let e: i32 = 1; e < n; e++) {
    const key = load<u64>(pairs + <usize>e * PAIR_BYTES);
    const row = load<u64>(pairs + <usize>e * PAIR_BYTES, 8);
    let at = e;
    while (at > 0 && load<u64>(pairs + <usize>(at - 1) * PAIR_BYTES) > key) {
      v128.store(pairs + <usize>at * PAIR_BYTES, v128.load(pairs + <usize>(at - 1) * PAIR_BYTES));
      at--;
    }
    store<u64>(pairs + <usize>at * PAIR_BYTES, key);
    store<u64>(pairs + <usize>at * PAIR_BYTES, row, 8);
  }
}

/** Returns the address of the sorted pairs. */
function radix(from: usize, to: usize, counts: usize, n: i32): usize {
  memory.fill(counts, 0, 8 * 256 * 4);
  for (let e: i32 = 0; e < n; e++) {
    let key = load<u64>(from + <usize>e * PAIR_BYTES);
    for (let digit: usize = 0; digit < 8; digit++, key >>= 8) {
      const at = counts + (digit << 10) + ((<usize>(key & 255)) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
  for (let digit: usize = 0; digit < 8; digit++) {
    const table = counts + (digit << 10);
    let sum: u32 = 0;
    let same = false;
    for (let b: usize = 0; b < 256; b++) {
      const count = load<u32>(table + (b << 2));
      if (count == <u32>n) same = true;
      store<u32>(table + (b << 2), sum);
      sum += count;
    }
    if (same) continue;
    const shift = <u64>(digit << 3);
    for (let e: i32 = 0; e < n; e++) {
      const pair = from + <usize>e * PAIR_BYTES;
      const at = table + ((<usize>((load<u64>(pair) >> shift) & 255)) << 2);
      const place = load<u32>(at);
      store<u32>(at, place + 1);
      v128.store(to + <usize>place * PAIR_BYTES, v128.load(pair));
    }
    const swap = from;
    from = to;
    to = swap;
  }
  return from;
}
