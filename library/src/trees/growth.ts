import { DataError, ParameterError, show } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import type { ParamSpec, ParamValues } from "../core/params/params.js";
import { choice, either, integer, invalid, optional, randomState, real } from "../core/params/params.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { denseWithin } from "../data/dense-within.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { OpenedX, TableColumns } from "../data/table/table-columns.js";
import { categoricalColumns, categoricalFeatures } from "../data/table/table-columns.js";
import { maxBins } from "../numeric/trees/column-bins.js";
import type { TreeColumns, TreeControls } from "../numeric/trees/grow-tree.js";
import { SortedColumns, SparseTreeColumns } from "../numeric/trees/grow-tree.js";
import type { ClassCriterion, TreeTargetCriterion } from "./impurities.js";
import { classCriteria, treeTargetCriteria } from "./impurities.js";

/** A number of rows, or a proportion of them. */
const rowsOrProportion = (atLeast: number, doc: string) =>
  either(integer({ atLeast, default: atLeast, doc }), real({ above: 0, below: 1, default: 0.5, doc: "" }));

const maxFeatures: ParamSpec<number | "sqrt" | "log2" | null> = {
  kind: "union",
  default: null,
  doc: 'Columns considered for each split, drawn at random: a number, a proportion, "sqrt", "log2", or null for all.',
  expected: '"sqrt", "log2", an integer ≥ 1, a proportion above 0 and below 1, or null',
  choices: ["sqrt", "log2", null],
  read: (value) => {
    if (value === null || value === "sqrt" || value === "log2") return value;
    if (typeof value !== "number") return invalid;
    return (Number.isSafeInteger(value) && value >= 1) || (value > 0 && value < 1) ? value : invalid;
  },
};

const classCriterionNames = Object.keys(classCriteria) as [ClassCriterion, ...ClassCriterion[]];
const targetCriterionNames = Object.keys(treeTargetCriteria) as [
  TreeTargetCriterion,
  ...TreeTargetCriterion[],
];

/** The criterion of classification trees. */
export const classCriterion = choice(classCriterionNames, {
  default: "gini",
  doc: "Impurity that splits minimise; deviance is another name for entropy.",
});

/** The criterion of regression trees. */
export const targetCriterion = choice(targetCriterionNames, {
  default: "squaredError",
  doc: "Error that splits minimise: squared error, Poisson deviance (y are counts), or absolute error from the median.",
});

/** The parameters that all trees share. */
export const growthParams = {
  splitter: choice(["best", "random"], {
    default: "best",
    doc: '"best" considers every threshold of a column, "random" one random threshold.',
  }),
  maxDepth: optional(
    integer({ atLeast: 1, default: 1, doc: "Maximum depth of the tree; null for no limit." }),
  ),
  maxSplits: optional(
    integer({
      atLeast: 0,
      default: 0,
      doc: "Maximum number of splits, best first; null for no limit.",
    }),
  ),
  maxLeafNodes: optional(
    integer({
      atLeast: 2,
      default: 2,
      doc: "Maximum number of leaves, grown best first; null for no limit.",
    }),
  ),
  minSamplesSplit: rowsOrProportion(
    2,
    "Minimum number of rows to split a node, or a proportion of all rows.",
  ),
  minSamplesLeaf: rowsOrProportion(1, "Minimum number of rows per leaf, or a proportion of all rows."),
  minWeightFractionLeaf: real({
    atLeast: 0,
    atMost: 0.5,
    default: 0,
    doc: "Minimum weight of a leaf, as a proportion of the total weight.",
  }),
  minImpurityDecrease: real({
    atLeast: 0,
    default: 0,
    doc: "Minimum decrease of impurity by a split, weighted by the node's proportion of all rows.",
  }),
  maxFeatures,
  ccpAlpha: real({
    atLeast: 0,
    default: 0,
    doc: "Complexity parameter α of cost-complexity pruning; 0 for no pruning.",
  }),
  categoricalFeatures,
  randomState: randomState(),
};
export type GrowthParams = ParamValues<typeof growthParams>;

/** Limits and criterion for the kernel, for a tree on rows of this total weight. */
export function controlsOf(
  id: string,
  params: Omit<GrowthParams, "ccpAlpha" | "categoricalFeatures">,
  criterion: number,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  weight: number,
): TreeControls {
  const { minSamplesSplit, minSamplesLeaf, maxSplits, maxLeafNodes, maxFeatures } = params;
  const leaves = maxSplits === null ? maxLeafNodes : Math.min(maxSplits + 1, maxLeafNodes ?? Infinity);
  const most = featureCount(maxFeatures, cols);
  if (most > cols) {
    const expected = `at most ${cols}, the number of columns of X`;
    throw new ParameterError(id, "maxFeatures", expected, show(maxFeatures));
  }
  return {
    criterion,
    maxDepth: params.maxDepth ?? Infinity,
    minSplit: minSamplesSplit < 1 ? Math.max(2, Math.ceil(minSamplesSplit * rows)) : minSamplesSplit,
    minLeaf: minSamplesLeaf < 1 ? Math.ceil(minSamplesLeaf * rows) : minSamplesLeaf,
    // Not 0 · Infinity.
    minWeight: params.minWeightFractionLeaf === 0 ? 0 : params.minWeightFractionLeaf * weight,
    minDecrease: params.minImpurityDecrease,
    maxFeatures: most,
    maxLeaves: leaves ?? 0,
    random: params.splitter === "random",
    seed: seedOf(params.randomState),
  };
}

function featureCount(rule: number | "sqrt" | "log2" | null, cols: number): number {
  if (rule === null) return cols;
  if (rule === "sqrt") return Math.max(1, Math.floor(Math.sqrt(cols)));
  if (rule === "log2") return Math.max(1, 31 - Math.clz32(cols));
  return rule < 1 ? Math.max(1, Math.floor(rule * cols)) : rule;
}

/** A 32-bit number for the kernel's generator, which must not be 0. */
export function seedOf(randomState: number): number {
  const random = new Random(randomState);
  return 1 + Math.floor(random.uniform() * 0xfffffffe);
}

/** Thresholds are midpoints, which infinite values do not have. */
export function requireNoInfinity(where: string, x: Design): void {
  const values = x instanceof Matrix ? x.data : x.values;
  // 0·x is NaN for infinite and missing values; only then search for one.
  let sum = 0;
  for (let e = 0; e < values.length; e++) sum += 0 * values[e]!;
  if (sum === 0) return;
  const wrong = values.findIndex((v) => v === Infinity || v === -Infinity);
  if (wrong < 0) return;
  const expected = "finite, or NaN for a missing value";
  const received = `${values[wrong]}${x instanceof Matrix ? ` in row ${Math.floor(wrong / x.cols)}` : ""}`;
  throw new DataError(where, "X", expected, received);
}

/** Limit of categories per column: every split on it stores a list of them. */
const MAX_CATEGORIES = 2 ** 24;

/** Training rows of trees. */
export interface TreeRows {
  readonly x: Design;
  /** Number of categories per column, coded 0, 1, …; 0 for a numeric column. */
  readonly categories: Int32Array;
  /** Names and categories of the columns, if X was a table. */
  readonly columns: TableColumns | undefined;
}

/** The rows of an opened X without those of weight 0; a table's categories are those that occur in them. Sparse rows stay sparse if no column is categorical. */
export function treeRows(
  where: string,
  design: Design,
  opened: OpenedX,
  categorical: readonly (number | string)[],
): TreeRows {
  requireNoInfinity(where, design);
  if (design instanceof CsrMatrix && categorical.length === 0)
    return { x: design, columns: undefined, categories: new Int32Array(design.cols) };
  const dense = denseWithin(where, design, "categorical columns need");
  const { x, columns } = opened.columns?.seenIn(dense) ?? { x: dense, columns: undefined };
  return { x, columns, categories: categoryCounts(where, x, categorical, columns) };
}

/** Number of categories per column; 0 for a numeric one. */
export function categoryCounts(
  where: string,
  x: Matrix,
  categorical: readonly (number | string)[],
  columns?: TableColumns,
): Int32Array {
  const counts = new Int32Array(x.cols);
  for (const j of categoricalColumns(where, categorical, x.cols, columns)) {
    counts[j] = 1;
    for (let i = 0; i < x.rows; i++) counts[j] = Math.max(counts[j]!, requireCode(where, x, i, j) + 1);
  }
  return counts;
}

function requireCode(where: string, x: Matrix, i: number, j: number): number {
  const value = x.at(i, j);
  if (Number.isNaN(value)) return 0;
  if (Number.isInteger(value) && value >= 0 && value < MAX_CATEGORIES) return value;
  const expected = `an integer from 0 to ${MAX_CATEGORIES - 1} (see OrdinalEncoder)`;
  throw new DataError(where, `X[${i}, ${j}], a category,`, expected, show(value));
}

/** Sorted columns to grow trees on. The caller closes them. */
export function treeColumns(
  where: string,
  { x, categories }: Pick<TreeRows, "x" | "categories">,
  { maxFeatures, random }: TreeControls,
): TreeColumns {
  if (x instanceof CsrMatrix) return new SparseTreeColumns(where, x, maxFeatures);
  return new SortedColumns(where, x, categories, random, maxBins(x.rows, x.cols, maxFeatures, random));
}

/** Dense rows, which trees by absolute error require. */
export const absoluteRows = (where: string, x: Design): Matrix =>
  denseWithin(where, x, "trees by absolute error need");
