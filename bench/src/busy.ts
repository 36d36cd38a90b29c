/**
 * `node bench/dist/busy.js [rounds]`: one thread against all threads while two other processes keep processors busy, and against four times as
 * many threads as there are processors. Rounds are interleaved, so that both run under the same conditions. Helping threads must not cost
 * more than they save: the ratio is that of the medians, below 1 where threads help.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import {
  HistGradientBoostingClassifier,
  hinge,
  LinearClassifier,
  l2,
  makeClassification,
  RandomForestClassifier,
  setThreads,
} from "argmax";

const rounds = Number(process.argv[2] ?? 9);
const wide = makeClassification({ nSamples: 20_000, nFeatures: 20, randomState: 1 });
const long = makeClassification({ nSamples: 30_000, nFeatures: 30, randomState: 2 });
const workloads: Readonly<Record<string, () => unknown>> = {
  "hinge, 20,000 × 20": () => new LinearClassifier({ loss: hinge(), penalty: l2(0.01) }).fit(wide.X, wide.y),
  "boosting, 30,000 × 30, 30 trees": () =>
    new HistGradientBoostingClassifier({ maxIter: 30 }).fit(long.X, long.y),
  "forest, 20,000 × 20, 20 trees": () => new RandomForestClassifier({ nEstimators: 20 }).fit(wide.X, wide.y),
};

const hog = "let x = 0; for (;;) x += Math.sqrt(x + 1);";
const startHogs = (count: number): ChildProcess[] =>
  Array.from({ length: count }, () => spawn(process.execPath, ["-e", hog], { stdio: "ignore" }));

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1]!;

/** Milliseconds of a fit, after a first one that starts the threads. */
async function timed(fit: () => unknown, threads: number): Promise<number> {
  setThreads(threads);
  fit();
  await pause(50);
  const started = performance.now();
  fit();
  return performance.now() - started;
}

async function compare(title: string, fit: () => unknown, threads: number): Promise<void> {
  const alone: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await timed(fit, 1));
    together.push(await timed(fit, threads));
  }
  const [one, many] = [median(alone), median(together)];
  console.log(
    `${title.padEnd(48)} ${one.toFixed(0).padStart(7)} ms ${many.toFixed(0).padStart(7)} ms ${(many / one).toFixed(2).padStart(6)}`,
  );
}

const cores = availableParallelism();
console.log(`${"".padEnd(48)}  1 thread    threads  ratio`);
for (const [name, fit] of Object.entries(workloads))
  await compare(`${name}, ${4 * cores} threads`, fit, 4 * cores);
const hogs = startHogs(2);
try {
  for (const [name, fit] of Object.entries(workloads)) await compare(`${name}, beside two hogs`, fit, cores);
} finally {
  for (const child of hogs) child.kill();
}
