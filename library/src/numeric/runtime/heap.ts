import { DataError } from "../../core/errors.js";
import { STATIC_PAGES } from "../generated/memory.layout.js";
import type { Address, Call, KernelFamily } from "./kernels.js";

/**
 * One WASM memory for all kernel families, and the free list that allocates ranges of it.
 * Addresses are never visible outside `numeric/`.
 */

/** Whether this thread may block: the main thread of a page may not, unless Node emulates one (jsdom). */
export const MAY_SLEEP =
  typeof document === "undefined" ||
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

const PAGE = 65536;
const MAX_PAGES = 65536;
/** The first pages hold the static data of the kernels. */
const BASE = STATIC_PAGES * PAGE;
const ALIGN = 64;
/** An idle memory larger than this is dropped: WASM memory can grow but never shrink. */
const KEEP_BYTES = 256 * 2 ** 20;

/** `WebAssembly.Memory`: the declarations need no types of the DOM or of Node. */
interface WasmMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}
type Exports = Readonly<Record<string, (...args: number[]) => number>>;

/** Threads need shared memory, which a page only has when it is cross-origin isolated. */
export const canShare: boolean =
  typeof SharedArrayBuffer !== "undefined" &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

/** Required maximum size of a memory; if it cannot be reserved, a smaller maximum is tried. Unused pages are free. */
const FIRST_PAGES = 256;

function tryReserve(maximum: number, shared: boolean): WebAssembly.Memory | undefined {
  try {
    const memory = new WebAssembly.Memory({ initial: STATIC_PAGES + 1, maximum, shared });
    memory.grow(FIRST_PAGES - STATIC_PAGES - 1);
    return memory;
  } catch {
    return undefined;
  }
}

/**
 * Engines reserve address space for the maximum immediately, which a process with limited address space (`ulimit -v`, some
 * containers) may not have; and an engine that reserves less than requested may return a memory that cannot grow. Then smaller
 * maxima are tried with unshared memory: each thread would need some hundred megabytes of address space, and V8 terminates the
 * process when there is none.
 */
function reserve(shareable: boolean): WebAssembly.Memory | undefined {
  let memory = shareable ? tryReserve(MAX_PAGES, true) : undefined;
  for (let maximum = MAX_PAGES; !memory && maximum >= FIRST_PAGES; maximum /= 4)
    memory = tryReserve(maximum, false);
  return memory;
}

function noMemory(where: string): never {
  throw new DataError({
    where,
    subject: "the working memory",
    expected: "possible to reserve",
    received: "no address space for it",
    advice:
      "The address space of this process is limited (ulimit -v): raise the limit, or start Node with --disable-wasm-trap-handler, " +
      "since otherwise it reserves 10 GB of address space for each WebAssembly memory.",
  });
}

/** By its tag, which is the same in every realm. */
const isPlain = (buffer: unknown) => Object.prototype.toString.call(buffer) === "[object ArrayBuffer]";

export class Heap {
  readonly memory: WasmMemory;
  /** Whether threads can work on it. */
  readonly shared: boolean;
  readonly #instances = new Map<KernelFamily, Exports>();
  /** Free ranges [start, end), ascending and never adjacent. */
  #free: { start: number; end: number }[];
  #used = 0;
  /** Views of the whole memory, replaced when `#grow` grows it. */
  floats!: Float64Array<ArrayBufferLike>;
  integers!: Int32Array<ArrayBufferLike>;
  /** Number of growths: views created before the last one are stale. */
  generation = 0;

  /** Shared memory is tried first, if `shareable`; `where` names the caller in the error if no memory can be reserved. */
  constructor(shareable: boolean, where = "Heap") {
    const memory = reserve(shareable) ?? noMemory(where);
    this.memory = memory;
    this.shared = !isPlain(memory.buffer);
    this.#free = [{ start: BASE, end: memory.buffer.byteLength }];
    this.#refresh();
  }

  get bytesInUse(): number {
    return this.#used;
  }

  get bytesReserved(): number {
    return this.memory.buffer.byteLength;
  }

  exports(family: KernelFamily): Exports {
    let exports = this.#instances.get(family);
    if (exports === undefined) {
      const instance = new WebAssembly.Instance(family.module(this.shared), {
        env: { memory: this.memory as WebAssembly.Memory },
      });
      exports = instance.exports as unknown as Exports;
      exports["allowSleep"]?.(MAY_SLEEP ? 1 : 0);
      this.#instances.set(family, exports);
    }
    return exports;
  }

  /** Runs a kernel on this thread and returns its result. */
  call({ family, name, args }: Call): number {
    // spread: the arguments of a kernel.
    return this.exports(family)[name]!(...args);
  }

  /** First fit; grows the memory if no free range is large enough. */
  allocate(where: string, bytes: number): Address {
    const size = Math.ceil(Math.max(bytes, 1) / ALIGN) * ALIGN;
    let range = this.#free.find(({ start, end }) => end - start >= size);
    range ??= this.#grow(where, size);
    const at = range.start;
    range.start += size;
    if (range.start === range.end) this.#free.splice(this.#free.indexOf(range), 1);
    this.#used += size;
    return at as Address;
  }

  release(at: number, bytes: number): void {
    const size = Math.ceil(Math.max(bytes, 1) / ALIGN) * ALIGN;
    this.#used -= size;
    let index = this.#free.findIndex(({ start }) => start > at);
    if (index < 0) index = this.#free.length;
    this.#free.splice(index, 0, { start: at, end: at + size });
    this.#join(index);
    this.#join(index - 1);
  }

  /** Merges a free range with its right neighbour. */
  #join(index: number): void {
    const left = this.#free[index];
    const right = this.#free[index + 1];
    if (left === undefined || right === undefined || left.end !== right.start) return;
    left.end = right.end;
    this.#free.splice(index + 1, 1);
  }

  #grow(where: string, size: number): { start: number; end: number } {
    const end = this.memory.buffer.byteLength;
    const last = this.#free.at(-1);
    const tail = last !== undefined && last.end === end ? last : undefined;
    const missing = size - (tail ? tail.end - tail.start : 0);
    const pages = Math.ceil(missing / PAGE);
    const grown = end / PAGE + pages <= MAX_PAGES && this.#tryGrow(pages);
    if (!grown) {
      throw new DataError({
        where,
        subject: "the working memory",
        expected: "at most 4 GB (and what the machine has free)",
        received: `${(this.#used / 2 ** 30).toFixed(2)} GB in use and ${(size / 2 ** 30).toFixed(2)} GB more needed`,
        advice: "Fit on fewer rows or columns, or on a sparse matrix.",
      });
    }
    if (tail) {
      tail.end = this.memory.buffer.byteLength;
      return tail;
    }
    const range = { start: end, end: this.memory.buffer.byteLength };
    this.#free.push(range);
    return range;
  }

  #tryGrow(pages: number): boolean {
    try {
      this.memory.grow(pages);
      this.#refresh();
      return true;
    } catch {
      return false;
    }
  }

  #refresh(): void {
    const { buffer } = this.memory;
    this.floats = new Float64Array(buffer);
    this.integers = new Int32Array(buffer);
    this.generation++;
  }
}

let current: Heap | undefined;
const retired: ((heap: Heap) => void)[] = [];

export function heap(where?: string): Heap {
  current ??= new Heap(canShare, where);
  return current;
}

/** Called when a heap is dropped, so that the thread pool can release it too. */
export function onRetire(listener: (heap: Heap) => void): void {
  retired.push(listener);
}

/** Drops an idle heap that has grown large; the garbage collector frees its pages. */
export function retireIfIdle(candidate: Heap): void {
  if (candidate !== current || candidate.bytesInUse > 0 || candidate.bytesReserved <= KEEP_BYTES) return;
  current = undefined;
  for (const listener of retired) listener(candidate);
}
