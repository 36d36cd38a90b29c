import type { F64 } from "./arena.js";
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
}
