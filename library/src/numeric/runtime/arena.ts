import { type Heap, heap, retireIfIdle } from "./heap.js";
import { type Address, after } from "./kernels.js";

type Numbers =
  | Float64Array<ArrayBufferLike>
  | Float32Array<ArrayBufferLike>
  | Int32Array<ArrayBufferLike>
  | Uint16Array<ArrayBufferLike>
  | Uint8Array<ArrayBufferLike>;

interface NumbersType<A extends Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, at: number, length: number): A;
}

/** Numbers in the kernels' memory. Reads and writes go through `array`, a view that is valid until the next allocation. */
export class Vector<A extends Numbers> {
  #view: A | undefined;
  #generation = -1;

  constructor(
    private readonly heap: Heap,
    private readonly type: NumbersType<A>,
    /** For kernel calls inside `numeric/` only. */
    readonly ptr: Address,
    readonly length: number,
  ) {}

  /** The address of an entry. */
  at(index: number): Address {
    return after(this.ptr, this.type.BYTES_PER_ELEMENT * index);
  }

  get array(): A {
    if (this.#view === undefined || this.#generation !== this.heap.generation) {
      this.#view = new this.type(this.heap.floats.buffer, this.ptr, this.length);
      this.#generation = this.heap.generation;
    }
    return this.#view;
  }

  set(values: ArrayLike<number>): this {
    this.array.set(values);
    return this;
  }
}

export type F64 = Vector<Float64Array<ArrayBufferLike>>;
export type F32 = Vector<Float32Array<ArrayBufferLike>>;
export type I32 = Vector<Int32Array<ArrayBufferLike>>;
export type U16 = Vector<Uint16Array<ArrayBufferLike>>;
export type U8 = Vector<Uint8Array<ArrayBufferLike>>;

interface Block {
  readonly at: number;
  readonly bytes: number;
}

function releaseAll({ heap: owner, blocks }: { heap: Heap; blocks: readonly Block[] }): void {
  for (const { at, bytes } of blocks) owner.release(at, bytes);
  retireIfIdle(owner);
}

/** Generators of steps that are abandoned never close their arena: the garbage collector does. */
const abandoned = new FinalizationRegistry(releaseAll);

/** Small vectors share slabs of this many bytes: predicting one row needs one slab. */
const SLAB = 32768;
const SMALL = SLAB / 8;
/** Vectors are aligned to cache lines. */
const LINE = 64;

/** The memory of one computation: everything allocated through it is freed together by `close`. */
export class Arena {
  readonly heap: Heap;
  readonly #blocks: Block[] = [];
  #open = true;
  /** The free range of the last slab. */
  #slab: Address = 0;
  #slabEnd = 0;

  /** `where` names the caller in out-of-memory errors; `sure`: the caller guarantees to close the arena. */
  constructor(
    readonly where: string,
    private readonly sure = false,
  ) {
    this.heap = heap(where);
    if (!sure) abandoned.register(this, { heap: this.heap, blocks: this.#blocks }, this);
  }

  /** Uninitialised doubles, padded by one so that kernels may work in pairs. */
  f64(length: number): F64 {
    return new Vector(this.heap, Float64Array, this.#take((length + 1) * 8), length);
  }

  zeros(length: number): F64 {
    const out = this.f64(length);
    out.array.fill(0);
    return out;
  }

  copy(values: ArrayLike<number>): F64 {
    return this.f64(values.length).set(values);
  }

  i32(length: number): I32 {
    return new Vector(this.heap, Int32Array, this.#take(length * 4), length);
  }

  /** Uninitialised 32-bit floats, padded to whole groups of four. */
  f32(length: number): F32 {
    return new Vector(this.heap, Float32Array, this.#take((length + 3) * 4), length);
  }

  u16(length: number): U16 {
    return new Vector(this.heap, Uint16Array, this.#take(length * 2), length);
  }

  u8(length: number): U8 {
    return new Vector(this.heap, Uint8Array, this.#take(length), length);
  }

  copyI32(values: ArrayLike<number>): I32 {
    return this.i32(values.length).set(values);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    if (!this.sure) abandoned.unregister(this);
    releaseAll({ heap: this.heap, blocks: this.#blocks });
  }

  #take(bytes: number): Address {
    if (bytes > SMALL) return this.#allocate(bytes);
    if (this.#slabEnd - this.#slab < bytes) {
      this.#slab = this.#allocate(SLAB);
      this.#slabEnd = this.#slab + SLAB;
    }
    const at = this.#slab;
    this.#slab = after(at, LINE * Math.max(1, Math.ceil(bytes / LINE)));
    return at;
  }

  #allocate(bytes: number): Address {
    const at = this.heap.allocate(this.where, bytes);
    this.#blocks.push({ at, bytes });
    return at;
  }
}

/** Runs `work` with an arena that is always closed, even if it throws. */
export function withArena<R>(where: string, work: (arena: Arena) => R): R {
  const arena = new Arena(where, true);
  try {
    return work(arena);
  } finally {
    arena.close();
  }
}

/** Something that holds memory of the kernels until `close`, or until it is garbage. */
export abstract class ArenaOwner {
  protected readonly arena: Arena;

  constructor(where: string) {
    this.arena = new Arena(where);
  }

  close(): void {
    this.arena.close();
  }
}
