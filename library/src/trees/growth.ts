import { DataError, ParameterError, show } from "../core/errors.js";
import {
  choice,
  either,
  integer,
  invalid,
  optional,
  type ParamSpec,
  type ParamValues,
  randomState,
  real,
} from "../core/params.js";
import { Random } from "../core/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { denseWithin } from "../data/dense-within.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import {
  categoricalColumns,
  categoricalFeatures,
  type OpenedX,
  type TableColumns,
} from "../data/table-columns.js";
import {
  SortedColumns,
  SparseTreeColumns,
  type TreeColumns,
  type TreeControls,
} from "../numeric/trees/grow-tree.js";
import {
  type ClassCriterion,
  classCriteria,
  type TreeTargetCriterion,
  treeTargetCriteria,
} from "./impurities.js";

/** A number of rows, or their share of all. */
const rowsOrShare = (atLeast: number, doc: string) =>
  either(integer({ atLeast, default: atLeast, doc }), real({ above: 0, below: 1, default: 0.5, doc: "" }));

const maxFeatures: ParamSpec<number | "sqrt" | "log2" | null> = {
  kind: "union",
  default: null,
  doc: 'Columns that are looked at for a split, drawn anew for each: a number, a share, "sqrt", "log2", or null for all.',
  expected: '"sqrt", "log2", an integer ≥ 1, a share above 0 and below 1, or null',
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
    doc: '"best": the best threshold of every column; "random": one that is drawn.',
  }),
  maxDepth: optional(integer({ atLeast: 1, default: 1, doc: "Most questions from the root to a leaf." })),
  maxSplits: optional(
    integer({
      atLeast: 0,
      default: 0,
      doc: "Most nodes that are split; the tree grows where it gains most.",
    }),
  ),
  maxLeafNodes: optional(
    integer({ atLeast: 2, default: 2, doc: "Most leaves; the tree grows where it gains most." }),
  ),
  minSamplesSplit: rowsOrShare(2, "Fewest rows of a node that is split, or their share of all."),
  minSamplesLeaf: rowsOrShare(1, "Fewest rows of a leaf, or their share of all."),
  minWeightFractionLeaf: real({
    atLeast: 0,
    atMost: 0.5,
    default: 0,
    doc: "Least weight of a leaf, as a share of all.",
  }),
  minImpurityDecrease: real({
    atLeast: 0,
    default: 0,
    doc: "Least fall of impurity by a split, weighted by the node's share of all rows.",
  }),
  maxFeatures,
  ccpAlpha: real({
    atLeast: 0,
    default: 0,
    doc: "Cut back branches that gain less than this for each leaf (cost-complexity pruning).",
  }),
  categoricalFeatures,
  randomState: randomState(),
};
export type GrowthParams = ParamValues<typeof growthParams>;

/** How the kernel grows a tree on `rows` rows of this weight. */
export function controlsOf(
  id: string,
  params: Omit<GrowthParams, "ccpAlpha" | "categoricalFeatures">,
  criterion: number,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  weight: number,
): TreeControls {
  const { minSamplesSplit, minSamplesLeaf, maxSplits, maxLeafNodes, maxFeatures } = params;
  const leaves = maxSplits === null ? maxLeafNodes : Math.min(maxSplits + 1, maxLeafNodes ?? Infinity);
  const most = featuresOf(maxFeatures, cols);
  if (most > cols) {
    throw new ParameterError({
      where: id,
      subject: "maxFeatures",
      expected: `at most ${cols}, as X has columns`,
      received: show(maxFeatures),
    });
  }
  return {
    criterion,
    maxDepth: params.maxDepth ?? Infinity,
    minSplit: minSamplesSplit < 1 ? Math.max(2, Math.ceil(minSamplesSplit * rows)) : minSamplesSplit,
    minLeaf: minSamplesLeaf < 1 ? Math.ceil(minSamplesLeaf * rows) : minSamplesLeaf,
    // 0 of a weight without bound is 0.
    minWeight: params.minWeightFractionLeaf === 0 ? 0 : params.minWeightFractionLeaf * weight,
    minDecrease: params.minImpurityDecrease,
    maxFeatures: most,
    maxLeaves: leaves ?? 0,
    random: params.splitter === "random",
    seed: seedOf(params.randomState),
  };
}

function featuresOf(rule: number | "sqrt" | "log2" | null, cols: number): number {
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

/** Trees ask about values in order: what is infinite has no middle to the next. */
export function requireNoInfinity(where: string, x: Design): void {
  const values = x instanceof Matrix ? x.data : x.values;
  // 0·x is NaN for what is infinite or missing: only then is it worth looking for it.
  let sum = 0;
  for (let e = 0; e < values.length; e++) sum += 0 * values[e]!;
  if (sum === 0) return;
  const wrong = values.findIndex((v) => v === Infinity || v === -Infinity);
  if (wrong < 0) return;
  throw new DataError({
    where,
    subject: "X",
    expected: "finite (NaN: missing)",
    received: `${values[wrong]}${x instanceof Matrix ? ` in row ${Math.floor(wrong / x.cols)}` : ""}`,
  });
}

/** The most categories of a column: a list of them is kept for every question about it. */
const MOST_CATEGORIES = 2 ** 24;

/** What trees learn from. */
export interface TreeRows {
  readonly x: Design;
  /** How many categories each column has, coded 0, 1, …; 0 for numbers. */
  readonly categories: Int32Array;
  /** What the columns stand for, where they come from a table. */
  readonly columns: TableColumns | undefined;
}

/** The rows that are left of an opened X, sparse ones without categories as they are; a table's categories are those that they have. */
export function treeRows(
  where: string,
  design: Design,
  opened: OpenedX,
  categorical: readonly (number | string)[],
): TreeRows {
  requireNoInfinity(where, design);
  if (design instanceof CsrMatrix && categorical.length === 0)
    return { x: design, columns: undefined, categories: new Int32Array(design.cols) };
  const dense = denseWithin(where, design, "columns of categories need");
  const { x, columns } = opened.columns?.seenIn(dense) ?? { x: dense, columns: undefined };
  return { x, columns, categories: categoryCounts(where, x, categorical, columns) };
}

/** How many categories each column has, 0 for numbers. */
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
  if (Number.isInteger(value) && value >= 0 && value < MOST_CATEGORIES) return value;
  throw new DataError({
    where,
    subject: `X[${i}, ${j}], a category,`,
    expected: `a whole number from 0 to ${MOST_CATEGORIES - 1} (OrdinalEncoder makes them)`,
    received: show(value),
  });
}

/** The columns to grow trees on, sorted. The caller closes them. */
export function treeColumns(
  where: string,
  { x, categories }: Pick<TreeRows, "x" | "categories">,
  { maxFeatures, random }: TreeControls,
): TreeColumns {
  if (x instanceof CsrMatrix) return new SparseTreeColumns(where, x, maxFeatures);
  return new SortedColumns(where, x, categories, random);
}

/** Rows for trees by absolute error, which are grown on dense ones. */
export const absoluteRows = (where: string, x: Design): Matrix =>
  denseWithin(where, x, "trees by absolute error need");
