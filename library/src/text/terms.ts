import type { Strings } from "../numeric/text/term-table.js";

/**
 * The terms of one document as ranges of bytes, filled anew for every document: nothing is allocated per term.
 * `hashes` are those of `hashBytes`.
 */
export class Terms {
  /** UTF-8. */
  bytes = new Uint8Array(1 << 12);
  starts = new Int32Array(1 << 10);
  ends = new Int32Array(1 << 10);
  hashes = new Int32Array(1 << 10);
  size = 0;

  /** Reserves room for this many bytes and keeps the content. */
  reserveBytes(length: number): void {
    if (length > this.bytes.length) this.bytes = grown(this.bytes, length);
  }

  reserveTerms(length: number): void {
    if (length <= this.starts.length) return;
    this.starts = grown(this.starts, length);
    this.ends = grown(this.ends, length);
    this.hashes = grown(this.hashes, length);
  }
}

type Growing = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** A copy with room for at least `length`: doubled, so that appending is amortised O(1). */
export function grown<T extends Growing>(list: T, length: number): T {
  let capacity = Math.max(list.length, 16);
  while (capacity < length) capacity *= 2;
  const larger = new (list.constructor as new (size: number) => T)(capacity);
  larger.set(list);
  return larger;
}

/** FNV-1a, byte by byte, so that the hash of a longer term continues that of its prefix. */
export const HASH_START = 0x811c9dc5 | 0;
export const HASH_PRIME = 0x01000193;

export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, HASH_PRIME);
  return hash;
}

/**
 * Assigns numbers to terms: 0, 1, 2, … in the order of their first appearance. A term is a string of bytes or a pair (term, word):
 * "new york city" is ((new, york), city), so that n-grams of words need no strings at all. Open addressing, at most half
 * full. A slot is two numbers side by side, a hash (or the first of a pair) and term + 1, 0 where it is free, so that most
 * searches touch one cache line of the table and one of `parts`.
 *
 * A frozen index adds nothing and returns −1 for unknown terms.
 */
export class TermIndex {
  frozen = false;
  size = 0;
  /** Bytes of all string terms, one after the other. */
  bytes = new Uint8Array(1 << 12);
  /** Two numbers per term: start and end of the bytes of a string, or the two terms of a pair. */
  parts = new Int32Array(1 << 11);
  /** Words in the term, 1 for a string. */
  length = new Uint8Array(1 << 10);
  #used = 0;
  slots = new Int32Array(1 << 12);
  #strings = 0;
  pairSlots = new Int32Array(1 << 6);
  #pairs = 0;

  /** The number of the bytes from `start` to `end`, whose hash is given. */
  string(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const found = findString(this.slots, this.parts, this.bytes, bytes, start, end, hash);
    if (found >= 0) return found;
    return this.frozen ? -1 : this.addString(bytes, start, end, hash, ~found);
  }

  /** The number of the pair of two terms; −1 if either of them is −1. */
  pair(first: number, second: number): number {
    if (first < 0 || second < 0) return -1;
    const found = findPair(this.pairSlots, this.parts, first, second);
    if (found >= 0) return found;
    return this.frozen ? -1 : this.addPair(first, second, ~found);
  }

  /** Adds a string that `findString` did not find. */
  addString(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const at = this.#used;
    this.#used += end - start;
    if (this.#used > this.bytes.length) this.bytes = grown(this.bytes, this.#used);
    for (let k = start; k < end; k++) this.bytes[at + k - start] = bytes[k]!;
    const term = this.#add(at, this.#used, 1);
    this.slots[slot] = hash;
    this.slots[slot + 1] = term + 1;
    if (++this.#strings * 4 > this.slots.length) this.slots = rehashed(this.slots, spread);
    return term;
  }

  /** Adds a pair that `findPair` did not find. */
  addPair(first: number, second: number, slot: number): number {
    const term = this.#add(first, second, this.length[first]! + 1);
    this.pairSlots[slot] = first;
    this.pairSlots[slot + 1] = term + 1;
    if (++this.#pairs * 4 > this.pairSlots.length) {
      const { parts } = this;
      this.pairSlots = rehashed(this.pairSlots, (one, t) => pairHash(one, parts[2 * t + 1]!));
    }
    return term;
  }

  /** The terms that are strings; a pair has the end −1. */
  strings(): Strings {
    const { size, parts, slots } = this;
    const starts = new Int32Array(size);
    const ends = new Int32Array(size).fill(-1);
    for (let s = 0; s < slots.length; s += 2) {
      const term = slots[s + 1]! - 1;
      if (term < 0) continue;
      starts[term] = parts[2 * term]!;
      ends[term] = parts[2 * term + 1]!;
    }
    return { bytes: this.bytes.subarray(0, this.#used), starts, ends };
  }

  /** The terms that are pairs, three numbers each: the two terms and its own. */
  pairs(): Int32Array {
    const { parts, pairSlots } = this;
    const out = new Int32Array(3 * this.#pairs);
    let at = 0;
    for (let s = 0; s < pairSlots.length; s += 2) {
      const term = pairSlots[s + 1]! - 1;
      if (term < 0) continue;
      out[at++] = parts[2 * term]!;
      out[at++] = parts[2 * term + 1]!;
      out[at++] = term;
    }
    return out;
  }

  #add(first: number, second: number, length: number): number {
    const term = this.size++;
    if (term === this.length.length) {
      this.parts = grown(this.parts, 2 * term + 2);
      this.length = grown(this.length, term + 1);
    }
    this.parts[2 * term] = first;
    this.parts[2 * term + 1] = second;
    this.length[term] = length;
    return term;
  }
}

/**
 * The term with the given bytes, or the complement (~) of the slot where it would be. Functions of arrays rather than
 * methods: with the arrays in local variables, a loop around them runs at twice the speed.
 */
export function findString(
  slots: Int32Array,
  parts: Int32Array,
  own: Uint8Array,
  bytes: Uint8Array,
  start: number,
  end: number,
  hash: number,
): number {
  const mask = slots.length - 2;
  let slot = spread(hash) & mask;
  for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
    if (slots[slot] !== hash) continue;
    const term = slots[slot + 1]! - 1;
    let from = parts[2 * term]!;
    if (parts[2 * term + 1]! - from !== end - start) continue;
    let at = start;
    while (at < end && own[from] === bytes[at]) {
      at++;
      from++;
    }
    if (at === end) return term;
  }
  return ~slot;
}

/** The same for a pair. */
export function findPair(slots: Int32Array, parts: Int32Array, first: number, second: number): number {
  const mask = slots.length - 2;
  let slot = pairHash(first, second) & mask;
  for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
    if (slots[slot] !== first) continue;
    const term = slots[slot + 1]! - 1;
    if (parts[2 * term + 1] === second) return term;
  }
  return ~slot;
}

/** FNV leaves low bits weak in short words; this spreads them over the table. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) << 1;
}

function pairHash(first: number, second: number): number {
  const mixed = Math.imul(Math.imul(first, 0x9e3779b1 | 0) ^ second, 0x85ebca6b | 0);
  return (mixed ^ (mixed >>> 15)) << 1;
}

/** The slots in a table four times as large. */
function rehashed(slots: Int32Array, hash: (first: number, term: number) => number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(slots.length * 4);
  const mask = larger.length - 2;
  for (let s = 0; s < slots.length; s += 2) {
    if (slots[s + 1] === 0) continue;
    let slot = hash(slots[s]!, slots[s + 1]! - 1) & mask;
    while (larger[slot + 1] !== 0) slot = (slot + 2) & mask;
    larger[slot] = slots[s]!;
    larger[slot + 1] = slots[s + 1]!;
  }
  return larger;
}
