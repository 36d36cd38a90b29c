/**
 * Sorts doubles that are not NaN, ascending, by their bits in six passes of eleven [radix sort, least digits first]. `room` is as long
 * as the list; `counts` has place for six times 2048 whole numbers. The sorted list is in `list`.
 */
export function sortDoubles(list: usize, count: i32, room: usize, counts: usize): void {
  memory.fill(counts, 0, 6 * 8192);
  for (let e: i32 = 0; e < count; e++) {
    const bits = load<i64>(list + (<usize>e << 3));
    // Negative numbers have all bits turned, others the sign: then their order is that of whole numbers without sign.
    const key = bits ^ ((bits >> 63) | i64.MIN_VALUE);
    store<i64>(list + (<usize>e << 3), key);
    for (let pass: i32 = 0; pass < 6; pass++) {
      const digit = counts + ((<usize>pass * 2048 + <usize>((<u64>key >> (11 * pass)) & 2047)) << 2);
      store<i32>(digit, load<i32>(digit) + 1);
    }
  }
  let from = list;
  let to = room;
  for (let pass: i32 = 0; pass < 6; pass++) {
    const places = counts + ((<usize>pass * 2048) << 2);
    if (!spread(places, count)) continue;
    for (let e: i32 = 0; e < count; e++) {
      const key = load<i64>(from + (<usize>e << 3));
      const digit = places + (<usize>((<u64>key >> (11 * pass)) & 2047) << 2);
      const place = load<i32>(digit);
      store<i32>(digit, place + 1);
      store<i64>(to + (<usize>place << 3), key);
    }
    const held = from;
    from = to;
    to = held;
  }
  for (let e: i32 = 0; e < count; e++) {
    const key = load<i64>(from + (<usize>e << 3));
    store<i64>(list + (<usize>e << 3), key ^ (~(key >> 63) | i64.MIN_VALUE));
  }
}

/** Counts become first places; false if all keys have one digit, so that nothing would move. */
function spread(places: usize, count: i32): bool {
  let sum: i32 = 0;
  for (let digit: usize = 0; digit < 2048; digit++) {
    const here = load<i32>(places + (digit << 2));
    if (here == count) return false;
    store<i32>(places + (digit << 2), sum);
    sum += here;
  }
  return true;
}
