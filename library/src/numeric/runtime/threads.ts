import { ParameterError, show } from "../../core/errors.js";
import { threadWorker } from "../generated/thread-worker.js";
import {
  ARGUMENTS,
  CHUNKS,
  CLOSED,
  CONTROL_WORDS,
  FAILED,
  FAMILY,
  FUNCTION,
  GATE,
  MAX_FAMILIES,
  NEXT,
  OWN,
  READY,
  REASON,
  SEQUENCE,
  TABLE,
  type ThreadData,
} from "./control-block.js";
import { canShare, type Heap, MAY_SLEEP, onRetire } from "./heap.js";
import type { ChunkCall, KernelFamily } from "./kernels.js";

/**
 * The thread pool: `parallel` runs a kernel once for every chunk index, on this thread and on waiting workers.
 *
 * Chunks depend only on the size of the problem and every chunk writes to its own place, so a result is the same
 * with one thread or many. Workers start in the background on the first job that is large enough; until they are
 * ready the caller computes all chunks itself. They are unreferenced, so they never keep a process alive.
 *
 * A job is published in shared memory: the caller writes family, function and arguments, opens the gate and increments
 * the sequence number. A worker that wakes up joins through the gate, takes chunks until there are none, and leaves.
 * The caller closes the gate when no worker is inside: a worker that wakes up late finds it closed and sleeps again.
 *
 * A kernel that fails (a trap) ends the job: no more chunks are assigned, threads that wait for it inside a kernel stop waiting
 * (`abandonTeam` of wasm/shared/team.ts), the caller throws the first failure, and the next job starts new workers.
 */

const MAX_ARGUMENTS = 24;
/** Room for the bytes of all families, 64 KB each on average, from which workers compile them. Unused pages are free. */
const CODE_BYTES = MAX_FAMILIES * 2 ** 16;

/** Roughly a floating-point operation in the kernels. */
const NANOSECONDS_PER_OPERATION = 0.2;
/** A job for waiting workers costs up to ~40 µs, so shorter ones run on this thread only. */
const WORTH_SHARING_NS = 100_000;
/** Starting a worker costs ~30 ms of another core and ~1 ms of this one. */
const WORTH_STARTING_NS = 3_000_000;

/** Bound, in milliseconds, on the recorded balance of time saved and lost by helping threads: a busy machine is noticed after this. */
const CREDIT_MS = 10;
const FIRST_CREDIT_MS = 1;
/** If they lost more than they saved, the caller works alone for this many times as long: losses stay below a twentieth of the time. */
const ALONE_FACTOR = 20;

interface NodeBuiltins {
  getBuiltinModule?(name: string): unknown;
}
interface NodeThread {
  on(event: "error", listener: () => void): void;
  unref(): void;
  terminate(): void;
}
interface WorkerThreads {
  readonly Worker: new (source: string, options: object) => NodeThread;
}
const node = (globalThis as { process?: NodeBuiltins }).process;

function availableCores(): number {
  const os = node?.getBuiltinModule?.("node:os") as { availableParallelism(): number } | undefined;
  return os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 1;
}

let threadLimit: number | undefined;

/**
 * The maximum number of threads of fits and predictions, this one included. The default is the number of cores, and no more than
 * that are used. The number affects only the time, never the result.
 */
export function setThreads(count: number): void {
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new ParameterError("setThreads", "count", "an integer ≥ 1", show(count));
  }
  threadLimit = count;
  pool?.close();
  pool = undefined;
}

/** How many threads a fit may use: 1 where memory cannot be shared, as on a page that is not cross-origin isolated. */
export const threads = (): number => (canShare ? allowedThreads() : 1);

/** What `setThreads` allows, whether memory can be shared or not: workers with memory of their own may be as many. */
export function allowedThreads(): number {
  // More than eight threads do not speed up these kernels: memory bandwidth is the limit.
  threadLimit ??= Math.min(8, cores());
  return threadLimit;
}

/** The maximum number of threads: more than the number of cores would wait for each other. */
export const activeThreads = (): number => Math.min(threads(), cores());

let assumed: number | undefined;
/** Asked once: the answer costs a microsecond, and jobs may be as short. */
let counted: number | undefined;
function cores(): number {
  if (assumed !== undefined) return assumed;
  counted ??= Math.max(1, availableCores());
  return counted;
}

/** For tests of more threads than a machine has cores. Undefined: as many as there are. */
export function assumeCores(count: number | undefined): void {
  assumed = count;
  pool?.close();
  pool = undefined;
}

class Pool {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #values: Float64Array<SharedArrayBuffer>;
  readonly #code: Uint8Array<SharedArrayBuffer>;
  #codeEnd = 0;
  readonly #families: KernelFamily[] = [];
  readonly #functions = new Map<KernelFamily, string[]>();
  readonly #workers: { terminate(): void }[] = [];
  /** Milliseconds that helping threads have saved recently. */
  #credit = FIRST_CREDIT_MS;
  /** Jobs run on the caller alone until this time of `performance.now`. */
  #aloneUntil = 0;

  constructor(readonly heap: Heap) {
    const control = new SharedArrayBuffer(4 * CONTROL_WORDS);
    const args = new SharedArrayBuffer(8 * MAX_ARGUMENTS);
    const code = new SharedArrayBuffer(CODE_BYTES);
    this.#words = new Int32Array(control);
    this.#code = new Uint8Array(code);
    this.#values = new Float64Array(args);
    this.#words[GATE] = CLOSED;
    const data: ThreadData = { control, args, code, memory: heap.memory };
    for (let w = 1; w < activeThreads(); w++) this.#workers.push(startWorker(data));
  }

  /** Whether a job should be shared now: workers wait for one, and the machine is not busy with something else. */
  get ready(): boolean {
    if (Atomics.load(this.#words, READY) === 0) return false;
    if (this.#aloneUntil === 0) return true;
    if (performance.now() < this.#aloneUntil) return false;
    this.#aloneUntil = 0;
    return true;
  }

  run({ family, name, args }: ChunkCall, chunks: number, meanwhile?: () => void): void {
    const words = this.#words;
    words[FAMILY] = this.#familyIndex(family);
    words[FUNCTION] = this.#functions.get(family)!.indexOf(name);
    words[ARGUMENTS] = args.length;
    words[CHUNKS] = chunks;
    this.#values.set(args);
    Atomics.store(words, NEXT, 0);
    Atomics.store(words, GATE, 0);
    Atomics.add(words, SEQUENCE, 1);
    Atomics.notify(words, SEQUENCE);
    const exports = this.heap.exports(family);
    const kernel = exports[name]!;
    let own = 0;
    let started = 0;
    let ended = 0;
    let failure: unknown;
    try {
      meanwhile?.();
      started = performance.now();
      for (let c = Atomics.add(words, NEXT, 1); c < chunks; c = Atomics.add(words, NEXT, 1)) {
        kernel(...args, c);
        own++;
      }
      ended = performance.now();
    } catch (error) {
      failure = error;
      Atomics.compareExchange(words, FAILED, 0, OWN);
      Atomics.store(words, NEXT, chunks);
      exports["abandonTeam"]?.();
    }
    this.#closeGate();
    this.#judge(started, ended, own, chunks);
    const letters = Atomics.load(words, FAILED);
    if (letters === 0) return;
    // The next job starts new workers.
    this.close();
    if (pool === this) pool = undefined;
    if (letters === OWN) throw failure;
    // spread: the reason has room for a few hundred letters.
    const reason = String.fromCharCode(...words.slice(REASON, REASON + letters));
    throw new Error(`the kernel ${family.name}.${name} failed in a worker thread: ${reason}`);
  }

  /**
   * Alone, this thread would have needed as long for every chunk as for its own. If other programs preempt the workers, the caller
   * waits for them; if that costs more time than they saved recently, the caller works alone for a while.
   */
  #judge(started: number, done: number, own: number, chunks: number): void {
    if (own === 0) return;
    const now = performance.now();
    const saved = ((chunks - own) * (done - started)) / own - (now - done);
    this.#credit = Math.min(CREDIT_MS, this.#credit + saved);
    if (this.#credit >= 0) return;
    this.#aloneUntil = now - ALONE_FACTOR * this.#credit;
    this.#credit = 0;
  }

  close(): void {
    for (const worker of this.#workers) worker.terminate();
  }

  /** Waits until the last worker has left, then closes the gate. */
  #closeGate(): void {
    const words = this.#words;
    for (let spins = 0; ; spins++) {
      const inside = Atomics.compareExchange(words, GATE, 0, CLOSED);
      if (inside === 0) return;
      if (spins > 1000 && MAY_SLEEP) Atomics.wait(words, GATE, inside, 1);
    }
  }

  #familyIndex(family: KernelFamily): number {
    let index = this.#families.indexOf(family);
    if (index >= 0) return index;
    index = this.#families.length;
    const bytes = family.bytes(true);
    if (index >= MAX_FAMILIES || this.#codeEnd + bytes.length > CODE_BYTES)
      throw new Error("too many kernel families for the control block");
    this.#families.push(family);
    this.#functions.set(family, Object.keys(this.heap.exports(family)).sort());
    this.#code.set(bytes, this.#codeEnd);
    this.#words[TABLE + 2 * index] = this.#codeEnd;
    this.#words[TABLE + 2 * index + 1] = bytes.length;
    this.#codeEnd += bytes.length;
    return index;
  }
}

/**
 * Workers do not inherit the flags of the program, from the command line or NODE_OPTIONS: `--input-type=module` would make their
 * script a module, and a file loaded by `-r` may not support workers.
 */
const NO_SETTINGS = { execArgv: [], env: {} };

/** A worker that fails, at its start or later, computes no chunks; the others and the caller do. The program must not end because of it. */
const leaveTheWork = () => {};

function startWorker(data: ThreadData): { terminate(): void } {
  const threadsModule = node?.getBuiltinModule?.("node:worker_threads") as WorkerThreads | undefined;
  if (threadsModule) {
    const options = { eval: true, workerData: data, stdin: false, ...NO_SETTINGS };
    const worker = new threadsModule.Worker(threadWorker, options);
    worker.on("error", leaveTheWork);
    worker.unref();
    return worker;
  }
  const url = URL.createObjectURL(new Blob([threadWorker], { type: "text/javascript" }));
  const worker = new Worker(url);
  worker.onerror = (event) => event.preventDefault();
  worker.postMessage(data);
  return worker;
}

const canThread =
  node?.getBuiltinModule !== undefined ||
  (typeof Worker !== "undefined" && typeof Blob !== "undefined" && typeof URL !== "undefined");

let pool: Pool | undefined;
onRetire((heap) => {
  if (pool?.heap !== heap) return;
  pool.close();
  pool = undefined;
});

function poolFor(heap: Heap, nanoseconds: number): Pool | undefined {
  if (!heap.shared || !canThread || activeThreads() < 2) return undefined;
  if (pool?.heap === heap) return pool;
  if (nanoseconds < WORTH_STARTING_NS) return undefined;
  try {
    pool = new Pool(heap);
  } catch {
    // No permission to start workers (a content security policy, for example): one thread computes everything.
    threadLimit = 1;
  }
  return pool;
}

/**
 * Runs a kernel with chunk = c for c = 0 … chunks − 1. Chunks are taken in ascending order, each by the next free thread, and run
 * concurrently; they may end in any order. The order of taking matters to teams (`growShared`, `smoSteps`, `boostGrow`; see
 * wasm/shared/team.ts): chunk 0 leads and ends without the others, which help until it has ended. A thread that took another chunk
 * before chunk 0 is taken would wait for ever.
 *
 * `operations` is a rough count for all chunks together. `meanwhile` is run by this thread while other threads begin, and not at all
 * without them. A job that is one of many passes the operations of all of them as `whole`, which decides whether workers are started.
 */
export function parallel(
  heap: Heap,
  call: ChunkCall,
  chunks: number,
  operations: number,
  meanwhile?: () => void,
  whole = operations,
): void {
  const nanoseconds = operations * NANOSECONDS_PER_OPERATION;
  if (chunks > 1 && nanoseconds >= WORTH_SHARING_NS) {
    const workers = poolFor(heap, whole * NANOSECONDS_PER_OPERATION);
    if (workers?.ready) {
      workers.run(call, chunks, meanwhile);
      return;
    }
  }
  const { args } = call;
  const exports = heap.exports(call.family);
  const kernel = exports[call.name]!;
  try {
    for (let c = 0; c < chunks; c++) kernel(...args, c);
  } catch (error) {
    exports["abandonTeam"]?.();
    throw error;
  }
}
