import { Random } from "../core/random.js";
import { inOwnSize, relativeWeights } from "../numeric/rows/relative-weights.js";
import type { GrownTree } from "../numeric/trees/grow-tree.js";
import { AbsoluteNode, type AbsoluteProblem, type AbsoluteSplit } from "./absolute-splits.js";

/** A node that has been met: where it is in the lists, and the question that it would ask. */
interface Met {
  readonly node: number;
  readonly depth: number;
  readonly rows: Int32Array;
  readonly split: AbsoluteSplit;
  /** Fall of impurity, weighted by the node's share of all rows. */
  readonly gain: number;
}

/**
 * A tree that lowers Σ w|y − m| most at every node, m the weighted median of each side, by the controls and in the order of
 * nodes of wasm/trees.ts. O(d n log n) for a node of n rows. `drawsTies`: of equally good columns not the first is taken but
 * one that is drawn, so that a forest prefers none.
 */
export function growByAbsoluteError(
  problem: Omit<AbsoluteProblem, "ranks">,
  { drawsTies = false }: { readonly drawsTies?: boolean } = {},
): GrownTree {
  const { weights, scale } = relativeWeights(problem.weights);
  const controls = { ...problem.controls, minWeight: problem.controls.minWeight * scale };
  const ranks = new Int32Array(problem.y.length);
  const grown = new Grower({ ...problem, weights, controls, ranks }, drawsTies).grow();
  return { ...grown, weights: inOwnSize(grown.weights, scale) };
}

class Grower {
  readonly #problem: AbsoluteProblem;
  readonly #random: Random;
  readonly #columns: number[];
  readonly #inOrder: boolean;
  readonly #features: number[] = [];
  readonly #thresholds: number[] = [];
  readonly #lefts: number[] = [];
  readonly #rights: number[] = [];
  readonly #counts: number[] = [];
  readonly #weights: number[] = [];
  readonly #depths: number[] = [];
  readonly #impurities: number[] = [];
  readonly #missingLeft: number[] = [];
  readonly #categoryStarts: number[] = [];
  readonly #pool: number[] = [];
  readonly #values: number[] = [];

  constructor(problem: AbsoluteProblem, drawsTies: boolean) {
    const { controls, x } = problem;
    this.#problem = problem;
    this.#inOrder = controls.maxFeatures >= x.cols && !controls.random && !drawsTies;
    this.#random = new Random(controls.seed);
    this.#columns = Array.from({ length: x.cols }, (_, j) => j);
  }

  grow(): GrownTree {
    const { y, controls } = this.#problem;
    const rows = Int32Array.from(y.keys()).sort((a, b) => y[a]! - y[b]!);
    if (controls.maxLeaves > 0) this.#growBestFirst(rows);
    else this.#growDepthFirst(rows);
    return {
      features: Int32Array.from(this.#features),
      thresholds: Float64Array.from(this.#thresholds),
      lefts: Int32Array.from(this.#lefts),
      rights: Int32Array.from(this.#rights),
      counts: Int32Array.from(this.#counts),
      weights: Float64Array.from(this.#weights),
      depths: Int32Array.from(this.#depths),
      impurities: Float64Array.from(this.#impurities),
      missingLeft: Int32Array.from(this.#missingLeft),
      categoryStarts: Int32Array.from(this.#categoryStarts),
      pool: Int32Array.from(this.#pool),
      values: Float64Array.from(this.#values),
      width: 1,
    };
  }

  #growDepthFirst(rows: Int32Array): void {
    const waiting = [{ rows, depth: 0, parent: -1, isLeft: false }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const met = this.#meet(next.rows, next.depth);
      if (next.parent >= 0) (next.isLeft ? this.#lefts : this.#rights)[next.parent] = met.node;
      if (!("split" in met)) continue;
      const right = this.#ask(met);
      const common = { depth: next.depth + 1, parent: met.node };
      waiting.push({ rows: right, ...common, isLeft: false });
      waiting.push({ rows: met.split.left, ...common, isLeft: true });
    }
  }

  #growBestFirst(rows: Int32Array): void {
    const waiting: Met[] = [];
    const meet = (own: Int32Array, depth: number): number => {
      const met = this.#meet(own, depth);
      if ("split" in met) waiting.push(met);
      return met.node;
    };
    meet(rows, 0);
    for (let leaves = 1; leaves < this.#problem.controls.maxLeaves && waiting.length > 0; leaves++) {
      const best = waiting.reduce((a, b) => (b.gain > a.gain ? b : a));
      waiting.splice(waiting.indexOf(best), 1);
      const right = this.#ask(best);
      this.#lefts[best.node] = meet(best.split.left, best.depth + 1);
      this.#rights[best.node] = meet(right, best.depth + 1);
    }
  }

  /** A new leaf, and its best question if it may ask one. */
  #meet(rows: Int32Array, depth: number): Met | { readonly node: number } {
    const { controls } = this.#problem;
    const node = this.#features.length;
    const own = new AbsoluteNode(this.#problem, rows);
    this.#features.push(-1);
    this.#thresholds.push(0);
    this.#lefts.push(-1);
    this.#rights.push(-1);
    this.#counts.push(rows.length);
    this.#weights.push(own.weight);
    this.#depths.push(depth);
    this.#impurities.push(own.held / own.weight);
    this.#missingLeft.push(0);
    this.#categoryStarts.push(-1);
    this.#values.push(own.median);
    const few = rows.length < controls.minSplit || rows.length < 2 * controls.minLeaf;
    const light = own.weight < 2 * controls.minWeight;
    if (depth >= controls.maxDepth || few || light || own.held === 0) return { node };
    const split = own.best(this.#order(), controls.maxFeatures, this.#random);
    if (!split) return { node };
    const gain = (own.held - split.held) / this.#weights[0]!;
    // Sums of rounded terms: a gain of 0 may come out a little below it.
    if (controls.minDecrease > 0 && gain < controls.minDecrease) return { node };
    return { node, depth, rows, split, gain };
  }

  /** Columns as they are looked at, in a drawn order where only some are, or where the first of equally good ones is drawn. */
  #order(): readonly number[] {
    const { x } = this.#problem;
    if (this.#inOrder) return this.#columns;
    for (let c = 0; c < x.cols - 1; c++) {
      const other = c + Math.floor(this.#random.uniform() * (x.cols - c));
      [this.#columns[c], this.#columns[other]] = [this.#columns[other]!, this.#columns[c]!];
    }
    return this.#columns;
  }

  /** Turns a leaf into a branch; gives the rows on the right, in the order of their targets. */
  #ask({ node, rows, split }: Met): Int32Array {
    this.#features[node] = split.column;
    this.#thresholds[node] = split.threshold;
    this.#missingLeft[node] = split.missingLeft ? 1 : 0;
    if (split.listed) {
      this.#categoryStarts[node] = this.#pool.length;
      this.#pool.push(split.listed.length);
      for (const code of split.listed) this.#pool.push(code);
    }
    const goes = new Set(split.left);
    return rows.filter((i) => !goes.has(i));
  }
}
