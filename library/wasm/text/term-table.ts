import { SLOT_BYTES, TermTable } from "./term-table.layout";

/**
 * Counts the terms of a vocabulary in one document at a time. The twins are in src/numeric/text/term-table.test.ts.
 *
 * places  two i32 per term of a document: its first byte and the byte after its last one. The result is written there, too: two i32
 *         per column that occurs, the column and its count, columns ascending.
 */

/** 2⁶⁴ divided by the golden ratio: the upper bits of a product with it depend on all bits of the other factor [Knuth, TAOCP 3, 6.4]. */
const GOLDEN: u64 = 0x9e3779b97f4a7c15;

/** The first eight bytes of a string; a shorter one ends with zeros. */
// @inline
function keyOf(at: usize, length: i32): u64 {
  const bytes = load<u64>(at);
  return length >= 8 ? bytes : bytes & (((<u64>1) << (<u64>(length << 3))) - 1);
}

// @inline
function mixed(hash: u64, bytes: u64): u64 {
  return (hash ^ (hash >> 32) ^ bytes) * GOLDEN;
}

// @inline
function hashOf(key: u64, at: usize, length: i32): u64 {
  let hash = (key ^ <u64>length) * GOLDEN;
  if (length <= 8) return hash;
  const last = at + <usize>length - 8;
  for (let block = at + 8; block < last; block += 8) hash = mixed(hash, load<u64>(block));
  return mixed(hash, load<u64>(last));
}

/** Whether strings of the same length above 8 with the same first eight bytes are equal. */
// @inline
function isSame(a: usize, b: usize, length: i32): bool {
  const last = <usize>length - 8;
  for (let k: usize = 8; k < last; k += 8) if (load<u64>(a + k) != load<u64>(b + k)) return false;
  return load<u64>(a + last) == load<u64>(b + last);
}

/** The slot of a string, or the free one where it would be. */
// @inline
function slotOf(table: TermTable, at: usize, length: i32): usize {
  const slots = table.slots;
  const mask = ((<usize>1) << (<usize>(64 - table.shift))) * SLOT_BYTES - 1;
  const key = keyOf(at, length);
  let place = <usize>(hashOf(key, at, length) >> <u64>table.shift) * SLOT_BYTES;
  for (; load<i32>(slots + place, 12) != 0; place = (place + SLOT_BYTES) & mask) {
    const slot = slots + place;
    if (load<u64>(slot) != key || load<i32>(slot, 8) != length) continue;
    if (length <= 8) break;
    const start = load<i32>(table.starts + ((<usize>(load<i32>(slot, 12) - 1)) << 2));
    if (isSame(table.bytes + <usize>start, at, length)) break;
  }
  return slots + place;
}

/** The slot of a pair, or the free one where it would be. */
// @inline
function pairSlotOf(table: TermTable, first: i32, second: i32): usize {
  const slots = table.pairSlots;
  const mask = ((<usize>1) << (<usize>(64 - table.pairShift))) * SLOT_BYTES - 1;
  const key = ((<u64>first) << 32) | <u64>second;
  let place = <usize>(((key ^ (key >> 29)) * GOLDEN) >> <u64>table.pairShift) * SLOT_BYTES;
  while (load<i32>(slots + place, 8) != 0 && load<u64>(slots + place) != key)
    place = (place + SLOT_BYTES) & mask;
  return slots + place;
}

/** Adds `count` strings: term t is the bytes from starts[t] to ends[t], none where ends[t] < 0. Of equal ones the last remains. */
export function addStrings(table: TermTable, ends: usize, count: i32): void {
  for (let t = 0; t < count; t++) {
    const start = load<i32>(table.starts + ((<usize>t) << 2));
    const length = load<i32>(ends + ((<usize>t) << 2)) - start;
    if (length < 0) continue;
    const at = table.bytes + <usize>start;
    const slot = slotOf(table, at, length);
    store<u64>(slot, keyOf(at, length));
    store<i32>(slot, length, 8);
    store<i32>(slot, t + 1, 12);
  }
}

/** Adds pairs, three i32 each: the two terms and the number of the pair. */
export function addPairs(table: TermTable, pairs: usize, count: i32): void {
  for (let p: usize = 0; p < <usize>count; p++) {
    const first = load<i32>(pairs + p * 12);
    const second = load<i32>(pairs + p * 12, 4);
    const slot = pairSlotOf(table, first, second);
    store<u64>(slot, ((<u64>first) << 32) | <u64>second);
    store<i32>(slot, load<i32>(pairs + p * 12, 8) + 1, 8);
  }
}

/** 0xff for letters, digits and underscores of ASCII. */
// @inline
function isWord(bytes: v128): v128 {
  const letters = i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61));
  const digits = i8x16.sub(bytes, i8x16.splat(0x30));
  return v128.or(
    v128.or(i8x16.lt_u(letters, i8x16.splat(26)), i8x16.lt_u(digits, i8x16.splat(10))),
    i8x16.eq(bytes, i8x16.splat(0x5f)),
  );
}

// @inline
function wordBits(at: usize): u64 {
  const low =
    <u32>i8x16.bitmask(isWord(v128.load(at))) | ((<u32>i8x16.bitmask(isWord(v128.load(at, 16)))) << 16);
  const high =
    <u32>i8x16.bitmask(isWord(v128.load(at, 32))) | ((<u32>i8x16.bitmask(isWord(v128.load(at, 48)))) << 16);
  return <u64>low | ((<u64>high) << 32);
}

/** Writes the places of the words of an ASCII text, runs of word characters, and returns their number. The text has PADDING. */
export function findWords(text: usize, length: i32, places: usize): i32 {
  let out = places;
  let before: u64 = 0;
  for (let at: i32 = 0; at < length; at += 64) {
    let bits = wordBits(text + <usize>at);
    if (length - at < 64) bits &= ((<u64>1) << (<u64>(length - at))) - 1;
    // Words start and end where a bit differs from the one before it.
    let edges = bits ^ ((bits << 1) | before);
    before = bits >> 63;
    for (; edges != 0; edges &= edges - 1, out += 4) store<i32>(out, at + <i32>ctz(edges));
  }
  if (before != 0) {
    store<i32>(out, length);
    out += 4;
  }
  return <i32>((out - places) >> 3);
}

// @inline
function count(table: TermTable, column: i32): void {
  const at = table.counts + ((<usize>column) << 2);
  const before = load<i32>(at);
  store<i32>(at, before + 1);
  if (before != 0) return;
  const word = table.present + ((<usize>column >> 6) << 3);
  store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>(column & 63))));
  const group = table.groups + ((<usize>column >> 12) << 3);
  store<u64>(group, load<u64>(group) | ((<u64>1) << (<u64>((column >> 6) & 63))));
}

/** Counts the terms of a text that have `shortest` bytes or more, and returns the number of columns that occur. */
export function countTerms(table: TermTable, text: usize, places: usize, size: i32, shortest: i32): i32 {
  for (let t: usize = 0; t < <usize>size; t++) {
    const start = load<i32>(places + (t << 3));
    const length = load<i32>(places + (t << 3), 4) - start;
    if (length < shortest) continue;
    const term = load<i32>(slotOf(table, text + <usize>start, length), 12) - 1;
    if (term >= 0 && term < table.stop) count(table, term);
  }
  return takeCounts(table, places);
}

/** The same for n-grams: the term of n words is the pair of the n − 1 before the last, and the last. */
export function countNgrams(table: TermTable, text: usize, places: usize, size: i32, shortest: i32): i32 {
  const ending = table.ending;
  memory.fill(ending, 0xff, (<usize>table.greatest) << 2);
  for (let t: usize = 0; t < <usize>size; t++) {
    const start = load<i32>(places + (t << 3));
    const length = load<i32>(places + (t << 3), 4) - start;
    if (length < shortest) continue;
    const word = load<i32>(slotOf(table, text + <usize>start, length), 12) - 1;
    if (word >= table.stop) continue;
    for (let n = table.greatest; n >= 1; n--) {
      let term = word;
      if (n > 1) {
        const first = load<i32>(ending + ((<usize>n - 2) << 2));
        term = first < 0 || word < 0 ? -1 : load<i32>(pairSlotOf(table, first, word), 8) - 1;
      }
      store<i32>(ending + ((<usize>n - 1) << 2), term);
      if (n < table.least || term < 0) continue;
      const column = load<i32>(table.columns + ((<usize>term) << 2));
      if (column >= 0) count(table, column);
    }
  }
  return takeCounts(table, places);
}

/** Writes columns and counts by ascending column, and sets the counts to 0. */
function takeCounts(table: TermTable, out: usize): i32 {
  const groups = <usize>((table.cols + 4095) >> 12);
  let at = out;
  for (let g: usize = 0; g < groups; g++) {
    let words = load<u64>(table.groups + (g << 3));
    if (words == 0) continue;
    store<u64>(table.groups + (g << 3), 0);
    for (; words != 0; words &= words - 1) {
      const w = (g << 6) | <usize>ctz(words);
      let bits = load<u64>(table.present + (w << 3));
      store<u64>(table.present + (w << 3), 0);
      for (; bits != 0; bits &= bits - 1, at += 8) {
        const column = (w << 6) | <usize>ctz(bits);
        const place = table.counts + (column << 2);
        store<i32>(at, <i32>column);
        store<i32>(at, load<i32>(place), 4);
        store<i32>(place, 0);
      }
    }
  }
  return <i32>((at - out) >> 3);
}
