import { Random } from "../core/numbers/random.js";
import { inOwnSize, relativeWeights } from "../numeric/rows/relative-weights.js";
import type { GrownTree } from "../numeric/trees/grow-tree.js";
import { AbsoluteNode, type AbsoluteProblem, type AbsoluteSplit } from "./absolute-splits.js";

/** A node that may be split: its index and its best split. */
interface OpenNode {
  readonly node: number;
  readonly depth: number;
  readonly rows: Int32Array;
  readonly split: AbsoluteSplit;
  /** Decrease of impurity, weighted by the node's proportion of all rows. */
  readonly gain: number;
}

/**
 * Grows a tree whose splits minimise Σ w|y − m|, m the weighted median of each side, with the limits and the order of nodes of
 * wasm/trees. O(d n log n) for a node of n rows. `drawsTies`: ties go to a random column instead of the first, so that forests do
 * not prefer the first columns.
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
    const stack = [{ rows, depth: 0, parent: -1, isLeft: false }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const open = this.#expandNode(next.rows, next.depth);
      if (next.parent >= 0) (next.isLeft ? this.#lefts : this.#rights)[next.parent] = open.node;
      if (!("split" in open)) continue;
      const right = this.#splitNode(open);
      const common = { depth: next.depth + 1, parent: open.node };
      stack.push({ rows: right, ...common, isLeft: false });
      stack.push({ rows: open.split.left, ...common, isLeft: true });
    }
  }

  #growBestFirst(rows: Int32Array): void {
    const frontier: OpenNode[] = [];
    const expand = (own: Int32Array, depth: number): number => {
      const open = this.#expandNode(own, depth);
      if ("split" in open) frontier.push(open);
      return open.node;
    };
    expand(rows, 0);
    for (let leaves = 1; leaves < this.#problem.controls.maxLeaves && frontier.length > 0; leaves++) {
      const best = frontier.reduce((a, b) => (b.gain > a.gain ? b : a));
      frontier.splice(frontier.indexOf(best), 1);
      const right = this.#splitNode(best);
      this.#lefts[best.node] = expand(best.split.left, best.depth + 1);
      this.#rights[best.node] = expand(right, best.depth + 1);
    }
  }

  /** Adds a leaf, and finds its best split if it may be split. */
  #expandNode(rows: Int32Array, depth: number): OpenNode | { readonly node: number } {
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
    this.#impurities.push(own.deviation / own.weight);
    this.#missingLeft.push(0);
    this.#categoryStarts.push(-1);
    this.#values.push(own.median);
    const few = rows.length < controls.minSplit || rows.length < 2 * controls.minLeaf;
    const light = own.weight < 2 * controls.minWeight;
    if (depth >= controls.maxDepth || few || light || own.deviation === 0) return { node };
    const split = own.best(this.#columnOrder(), controls.maxFeatures, this.#random);
    if (!split) return { node };
    const gain = (own.deviation - split.deviation) / this.#weights[0]!;
    // Rounding may make a gain of 0 slightly negative.
    if (controls.minDecrease > 0 && gain < controls.minDecrease) return { node };
    return { node, depth, rows, split, gain };
  }

  /** The order in which columns are considered: random if only some are, or if ties go to a random column. */
  #columnOrder(): readonly number[] {
    const { x } = this.#problem;
    if (this.#inOrder) return this.#columns;
    for (let c = 0; c < x.cols - 1; c++) {
      const other = c + Math.floor(this.#random.uniform() * (x.cols - c));
      [this.#columns[c], this.#columns[other]] = [this.#columns[other]!, this.#columns[c]!];
    }
    return this.#columns;
  }

  /** Turns a leaf into a branch; returns the rows on the right, in the order of their targets. */
  #splitNode({ node, rows, split }: OpenNode): Int32Array {
    this.#features[node] = split.column;
    this.#thresholds[node] = split.threshold;
    this.#missingLeft[node] = split.missingLeft ? 1 : 0;
    if (split.categories) {
      this.#categoryStarts[node] = this.#pool.length;
      this.#pool.push(split.categories.length);
      for (const code of split.categories) this.#pool.push(code);
    }
    const left = new Set(split.left);
    return rows.filter((i) => !left.has(i));
  }
}
