import { pushAll } from "../core/numbers/extremes.js";
import type { StateReader, Tensor } from "../core/state/state.js";
import { readBytes } from "../core/state/state-lists.js";
import { Matrix } from "../data/matrix.js";
import { type BinnedColumn, binCount } from "../numeric/boosting/bins.js";
import type { GrownTree } from "../numeric/boosting/boosted-tree.js";
import { addScores } from "../numeric/boosting/scores.js";
import { addFewTreeSums, type PackedTrees, packTrees } from "../numeric/trees/packed-trees.js";
import type { CoveredTree } from "../numeric/trees/tree-sum.js";
import { encodeCategories } from "./hist-bins.js";

/** A node, as `HistTrees.tree` returns it. */
export interface HistNode {
  /** Number of training rows. */
  readonly rows: number;
  /** Of a leaf: its contribution to the raw prediction. */
  readonly value?: number;
  /** Of a split: its column. */
  readonly feature?: number;
  /** Of a split: its gain in the sum of G²/(H + λ). */
  readonly gain?: number;
  /** Rows with x ≤ threshold go left. */
  readonly threshold?: number;
  /** Categories that go left, instead of a threshold. */
  readonly categories?: readonly number[];
  /** Names of the categories, if X was a table. */
  readonly categoryNames?: readonly string[];
  readonly missingLeft?: boolean;
  /** Indices of the children in the list of nodes. */
  readonly left?: number;
  readonly right?: number;
}

/** The nodes of all trees, tree after tree; the right child of a node follows its left child. */
interface Nodes {
  /** Index of the first node of each tree, then the number of all nodes. */
  readonly starts: Int32Array;
  /** −1 for a leaf. */
  readonly feature: Int32Array;
  /** The left child, relative to the tree's first node. */
  readonly left: Int32Array;
  /** Infinity: missing values against all others. */
  readonly threshold: Float64Array;
  readonly value: Float64Array;
  readonly gain: Float64Array;
  readonly rows: Int32Array;
  readonly missingLeft: Uint8Array;
  /** Index in `sets` of the categories that go left; −1 for a threshold. */
  readonly set: Int32Array;
  /** Sets of bins: eight 32-bit words each. */
  readonly sets: Int32Array;
}

/** The trees of a boosted model, K per round. */
export class HistTrees {
  readonly #packed: PackedTrees;

  constructor(
    readonly columns: readonly BinnedColumn[],
    readonly K: number,
    private readonly nodes: Nodes,
  ) {
    this.#packed = packTrees(treeLists(nodes));
  }

  /** From trees as the kernels grow them. */
  static of(columns: readonly BinnedColumn[], K: number, grown: readonly GrownTree[]): HistTrees {
    const count = grown.reduce((sum, tree) => sum + tree.count, 0);
    const nodes = {
      starts: new Int32Array(grown.length + 1),
      feature: new Int32Array(count).fill(-1),
      left: new Int32Array(count),
      threshold: new Float64Array(count),
      value: new Float64Array(count),
      gain: new Float64Array(count),
      rows: new Int32Array(count),
      missingLeft: new Uint8Array(count),
      set: new Int32Array(count).fill(-1),
    };
    const sets: number[] = [];
    let at = 0;
    for (const [t, tree] of grown.entries()) {
      for (let v = 0; v < tree.count; v++, at++) {
        nodes.rows[at] = tree.rows[v]!;
        if (tree.left[v] === 0) {
          nodes.value[at] = tree.value[v]!;
          continue;
        }
        const column = columns[tree.feature[v]!]!;
        nodes.feature[at] = tree.feature[v]!;
        nodes.left[at] = tree.left[v]!;
        nodes.gain[at] = tree.gain[v]!;
        nodes.missingLeft[at] = tree.missingLeft[v]!;
        if (tree.categorical[v] === 1) {
          nodes.set[at] = sets.length / 8;
          pushAll(sets, tree.sets.subarray(8 * v, 8 * v + 8));
        } else
          nodes.threshold[at] = tree.bin[v]! < binCount(column) - 1 ? column.edges[tree.bin[v]!]! : Infinity;
      }
      nodes.starts[t + 1] = at;
    }
    return new HistTrees(columns, K, { ...nodes, sets: Int32Array.from(sets) });
  }

  get count(): number {
    return this.nodes.starts.length - 1;
  }

  /** These trees, then others of the same columns. */
  followedBy(others: HistTrees): HistTrees {
    const [a, b] = [this.nodes, others.nodes];
    const nodes = a.feature.length;
    const sets = a.sets.length / 8;
    const starts = new Int32Array(a.starts.length + b.starts.length - 1);
    starts.set(a.starts);
    starts.set(
      b.starts.map((start) => start + nodes),
      a.starts.length - 1,
    );
    const set = b.set.map((index) => (index < 0 ? -1 : index + sets));
    return new HistTrees(others.columns, this.K, {
      starts,
      feature: joined(Int32Array, a.feature, b.feature),
      left: joined(Int32Array, a.left, b.left),
      threshold: joined(Float64Array, a.threshold, b.threshold),
      value: joined(Float64Array, a.value, b.value),
      gain: joined(Float64Array, a.gain, b.gain),
      rows: joined(Int32Array, a.rows, b.rows),
      missingLeft: joined(Uint8Array, a.missingLeft, b.missingLeft),
      set: joined(Int32Array, a.set, set),
      sets: joined(Int32Array, a.sets, b.sets),
    });
  }

  /** Raw predictions: baseline + the trees of all rounds, or of the first `rounds`. */
  scores(where: string, x: Matrix, baseline: Float64Array, rounds?: number): Matrix {
    const { K } = this;
    const out = baselineScores(baseline, x.rows);
    const trees = rounds === undefined ? this.count : Math.min(this.count, rounds * K);
    addScores(where, this.encoded(x), this.#packed, trees, K, out.data);
    return out;
  }

  /** `scores` after each round. */
  *staged(x: Matrix, baseline: Float64Array): Generator<Matrix, void, void> {
    const { K } = this;
    const coded = this.encoded(x);
    const sums = baselineScores(baseline, x.rows);
    for (let tree = 0; tree < this.count; tree += K) {
      addFewTreeSums(coded, this.#packed, tree, tree + K, K, sums.data);
      yield new Matrix(sums.data.slice(), sums.rows, K);
    }
  }

  /** All trees as lists. Their categories are bins: see `encoded`. */
  lists(): CoveredTree[] {
    return treeLists(this.nodes);
  }

  /** X with categories replaced by their bins; unknown categories become missing values. */
  encoded(x: Matrix): Matrix {
    return encodeCategories(x, this.columns);
  }

  /** The nodes of tree t, root first. */
  tree(t: number): HistNode[] {
    const { starts, feature, left, threshold, value, gain, rows, missingLeft, set } = this.nodes;
    const list: HistNode[] = [];
    for (let at = starts[t]!; at < starts[t + 1]!; at++) {
      if (feature[at]! < 0) {
        list.push({ rows: rows[at]!, value: value[at]! });
        continue;
      }
      const rule =
        set[at]! < 0
          ? { threshold: threshold[at]! }
          : { categories: this.#categories(feature[at]!, set[at]!) };
      list.push({
        rows: rows[at]!,
        feature: feature[at]!,
        gain: gain[at]!,
        ...rule,
        missingLeft: missingLeft[at] === 1,
        left: left[at]!,
        right: left[at]! + 1,
      });
    }
    return list;
  }

  #categories(j: number, set: number): number[] {
    const { sets } = this.nodes;
    return [...this.columns[j]!.edges].filter((_, b) => ((sets[8 * set + (b >> 5)]! >>> (b & 31)) & 1) === 1);
  }

  /** Total gain and number of splits per column. */
  importances(): { gains: Float64Array; splits: Float64Array } {
    const gains = new Float64Array(this.columns.length);
    const splits = new Float64Array(this.columns.length);
    for (const [at, j] of this.nodes.feature.entries()) {
      if (j < 0) continue;
      gains[j]! += this.nodes.gain[at]!;
      splits[j]!++;
    }
    return { gains, splits };
  }

  tensors(): Record<string, Tensor> {
    const { sets, ...lists } = this.nodes;
    const tensors: Record<string, Tensor> = {};
    for (const [name, data] of Object.entries(lists)) tensors[name] = { shape: [data.length], data };
    tensors["sets"] = { shape: [sets.length / 8, 8], data: sets };
    const ends = new Int32Array(this.columns.length);
    const edges: number[] = [];
    for (const [j, column] of this.columns.entries()) {
      pushAll(edges, column.edges);
      ends[j] = edges.length;
    }
    tensors["edges"] = { shape: [edges.length], data: Float64Array.from(edges) };
    tensors["edgeEnds"] = { shape: [ends.length], data: ends };
    const kinds = Uint8Array.from(this.columns, ({ categorical }) => (categorical ? 1 : 0));
    tensors["categorical"] = { shape: [kinds.length], data: kinds };
    return tensors;
  }

  /** The inverse of `tensors`. Checks that no path leaves its tree. */
  static read(reader: StateReader, K: number): HistTrees {
    const columns = readColumns(reader);
    const feature = reader.integers("feature", [-1]);
    const shape = [feature.length];
    const sets = reader.integers("sets", [-1, 8]);
    const nodes: Nodes = {
      starts: reader.integers("starts", [-1]),
      feature,
      left: reader.integers("left", shape),
      threshold: reader.floats("threshold", shape),
      value: reader.floats("value", shape),
      gain: reader.floats("gain", shape),
      rows: reader.integers("rows", shape),
      missingLeft: readBytes(reader, "missingLeft", shape),
      set: reader.integers("set", shape),
      sets,
    };
    checkNodes(reader, nodes, columns, K);
    return new HistTrees(columns, K, nodes);
  }
}

type NodeList = Int32Array | Float64Array | Uint8Array;

function joined<T extends NodeList>(type: new (length: number) => T, a: T, b: T): T {
  const out = new type(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

function baselineScores(baseline: Float64Array, rows: number): Matrix {
  const out = Matrix.zeros(rows, baseline.length);
  for (let e = 0; e < out.data.length; e++) out.data[e] = baseline[e % baseline.length]!;
  return out;
}

function treeLists(nodes: Nodes): CoveredTree[] {
  const { starts } = nodes;
  const { pool, categoryStarts } = listSets(nodes);
  const trees: CoveredTree[] = [];
  for (let t = 0; t + 1 < starts.length; t++) {
    const [from, to] = [starts[t]!, starts[t + 1]!];
    const lefts = nodes.left.subarray(from, to);
    trees.push({
      features: nodes.feature.subarray(from, to),
      thresholds: nodes.threshold.subarray(from, to),
      lefts,
      rights: lefts.map((left) => left + 1),
      missingLeft: nodes.missingLeft.subarray(from, to),
      categoryStarts: categoryStarts.subarray(from, to),
      pool,
      values: nodes.value.subarray(from, to),
      width: 1,
      covers: nodes.rows.subarray(from, to),
    });
  }
  return trees;
}

/** The sets of bins as lists, and the start of each node's list; −1 for a threshold. */
function listSets({ set, sets }: Nodes): { pool: Int32Array; categoryStarts: Int32Array } {
  const pool: number[] = [];
  const begins: number[] = [];
  for (let from = 0; from < sets.length; from += 8) {
    begins.push(pool.length);
    const count = pool.push(0);
    for (let b = 0; b < 256; b++) if (((sets[from + (b >> 5)]! >>> (b & 31)) & 1) === 1) pool.push(b);
    pool[count - 1] = pool.length - count;
  }
  return { pool: Int32Array.from(pool), categoryStarts: set.map((s) => (s < 0 ? -1 : begins[s]!)) };
}

function readColumns(reader: StateReader): BinnedColumn[] {
  const kinds = readBytes(reader, "categorical", [-1]);
  const edges = reader.floats("edges", [-1]);
  const ends = reader.integers("edgeEnds", [kinds.length]);
  if (kinds.length === 0) reader.fail("categorical", "at least one column", "none");
  let from = 0;
  return Array.from(kinds, (kind, j) => {
    const end = ends[j]!;
    if (!(end >= from && end <= edges.length && end - from < 256))
      reader.fail("edgeEnds", "ascending", `${end}`);
    const own = edges.slice(from, end);
    for (let e = 1; e < own.length; e++)
      if (!(own[e]! > own[e - 1]!)) reader.fail("edges", "ascending", "others");
    from = end;
    return { edges: own, categorical: kind === 1 };
  });
}

function checkNodes(reader: StateReader, nodes: Nodes, columns: readonly BinnedColumn[], K: number): void {
  const { starts, feature, left, value, set, sets } = nodes;
  const trees = starts.length - 1;
  const isChild = new Uint8Array(feature.length);
  const whole = trees >= 0 && starts[0] === 0 && starts[trees] === feature.length && trees % K === 0;
  if (!whole) reader.fail("starts", "the first nodes of all trees", "other numbers");
  for (let t = 0; t < trees; t++) {
    const count = starts[t + 1]! - starts[t]!;
    if (count < 1) reader.fail("starts", "ascending", `a tree of ${count} nodes`);
    let children = 0;
    for (let v = 0; v < count; v++) {
      const at = starts[t]! + v;
      if (!Number.isFinite(value[at]!)) reader.fail("value", "finite", "±∞");
      if (feature[at]! < 0) continue;
      const inside = feature[at]! < columns.length && left[at]! > v && left[at]! + 1 < count;
      if (!inside) reader.fail("left", "a later node of the same tree", `${left[at]}`);
      const pair = isChild.subarray(starts[t]! + left[at]!, starts[t]! + left[at]! + 2);
      if (pair.includes(1)) reader.fail("left", "the child of one node", `node ${left[at]} twice`);
      pair.fill(1);
      children += 2;
      if (set[at]! >= sets.length / 8) reader.fail("set", "a set of the list", `${set[at]}`);
      if (set[at]! >= 0 !== columns[feature[at]!]!.categorical)
        reader.fail("set", "of a categorical column", "another");
    }
    if (children !== count - 1)
      reader.fail("left", "a tree of all its nodes", `${children} children of ${count} nodes`);
  }
}
