import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HistGradientBoostingRegressor } from "../ensembles/hist-gradient-boosting-regressor.js";
import { SVC } from "../kernel/svc.js";
import { DecisionTreeClassifier } from "../trees/decision-tree-classifier.js";
import type { Heap, KernelFamily } from "./heap.js";
import { assumeCores, setThreads } from "./threads.js";

type Parallel = (heap: Heap, family: KernelFamily, name: string, args: number[], chunks: number) => void;

/** How the kernels of a team are run; undefined: as always. */
let runTeam: Parallel | undefined;
const teamKernels = ["growShared", "boostGrow", "smoSteps"];

vi.mock("./threads.js", async (original) => {
  const module = await original<typeof import("./threads.js")>();
  const parallel = (...call: Parameters<typeof module.parallel>) => {
    const [heap, family, name, args, chunks] = call;
    if (runTeam && teamKernels.includes(name)) runTeam(heap, family, name, [...args], chunks);
    else module.parallel(...call);
  };
  return { ...module, parallel };
});

const helper = `
const { module, memory, name, args, state } = require("node:worker_threads").workerData;
const { exports } = new WebAssembly.Instance(module, { env: { memory } });
exports.allowSleep(1);
Atomics.store(state, 0, 1);
Atomics.notify(state, 0);
exports[name](...args, 1);
Atomics.store(state, 0, 2);
Atomics.notify(state, 0);
`;

/** Milliseconds after which a helping thread that has nothing to do sleeps for certain, and for which one is waited for. */
const ASLEEP_MS = 40;
const PATIENCE_MS = 5000;

const rows = Array.from({ length: 3000 }, (_, i) =>
  Array.from({ length: 12 }, (_, j) => Math.sin(1 + i * (j + 1))),
);
const labels = rows.map((row) => (row[0]! + row[1]! * row[2]! > 0 ? "a" : "b"));
const numbers = rows.map((row) => row[0]! + row[1]! * row[2]!);

const fits: Readonly<Record<string, () => string>> = {
  "a tree": () => JSON.stringify(new DecisionTreeClassifier({ maxDepth: 4 }).fit(rows, labels)),
  boosting: () => JSON.stringify(new HistGradientBoostingRegressor({ maxIter: 3 }).fit(rows, numbers)),
  "a support vector machine": () => JSON.stringify(new SVC().fit(rows, labels)),
};

describe("a helping thread that sleeps before the leader begins is woken", () => {
  afterEach(() => {
    runTeam = undefined;
    assumeCores(undefined);
  });

  for (const [title, fit] of Object.entries(fits)) {
    it(title, () => {
      assumeCores(2);
      setThreads(2);
      const alone = fit();
      expect(alone.length).toBeGreaterThan(500);
      const ends: number[] = [];
      runTeam = (heap, family, name, args, chunks) => {
        expect(chunks).toBe(2);
        const state = new Int32Array(new SharedArrayBuffer(4));
        const workerData = { module: family.module(true), memory: heap.memory, name, args, state };
        const worker = new Worker(helper, { eval: true, workerData, execArgv: [] });
        Atomics.wait(state, 0, 0, PATIENCE_MS);
        Atomics.wait(state, 0, 1, ASLEEP_MS);
        heap.exports(family)[name]!(...args, 0);
        Atomics.wait(state, 0, 1, PATIENCE_MS);
        ends.push(Atomics.load(state, 0));
        worker.terminate();
      };
      expect(fit()).toBe(alone);
      expect(ends.length).toBeGreaterThan(0);
      expect(ends).toEqual(ends.map(() => 2));
    });
  }
});
