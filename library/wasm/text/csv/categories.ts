import { CsvFile } from "../csv.layout";

/** The first `length` bytes of up to 8 from `at` on. */
// @inline
function upToEight(at: usize, length: i32): u64 {
  const bytes = load<u64>(at);
  return length >= 8 ? bytes : bytes & (((<u64>1) << ((<u64>length) << 3)) - 1);
}

/** Of the length and at most 16 bytes, at both ends. */
// @inline
function hashOf(at: usize, length: i32): u32 {
  const front = upToEight(at, length);
  const back: u64 = length > 8 ? load<u64>(at + <usize>length - 8) : 0;
  // Odd constants without a pattern: the golden ratio and √2 in 64 bits.
  const mixed = ((front ^ <u64>length) * 0x9e3779b97f4a7c15) ^ (rotl<u64>(back, 29) * 0x6a09e667f3bcc909);
  return <u32>(((mixed ^ (mixed >> 32)) * 0x9e3779b97f4a7c15) >> 32);
}

function areEqual(a: usize, b: usize, length: i32): bool {
  let e: i32 = 0;
  for (; e + 8 <= length; e += 8) if (load<u64>(a + <usize>e) != load<u64>(b + <usize>e)) return false;
  return upToEight(a + <usize>e, length - e) == upToEight(b + <usize>e, length - e);
}

/**
 * Numbers the different cells of column `col` in the order in which they appear, by their bytes between the quotes. `codes` has one entry
 * per row; `places` the first cell of each number. A table of hashes grows in `slots`: 2^k integers, more than 2 `most`; `hashes` has
 * room for `most`. Returns how many there are, or −1 if more than `most`.
 */
export function readCategories(
  file: CsvFile,
  col: i32,
  first: i32,
  rows: i32,
  most: i32,
  codes: usize,
  slots: usize,
  hashes: usize,
  places: usize,
): i32 {
  const text = file.text;
  const cols = <usize>file.cols;
  let mask: u32 = 255;
  memory.fill(slots, 255, 1024);
  let count: i32 = 0;
  let cell = (<usize>first * cols + <usize>col) << 2;
  for (let row = 0; row < rows; row++, cell += cols << 2) {
    const start = load<i32>(file.starts + cell);
    const stored = load<i32>(file.ends + cell);
    const length = (stored < 0 ? ~stored : stored) - start;
    const at = text + <usize>start;
    const hash = hashOf(at, length);
    let slot = hash & mask;
    let code = load<i32>(slots + ((<usize>slot) << 2));
    while (code >= 0) {
      if (load<u32>(hashes + ((<usize>code) << 2)) == hash) {
        const place = (<usize>load<i32>(places + ((<usize>code) << 2))) << 2;
        const other = load<i32>(file.starts + place);
        const end = load<i32>(file.ends + place);
        if ((end < 0 ? ~end : end) - other == length && areEqual(at, text + <usize>other, length)) break;
      }
      slot = (slot + 1) & mask;
      code = load<i32>(slots + ((<usize>slot) << 2));
    }
    if (code < 0) {
      if (count == most) return -1;
      code = count++;
      store<u32>(hashes + ((<usize>code) << 2), hash);
      store<i32>(places + ((<usize>code) << 2), <i32>(cell >> 2));
      store<i32>(slots + ((<usize>slot) << 2), code);
      if (2 * count > <i32>mask) {
        mask = 2 * mask + 1;
        spread(slots, mask, hashes, count);
      }
    }
    store<i32>(codes + ((<usize>row) << 2), code);
  }
  return count;
}

/** The table of hashes again, with mask + 1 slots. */
function spread(slots: usize, mask: u32, hashes: usize, count: i32): void {
  memory.fill(slots, 255, (<usize>mask + 1) << 2);
  for (let code = 0; code < count; code++) {
    let slot = load<u32>(hashes + ((<usize>code) << 2)) & mask;
    while (load<i32>(slots + ((<usize>slot) << 2)) >= 0) slot = (slot + 1) & mask;
    store<i32>(slots + ((<usize>slot) << 2), code);
  }
}
