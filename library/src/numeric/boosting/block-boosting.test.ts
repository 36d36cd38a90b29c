import { afterEach, describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { assumeCores, setThreads, threads } from "../runtime/threads.js";
import type { BinnedColumn } from "./bins.js";
import { BlockBoosting, type BlockProblem } from "./block-boosting.js";
import type { BlockStore } from "./block-rows.js";
import type { GrownTree } from "./boosted-tree.js";
import { Boosting, type RoundLosses } from "./gradient-boosting.js";

const all = threads();
afterEach(() => {
  setThreads(all);
  assumeCores(undefined);
});

/** Bytes in memory, as a file would have them. */
function memoryStore(): BlockStore {
  let bytes = new Uint8Array();
  return {
    read: (at, out) => out.set(bytes.subarray(at, at + out.length)),
    write: (at, given) => {
      if (at + given.length > bytes.length) {
        const more = new Uint8Array(at + given.length);
        more.set(bytes);
        bytes = more;
      }
      bytes.set(given, at);
    },
  };
}

const BINS = [40, 7, 200, 12, 30, 5, 255, 3, 18, 6];

/** Whole numbers, some missing, which are their own bins; the last column is one of categories. */
function sample(n: number, classes: number) {
  const random = new Random(n);
  const d = BINS.length;
  const x = Matrix.zeros(n, d);
  for (let e = 0; e < x.data.length; e++)
    x.data[e] = e % 3 === 0 && random.uniform() < 0.1 ? Number.NaN : random.below(BINS[e % d]!);
  const y = Float64Array.from({ length: n }, (_, i) => {
    const [a, b] = [x.data[i * d + 1]!, x.data[i * d + d - 1]!];
    const score = (a || 3) / 7 + [2, 0, 1, -1, 0.5, 1][b || 0]! + random.normal();
    return classes > 0 ? Math.max(0, Math.min(classes - 1, Math.floor(score))) : score;
  });
  const columns: BinnedColumn[] = BINS.map((count, j) => ({
    edges: Float64Array.from({ length: j === d - 1 ? count : count - 1 }, (_, b) =>
      j === d - 1 ? b : b + 0.5,
    ),
    categorical: j === d - 1,
  }));
  return { x, y, columns, weights: y.map(() => 0.25 + random.uniform()) };
}

interface Rounds {
  readonly trees: readonly GrownTree[];
  readonly losses: readonly RoundLosses[];
}
const ROUNDS = 3;

const settings = {
  loss: "squaredError",
  quantile: 0,
  baseline: Float64Array.of(0.5),
  maxLeaves: 31,
  maxDepth: Infinity,
  minSamplesLeaf: 5,
  minHessian: 1e-3,
  l2: 0.5,
  learningRate: 0.3,
  monotone: null,
  groups: null,
  maxFeatures: 1,
  seed: 7,
} as const;

interface Case extends Partial<BlockProblem> {
  readonly rows?: number;
  readonly heldOut?: number;
}

const dataOf = ({ rows = 5001, baseline }: Case, isLogistic: boolean) =>
  sample(rows, baseline && baseline.length > 1 ? baseline.length : isLogistic ? 2 : 0);

function inMemory(own: Case): Rounds {
  const { x, y, columns, weights } = dataOf(own, own.loss === "logLoss");
  const from = y.length - (own.heldOut ?? 0);
  const rowsOf = (first: number, end: number) => ({
    rows: Int32Array.from({ length: end - first }, (_, e) => first + e),
    y: y.slice(first, end),
    weights: own.isWeighted ? weights.slice(first, end) : undefined,
  });
  const boosting = new Boosting("test", {
    ...settings,
    trees: 100,
    ...own,
    ...{ x, columns, train: rowsOf(0, from), validation: own.heldOut ? rowsOf(from, y.length) : null },
  });
  try {
    const losses = [boosting.losses()];
    const trees: GrownTree[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let k = 0; k < (own.baseline?.length ?? 1); k++) {
        trees.push(boosting.grow(k));
        boosting.add(k);
      }
      losses.push(boosting.losses());
    }
    return { trees, losses };
  } finally {
    boosting.close();
  }
}

function inBlocks(own: Case): Rounds {
  const { x, y, columns, weights } = dataOf(own, own.loss === "logLoss");
  const problem = { ...settings, isWeighted: false, blockRows: 2048, ...own, columns };
  const boosting = new BlockBoosting("test", problem, memoryStore());
  try {
    const end = y.length - (own.heldOut ?? 0);
    const add = (from: number, to: number, isHeldOut: boolean) => {
      const all = BINS.map((_, j) =>
        Float64Array.from({ length: to - from }, (_, e) => x.data[(from + e) * BINS.length + j]!),
      );
      const own = problem.isWeighted ? weights.slice(from, to) : undefined;
      boosting.add({ columns: all, y: y.slice(from, to), weights: own }, isHeldOut);
    };
    for (let from = 0; from < end; from += 777) add(from, Math.min(end, from + 777), false);
    if (end < y.length) add(end, y.length, true);
    boosting.begin();
    const losses = [boosting.losses()];
    const trees: GrownTree[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const growing = boosting.grow();
      let step = growing.next();
      while (!step.done) step = growing.next();
      trees.push(...step.value);
      losses.push(boosting.losses());
    }
    return { trees, losses };
  } finally {
    boosting.close();
  }
}

describe("boosting on blocks of rows has the bits of boosting in memory", () => {
  const cases: Readonly<Record<string, Case>> = {
    "squared error": {},
    weights: { isWeighted: true },
    "two classes": { loss: "logLoss", isWeighted: true },
    "three classes": { loss: "logLoss", baseline: Float64Array.of(0.1, -0.3, 0.2) },
    "held-out rows": { heldOut: 1500 },
    "few leaves": { maxLeaves: 3 },
    "no limit of leaves": { maxLeaves: Infinity, minSamplesLeaf: 40 },
    "a limit of the depth": { maxLeaves: Infinity, maxDepth: 4 },
    "drawn columns": { maxFeatures: 0.4 },
    "drawn columns of three classes": {
      loss: "logLoss",
      baseline: Float64Array.of(0.1, -0.3, 0.2),
      maxFeatures: 0.4,
    },
    "groups of columns": {
      groups: [
        [0, 1, 9],
        [2, 3],
        [4, 5, 6, 7, 8, 9],
      ],
    },
    "monotonic constraints": { monotone: Int32Array.of(1, -1, 1, 0, 0, 1, 0, -1, 0, 0) },
    "a tree of one leaf": { minSamplesLeaf: 4000 },
  };
  for (const [name, own] of Object.entries(cases))
    it(name, () => expect(inBlocks(own)).toEqual(inMemory(own)));

  it("with many threads", () => {
    assumeCores(3);
    setThreads(3);
    const own = { rows: 40_000, loss: "logLoss", isWeighted: true } as const;
    expect(inBlocks(own)).toEqual(inMemory(own));
  });

  it("with gradients of 32 bits, where there are many rows", () => {
    const own = { rows: 2 ** 19 + 5, maxLeaves: 8, blockRows: 65_536 };
    expect(inBlocks(own)).toEqual(inMemory(own));
  });
});
