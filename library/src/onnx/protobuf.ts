const encoder = new TextEncoder();

/** Fields of a protocol-buffers message, in the order in which they are written. */
export class Message {
  readonly #chunks: Uint8Array[] = [];

  /** Of the whole message. */
  get length(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  integer(field: number, value: number): this {
    return this.#push(tag(field, VARINT), varint(value));
  }

  integers(field: number, values: readonly number[]): this {
    const packed = values.map(varint);
    const length = packed.reduce((sum, bytes) => sum + bytes.length, 0);
    return this.#push(tag(field, BYTES), varint(length), ...packed);
  }

  text(field: number, value: string): this {
    return this.bytes(field, encoder.encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#push(tag(field, BYTES), varint(value.length), value);
  }

  message(field: number, value: Message): this {
    return this.#push(tag(field, BYTES), varint(value.length), ...value.#chunks);
  }

  finish(): Uint8Array {
    const out = new Uint8Array(this.length);
    let at = 0;
    for (const chunk of this.#chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }

  #push(...chunks: readonly Uint8Array[]): this {
    for (const chunk of chunks) this.#chunks.push(chunk);
    return this;
  }
}

const VARINT = 0;
const BYTES = 2;

const tag = (field: number, wire: number): Uint8Array => varint(8 * field + wire);

/** Seven bits per byte, the lowest first; negative numbers as 64-bit two's complement. */
function varint(value: number): Uint8Array {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  out.push(Number(rest));
  return Uint8Array.from(out);
}
