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

/** Numbers by their bits: those of number e, as unsigned integers in the order of the numbers, are upper[e] and then lower[e]. */
export interface NumberBits {
  readonly upper: Uint32Array;
  readonly lower: Uint32Array;
}

/**
 * The numbers of each of two groups in ascending order, −0 as 0, those with flag 1 first. Sorts the bits of the numbers, without their
 * places: several times as fast as `ascendingOrder` and a look at each number's place.
 */
export function sortedGroups(values: Float64Array, flags: Uint8Array): readonly [NumberBits, NumberBits] {
  const n = values.length;
  let ones = 0;
  for (let i = 0; i < n; i++) ones += flags[i]!;
  const upper = new Uint32Array(n);
  const lower = new Uint32Array(n);
  const { words, upper: place } = halvesOf(values);
  for (let i = 0, p = 0, q = ones; i < n; i++) {
    const high = words[2 * i + place]!;
    const low = words[2 * i + 1 - place]!;
    // All bits of negative numbers are flipped, of others the sign; −0 is 0.
    const flip = high >>> 31 === 1 && values[i] !== 0 ? -1 : 0;
    const flag = flags[i]!;
    // The next place of the group, without a branch.
    const at = q + (p - q) * flag;
    upper[at] = (high ^ flip) | (flip === 0 ? 0x80000000 : 0);
    lower[at] = low ^ flip;
    p += flag;
    q += 1 - flag;
  }
  const group = (from: number, to: number) =>
    sortedBits({ upper: upper.subarray(from, to), lower: lower.subarray(from, to) });
  return [group(0, ones), group(ones, n)];
}

function sortedBits({ upper, lower }: NumberBits): NumberBits {
  const asOrder = (words: Uint32Array) => new Int32Array(words.buffer, words.byteOffset, words.length);
  const asWords = (order: Int32Array) => new Uint32Array(order.buffer, order.byteOffset, order.length);
  const sorted = radixSort({ order: asOrder(lower).slice(), keys: upper.slice() });
  if (finishLow(sorted)) return { upper: sorted.keys, lower: asWords(sorted.order) };
  const byLow = radixSort({ order: asOrder(upper), keys: lower });
  const { keys, order } = radixSort({ order: asOrder(byLow.keys), keys: asWords(byLow.order) });
  return { upper: keys, lower: asWords(order) };
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
  const counts = countDigits(given.keys);
  let from = given;
  let to: Keyed = { order: new Int32Array(n), keys: new Uint32Array(n) };
  for (const [digit, starts] of counts.entries()) {
    if (!toStarts(starts, n)) continue;
    scatterInto(from, digit * BITS, starts, to);
    const next = from === given ? { order: new Int32Array(n), keys: new Uint32Array(n) } : from;
    from = to;
    to = next;
  }
  return from;
}

/** How many keys have each value of each digit, lowest digit first. */
function countDigits(keys: Uint32Array): readonly [Int32Array, Int32Array, Int32Array] {
  const low = new Int32Array(BUCKETS);
  const middle = new Int32Array(BUCKETS);
  const high = new Int32Array(BUCKETS);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    low[key & MASK]!++;
    middle[(key >>> BITS) & MASK]!++;
    high[key >>> (2 * BITS)]!++;
  }
  return [low, middle, high];
}

/** Turns counts into the places where buckets start; false if all n keys are in one bucket. */
function toStarts(counts: Int32Array, n: number): boolean {
  let start = 0;
  for (let b = 0; b < BUCKETS; b++) {
    const count = counts[b]!;
    if (count === n) return false;
    counts[b] = start;
    start += count;
  }
  return true;
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
  const low = new Uint32Array(order.buffer, order.byteOffset, n);
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
