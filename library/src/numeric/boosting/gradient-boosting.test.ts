import { afterEach, describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { assumeCores, setThreads, threads } from "../runtime/threads.js";
import { type BinnedColumn, binCount, sortedColumns } from "./bins.js";
import type { GrownTree } from "./boosted-tree.js";
import { Boosting, type BoostingProblem } from "./gradient-boosting.js";

const all = threads();
afterEach(() => setThreads(all));

interface Sample {
  readonly x: Matrix;
  readonly columns: readonly BinnedColumn[];
  readonly y: Float64Array;
  readonly weights: Float64Array;
}

/** Columns of whole numbers, which are their own bins: column j has `bins[j]` of them; the last column is one of categories. */
function sample(n: number, bins: readonly number[], seed: number, missing = 0.1): Sample {
  const random = new Random(seed);
  const d = bins.length;
  const x = Matrix.zeros(n, d);
  for (let e = 0; e < x.data.length; e++)
    x.data[e] = random.uniform() < missing ? Number.NaN : random.below(bins[e % d]!);
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const [a, b, c] = [x.data[i * d]!, x.data[i * d + 1]!, x.data[i * d + d - 1]!];
    const gap = (v: number, otherwise: number) => (Number.isNaN(v) ? otherwise : v);
    y[i] = gap(a, 9) / bins[0]! - gap(b, 0) / bins[1]! + [2, 0, 1, -1, 0.5][gap(c, 0) % 5]! + random.normal();
  }
  const columns = bins.map((count, j) => ({
    edges: Float64Array.from({ length: j === d - 1 ? count : count - 1 }, (_, b) =>
      j === d - 1 ? b : b + 0.5,
    ),
    categorical: j === d - 1,
  }));
  return { x, columns, y, weights: y.map(() => 0.5 + random.uniform()) };
}

const settings = {
  validation: null,
  loss: "squaredError",
  quantile: 0,
  baseline: Float64Array.of(0),
  trees: 1000,
  maxLeaves: 31,
  maxDepth: Infinity,
  minSamplesLeaf: 5,
  minHessian: 1e-3,
  l2: 0.5,
  learningRate: 1,
  monotone: null,
  groups: null,
  maxFeatures: 1,
  seed: 1,
} as const;

/** The first tree: gradients are −w y, hessians w. */
function firstTree({ x, columns, y, weights }: Sample, own: Partial<BoostingProblem> = {}): GrownTree {
  const train = { rows: null, y, weights };
  const boosting = new Boosting("test", { x, columns, train, ...settings, ...own });
  try {
    boosting.losses();
    return boosting.grow(0);
  } finally {
    boosting.close();
  }
}

interface Leaf {
  readonly rows: readonly number[];
  readonly depth: number;
  readonly best: Best | null;
}
interface Best {
  readonly gain: number;
  readonly feature: number;
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** The twin: sums over rows for every split of every leaf, without histograms. */
class Twin {
  readonly splits: { feature: number; gain: number; rows: number; left: number }[] = [];
  leaves: Leaf[];

  constructor(
    readonly sample: Sample,
    readonly limits: { maxLeaves: number; maxDepth: number; minSamplesLeaf: number; l2: number },
  ) {
    this.leaves = [this.#leaf([...sample.y.keys()], 0)];
    while (this.leaves.length < limits.maxLeaves && this.#splitBest()) {}
  }

  value(rows: readonly number[]): number {
    const { g, h } = this.#sums(rows);
    return -g / (h + this.limits.l2);
  }

  #splitBest(): boolean {
    const open = this.leaves.filter(({ best }) => best !== null);
    if (open.length === 0) return false;
    const next = open.reduce((a, b) => (b.best!.gain > a.best!.gain ? b : a));
    const { feature, gain, left, right } = next.best!;
    this.splits.push({ feature, gain, rows: next.rows.length, left: left.length });
    this.leaves = this.leaves.filter((leaf) => leaf !== next);
    this.leaves.push(this.#leaf(left, next.depth + 1), this.#leaf(right, next.depth + 1));
    return true;
  }

  #leaf(rows: readonly number[], depth: number): Leaf {
    return { rows, depth, best: depth < this.limits.maxDepth ? this.#bestOf(rows) : null };
  }

  #sums(rows: readonly number[]): { g: number; h: number } {
    const { y, weights } = this.sample;
    let g = 0;
    let h = 0;
    for (const i of rows) {
      g -= weights[i]! * y[i]!;
      h += weights[i]!;
    }
    return { g, h };
  }

  #worth(rows: readonly number[]): number {
    const { g, h } = this.#sums(rows);
    return (g * g) / (h + this.limits.l2);
  }

  #bestOf(rows: readonly number[]): Best | null {
    let best: Best | null = null;
    const { x, columns } = this.sample;
    for (const [feature, column] of columns.entries()) {
      const cell = (i: number) => x.data[i * x.cols + feature]!;
      for (const goesLeft of this.#ways(rows, column, cell)) {
        const left = rows.filter((i) => goesLeft(cell(i)));
        const right = rows.filter((i) => !goesLeft(cell(i)));
        if (Math.min(left.length, right.length) < this.limits.minSamplesLeaf) continue;
        const gain = this.#worth(left) + this.#worth(right) - this.#worth(rows);
        if (gain > 1e-9 && (best === null || gain > best.gain + 1e-9)) best = { gain, feature, left, right };
      }
    }
    return best;
  }

  #ways(
    rows: readonly number[],
    column: BinnedColumn,
    cell: (i: number) => number,
  ): ((v: number) => boolean)[] {
    const count = binCount(column);
    if (!column.categorical) {
      const bins = Array.from({ length: count }, (_, b) => b);
      return [
        ...bins.map((b) => (v: number) => v <= b),
        ...bins.slice(0, -1).map((b) => (v: number) => Number.isNaN(v) || v <= b),
      ];
    }
    // Categories of at least ten rows (by hessian) in the order of G/(H + 10); missing is a category.
    const groups = [...Array(count).keys(), Number.NaN].map((b) => {
      const own = rows.filter((i) => Object.is(cell(i), b));
      return { b, ...this.#sums(own) };
    });
    const share = rows.length / this.#sums(rows).h;
    const used = groups
      .filter(({ h }) => h * share >= 10)
      .sort((p, q) => p.g / (p.h + 10) - q.g / (q.h + 10));
    const half = Math.ceil(used.length / 2);
    const sets = [used, [...used].reverse()].flatMap((order, turn) =>
      Array.from({ length: used.length < 2 ? 0 : half - turn }, (_, e) =>
        order.slice(0, e + 1).map(({ b }) => b),
      ),
    );
    return sets.map((set) => (v: number) => set.some((b) => Object.is(b, v)));
  }
}

const splitsOf = (tree: GrownTree) =>
  [...tree.left.keys()]
    .filter((v) => tree.left[v] !== 0)
    .map((v) => ({
      feature: tree.feature[v]!,
      gain: tree.gain[v]!,
      rows: tree.rows[v]!,
      left: tree.rows[tree.left[v]!]!,
    }));

const byGain = (a: { gain: number }, b: { gain: number }) => b.gain - a.gain;
// Gradients have some 40 bits here, hessians 38; gains are differences of sums of a few hundred.
const rounding = 1e-7;

describe("a tree grown from histograms is the one found by trying every split of every leaf", () => {
  const cases: [string, Sample, Partial<typeof settings>][] = [
    ["with missing values and categories", sample(300, [12, 7, 3, 6], 1), {}],
    ["without missing values", sample(257, [20, 5, 2, 5], 2, 0), {}],
    ["of nine columns, which are two panels", sample(300, [9, 8, 7, 6, 5, 4, 3, 2, 5], 3), {}],
    ["of few leaves", sample(300, [12, 7, 3, 6], 4), { maxLeaves: 4 as never }],
    ["of little depth", sample(300, [12, 7, 3, 6], 5), { maxDepth: 2 as never }],
    ["of leaves of one row", sample(60, [30, 30, 3, 4], 6), { minSamplesLeaf: 1 as never, l2: 0 as never }],
  ];
  for (const [name, data, own] of cases) {
    it(name, () => {
      const tree = firstTree(data, own);
      const twin = new Twin(data, { ...settings, ...own });
      const splits = splitsOf(tree).sort(byGain);
      const expected = twin.splits.sort(byGain);
      expect(splits.length).toBeGreaterThan(0);
      expect(splits.length).toBe(expected.length);
      for (const [e, split] of splits.entries()) {
        const { gain, ...others } = expected[e]!;
        expect(split).toMatchObject(others);
        expect(Math.abs(split.gain - gain)).toBeLessThan(rounding * Math.max(1, gain));
      }
      const values = [...tree.value].filter((_, v) => tree.left[v] === 0).sort((a, b) => a - b);
      const wanted = twin.leaves.map(({ rows }) => twin.value(rows)).sort((a, b) => a - b);
      for (const [e, value] of values.entries()) expect(Math.abs(value - wanted[e]!)).toBeLessThan(rounding);
    });
  }
});

describe("sums are whole numbers, so a tree has the same bits", () => {
  const large = sample(30_000, [200, 50, 3, 40, 9, 200, 17, 100, 2, 12], 7);

  it("when histograms are not kept and both children are built by themselves", () => {
    // A larger child's histogram is its parent's less its sibling's; here it is the sum over its rows.
    expect(firstTree(large, { slotBytes: 0 })).toEqual(firstTree(large));
  });

  it("with one thread and with many", () => {
    assumeCores(4);
    setThreads(4);
    // The first run starts threads, which need some time before they help.
    for (const start = performance.now(); performance.now() - start < 300; ) firstTree(large);
    const many = firstTree(large);
    assumeCores(undefined);
    setThreads(1);
    expect(firstTree(large)).toEqual(many);
  });

  it("whatever the order of the rows", () => {
    const order = new Random(3).permutation(large.y.length);
    const turned = {
      ...large,
      x: large.x.selectRows(order),
      y: Float64Array.from(order, (i) => large.y[i]!),
      weights: Float64Array.from(order, (i) => large.weights[i]!),
    };
    expect(firstTree(turned)).toEqual(firstTree(large));
  });

  it("of unlimited leaves, too", () => {
    const own = { maxLeaves: Infinity, minSamplesLeaf: 200 } as const;
    const tree = firstTree(large, own);
    expect(tree.count).toBeGreaterThan(100);
    expect(firstTree(large, { ...own, slotBytes: 0 })).toEqual(tree);
    for (const [v, left] of tree.left.entries())
      if (left === 0) expect(tree.rows[v]).toBeGreaterThanOrEqual(200);
  });
});

describe("sortedColumns", () => {
  it("sorts like the language, and leaves missing values out", () => {
    const random = new Random(5);
    const special = [0, -0, Infinity, -Infinity, 5e-324, -5e-324, 1e308, -1e308, Number.NaN];
    for (const n of [1, 2, 9, 100, 3000]) {
      const x = Matrix.zeros(n, 11);
      for (let e = 0; e < x.data.length; e++)
        x.data[e] =
          random.uniform() < 0.1 ? special[random.below(9)]! : random.normal() * 10 ** random.below(9);
      let seen = 0;
      sortedColumns("test", x, null, (j, values) => {
        seen++;
        const expected = x
          .column(j)
          .filter((v) => !Number.isNaN(v))
          .sort();
        expect(Array.from(values)).toEqual(Array.from(expected));
      });
      expect(seen).toBe(11);
    }
  });

  it("sorts values that differ in their last digits only", () => {
    const n = 5000;
    const x = Matrix.zeros(n, 2);
    const random = new Random(6);
    for (let i = 0; i < n; i++) {
      x.data[2 * i] = 1e6 - i * 1e-9;
      x.data[2 * i + 1] = 1 + (random.below(3) - 1) * Number.EPSILON;
    }
    sortedColumns("test", x, null, (j, values) => {
      expect(Array.from(values)).toEqual(Array.from(x.column(j).sort()));
    });
  });
});
