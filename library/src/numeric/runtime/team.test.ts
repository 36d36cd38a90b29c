import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HistGradientBoostingRegressor } from "../../boosting/hist-gradient-boosting-regressor.js";
import { SVC } from "../../svm/svc.js";
import { DecisionTreeClassifier } from "../../trees/decision-tree-classifier.js";
import { boostGrow } from "../generated/boosting.js";
import { problemF64 as boostF64 } from "../generated/boosting.layout.js";
import { smoSteps } from "../generated/smo.js";
import { problemF64 as smoF64 } from "../generated/smo.layout.js";
import { growShared } from "../generated/trees.js";
import { taskF64 } from "../generated/trees.layout.js";
import type { Heap } from "./heap.js";
import type { ChunkCall } from "./kernels.js";
import { assumeCores, setThreads } from "./threads.js";

type Parallel = (heap: Heap, call: ChunkCall, chunks: number) => void;

/** How the kernels of a team are run; undefined: as always. */
let runTeam: Parallel | undefined;
const { parallel: pooled } = await vi.importActual<typeof import("./threads.js")>("./threads.js");
const kernelOf = ({ family, name }: ChunkCall) => `${family.name}.${name}`;
const teamKernels = [
  growShared({ at: 0, threads: 1 }),
  boostGrow({ address: 0 }),
  smoSteps({ problem: 0, steps: 1 }),
].map(kernelOf);

vi.mock("./threads.js", async (original) => {
  const module = await original<typeof import("./threads.js")>();
  const parallel = (...given: Parameters<typeof module.parallel>) => {
    const [heap, call, chunks] = given;
    if (runTeam && teamKernels.includes(kernelOf(call))) runTeam(heap, call, chunks);
    else module.parallel(...given);
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

const rows = Array.from({ length: 6000 }, (_, i) =>
  Array.from({ length: 12 }, (_, j) => Math.sin(1 + i * (j + 1))),
);
const labels = rows.map((row) => (row[0]! + row[1]! * row[2]! > 0 ? "a" : "b"));
const numbers = rows.map((row) => row[0]! + row[1]! * row[2]!);

// Tasks of boosting are short: more rows.
const [many, targets] = [
  Array.from({ length: 8 }, () => rows).flat(),
  Array.from({ length: 8 }, () => numbers).flat(),
];

const fits: Readonly<Record<string, () => string>> = {
  "a tree": () => JSON.stringify(new DecisionTreeClassifier({ maxDepth: 4 }).fit(rows, labels).toState()),
  boosting: () =>
    JSON.stringify(new HistGradientBoostingRegressor({ maxIter: 3 }).fit(many, targets).toState()),
  "a support vector machine": () => JSON.stringify(new SVC().fit(rows, labels).toState()),
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
      runTeam = (heap, { family, name, args }, chunks) => {
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

type Spoil = (fields: Float64Array, end: number) => void;
/** An address in the last 64 bytes of four gigabytes, which nobody has. */
const NOWHERE = 2 ** 32 - 64;

/** What makes the leader fail, and what makes a helping thread fail inside a task; `end` is that of the memory. */
const failures: Readonly<Record<string, { leader: Spoil; helper: Spoil }>> = {
  "a tree": {
    leader: (fields) => {
      fields[taskF64.values] = NOWHERE;
    },
    helper: (fields, end) => {
      const each = 8 * fields[taskF64.rows]!;
      fields[taskF64.spare] = end - 64 - each;
    },
  },
  boosting: {
    leader: (fields) => {
      fields[boostF64.queue] = NOWHERE;
    },
    helper: (fields) => {
      fields[boostF64.partials] = NOWHERE;
    },
  },
  "a support vector machine": {
    leader: (fields) => {
      fields[smoF64.book] = NOWHERE;
    },
    helper: (fields, end) => {
      const own = fields[smoF64.scratch]!;
      fields[smoF64.scratchBytes] = end - 64 - own;
    },
  },
};

const sleep = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

describe("a kernel that fails in one thread of a team ends the job, and the next has other threads", () => {
  afterEach(() => {
    runTeam = undefined;
    assumeCores(undefined);
  });

  for (const [title, fit] of Object.entries(fits)) {
    for (const who of ["leader", "helper"] as const) {
      for (const leads of ["caller", "worker"] as const) {
        it(`${title}: the ${who} fails, the ${leads} leads`, { timeout: 60_000 }, async () => {
          assumeCores(2);
          setThreads(2);
          const alone = fit();
          let shared = 0;
          // Whoever comes first leads: a caller that waits leaves that to the worker.
          const run = (spoil: Spoil | undefined): Parallel => {
            return (heap, call, chunks) => {
              const [at] = call.args;
              if (spoil) heap.memory.grow(2);
              const fields = new Float64Array(heap.memory.buffer, at, 80);
              spoil?.(fields, heap.memory.buffer.byteLength);
              const meanwhile = () => {
                shared++;
                if (leads === "worker") sleep(0.25 * (1 + (shared % 8)));
              };
              pooled(heap, call, chunks, 1e9, meanwhile);
            };
          };
          for (let round = 0; round < 2; round++) {
            runTeam = run(undefined);
            shared = 0;
            while (shared === 0) {
              expect(fit()).toBe(alone);
              await new Promise((resolve) => setTimeout(resolve, 20));
            }
            runTeam = run(failures[title]![who]);
            // A helping thread that comes too late for any task does not fail: then once more.
            let failed: unknown;
            const giveUp = performance.now() + 20_000;
            while (failed === undefined && performance.now() < giveUp) {
              const started = performance.now();
              try {
                fit();
              } catch (error) {
                failed = error;
                expect(performance.now() - started).toBeLessThan(2000);
              }
              await new Promise((resolve) => setTimeout(resolve, 5));
            }
            expect(String(failed)).toMatch(/memory access out of bounds/);
          }
        });
      }
    }
  }
});
