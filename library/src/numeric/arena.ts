import { type Heap, heap, retireIfIdle } from "./heap.js";

/** A vector of doubles in the arena. Reads and writes go through `array`, a view that is valid until the next allocation. */
export class F64 {
  #view: Float64Array<ArrayBufferLike> | undefined;
  #generation = -1;

  constructor(
    private readonly heap: Heap,
    /** For kernel calls inside `numeric/` only. */
    readonly ptr: number,
    readonly length: number,
  ) {}

  get array(): Float64Array<ArrayBufferLike> {
    if (this.#view === undefined || this.#generation !== this.heap.generation) {
      const from = this.ptr / 8;
      this.#view = this.heap.floats.subarray(from, from + this.length);
      this.#generation = this.heap.generation;
    }
    return this.#view;
  }
}

export class I32 {
  constructor(
    private readonly heap: Heap,
    readonly ptr: number,
    readonly length: number,
  ) {}

  get array(): Int32Array<ArrayBufferLike> {
    const from = this.ptr / 4;
    return this.heap.integers.subarray(from, from + this.length);
  }
}

interface Block {
  readonly at: number;
  readonly bytes: number;
}

function releaseAll({ heap: owner, blocks }: { heap: Heap; blocks: readonly Block[] }): void {
  for (const { at, bytes } of blocks) owner.release(at, bytes);
  retireIfIdle(owner);
}

/** Steps of a fit that somebody dropped half-way never close their arena: the collector does it for them. */
const abandoned = new FinalizationRegistry(releaseAll);

/** The memory of one piece of work: everything allocated through it is freed together by `close`. */
export class Arena {
  readonly heap: Heap = heap();
  readonly #blocks: Block[] = [];
  #open = true;

  /** `where` names the caller in the error for too much memory. */
  constructor(readonly where: string) {
    abandoned.register(this, { heap: this.heap, blocks: this.#blocks }, this);
  }

  /** Uninitialised doubles, padded by one so that kernels may work in pairs. */
  f64(length: number): F64 {
    return new F64(this.heap, this.#take((length + 1) * 8), length);
  }

  zeros(length: number): F64 {
    const out = this.f64(length);
    out.array.fill(0);
    return out;
  }

  copy(values: ArrayLike<number>): F64 {
    const out = this.f64(values.length);
    out.array.set(values);
    return out;
  }

  i32(length: number): I32 {
    return new I32(this.heap, this.#take(length * 4), length);
  }

  copyI32(values: ArrayLike<number>): I32 {
    const out = this.i32(values.length);
    out.array.set(values);
    return out;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    abandoned.unregister(this);
    releaseAll({ heap: this.heap, blocks: this.#blocks });
  }

  #take(bytes: number): number {
    const at = this.heap.allocate(this.where, bytes);
    this.#blocks.push({ at, bytes });
    return at;
  }
}

/** Runs `work` with an arena that is closed whatever happens. */
export function withArena<R>(where: string, work: (arena: Arena) => R): R {
  const arena = new Arena(where);
  try {
    return work(arena);
  } finally {
    arena.close();
  }
}
