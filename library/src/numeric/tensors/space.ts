import { Arena, type I32, Vector } from "../runtime/arena.js";
import type { Heap } from "../runtime/heap.js";
import type { Address, KernelFamily, RealCall, RealChunkCall } from "../runtime/kernels.js";
import { after } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";

/** Width of the numbers of a computation. */
export type Dtype = "float32" | "float64";

/** The numbers of one tensor, row-major, in the memory of the kernels. */
export type Reals = Vector<Float32Array<ArrayBufferLike>> | Vector<Float64Array<ArrayBufferLike>>;
/** Indices and class codes. */
export type Integers = I32;

/** Where a space stands: everything allocated later is given back by `release`. */
export interface Mark {
  readonly block: number;
  readonly offset: number;
}

interface Block {
  readonly at: Address;
  readonly bytes: number;
}

/** Blocks of this many bytes, or of one tensor that is larger. */
const BLOCK = 2 ** 18;
/** Tensors are aligned to cache lines, and may be read and written to the end of their last vector of 16 bytes. */
const LINE = 64;

const namesOfSingles = new Map<string, string>();
const namesOfDoubles = new Map<string, string>();

/**
 * The tensors of one computation: a stack in the memory of the kernels. `mark` and `release` enclose a step, whose tensors the
 * next step reuses: memory stays flat however many steps there are. `close` frees everything; a space that is never closed is
 * freed by the garbage collector.
 */
export class TensorSpace {
  readonly heap: Heap;
  readonly #arena: Arena;
  readonly #blocks: Block[] = [];
  #block = 0;
  #offset = 0;
  /** Names of kernels for this width: looking one up is quicker than making it anew. */
  readonly #names: Map<string, string>;
  /** Bytes per number. */
  readonly width: 4 | 8;

  constructor(
    /** The caller in error messages; a space that is kept has another one in every use. */
    public where: string,
    readonly dtype: Dtype,
  ) {
    this.#arena = new Arena(where);
    this.heap = this.#arena.heap;
    this.width = dtype === "float32" ? 4 : 8;
    this.#names = dtype === "float32" ? namesOfSingles : namesOfDoubles;
  }

  /** Uninitialised numbers. */
  reals(length: number): Reals {
    return this.#reals(this.#take(length * this.width), length);
  }

  zeros(length: number): Reals {
    return this.copy(new Float32Array(length));
  }

  copy(values: ArrayLike<number>): Reals {
    const out = this.reals(values.length);
    if (this.width === 4 && values instanceof Float64Array) narrowInto(out.array as Float32Array, values);
    else out.array.set(values);
    return out;
  }

  integers(values: ArrayLike<number>): Integers {
    return this.indices(values.length).set(values);
  }

  /** Uninitialised integers. */
  indices(length: number): Integers {
    return new Vector(this.heap, Int32Array, this.#take(length * 4), length);
  }

  /** The numbers from `from` on, in the same memory. */
  part(values: Reals, from: number, length: number): Reals {
    return this.#reals(after(values.ptr, from * this.width), length);
  }

  #reals(at: Address, length: number): Reals {
    return this.width === 4
      ? new Vector(this.heap, Float32Array, at, length)
      : new Vector(this.heap, Float64Array, at, length);
  }

  mark(): Mark {
    return { block: this.#block, offset: this.#offset };
  }

  release(mark: Mark): void {
    this.#block = mark.block;
    this.#offset = mark.offset;
  }

  /** Runs a step: what it allocates is given back at its end. */
  step<R>(work: () => R): R {
    const mark = this.mark();
    try {
      return work();
    } finally {
      this.release(mark);
    }
  }

  /** Bytes that the computation holds, used or not. */
  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.bytes, 0);
  }

  close(): void {
    this.#arena.close();
  }

  /** Runs a kernel on this thread. */
  call(call: RealCall): number {
    return this.heap.call(this.#sized(call));
  }

  /** Runs a kernel per chunk, as `parallel` does. */
  parallel(call: RealChunkCall, chunks: number, operations: number): void {
    parallel(this.heap, this.#sized(call), chunks, operations);
  }

  /** Runs the only chunk of a kernel on this thread: `parallel` would take twice as long for calls of a microsecond's work and less. */
  single(call: RealChunkCall): void {
    const { family, name, args } = this.#sized(call);
    // spread: the arguments of a kernel.
    this.heap.exports(family)[name]!(...args, 0);
  }

  /** Runs a kernel over `items` in chunks of `size`; `operations` per item, roughly. */
  inChunks(items: number, size: number, operations: number, kernel: (size: number) => RealChunkCall): void {
    if (items > 0) this.parallel(kernel(size), Math.ceil(items / size), operations * items);
  }

  /** The call of the kernel for this width. */
  #sized({ family, name, args }: RealCall | RealChunkCall): {
    family: KernelFamily;
    name: string;
    args: readonly number[];
  } {
    let full = this.#names.get(name);
    if (full === undefined) {
      full = name + this.width;
      this.#names.set(name, full);
    }
    return { family, name: full, args };
  }

  #take(bytes: number): Address {
    // NaN would never fit into a block.
    if (!(bytes >= 0)) throw new RangeError(`a tensor of ${bytes} bytes`);
    const size = LINE * Math.max(1, Math.ceil(bytes / LINE));
    for (;;) {
      const block = this.#blocks[this.#block];
      if (block === undefined) {
        const length = Math.max(BLOCK, size);
        this.#blocks.push({ at: this.#arena.f64(length / 8).ptr, bytes: length });
        continue;
      }
      if (this.#offset + size <= block.bytes) {
        const at = after(block.at, this.#offset);
        this.#offset += size;
        return at;
      }
      this.#block++;
      this.#offset = 0;
    }
  }
}

/** Runs a computation in a space that is always closed. */
export function withSpace<R>(where: string, dtype: Dtype, work: (space: TensorSpace) => R): R {
  const space = new TensorSpace(where, dtype);
  try {
    return work(space);
  } finally {
    space.close();
  }
}

/** What `set` does, which is twice as slow between widths: four numbers at a time, so that bounds are checked less often. */
function narrowInto(out: Float32Array, values: Float64Array): void {
  const whole = values.length - (values.length % 4);
  for (let e = 0; e < whole; e += 4) {
    out[e] = values[e]!;
    out[e + 1] = values[e + 1]!;
    out[e + 2] = values[e + 2]!;
    out[e + 3] = values[e + 3]!;
  }
  for (let e = whole; e < values.length; e++) out[e] = values[e]!;
}

/** Items per chunk of `most` entries, for items of so many entries. */
export const itemsPerChunk = (most: number, entries: number): number =>
  Math.max(1, Math.floor(most / Math.max(1, entries)));
