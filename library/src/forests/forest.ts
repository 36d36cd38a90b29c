import type { MatrixLike } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { describeParams, type Steps } from "../core/estimator.js";
import { Model } from "../core/model.js";
import { Random } from "../core/numbers/random.js";
import { flag, integer, optional, type ParamValues, randomState } from "../core/params/params.js";
import { type Json, type ModelState, StateReader, type Tensor } from "../core/state/state.js";
import { type Structure, structure } from "../core/structure.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { readTableColumns } from "../data/table/table-columns.js";
import { amount, countOf, requireBootstrap } from "../ensembles/draws.js";
import { growForest, type TreeSample } from "../numeric/trees/grow-forest.js";
import type { GrownTree, TreeTargets } from "../numeric/trees/grow-tree.js";
import { leafOfRow } from "../numeric/trees/leaf-of-row.js";
import { PackedForest, treeSums } from "../numeric/trees/leaves.js";
import type { TreeRows } from "../trees/growth.js";
import { absoluteRows, controlsOf, growthParams, seedOf, treeColumns } from "../trees/growth.js";
import { treeTargetCriteria } from "../trees/impurities.js";
import { pruned } from "../trees/pruning.js";
import { readTree, Tree } from "../trees/tree.js";
import { treeStructure } from "../trees/tree-structure.js";
import { growAbsoluteForest } from "./forest-absolute.js";

const { splitter: _, randomState: __, ...growth } = growthParams;

/** "random": one random threshold per column is considered. */
export type Splitter = "best" | "random";

/** Defaults that differ between random forests and extra trees. */
export interface ForestDefaults {
  readonly bootstrap: boolean;
}

/** The parameters that forests share. */
export const forestParams = ({ bootstrap }: ForestDefaults) => ({
  nEstimators: integer({ atLeast: 1, default: 100, doc: "Number of trees." }),
  ...growth,
  maxSamples: optional(
    amount("Rows drawn for each tree with bootstrap: a number, a proportion, or null for as many as X has."),
  ),
  oobScore: flag({
    default: false,
    doc: "Whether to score each row with the trees that did not draw it. Requires bootstrap.",
  }),
  randomState: randomState(),
  bootstrap: flag({
    default: bootstrap,
    doc: "Whether each tree is grown on rows drawn with replacement, or on all rows.",
  }),
});
export type ForestParams = ParamValues<ReturnType<typeof forestParams>>;

export function checkForest(where: string, params: ForestParams): void {
  requireBootstrap(where, params);
  if (params.bootstrap || params.maxSamples === null) return;
  const expected = "null without bootstrap, when every tree is grown on all rows";
  const received = show(params.maxSamples);
  const advice = "Set bootstrap to true.";
  throw new ParameterError(where, "maxSamples", expected, received, advice);
}

/** What a forest is fitted to. */
export interface ForestTask {
  /** Of the estimator. */
  readonly id: string;
  /** The method that was called, for error messages. */
  readonly where: string;
  readonly params: ForestParams;
  readonly splitter: Splitter;
  /** The code of the impurity in the kernel. */
  readonly criterion: number;
  readonly rows: TreeRows;
  readonly targets: TreeTargets;
  readonly weights: Float64Array | undefined;
  /** Trees that were grown before. */
  readonly first: readonly Tree[];
  /** The `draw` of their forest. */
  readonly firstDraw: string | undefined;
  /** From a value for centred targets, with its place among those of all nodes, to the value for y. */
  readonly uncentred: (value: number, e: number) => number;
  /** Score of out-of-bag predictions, `width` numbers per row, NaN for rows without one; undefined for too few rows. */
  readonly score: (means: Float64Array) => number | undefined;
}

/** Grows the trees of a forest; `fitted` builds a model from the first trees or from all. */
export function* forestSteps<M>(task: ForestTask, fitted: (forest: ForestState) => M): Steps<M> {
  const { id, params, rows } = task;
  const { x } = rows;
  const samples = drawSamples(task.where, x.rows, params);
  const trees = [...task.first];
  const own = params.oobScore ? drawOf(x, params) : undefined;
  // Trees that were grown on other rows have none out of bag.
  const draw = trees.length === 0 || task.firstDraw === own ? own : undefined;
  const modelOf = (count: number): M => {
    const first = trees.slice(0, count);
    const oobScore = draw === undefined ? undefined : task.score(outOfBagMeans(x, first, samples));
    return fitted({ id, params, trees: first, oobScore, draw });
  };
  for (const grown of grownTrees(task, samples.slice(trees.length))) {
    const whole = { ...grown, values: grown.values.map(task.uncentred) };
    const iteration = trees.push(new Tree(pruned(whole, params.ccpAlpha), x.cols, rows.columns));
    yield { iteration, total: samples.length, model: () => modelOf(iteration) };
  }
  return modelOf(trees.length);
}

function* grownTrees(task: ForestTask, samples: readonly TreeSample[]): Generator<GrownTree, void, void> {
  const { where, params, splitter, targets, weights } = task;
  const { x, categories } = task.rows;
  const weight = weights ? weights.reduce((sum, w) => sum + w, 0) : x.rows;
  const controls = controlsOf(where, { ...params, splitter }, task.criterion, x, weight);
  if (task.criterion === treeTargetCriteria.absoluteError && "y" in targets) {
    const own = { x: absoluteRows(where, x), categories, y: targets.y, weights };
    yield* growAbsoluteForest(own, controls, samples);
    return;
  }
  const columns = treeColumns(where, task.rows, controls);
  try {
    yield* growForest(where, columns, targets, weights, controls, samples);
  } finally {
    columns.close();
  }
}

function drawSamples(where: string, rows: number, params: ForestParams): TreeSample[] {
  const { nEstimators, bootstrap, maxSamples, randomState } = params;
  const random = new Random(randomState);
  const most = countOf(where, "maxSamples", maxSamples ?? 1, rows, Math.round);
  return Array.from({ length: nEstimators }, () => {
    const seed = seedOf(Math.floor(random.uniform() * 2 ** 32));
    if (!bootstrap) return { counts: undefined, seed };
    const counts = new Int32Array(rows);
    for (let e = 0; e < most; e++) counts[Math.floor(random.uniform() * rows)]!++;
    return { counts, seed };
  });
}

/** Which rows every tree has drawn: the same text for the same numbers in X and the same parameters. */
function drawOf(x: Design, { maxSamples, randomState }: ForestParams): string {
  const parts = x instanceof Matrix ? [x.data] : [x.values, x.indices, x.indptr];
  const hashes = parts.map(({ buffer, byteOffset, byteLength }) => {
    let hash = 0x811c9dc5;
    // FNV-1a, by words instead of bytes.
    for (const word of new Uint32Array(buffer, byteOffset, byteLength >> 2))
      hash = Math.imul(hash ^ word, 0x01000193);
    return (hash >>> 0).toString(16);
  });
  return [x.rows, maxSamples, randomState, ...hashes].join(" ");
}

/** Out-of-bag predictions: the mean over the trees that did not draw the row, `width` numbers per row; NaN where every tree drew it. */
function outOfBagMeans(x: Design, trees: readonly Tree[], samples: readonly TreeSample[]): Float64Array {
  const { width } = trees[0]!.grown;
  const out = new Float64Array(x.rows * width);
  const votes = new Int32Array(x.rows);
  for (const [t, { grown }] of trees.entries()) {
    const { counts } = samples[t]!;
    for (let i = 0; i < x.rows; i++) {
      if (counts === undefined || counts[i]! > 0) continue;
      const leaf = leafOfRow(grown, x, i);
      for (let k = 0; k < width; k++) out[i * width + k]! += grown.values[leaf * width + k]!;
      votes[i]!++;
    }
  }
  for (let i = 0; i < x.rows; i++) {
    for (let k = 0; k < width; k++) out[i * width + k]! /= votes[i]! > 0 ? votes[i]! : Number.NaN;
  }
  return out;
}

/** What a forest has learned. */
export interface ForestState {
  readonly id: string;
  readonly params: object;
  readonly trees: readonly Tree[];
  readonly oobScore: number | undefined;
  /** With an oobScore: tells whether other rows would be out of bag. */
  readonly draw: string | undefined;
}

/** What fitted forest classifiers and regressors share. */
export abstract class FittedForest extends Model {
  protected readonly learned: ForestState;
  #packed: PackedForest | undefined;

  constructor(state: ForestState) {
    super();
    this.learned = state;
  }

  get trees(): readonly Tree[] {
    return this.learned.trees;
  }

  protected get id(): string {
    return this.learned.id;
  }

  get nFeatures(): number {
    return this.trees[0]!.nFeatures;
  }

  /** Of the estimator that has fitted it. */
  get estimatorId(): string {
    return this.learned.id;
  }

  /** With `oobScore`: the same text for forests whose trees have drawn the same rows. */
  get draw(): string | undefined {
    return this.learned.draw;
  }

  /** Column names, if X was a table in fit. */
  get featureNamesIn(): readonly string[] | undefined {
    return this.trees[0]!.columns?.names;
  }

  /**
   * Out-of-bag accuracy or R². Undefined unless `oobScore` was set, if too few rows were out of bag, or after `resume` of a forest that
   * was grown on other rows or without `oobScore`: which rows its trees have drawn is not known.
   */
  get oobScore(): number | undefined {
    return this.learned.oobScore;
  }

  /** Impurity decrease per column, averaged over the trees; they sum to 1. */
  get featureImportances(): Float64Array {
    const sums = new Float64Array(this.nFeatures);
    for (const { importances } of this.trees)
      for (let j = 0; j < sums.length; j++) sums[j]! += importances[j]!;
    const total = sums.reduce((sum, v) => sum + v, 0);
    return total > 0 ? sums.map((v) => v / total) : sums;
  }

  /** Leaf index of each row in each tree: one column per tree. */
  apply(x: MatrixLike): Matrix {
    const where = `${this.id}.apply`;
    const rows = this.trees[0]!.rowsOf(where, x);
    const out = Matrix.zeros(rows.rows, this.trees.length);
    for (const [t, tree] of this.trees.entries()) {
      const leaves = tree.leavesOf(where, rows);
      for (let i = 0; i < leaves.length; i++) out.data[i * out.cols + t] = leaves[i]!;
    }
    return out;
  }

  /** The nodes that each row passes in each tree, from root to leaf: one list of rows per tree, as `decisionPath` of a tree. */
  decisionPath(x: MatrixLike): Int32Array[][] {
    const where = `${this.id}.decisionPath`;
    return this.trees.map((tree) => tree.paths(where, x));
  }

  [structure](): Structure {
    return treeStructure(this, this.trees);
  }

  /** The mean over the trees of the values of each row's leaf. */
  protected means(where: string, x: MatrixLike): Float64Array {
    const rows = this.trees[0]!.rowsOf(where, x);
    const grown = this.trees.map((tree) => tree.grown);
    this.#packed ??= new PackedForest(grown);
    const sums = treeSums(where, rows, grown, this.#packed);
    for (let e = 0; e < sums.length; e++) sums[e]! /= grown.length;
    return sums;
  }

  protected stateWith(values: Readonly<Record<string, Json>>): ModelState {
    const { id, params, trees, oobScore, draw } = this.learned;
    const { columns } = trees[0]!;
    return {
      kind: id,
      params: describeParams(params),
      values: {
        ...values,
        nFeatures: this.nFeatures,
        ...(oobScore === undefined ? {} : { oobScore }),
        ...(draw === undefined ? {} : { draw }),
        ...(columns ? { columns: columns.toJson() } : {}),
      },
      tensors: concatenate(trees),
    };
  }
}

/** The tensors of all trees, concatenated; `sizes` has the number of nodes and of pooled categories per tree. */
function concatenate(forest: readonly Tree[]): Record<string, Tensor> {
  const categories = forest.some((tree) => tree.hasCategories);
  const trees = forest.map((tree) => tree.toTensors(categories));
  const out: Record<string, Tensor> = {};
  for (const [name, { data, shape }] of Object.entries(trees[0]!)) {
    const length = trees.reduce((sum, tree) => sum + tree[name]!.data.length, 0);
    const all = data instanceof Float64Array ? new Float64Array(length) : new Int32Array(length);
    let at = 0;
    for (const tree of trees) {
      all.set(tree[name]!.data, at);
      at += tree[name]!.data.length;
    }
    out[name] = { shape: shape.length === 2 ? [length / shape[1]!, shape[1]!] : [length], data: all };
  }
  const sizes = forest.flatMap(({ nodeCount, grown }) => [nodeCount, grown.pool.length]);
  out["sizes"] = { shape: [trees.length, 2], data: Int32Array.from(sizes) };
  return out;
}

/** The inverse of `stateWith`, with `width` values per leaf. */
export function readForest(reader: StateReader, width: number): ForestState {
  const { kind: id, params, values } = reader.state;
  const nFeatures = reader.count("nFeatures");
  const columns = readTableColumns(reader, nFeatures);
  const trees = splitTrees(reader, width).map((tree) =>
    readTree(new StateReader(tree), width, nFeatures, columns),
  );
  const oobScore = values["oobScore"] === undefined ? undefined : reader.number("oobScore");
  const draw = values["draw"] === undefined ? undefined : reader.text("draw");
  return { id, params, trees, oobScore, draw };
}

/** The inverse of `concatenate`. */
function splitTrees(reader: StateReader, width: number): ModelState[] {
  const sizes = reader.integers("sizes", [-1, 2]);
  const { tensors } = reader.state;
  const names = Object.keys(tensors).filter((name) => name !== "sizes");
  const total = (e: number) => sizes.reduce((sum, size, at) => sum + (at % 2 === e ? size : 0), 0);
  if (sizes.length === 0 || sizes.some((size) => size < 0))
    reader.fail("sizes", "the sizes of at least one tree", "none");
  for (const name of names) {
    const expected = name === "pool" ? total(1) : name === "values" ? total(0) * width : total(0);
    if (tensors[name]!.data.length !== expected) reader.fail(name, `${expected} long`, "another length");
  }
  const trees: ModelState[] = [];
  let [node, listed] = [0, 0];
  for (let t = 0; t < sizes.length / 2; t++) {
    const [nodes, lists] = [sizes[2 * t]!, sizes[2 * t + 1]!];
    const own: Record<string, Tensor> = {};
    for (const name of names) {
      const each = name === "values" ? width : 1;
      const [from, count] = name === "pool" ? [listed, lists] : [node * each, nodes * each];
      const data = tensors[name]!.data.subarray(from, from + count) as Float64Array | Int32Array;
      own[name] = { shape: name === "values" ? [nodes, width] : [count], data };
    }
    trees.push({ ...reader.state, tensors: own });
    node += nodes;
    listed += lists;
  }
  return trees;
}
