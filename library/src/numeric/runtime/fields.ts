import type { Arena, F64 } from "./arena.js";
import type { Address } from "./kernels.js";

/**
 * Doubles of the arena that a kernel reads as the fields of a class. `places` is the class as its layout file declares it
 * (generated/<family>.layout.ts): a name that the kernel does not declare does not compile.
 */
export class Fields<Name extends string> {
  constructor(
    readonly memory: F64,
    private readonly places: Readonly<Record<Name, number>>,
  ) {}

  /** For kernel calls. */
  get ptr(): Address {
    return this.memory.ptr;
  }

  get(name: Name): number {
    return this.memory.array[this.places[name]]!;
  }

  set(name: Name, value: number): void {
    this.memory.array[this.places[name]] = value;
  }

  write(values: Readonly<Partial<Record<Name, number>>>): void {
    const { array } = this.memory;
    for (const name in values) array[this.places[name]] = values[name]!;
  }

  /** The addresses of vectors that have the names of fields. */
  writePointers(vectors: Readonly<Partial<Record<Name, { readonly ptr: Address }>>>): void {
    const { array } = this.memory;
    for (const name in vectors) array[this.places[name]] = vectors[name]!.ptr;
  }
}

type Places<Name extends string> = Readonly<Record<Name, number>>;

/** The same for a class whose fields are doubles, and 32-bit integers or addresses. */
export class MixedFields<Real extends string, Whole extends string> {
  readonly #memory: F64;
  readonly #start: number;

  constructor(
    private readonly arena: Arena,
    bytes: number,
    private readonly reals: Places<Real>,
    private readonly integers: Places<Whole>,
  ) {
    this.#memory = arena.zeros(Math.ceil(bytes / 8));
    this.#start = this.#memory.ptr / 4;
  }

  /** For kernel calls. */
  get ptr(): Address {
    return this.#memory.ptr;
  }

  get(name: Whole): number {
    return this.arena.heap.integers[this.#start + this.integers[name]]!;
  }

  writePointers(vectors: Readonly<Partial<Record<Whole, { readonly ptr: Address }>>>): void {
    const words = this.arena.heap.integers;
    for (const name in vectors) words[this.#start + this.integers[name]] = vectors[name]!.ptr;
  }

  /** Addresses above 2³¹ wrap around, which keeps their bits. */
  write(values: Readonly<Partial<Record<Real | Whole, number>>>): void {
    const { array } = this.#memory;
    const words = this.arena.heap.integers;
    for (const [name, value] of Object.entries<number>(values as Record<string, number>)) {
      if (name in this.reals) array[this.reals[name as Real]] = value;
      else words[this.#start + this.integers[name as Whole]] = value;
    }
  }
}
