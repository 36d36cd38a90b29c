import { SORT_COUNT_BYTES } from "../boosting.layout";

/** Digits of a key: six of eleven bits. */
const DIGITS: i32 = 6;
/** The upper digits, which sort most lists except for a few neighbours. */
const UPPER: i32 = 3;
/** Average moves per element of the insertion pass above which all digits are sorted. */
const MOVES: i32 = 4;

/**
 * Sorts doubles without NaN in place, ascending: a radix sort by the upper half of their digits, then an insertion pass, or a sort by all
 * digits if that would move too many. `room` is a buffer of the same size; `counts` has SORT_COUNT_BYTES.
 */
export function sortDoubles(list: usize, count: i32, room: usize, counts: usize): void {
  for (let e: i32 = 0; e < count; e++) {
    const bits = load<i64>(list + ((<usize>e) << 3));
    // Inverts all bits of negative numbers and the sign of others: then they sort like unsigned integers.
    store<i64>(list + ((<usize>e) << 3), bits ^ ((bits >> 63) | i64.MIN_VALUE));
  }
  sortByDigits(list, count, room, counts, DIGITS - UPPER);
  if (!insertionPass(list, count)) sortByDigits(list, count, room, counts, 0);
  for (let e: i32 = 0; e < count; e++) {
    const key = load<i64>(list + ((<usize>e) << 3));
    store<i64>(list + ((<usize>e) << 3), key ^ (~(key >> 63) | i64.MIN_VALUE));
  }
}

// @inline
function placeOf(counts: usize, pass: i32, key: i64): usize {
  return counts + ((<usize>pass * 2048 + <usize>((<u64>key >> (11 * pass)) & 2047)) << 2);
}

/** Sorts keys by their digits from `lowest` up. */
function sortByDigits(list: usize, count: i32, room: usize, counts: usize, lowest: i32): void {
  memory.fill(counts, 0, SORT_COUNT_BYTES);
  for (let e: i32 = 0; e < count; e++) {
    const key = load<i64>(list + ((<usize>e) << 3));
    for (let pass = lowest; pass < DIGITS; pass++) {
      const place = placeOf(counts, pass, key);
      store<i32>(place, load<i32>(place) + 1);
    }
  }
  let from = list;
  let to = room;
  for (let pass = lowest; pass < DIGITS; pass++) {
    if (!countsToStarts(counts + ((<usize>pass * 2048) << 2), count)) continue;
    for (let e: i32 = 0; e < count; e++) {
      const key = load<i64>(from + ((<usize>e) << 3));
      const digit = placeOf(counts, pass, key);
      const place = load<i32>(digit);
      store<i32>(digit, place + 1);
      store<i64>(to + ((<usize>place) << 3), key);
    }
    const held = from;
    from = to;
    to = held;
  }
  if (from != list) memory.copy(list, from, (<usize>count) << 3);
}

/** Turns counts into first places; returns false if all keys have the same digit. */
function countsToStarts(places: usize, count: i32): bool {
  let sum: i32 = 0;
  for (let digit: usize = 0; digit < 2048; digit++) {
    const here = load<i32>(places + (digit << 2));
    if (here == count) return false;
    store<i32>(places + (digit << 2), sum);
    sum += here;
  }
  return true;
}

/** Insertion sort; returns false, with the list unsorted, if keys would have to move too far. */
function insertionPass(list: usize, count: i32): bool {
  let moves: i64 = <i64>MOVES * <i64>count;
  for (let e: i32 = 1; e < count; e++) {
    const key = <u64>load<i64>(list + ((<usize>e) << 3));
    let place = list + ((<usize>(e - 1)) << 3);
    if (load<u64>(place) <= key) continue;
    for (; place >= list && load<u64>(place) > key; place -= 8) {
      store<u64>(place, load<u64>(place), 8);
      moves--;
    }
    store<u64>(place, key, 8);
    if (moves < 0) return false;
  }
  return true;
}
