import type { NeighborSearch } from "./search.js";

/** Bytes of kernel memory that indexes may occupy together; the least recently used ones are closed beyond that. */
const BUDGET = 2 ** 28;

/** Open indexes, the least recently used first. */
const open = new Set<IndexSlot>();
let latest: IndexSlot | undefined;
let bytesOpen = 0;

/** Closes the index of a model that was garbage-collected. */
const collected = new FinalizationRegistry<IndexSlot>((slot) => slot.close());

/**
 * The index of one set of points, built on first use. Finalizers do not run while synchronous code does, so that a loop of many fits
 * would exhaust the kernel memory: the indexes of models not used recently are closed, and built again when they are searched next.
 */
export class IndexSlot {
  #search: NeighborSearch<never> | undefined;
  /** Searches under way: one can start another through a function of the caller. */
  #busy = 0;

  /** `owner`: the slot is closed when it is garbage-collected, so that it must not be reachable from the index. */
  constructor(owner: object) {
    collected.register(owner, this);
  }

  /** Runs a search on the index, which `build` creates if it is not open. */
  use(build: () => NeighborSearch<never>, search: (index: NeighborSearch<never>) => void): void {
    if (this.#search === undefined) {
      this.#search = build();
      bytesOpen += this.#search.bytes;
    }
    if (latest !== this) {
      open.delete(this);
      open.add(this);
      latest = this;
    }
    this.#busy++;
    try {
      makeRoom();
      search(this.#search);
    } finally {
      this.#busy--;
    }
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  close(): void {
    if (this.#search === undefined) return;
    open.delete(this);
    if (latest === this) latest = undefined;
    bytesOpen -= this.#search.bytes;
    this.#search.close();
    this.#search = undefined;
  }
}

function makeRoom(): void {
  if (bytesOpen <= BUDGET) return;
  for (const slot of open) {
    if (bytesOpen <= BUDGET) return;
    if (!slot.isBusy) slot.close();
  }
}
