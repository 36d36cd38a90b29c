/**
 * The pairs (distance, point) that a chunk has found within the radii of its queries: one query after the other, in the room of the chunk.
 */
let distances: usize = 0;
let numbers: usize = 0;
let room: i32 = 0;

/** The room of a chunk, of `pairs` pairs, in the `distances` and `indices` of all chunks. */
export function openRoom(all: usize, indices: usize, pairs: i32, chunk: i32): void {
  distances = all + ((<usize>chunk * <usize>pairs) << 3);
  numbers = indices + ((<usize>chunk * <usize>pairs) << 2);
  room = pairs;
}

/** Stores pair number `at`, if there is room for it. */
// @inline
export function keepPair(at: i32, distance: f64, i: i32): void {
  if (at >= room) return;
  store<f64>(distances + ((<usize>at) << 3), distance);
  store<i32>(numbers + ((<usize>at) << 2), i);
}

/** Sorts `count` pairs from number `at` on by their points, if there is room for them. */
export function sortPairs(at: i32, count: i32): void {
  if (at + count <= room) sortByNumber(distances + ((<usize>at) << 3), numbers + ((<usize>at) << 2), count);
}

/** Pairs that are sorted by insertion. */
const SHORT: i32 = 40;

/** Short lists are sorted by insertion, long ones by a heap. */
function sortByNumber(distances: usize, numbers: usize, count: i32): void {
  if (count <= SHORT) {
    for (let e: i32 = 1; e < count; e++) {
      const number = load<i32>(numbers + ((<usize>e) << 2));
      const distance = load<f64>(distances + ((<usize>e) << 3));
      let at = e;
      for (; at > 0 && load<i32>(numbers + ((<usize>(at - 1)) << 2)) > number; at--) {
        store<i32>(numbers + ((<usize>at) << 2), load<i32>(numbers + ((<usize>(at - 1)) << 2)));
        store<f64>(distances + ((<usize>at) << 3), load<f64>(distances + ((<usize>(at - 1)) << 3)));
      }
      store<i32>(numbers + ((<usize>at) << 2), number);
      store<f64>(distances + ((<usize>at) << 3), distance);
    }
    return;
  }
  for (let e = (count >> 1) - 1; e >= 0; e--) sink(distances, numbers, e, count);
  for (let size = count - 1; size > 0; size--) {
    exchange(distances, numbers, 0, size);
    sink(distances, numbers, 0, size);
  }
}

function sink(distances: usize, numbers: usize, at: i32, size: i32): void {
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) return;
    const right = numbers + ((<usize>child) << 2);
    if (child + 1 < size && load<i32>(right, 4) > load<i32>(right)) child++;
    if (load<i32>(numbers + ((<usize>child) << 2)) <= load<i32>(numbers + ((<usize>at) << 2))) return;
    exchange(distances, numbers, at, child);
    at = child;
  }
}

function exchange(distances: usize, numbers: usize, a: i32, b: i32): void {
  const distance = load<f64>(distances + ((<usize>a) << 3));
  store<f64>(distances + ((<usize>a) << 3), load<f64>(distances + ((<usize>b) << 3)));
  store<f64>(distances + ((<usize>b) << 3), distance);
  const number = load<i32>(numbers + ((<usize>a) << 2));
  store<i32>(numbers + ((<usize>a) << 2), load<i32>(numbers + ((<usize>b) << 2)));
  store<i32>(numbers + ((<usize>b) << 2), number);
}
