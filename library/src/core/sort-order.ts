/** Eleven bits per pass: three passes cover 32 bits, and 2048 counters stay in the first-level cache. */
const BITS = 11;
const BUCKETS = 1 << BITS;
const MASK = BUCKETS - 1;
/** Below this an insertion sort is faster than counting. */
const SMALL = 48;
/** Comparisons per number that finishing by insertion may cost: as much as three more passes. */
const PATIENCE = 8;

/**
 * The indices of numbers in ascending order; equal numbers (−0 and 0 too) keep their order. A radix sort of the upper 32 bits, least
 * significant first, then insertion among numbers that share them. Where many do (neighbours in the last digits), the lower 32 bits
 * are sorted before. Linear in the length.
 */
export function ascendingOrder(values: Float64Array): Int32Array {
  const n = values.length;
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  if (n <= SMALL) return insertionSort(values, order, 0, n);
  const high = upperBits(values);
  const sorted = radixSort({ order, keys: high.slice() });
  if (finish(values, sorted)) return sorted.order;
  const byLow = radixSort({ order, keys: lowerBits(values) });
  const keys = new Uint32Array(n);
  for (let e = 0; e < n; e++) keys[e] = high[byLow.order[e]!]!;
  return radixSort({ order: byLow.order, keys }).order;
}

/** The same in descending order; equal numbers keep their order. */
export function descendingOrder(values: Float64Array): Int32Array {
  const negated = new Float64Array(values.length);
  for (let i = 0; i < negated.length; i++) negated[i] = -values[i]!;
  return ascendingOrder(negated);
}

/**
 * The numbers in ascending order, −0 as 0. Sorts the halves of the numbers, without their places: several times as fast as
 * `ascendingOrder` and a look at each number's place.
 */
export function ascending(values: Float64Array): Float64Array {
  if (values.length <= SMALL) return values.map((value) => value + 0).sort();
  const keys = upperBits(values);
  const low = lowerBits(values);
  const sorted = radixSort({ order: new Int32Array(low.buffer), keys: keys.slice() });
  if (finishLow(sorted)) return numbersOf(sorted);
  const byLow = radixSort({ order: new Int32Array(keys.buffer), keys: low });
  const halves = radixSort({
    order: new Int32Array(byLow.keys.buffer),
    keys: new Uint32Array(byLow.order.buffer),
  });
  return numbersOf(halves);
}

interface Keyed {
  /** What is sorted with the keys: the places of the numbers, or their lower bits. */
  readonly order: Int32Array;
  readonly keys: Uint32Array;
}

/** The halves of the numbers: of number i the upper one is entry 2 i + upper. */
function halvesOf(values: Float64Array): { words: Uint32Array; upper: number } {
  return { words: new Uint32Array(values.buffer, values.byteOffset, 2 * values.length), upper: UPPER };
}

/** Place of the half with the sign, in the byte order of this machine. */
const UPPER = new Uint32Array(Float64Array.of(-1).buffer)[1]! >>> 31;

/** Bits as unsigned integers in the order of the numbers: the sign is flipped, of negative numbers every bit. */
function upperBits(values: Float64Array): Uint32Array {
  const keys = new Uint32Array(values.length);
  const { words, upper } = halvesOf(values);
  for (let i = 0; i < keys.length; i++) {
    const word = words[2 * i + upper]!;
    // Both zeros have one key.
    const isNegative = word >>> 31 === 1 && values[i] !== 0;
    keys[i] = isNegative ? ~word : word | 0x80000000;
  }
  return keys;
}

function lowerBits(values: Float64Array): Uint32Array {
  const keys = new Uint32Array(values.length);
  const { words, upper } = halvesOf(values);
  for (let i = 0; i < keys.length; i++) {
    const word = words[2 * i + 1 - upper]!;
    keys[i] = values[i]! < 0 ? ~word : word;
  }
  return keys;
}

/** Sorts keys, and the order with them. Passes over bits that all keys share are left out. The order given is not changed. */
function radixSort(given: Keyed): Keyed {
  const n = given.keys.length;
  let from = given;
  let to: Keyed = { order: new Int32Array(n), keys: new Uint32Array(n) };
  for (let shift = 0; shift < 32; shift += BITS) {
    const starts = startsOf(from.keys, shift);
    if (starts === undefined) continue;
    scatterInto(from, shift, starts, to);
    const next = from === given ? { order: new Int32Array(n), keys: new Uint32Array(n) } : from;
    from = to;
    to = next;
  }
  return from;
}

/** Where each bucket starts; undefined if all keys are in one bucket. */
function startsOf(keys: Uint32Array, shift: number): Int32Array | undefined {
  const starts = new Int32Array(BUCKETS);
  for (let i = 0; i < keys.length; i++) starts[(keys[i]! >>> shift) & MASK]!++;
  if (starts[(keys[0]! >>> shift) & MASK] === keys.length) return undefined;
  let start = 0;
  for (let b = 0; b < BUCKETS; b++) {
    const count = starts[b]!;
    starts[b] = start;
    start += count;
  }
  return starts;
}

/** `starts` is used up. */
function scatterInto({ order, keys }: Keyed, shift: number, starts: Int32Array, out: Keyed): void {
  const [outOrder, outKeys] = [out.order, out.keys];
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const b = (key >>> shift) & MASK;
    const at = starts[b]!;
    starts[b] = at + 1;
    outOrder[at] = order[i]!;
    outKeys[at] = key;
  }
}

/** Sorts numbers with equal keys; false where that would cost too much. */
function finish(values: Float64Array, { order, keys }: Keyed): boolean {
  const n = keys.length;
  let budget = PATIENCE * n;
  for (let start = 0, e = 1; e <= n; e++) {
    if (e < n && keys[e] === keys[start]) continue;
    if (e - start > 1 && !isConstant(values, order, start, e)) {
      budget -= (e - start) * (e - start);
      if (budget < 0) return false;
      insertionSort(values, order, start, e);
    }
    start = e;
  }
  return true;
}

/** `finish` of lower bits. */
function finishLow({ order, keys }: Keyed): boolean {
  const n = keys.length;
  const low = new Uint32Array(order.buffer);
  let budget = PATIENCE * n;
  for (let start = 0, e = 1; e <= n; e++) {
    if (e < n && keys[e] === keys[start]) continue;
    if (e - start > 1 && !areEqual(low, start, e)) {
      budget -= (e - start) * (e - start);
      if (budget < 0) return false;
      for (let next = start + 1; next < e; next++) {
        const word = low[next]!;
        let at = next;
        for (; at > start && low[at - 1]! > word; at--) low[at] = low[at - 1]!;
        low[at] = word;
      }
    }
    start = e;
  }
  return true;
}

function areEqual(words: Uint32Array, start: number, end: number): boolean {
  for (let e = start + 1; e < end; e++) if (words[e] !== words[start]) return false;
  return true;
}

/** The numbers of which these are the bits, as `upperBits` and `lowerBits` give them. */
function numbersOf({ order, keys }: Keyed): Float64Array {
  const out = new Float64Array(keys.length);
  const { words, upper } = halvesOf(out);
  for (let e = 0; e < keys.length; e++) {
    const key = keys[e]!;
    const isNegative = key >>> 31 === 0;
    words[2 * e + upper] = isNegative ? ~key : key & 0x7fffffff;
    words[2 * e + 1 - upper] = isNegative ? ~order[e]! : order[e]!;
  }
  return out;
}

function isConstant(values: Float64Array, order: Int32Array, start: number, end: number): boolean {
  const first = values[order[start]!]!;
  for (let e = start + 1; e < end; e++) if (values[order[e]!] !== first) return false;
  return true;
}

function insertionSort(values: Float64Array, order: Int32Array, start: number, end: number): Int32Array {
  for (let e = start + 1; e < end; e++) {
    const index = order[e]!;
    let at = e;
    for (; at > start && values[order[at - 1]!]! > values[index]!; at--) order[at] = order[at - 1]!;
    order[at] = index;
  }
  return order;
}
