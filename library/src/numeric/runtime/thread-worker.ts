import {
  ARGUMENTS,
  CHUNKS,
  CLOSED,
  FAILED,
  FAMILY,
  FUNCTION,
  GATE,
  NEXT,
  READY,
  REASON,
  REASON_LENGTH,
  SEQUENCE,
  TABLE,
  type ThreadData,
  WRITING,
} from "./control-block.js";

/** The script of the pool's workers (threads.ts), which the build writes as text: it is started from that, not from a file. */

type Kernel = (...args: number[]) => void;

/** Rounds of waiting before a worker sleeps. */
const SPINS = 20_000;

/** The kernels of each family, compiled from its bytes when a job first needs them. */
function loader(words: Int32Array, code: SharedArrayBuffer, memory: WebAssembly.Memory) {
  const families: Kernel[][] = [];
  const abandon: (Kernel | undefined)[] = [];
  const load = (f: number): Kernel[] => {
    const at = words[TABLE + 2 * f]!;
    const bytes = new Uint8Array(code).slice(at, at + words[TABLE + 2 * f + 1]!);
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    const exports = instance.exports as Record<string, Kernel>;
    exports["allowSleep"]?.(1);
    abandon[f] = exports["abandonTeam"];
    const names = Object.keys(exports).sort();
    return names.map((name) => exports[name]!);
  };
  /** Undefined in a worker that cannot instantiate the module (out of memory, for example): it computes no chunks. */
  const kernelOf = (f: number, index: number): Kernel | undefined => {
    try {
      families[f] ??= load(f);
      return families[f][index];
    } catch {
      return undefined;
    }
  };
  return { kernelOf, abandonTeam: (f: number) => abandon[f]?.() };
}

function work({ control, args, code, memory }: ThreadData): never {
  const words = new Int32Array(control);
  const values = new Float64Array(args);
  const { kernelOf, abandonTeam } = loader(words, code, memory as WebAssembly.Memory);
  /** Whether the gate was open. */
  const join = (): boolean => {
    let inside = Atomics.load(words, GATE);
    while (inside !== CLOSED) {
      const before = Atomics.compareExchange(words, GATE, inside, inside + 1);
      if (before === inside) return true;
      inside = before;
    }
    return false;
  };
  const fail = (error: unknown): void => {
    if (Atomics.compareExchange(words, FAILED, 0, WRITING) === 0) {
      const letters = Array.from(String(error).slice(0, REASON_LENGTH), (letter) => letter.charCodeAt(0));
      words.set(letters, REASON);
      Atomics.store(words, FAILED, letters.length);
    }
    Atomics.store(words, NEXT, words[CHUNKS]!);
    abandonTeam(words[FAMILY]!);
  };
  Atomics.add(words, READY, 1);
  for (let seen = 0; ; ) {
    for (let spins = 0; Atomics.load(words, SEQUENCE) === seen; ) {
      if (++spins <= SPINS) continue;
      Atomics.wait(words, SEQUENCE, seen);
      spins = 0;
    }
    seen = Atomics.load(words, SEQUENCE);
    if (!join()) continue;
    const kernel = kernelOf(words[FAMILY]!, words[FUNCTION]!);
    try {
      const given = Array.from(values.subarray(0, words[ARGUMENTS]));
      const chunks = words[CHUNKS]!;
      const take = () => Atomics.add(words, NEXT, 1);
      // spread: the arguments of a kernel.
      if (kernel) for (let c = take(); c < chunks; c = take()) kernel(...given, c);
    } catch (error) {
      fail(error);
    }
    Atomics.sub(words, GATE, 1);
    Atomics.notify(words, GATE);
  }
}

interface Scope {
  readonly process?: { getBuiltinModule?(name: string): { readonly workerData: ThreadData } };
  onmessage: (event: { readonly data: ThreadData }) => void;
}
const scope = globalThis as unknown as Scope;
const threads = scope.process?.getBuiltinModule?.("node:worker_threads");
if (threads) work(threads.workerData);
else scope.onmessage = ({ data }) => work(data);
