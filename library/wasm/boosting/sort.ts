import { SORT_COUNT_BYTES } from "./layout";

/** Digits of a key: six of eleven bits. */
const DIGITS: i32 = 6;
/** Of these the upper ones, which bring most lists into order but for a few neighbours. */
const UPPER: i32 = 3;
/** Places that an element may move on average when neighbours are put right, before all digits are sorted by. */
const MOVES: i32 = 4;

/**
 * Sorts doubles that are not NaN, ascending, by their bits [radix sort, least digits first]: by the upper half of their digits, after which
 * neighbours are put right, or by all of them where that would move too many. `room` is as long as the list; `counts` has place for six
 * times 2048 whole numbers. The sorted list is in `list`.
 */
export function sortDoubles(list: usize, count: i32, room: usize, counts: usize): void {
  for (let e: i32 = 0; e < count; e++) {
    const bits = load<i64>(list + ((<usize>e) << 3));
    // Negative numbers have all bits turned, others the sign: then their order is that of whole numbers without sign.
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

/** Sorts keys by their digits from number `lowest` on. */
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

/** Counts become first places; false if all keys have one digit, so that nothing would move. */
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

/** Inserts each key among those before it; false if they would have to move too far, and then the list is not in order. */
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
