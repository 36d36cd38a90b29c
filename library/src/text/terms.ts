/**
 * The terms of one document as ranges of bytes, filled anew for every document: nothing is allocated per term.
 * `hashes` are those of `hashBytes`.
 */
export class Terms {
  /** UTF-8. The words of a document stand side by side with one space between them, so an n-gram is a range as well. */
  bytes = new Uint8Array(1 << 12);
  starts = new Int32Array(1 << 10);
  ends = new Int32Array(1 << 10);
  hashes = new Int32Array(1 << 10);
  size = 0;

  /** Room for so many bytes, with what is there kept. */
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

/** A copy with room for at least `length`: doubling, so that adding one by one costs the same for each. */
export function grown<T extends Growing>(list: T, length: number): T {
  let capacity = Math.max(list.length, 16);
  while (capacity < length) capacity *= 2;
  const larger = new (list.constructor as new (size: number) => T)(capacity);
  larger.set(list);
  return larger;
}

/** FNV-1a, one byte after the other, so that a hash can be carried on where a longer term continues. */
export const HASH_START = 0x811c9dc5 | 0;
export const HASH_PRIME = 0x01000193;

export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, HASH_PRIME);
  return hash;
}

/** FNV leaves low bits weak in short words; this spreads them over the table. */
const spread = (hash: number): number => {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
};

/**
 * Numbers for terms: 0, 1, 2, … in the order of their first appearance. A term is a string of bytes or a pair (term, word):
 * "new york city" is ((new, york), city), so that n-grams of words need no strings at all. Open addressing, half full at
 * most; slots hold number + 1, 0 is free.
 *
 * A frozen index adds nothing and says −1 for what it does not know.
 */
export class TermIndex {
  frozen = false;
  size = 0;
  /** Bytes of all string terms, one after the other. */
  bytes = new Uint8Array(1 << 12);
  /** String term: where its bytes begin and end. Pair: the numbers of its two parts. */
  a = new Int32Array(1 << 10);
  b = new Int32Array(1 << 10);
  /** Words in the term, 1 for a string. */
  length = new Uint8Array(1 << 10);
  #hashes = new Int32Array(1 << 10);
  #used = 0;
  #slots = new Int32Array(1 << 11);
  #strings = 0;
  #pairSlots = new Int32Array(0);
  #pairs = 0;

  /** The number of the bytes from `start` to `end`, whose hash is given. */
  string(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const size = end - start;
    let slot = spread(hash) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const term = slots[slot]! - 1;
      if (term < 0) break;
      if (this.#hashes[term] !== hash) continue;
      const from = this.a[term]!;
      if (this.b[term]! - from !== size) continue;
      const own = this.bytes;
      let k = 0;
      while (k < size && own[from + k] === bytes[start + k]) k++;
      if (k === size) return term;
    }
    return this.frozen ? -1 : this.#addString(bytes, start, end, hash, slot);
  }

  /** The number of the pair of two terms; −1 if one of them is. */
  pair(first: number, second: number): number {
    if (first < 0 || second < 0) return -1;
    const slots = this.#pairSlots;
    const mask = slots.length - 1;
    const hash = Math.imul(Math.imul(first, 0x9e3779b1 | 0) ^ second, 0x85ebca6b | 0);
    let slot = (hash ^ (hash >>> 15)) & mask;
    if (mask >= 0) {
      for (; ; slot = (slot + 1) & mask) {
        const term = slots[slot]! - 1;
        if (term < 0) break;
        if (this.a[term] === first && this.b[term] === second) return term;
      }
    }
    return this.frozen ? -1 : this.#addPair(first, second, slot);
  }

  #addString(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const at = this.#used;
    this.#used += end - start;
    if (this.#used > this.bytes.length) this.bytes = grown(this.bytes, this.#used);
    for (let k = start; k < end; k++) this.bytes[at + k - start] = bytes[k]!;
    const term = this.#add(at, this.#used, 1);
    this.#hashes[term] = hash;
    this.#slots[slot] = term + 1;
    if (++this.#strings * 2 > this.#slots.length) this.#growStrings();
    return term;
  }

  #addPair(first: number, second: number, slot: number): number {
    const term = this.#add(first, second, this.length[first]! + 1);
    if (this.#pairSlots.length > 0) this.#pairSlots[slot] = term + 1;
    if (++this.#pairs * 2 > this.#pairSlots.length) this.#growPairs();
    return term;
  }

  #add(a: number, b: number, length: number): number {
    const term = this.size++;
    if (term === this.a.length) {
      this.a = grown(this.a, term + 1);
      this.b = grown(this.b, term + 1);
      this.length = grown(this.length, term + 1);
      this.#hashes = grown(this.#hashes, term + 1);
    }
    this.a[term] = a;
    this.b[term] = b;
    this.length[term] = length;
    return term;
  }

  #growStrings(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let term = 0; term < this.size; term++) {
      if (this.length[term] !== 1) continue;
      let slot = spread(this.#hashes[term]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = term + 1;
    }
    this.#slots = slots;
  }

  #growPairs(): void {
    const slots = new Int32Array(Math.max(1 << 11, this.#pairSlots.length * 4));
    const mask = slots.length - 1;
    for (let term = 0; term < this.size; term++) {
      if (this.length[term] === 1) continue;
      const hash = Math.imul(Math.imul(this.a[term]!, 0x9e3779b1 | 0) ^ this.b[term]!, 0x85ebca6b | 0);
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = term + 1;
    }
    this.#pairSlots = slots;
  }
}
