/**
 * Decodes a frame of LZ4 (github.com/lz4/lz4, doc/lz4_Frame_format.md and lz4_Block_format.md), as Feather files have them. Checksums
 * are not verified: Arrow stores lengths of its own, which reveal a damaged buffer. A frame of more than `most` bytes is an error.
 */
export function decodeLz4Frame(frame: Uint8Array, most = Number.MAX_SAFE_INTEGER): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < 7 || view.getUint32(0, true) !== MAGIC)
    throw new Error("the buffer is not an LZ4 frame");
  const flags = frame[4]!;
  const hasBlockChecksum = (flags & 0x10) !== 0;
  const hasSize = (flags & 0x08) !== 0;
  const hasDictionary = (flags & 0x01) !== 0;
  const stated = hasSize ? Number(view.getBigUint64(6, true)) : 4 * frame.length;
  const out = new GrowingBytes(Math.min(stated, MOST_PER_BYTE * frame.length, most), most);
  let at = 7 + (hasSize ? 8 : 0) + (hasDictionary ? 4 : 0);
  for (;;) {
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) return out.bytes();
    const length = size & 0x7fffffff;
    const block = frame.subarray(at, at + length);
    if (block.length < length) throw new Error("the LZ4 frame ends too early");
    // The highest bit: stored as it is.
    if (size > 0x7fffffff) out.append(block, 0, length);
    else decodeBlock(block, out);
    at += length + (hasBlockChecksum ? 4 : 0);
  }
}

const MAGIC = 0x184d2204;

/** A byte of a length stands for at most 255 bytes of a match. */
const MOST_PER_BYTE = 255;

/** Sequences of literals, then a match: so many bytes from so far back in the output. The last one has literals only. */
function decodeBlock(block: Uint8Array, out: GrowingBytes): void {
  let at = 0;
  /** Lengths of 15 go on in the next bytes, as long as these are 255. */
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    if (nibble < 15) return length;
    for (let more = 255; more === 255; ) {
      if (at >= block.length) throw new Error("the LZ4 frame is damaged");
      more = block[at++]!;
      length += more;
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = lengthOf(token >> 4);
    out.append(block, at, literals);
    at += literals;
    if (at >= block.length) return;
    const distance = block[at]! | (block[at + 1]! << 8);
    at += 2;
    out.repeat(distance, lengthOf(token & 15) + 4);
  }
}

class GrowingBytes {
  #memory: Uint8Array;
  #length = 0;
  readonly #most: number;

  constructor(capacity: number, most: number) {
    this.#most = most;
    this.#memory = new Uint8Array(Math.max(64, capacity));
  }

  bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  append(source: Uint8Array, from: number, length: number): void {
    if (from + length > source.length) throw new Error("the LZ4 frame is damaged");
    this.#reserve(length);
    this.#memory.set(source.subarray(from, from + length), this.#length);
    this.#length += length;
  }

  /** Byte by byte: a match may overlap what it writes. */
  repeat(distance: number, length: number): void {
    if (distance === 0 || distance > this.#length) throw new Error("the LZ4 frame is damaged");
    this.#reserve(length);
    const memory = this.#memory;
    for (let k = 0; k < length; k++, this.#length++) memory[this.#length] = memory[this.#length - distance]!;
  }

  #reserve(length: number): void {
    if (this.#length + length > this.#most)
      throw new Error(`the LZ4 frame has more than ${this.#most} bytes`);
    if (this.#length + length <= this.#memory.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#memory.length, this.#length + length));
    larger.set(this.bytes());
    this.#memory = larger;
  }
}
