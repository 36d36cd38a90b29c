import { textEncoder } from "../core/text/utf8-coders.js";

/** Fields of a protocol-buffers message, in the order in which they are written. */
export class Message {
  #bytes = new Uint8Array(64);
  #length = 0;

  integer(field: number, value: number): this {
    this.#tag(field, VARINT);
    this.#varint(value);
    return this;
  }

  /** Packed: their length, then all of them without tags. */
  integers(field: number, values: ArrayLike<number>): this {
    const packed = new Message();
    for (let e = 0; e < values.length; e++) packed.#varint(values[e]!);
    return this.message(field, packed);
  }

  text(field: number, value: string): this {
    return this.bytes(field, textEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, BYTES);
    this.#varint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  message(field: number, value: Message): this {
    return this.bytes(field, value.#bytes.subarray(0, value.#length));
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #tag(field: number, wire: number): void {
    this.#varint(8 * field + wire);
  }

  /** Seven bits per byte, the lowest first; negative integers as 64-bit two's complement. */
  #varint(value: number): void {
    this.#reserve(LONGEST_VARINT);
    if (value < 0) {
      let rest = BigInt.asUintN(64, BigInt(value));
      for (; rest > 127n; rest >>= 7n) this.#bytes[this.#length++] = Number(rest & 127n) | 128;
      this.#bytes[this.#length++] = Number(rest);
      return;
    }
    let rest = value;
    // Division, because bitwise operators have 32 bits.
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 128;
    this.#bytes[this.#length++] = rest;
  }

  /** Room for more bytes: twice as many as before, so that every byte is copied once on average. */
  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

const VARINT = 0;
const BYTES = 2;

/** Bytes of 64 bits, seven in each. */
const LONGEST_VARINT = 10;
