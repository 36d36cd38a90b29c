/** Something in kernel memory that can be built again. */
export interface Resident {
  readonly bytes: number;
  close(): void;
}

/** Bytes of kernel memory that residents may occupy together; the least recently used ones are closed beyond that. */
const BUDGET = 2 ** 28;

interface Slot {
  readonly isBusy: boolean;
  close(): void;
}

/** Open slots, the least recently used first. */
const open = new Set<Slot>();
let latest: Slot | undefined;
let bytesOpen = 0;

/** Closes the resident of a model that was garbage-collected. */
const collected = new FinalizationRegistry<Slot>((slot) => slot.close());

/**
 * What a model keeps in kernel memory between predictions (an index, the weights of a network), built on first use. Finalizers do not
 * run while synchronous code does, so that a loop of many fits would exhaust the kernel memory: the residents of models not used
 * recently are closed, and built again when they are needed next.
 */
export class ResidentSlot<R extends Resident> {
  #resident: R | undefined;
  /** Uses under way: one can start another through a function of the caller. */
  #busy = 0;

  /** `owner`: the slot is closed when it is garbage-collected, so that it must not be reachable from the resident. */
  constructor(owner: object) {
    collected.register(owner, this);
  }

  /** Runs `work` on the resident, which `build` creates if it is not open. */
  use<T>(build: () => R, work: (resident: R) => T): T {
    if (this.#resident === undefined) {
      this.#resident = build();
      bytesOpen += this.#resident.bytes;
    }
    if (latest !== this) {
      open.delete(this);
      open.add(this);
      latest = this;
    }
    this.#busy++;
    try {
      makeRoom();
      return work(this.#resident);
    } finally {
      this.#busy--;
    }
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  close(): void {
    if (this.#resident === undefined) return;
    open.delete(this);
    if (latest === this) latest = undefined;
    bytesOpen -= this.#resident.bytes;
    this.#resident.close();
    this.#resident = undefined;
  }
}

function makeRoom(): void {
  if (bytesOpen <= BUDGET) return;
  for (const slot of open) {
    if (bytesOpen <= BUDGET) return;
    if (!slot.isBusy) slot.close();
  }
}
