import { afterEach, describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { setThreads, threads } from "../runtime/threads.js";
import { classCriteria, targetCriteria } from "./criteria.js";
import { growForest } from "./grow-forest.js";
import { type GrownTree, growTree, SortedColumns, severalTargets, type TreeControls } from "./grow-tree.js";
import type { TreeTargets } from "./tree-plan.js";

const { NaN: MISSING } = Number;
const all = threads();
afterEach(() => setThreads(all));

/** Values of a column: two, few, as many as bins allow and more, one, zeros of both signs, and numbers that all differ. */
const kinds: readonly ((random: Random) => number)[] = [
  (random) => random.below(2),
  (random) => (random.uniform() < 0.1 ? -3.5 : 8.25),
  (random) => random.below(5) - 2,
  (random) => random.below(60) / 7,
  (random) => random.below(400),
  () => 3,
  (random) => [-0, 0, 1][random.below(3)]!,
  (random) => random.normal(),
];

interface Problem {
  readonly x: Matrix;
  readonly categories: Int32Array;
  /** Multiples of a quarter, so that sums are exact in any order. */
  readonly weights: Float64Array | undefined;
  readonly y: Float64Array;
  readonly random: Random;
}

interface Variant {
  readonly missing: boolean;
  readonly categorical: boolean;
  readonly weighted: boolean;
}
const either = [false, true];
const variants: readonly Variant[] = either.flatMap((missing) =>
  either.flatMap((categorical) => either.map((weighted) => ({ missing, categorical, weighted }))),
);

function problem(seed: number, rows: number, cols: number, variant: Variant): Problem {
  const random = new Random(seed);
  const x = Matrix.zeros(rows, cols);
  const categories = new Int32Array(cols);
  for (let j = 0; j < cols; j++) {
    const draw = kinds[random.below(kinds.length)]!;
    const gaps = variant.missing && random.uniform() < 0.5 ? 0.1 : 0;
    if (variant.categorical && random.uniform() < 0.3) categories[j] = 4;
    for (let i = 0; i < rows; i++) {
      const value = categories[j]! > 0 ? random.below(4) : draw(random);
      x.data[i * cols + j] = random.uniform() < gaps ? MISSING : value;
    }
  }
  const weights = variant.weighted
    ? Float64Array.from({ length: rows }, () => (1 + random.below(8)) / 4)
    : undefined;
  const y = Float64Array.from({ length: rows }, (_, i) => {
    const [a, b] = [x.at(i, 0), x.at(i, cols - 1)];
    return Number(a > 0) + 2 * Number(b > 0.5) + random.below(3);
  });
  return { x, categories, weights, y, random };
}

const controls: TreeControls = {
  criterion: classCriteria.gini,
  maxDepth: Infinity,
  minSplit: 2,
  minLeaf: 1,
  minWeight: 0,
  minDecrease: 0,
  maxFeatures: 1,
  maxLeaves: 0,
  random: false,
  seed: 7,
};

/** The trees that `grow` returns for sorted columns, and for bins of columns of at most 2 and at most 255 values. */
function expectSameTrees(
  { x, categories }: Problem,
  random: boolean,
  grow: (columns: SortedColumns) => readonly GrownTree[],
): void {
  const [sorted, ...binned] = [0, 2, 255].map((most) => {
    const columns = new SortedColumns("test", x, categories, random, most);
    try {
      return grow(columns);
    } finally {
      columns.close();
    }
  });
  for (const trees of binned) {
    expect(trees).toHaveLength(sorted!.length);
    for (const [t, tree] of trees.entries()) expectSameTree(tree, sorted![t]!);
  }
}

const lists = [
  "features",
  "thresholds",
  "lefts",
  "rights",
  "counts",
  "weights",
  "missingLeft",
  "categoryStarts",
  "pool",
  "values",
] as const;

function expectSameTree(tree: GrownTree, expected: GrownTree): void {
  for (const list of lists) {
    expect(tree[list]).toHaveLength(expected[list].length);
    expect(tree[list].findIndex((value, e) => value !== expected[list][e])).toBe(-1);
  }
  // Sums of y log y depend on the order of rows.
  const changes = tree.impurities.map((impurity, node) => Math.abs(impurity - expected.impurities[node]!));
  expect(Math.max(...changes)).toBeLessThan(1e-12);
}

const classesOf = (y: Float64Array, classes: number): TreeTargets => ({
  codes: Int32Array.from(y, (v) => v % classes),
  classes,
});

const targetsOf: Readonly<Record<string, (y: Float64Array) => TreeTargets>> = {
  "2 classes": (y) => classesOf(y, 2),
  "3 classes": (y) => classesOf(y, 3),
  "a target": (y) => ({ y: Float64Array.from(y, (v) => v + 1) }),
  "3 targets": (y) =>
    severalTargets([1, 2, 3].map((t) => Float64Array.from(y, (v, i) => 1 + ((t * v + i) % 5)))),
};
const cases = Object.keys(targetsOf).flatMap((name) =>
  Object.entries(name.includes("classes") ? classCriteria : targetCriteria).map(
    ([criterion, code]) => [name, criterion, code] as const,
  ),
);

describe("trees on columns with bins", () => {
  it.each(cases)("are those on sorted columns: %s by %s", (name, _, criterion) => {
    for (const [v, variant] of variants.entries()) {
      for (const [rows, cols] of [
        [12, 3],
        [150, 9],
        [700, 16],
      ] as const) {
        const drawn = problem(31 * v + rows, rows, cols, variant);
        const { weights, random } = drawn;
        const targets = targetsOf[name]!(drawn.y);
        const limits = { minLeaf: 1 + random.below(3), minWeight: random.below(2) };
        for (const maxFeatures of [1, 3, cols]) {
          const own = { ...controls, ...limits, criterion, maxFeatures };
          expectSameTrees(drawn, false, (columns) => [
            growTree("test", columns, targets, weights, own),
            growTree("test", columns, targets, weights, { ...own, maxLeaves: 9 }),
          ]);
        }
      }
    }
  });

  it.each(Object.keys(targetsOf))("are the same in a forest, with any number of threads: %s", (name) => {
    for (const variant of variants) {
      const drawn = problem(5, 600, 20, variant);
      const targets = targetsOf[name]!(drawn.y);
      const samples = Array.from({ length: 6 }, (_, t) => {
        const counts = new Int32Array(600);
        for (let e = 0; e < 600; e++) counts[drawn.random.below(600)]!++;
        return { counts: t === 0 ? undefined : counts, seed: t + 1 };
      });
      const criterion = name.includes("classes") ? classCriteria.gini : targetCriteria.squaredError;
      for (const count of [1, 4]) {
        setThreads(count);
        for (const random of [false, true]) {
          const own = { ...controls, criterion, maxFeatures: 4, random };
          expectSameTrees(drawn, random, (columns) => [
            ...growForest("test", columns, targets, drawn.weights, own, samples),
          ]);
        }
      }
    }
  });

  it("are the same if threads share the columns of a node", () => {
    setThreads(4);
    for (const variant of variants) {
      const drawn = problem(11, 6000, 12, variant);
      for (const name of ["2 classes", "3 classes"])
        expectSameTrees(drawn, false, (columns) => [
          growTree("test", columns, targetsOf[name]!(drawn.y), drawn.weights, {
            ...controls,
            maxFeatures: 12,
          }),
        ]);
    }
  });
});
