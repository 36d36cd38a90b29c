import { addPairs, addStrings, countNgrams, countTerms, findWords } from "../generated/term-table.js";
import {
  PADDING,
  SLOT_BYTES,
  type TermTableInputs,
  termTableBytes,
  termTableI32,
  termTableUsize,
} from "../generated/term-table.layout.js";
import { type Arena, ArenaOwner, type I32, withArena } from "../runtime/arena.js";
import { MixedFields } from "../runtime/fields.js";
import type { Address } from "../runtime/kernels.js";

/** Strings as ranges of bytes: string t from `starts[t]` to `ends[t]`, none where `ends[t]` is −1. */
export interface Strings {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** n-grams of words: pairs of a term and a word, which are terms as well. */
export interface Ngrams {
  /** Shortest and longest n-gram. */
  readonly range: readonly [number, number];
  /** Three numbers per pair: its terms and its own number. */
  readonly pairs: Int32Array;
  /** Column of each term, −1 without one. */
  readonly columns: Int32Array;
}

export interface TermTableParts {
  /** The terms: numbers of strings are columns unless there are `ngrams`. */
  readonly strings: Strings;
  /** Words that are passed over, before n-grams are formed. */
  readonly stopWords: Strings;
  readonly ngrams?: Ngrams;
  readonly cols: number;
}

/** Terms of a document: the first `size` ranges. */
export interface FoundTerms extends Strings {
  readonly size: number;
}

/** Receives the columns that occur in a document and their counts, from entry `nonZeros` on. */
export interface CountedRow {
  nonZeros: number;
  readonly indices: Int32Array;
  readonly values: Int32Array;
  reserve(entries: number): void;
}

/** Bytes of a text, and n-grams, that need no memory of their own: most documents are shorter. */
const TEXT_ROOM = 1 << 13;
const TERM_ROOM = 1 << 13;
const MOST = 2 ** 31 - 1;

const places = { ...termTableI32, ...termTableUsize };

/** A vocabulary in kernel memory, which counts the terms of one document at a time. */
export class TermTable extends ArenaOwner {
  readonly bytes: number;
  readonly #table: Address;
  readonly #countKernel: typeof countTerms;
  /** Entries of a row per term of the document, at most. */
  readonly #perTerm: number;
  readonly #text: Address;
  readonly #places: Address;
  /** All of the memory, of the given generation. */
  #view = new Uint8Array(0) as Uint8Array<ArrayBufferLike>;
  #generation = -1;

  constructor(where: string, { strings, stopWords, ngrams, cols }: TermTableParts) {
    super(where);
    const { arena } = this;
    const before = arena.heap.bytesInUse;
    this.#countKernel = ngrams ? countNgrams : countTerms;
    this.#perTerm = ngrams?.range[1] ?? 1;
    this.#text = arena.u8(TEXT_ROOM + PADDING).ptr;
    this.#places = arena.i32(2 * TERM_ROOM).ptr;

    const terms = strings.starts.length;
    const bytes = arena.u8(strings.bytes.length + stopWords.bytes.length + PADDING);
    bytes.array.set(strings.bytes);
    bytes.array.set(stopWords.bytes, strings.bytes.length);
    const starts = arena.i32(terms + stopWords.starts.length);
    starts.array.set(strings.starts);
    starts.array.set(shifted(stopWords.starts, strings.bytes.length), terms);

    const pairSlots = openSlots(arena, (ngrams?.pairs.length ?? 0) / 3);
    const slots = openSlots(arena, starts.length);
    const table = new MixedFields(arena, termTableBytes, {}, places);
    this.#table = table.ptr;
    const fields: TermTableInputs = {
      slots: slots.ptr,
      shift: shiftOf(slots),
      bytes: bytes.ptr,
      starts: starts.ptr,
      stop: terms,
      pairSlots: pairSlots.ptr,
      pairShift: shiftOf(pairSlots),
      columns: ngrams ? arena.copyI32(ngrams.columns).ptr : 0,
      least: ngrams?.range[0] ?? 1,
      greatest: this.#perTerm,
      ending: arena.i32(this.#perTerm).ptr,
      cols,
      counts: zeros(arena, cols).ptr,
      present: zeros(arena, 2 * Math.ceil(cols / 64)).ptr,
      groups: zeros(arena, 2 * Math.ceil(cols / 4096)).ptr,
    };
    table.write(fields);

    withArena(where, (scratch) => {
      const ends = scratch.i32(starts.length);
      ends.array.set(strings.ends);
      ends.array.set(shifted(stopWords.ends, strings.bytes.length), terms);
      arena.heap.call(addStrings({ table: this.#table, ends: ends.ptr, count: starts.length }));
      if (ngrams) {
        const pairs = scratch.copyI32(ngrams.pairs);
        arena.heap.call(addPairs({ table: this.#table, pairs: pairs.ptr, count: pairs.length / 3 }));
      }
    });
    this.bytes = arena.heap.bytesInUse - before;
  }

  /** Counts the words of an ASCII text, runs of `shortest` or more word characters, and adds its row to `out`. */
  countWords(text: Uint8Array, length: number, shortest: number, out: CountedRow): void {
    // Words are divided by at least one character.
    this.#withRoom(length, (length + 1) >>> 1, (textPtr, placesPtr) => {
      this.#write(text, length, textPtr);
      const size = this.arena.heap.call(findWords({ text: textPtr, length, places: placesPtr }));
      this.#count(textPtr, placesPtr, size, Math.min(shortest, MOST), out);
    });
  }

  /** Counts given terms, and adds their row to `out`. */
  countTerms({ bytes, starts, ends, size }: FoundTerms, out: CountedRow): void {
    let length = 0;
    for (let t = 0; t < size; t++) if (ends[t]! > length) length = ends[t]!;
    this.#withRoom(length, size, (textPtr, placesPtr) => {
      this.#write(bytes, length, textPtr);
      const { integers } = this.arena.heap;
      const from = placesPtr / 4;
      for (let t = 0; t < size; t++) {
        integers[from + 2 * t] = starts[t]!;
        integers[from + 2 * t + 1] = ends[t]!;
      }
      this.#count(textPtr, placesPtr, size, 0, out);
    });
  }

  /** Calls `work` with room for a text and its terms. */
  #withRoom(length: number, terms: number, work: (text: Address, places: Address) => void): void {
    if (length <= TEXT_ROOM && terms * this.#perTerm <= TERM_ROOM) {
      work(this.#text, this.#places);
      return;
    }
    withArena(this.arena.where, (arena) =>
      work(arena.u8(length + PADDING).ptr, arena.i32(2 * terms * this.#perTerm).ptr),
    );
  }

  #write(text: Uint8Array, length: number, at: Address): void {
    const { heap } = this.arena;
    if (this.#generation !== heap.generation) {
      this.#view = new Uint8Array(heap.memory.buffer);
      this.#generation = heap.generation;
    }
    this.#view.set(text.subarray(0, length), at);
  }

  #count(text: Address, placesPtr: Address, terms: number, shortest: number, out: CountedRow): void {
    const size = this.arena.heap.call(
      this.#countKernel({ table: this.#table, text, places: placesPtr, size: terms, shortest }),
    );
    out.reserve(size);
    const { indices, values } = out;
    const { integers } = this.arena.heap;
    let at = out.nonZeros;
    for (let from = placesPtr / 4, end = from + 2 * size; from < end; from += 2, at++) {
      indices[at] = integers[from]!;
      values[at] = integers[from + 1]!;
    }
    out.nonZeros = at;
  }
}

/** Free slots of a table for so many entries: a power of two, at least twice as many. */
function openSlots(arena: Arena, entries: number): I32 {
  let slots = 16;
  while (slots < 2 * entries) slots *= 2;
  return zeros(arena, (slots * SLOT_BYTES) / 4);
}

const shiftOf = (slots: I32): number => 33 + Math.clz32((slots.length * 4) / SLOT_BYTES);

function zeros(arena: Arena, length: number): I32 {
  const out = arena.i32(length);
  out.array.fill(0);
  return out;
}

const shifted = (list: Int32Array, by: number): Int32Array => list.map((value) => value + by);
