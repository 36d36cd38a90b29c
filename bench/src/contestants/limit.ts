import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { readJob, report, sink, timeAsyncFits } from "./measure.js";

/**
 * The most that WASM SIMD computes here: a loop of f32x4.mul and f32x4.add on registers alone, on as many threads as there are
 * processors: the sum of the highest rates of all threads while all of them run. The row gets the time in which that loop would do
 * the operations of the product.
 */

/**
 * Independent products, and as many sums: all sixteen registers but two. Fewer do not hide the latency of four cycles where three
 * instructions start per cycle (measured: 28 GFLOPS per core with 4, 38 with 6, 41 with 7).
 */
const CHAINS = 7;
/** Repetitions of the chains per turn of the loop, so that counting turns costs nothing. */
const UNROLLED = 4;
const TURNS = 5000;
/** Calls per message to a thread, ~30 µs each: many, so that the engine optimises the loop, and the fastest is one without interruption. */
const CALLS = 400;
/** Of one call. */
const OPERATIONS = TURNS * UNROLLED * 2 * CHAINS * 4;

// Bytes of the WebAssembly binary format. Local 0 is the number of turns, 1 a number, then products and sums.
const V128 = 0x7b;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const MUL = [0xfd, 0xe6, 0x01];
const ADD = [0xfd, 0xe4, 0x01];
const SPLAT = [0xfd, 0x13];
const product = (i: number) => 3 + i;
const sum = (i: number) => 3 + CHAINS + i;
const chains = [...Array(CHAINS).keys()];

const step = [
  ...chains.flatMap((i) => [...get(product(i)), ...get(2), ...MUL, ...set(product(i))]),
  ...chains.flatMap((i) => [...get(sum(i)), ...get(2), ...ADD, ...set(sum(i))]),
];
const body = [
  ...[1, 1 + 2 * CHAINS, V128],
  ...[...get(1), ...SPLAT, ...set(2)],
  // Different beginnings: equal ones would be computed once.
  ...chains.flatMap((i) => [...get(2), ...get(i === 0 ? 2 : product(i - 1)), ...ADD, ...set(product(i))]),
  ...chains.flatMap((i) => [...get(product(i)), ...get(2), ...MUL, ...set(sum(i))]),
  ...[0x03, 0x40], // loop
  ...Array.from({ length: UNROLLED }, () => step).flat(),
  ...[...get(0), 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b], // turns − 1, again while it is not 0
  ...get(2),
  ...chains.flatMap((i) => [...get(product(i)), ...ADD, ...get(sum(i)), ...ADD]),
  ...[0xfd, 0x1f, 0, 0x0b], // lane 0
];

const leb = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)]);
const section = (id: number, content: readonly number[]) => [id, ...leb(content.length), ...content];
const loopModule = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 2, 0x7f, 0x7d, 1, 0x7d]), // (i32, f32) → f32
  ...section(3, [1, 0]),
  ...section(7, [1, 1, 0x6c, 0, 0]), // exported as "l"
  ...section(10, [1, ...leb(body.length), ...body]),
]);

if (isMainThread) await measure();
else await compute();

async function compute(): Promise<void> {
  const { instance } = await WebAssembly.instantiate(loopModule);
  const loop = instance.exports["l"] as (turns: number, one: number) => number;
  parentPort!.on("message", () => {
    let fastest = Number.POSITIVE_INFINITY;
    for (let call = 0; call < CALLS; call++) {
      const before = performance.now();
      // Products with 1 stay as they are: no overflow, nothing denormal.
      sink.last = loop(TURNS, 1);
      fastest = Math.min(fastest, performance.now() - before);
    }
    parentPort!.postMessage(fastest / 1000);
  });
}

async function measure(): Promise<void> {
  const job = readJob();
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(new URL(import.meta.url)));
  const runOn = (worker: Worker) =>
    new Promise<number>((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
      worker.postMessage(undefined);
    });
  const fastest = workers.map(() => Number.POSITIVE_INFINITY);
  const { result: _, ...times } = await timeAsyncFits(async () => {
    const seconds = await Promise.all(workers.map(runOn));
    for (const [w, one] of seconds.entries()) fastest[w] = Math.min(fastest[w]!, one);
  }, job);
  await Promise.all(workers.map((worker) => worker.terminate()));
  const rate = fastest.reduce((sum, seconds) => sum + OPERATIONS / seconds, 0);
  const { rows: m, cols: k, bytes } = job.data;
  const seconds = (2 * m * k * (bytes / 8 / k - m)) / rate;
  report({ version: process.version, ...times, cold: seconds, best: seconds });
}
