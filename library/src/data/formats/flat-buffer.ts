import { FormatError } from "../../core/errors.js";

/** Nested deeper than this, metadata were not written by a program that means well; FlatBuffers' own verifier stops here too. */
const MOST_NESTED = 64;

/**
 * Metadata in FlatBuffers (flatbuffers.dev/internals), read with every offset checked. Reading past the end is an error, where
 * the usual readers see zeros; tables that several offsets share are counted each time, so that a small buffer cannot stand for
 * a large tree.
 */
export class FlatBuffer {
  readonly #view: DataView;
  /** Tables that may still be read: each takes 4 bytes of the buffer at least. */
  #tables: number;
  /** Bytes of text that may still be read. */
  #text: number;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#tables = bytes.length / 4;
    this.#text = bytes.length;
  }

  root(): FlatTable {
    return this.table(this.uint32(0));
  }

  table(at: number): FlatTable {
    if (--this.#tables < 0) refuseMetadata("tables that overlap");
    const vtable = at - this.int32(at);
    const slots = this.uint16(vtable);
    const size = this.uint16(vtable + 2);
    if (slots < 4 || slots % 2 !== 0 || size < 4) refuseMetadata("a table without its header");
    this.require(vtable, slots);
    this.require(at, size);
    return new FlatTable(this, at, vtable, slots, size);
  }

  /** Runs `read` one level deeper. */
  nested<T>(read: () => T): T {
    if (++this.#depth > MOST_NESTED) refuseMetadata(`more than ${MOST_NESTED} levels`);
    const result = read();
    this.#depth--;
    return result;
  }

  takeText(length: number): void {
    this.#text -= length;
    if (this.#text < 0) refuseMetadata("texts that overlap");
  }

  require(at: number, length: number): void {
    if (at < 0 || length < 0 || at + length > this.#view.byteLength)
      refuseMetadata("an offset outside of them");
  }

  uint8(at: number): number {
    this.require(at, 1);
    return this.#view.getUint8(at);
  }

  uint16(at: number): number {
    this.require(at, 2);
    return this.#view.getUint16(at, true);
  }

  int16(at: number): number {
    this.require(at, 2);
    return this.#view.getInt16(at, true);
  }

  int32(at: number): number {
    this.require(at, 4);
    return this.#view.getInt32(at, true);
  }

  uint32(at: number): number {
    this.require(at, 4);
    return this.#view.getUint32(at, true);
  }

  /** A count of 64 bits; negative and unsafe ones are refused. */
  count(at: number, what: string): number {
    this.require(at, 8);
    const value = this.#view.getBigInt64(at, true);
    if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) refuseMetadata(`a ${what} of ${value}`);
    return Number(value);
  }

  /** An identifier of 64 bits. */
  identifier(at: number): bigint {
    this.require(at, 8);
    return this.#view.getBigInt64(at, true);
  }
}

/** A vector: where its entries begin, and how many there are. */
export interface FlatVector {
  readonly start: number;
  readonly length: number;
}

const EMPTY: FlatVector = { start: 0, length: 0 };

/** A table; its fields are found by their number in the schema (`.fbs`), from 0. */
export class FlatTable {
  constructor(
    readonly buffer: FlatBuffer,
    readonly at: number,
    readonly vtable: number,
    readonly slots: number,
    readonly size: number,
  ) {}

  /** Where a field of so many bytes is; undefined if it has its default. */
  field(index: number, width: number): number | undefined {
    const slot = 4 + 2 * index;
    if (slot + 2 > this.slots) return undefined;
    const offset = this.buffer.uint16(this.vtable + slot);
    if (offset === 0) return undefined;
    if (offset + width > this.size) refuseMetadata("a field outside of its table");
    return this.at + offset;
  }

  byte(index: number): number {
    const at = this.field(index, 1);
    return at === undefined ? 0 : this.buffer.uint8(at);
  }

  short(index: number): number {
    const at = this.field(index, 2);
    return at === undefined ? 0 : this.buffer.int16(at);
  }

  int(index: number, fallback = 0): number {
    const at = this.field(index, 4);
    return at === undefined ? fallback : this.buffer.int32(at);
  }

  count(index: number, what: string): number {
    const at = this.field(index, 8);
    return at === undefined ? 0 : this.buffer.count(at, what);
  }

  identifier(index: number): bigint {
    const at = this.field(index, 8);
    return at === undefined ? 0n : this.buffer.identifier(at);
  }

  child(index: number): FlatTable | undefined {
    const at = this.field(index, 4);
    return at === undefined ? undefined : this.buffer.table(at + this.buffer.uint32(at));
  }

  /** A vector of entries of `stride` bytes; an absent one is empty. */
  vector(index: number, stride: number): FlatVector {
    const at = this.field(index, 4);
    if (at === undefined) return EMPTY;
    const start = at + this.buffer.uint32(at);
    const length = this.buffer.uint32(start);
    this.buffer.require(start + 4, length * stride);
    return { start: start + 4, length };
  }

  /** The tables of a vector of tables. */
  *children(index: number): Generator<FlatTable> {
    const { start, length } = this.vector(index, 4);
    for (let k = 0; k < length; k++) {
      const at = start + 4 * k;
      yield this.buffer.table(at + this.buffer.uint32(at));
    }
  }

  /** Checks a text that someone else will read. */
  checkText(index: number): void {
    this.buffer.takeText(this.vector(index, 1).length);
  }
}

/** `received` follows "metadata with". */
export function refuseMetadata(received: string): never {
  const expected = "a message of Arrow's format";
  const advice = "The data are damaged, or not Arrow.";
  throw new FormatError("checkArrow", "the metadata", expected, `metadata with ${received}`, advice);
}
