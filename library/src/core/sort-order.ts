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

interface Keyed {
  readonly order: Int32Array;
  readonly keys: Uint32Array;
}

/** Bits as unsigned integers in the order of the numbers: the sign is flipped, of negative numbers every bit. */
function upperBits(values: Float64Array): Uint32Array {
  const keys = new Uint32Array(values.length);
  const { one, bits, upper } = bitView();
  for (let i = 0; i < keys.length; i++) {
    // −0 + 0 = 0: both zeros have one key.
    one[0] = values[i]! + 0;
    const word = bits[upper]!;
    keys[i] = word >>> 31 ? ~word : word | 0x80000000;
  }
  return keys;
}

function lowerBits(values: Float64Array): Uint32Array {
  const keys = new Uint32Array(values.length);
  const { one, bits, upper } = bitView();
  for (let i = 0; i < keys.length; i++) {
    one[0] = values[i]! + 0;
    const word = bits[1 - upper]!;
    keys[i] = bits[upper]! >>> 31 ? ~word : word;
  }
  return keys;
}

/** A number and its two halves, in the byte order of this machine: the sign bit of −1 is in the upper half. */
function bitView() {
  const one = Float64Array.of(-1);
  const bits = new Uint32Array(one.buffer);
  return { one, bits, upper: bits[1]! >>> 31 };
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
