import { Random } from "../core/numbers/random.js";
import type { Matrix } from "../data/matrix.js";
import type { TableColumns } from "../data/table/table-columns.js";
import type { BinnedColumn } from "../numeric/boosting/bins.js";
import type { TreeLimits } from "../numeric/boosting/histogram-growth.js";
import type { ColumnRestrictions } from "../numeric/boosting/restrictions.js";
import { binColumns, categoryBins } from "./hist-bins.js";
import { interactionGroups } from "./hist-interactions.js";
import type { HistParams } from "./hist-params.js";
import { type BegunRounds, checkMonotonic, treeLimits } from "./hist-rounds.js";
import { Scores } from "./hist-scores.js";

/** What is known of rows before they are boosted, wherever they are. */
export interface SummedRows {
  readonly where: string;
  readonly table: TableColumns | undefined;
  /** The training rows, or a sample of them, for the edges of bins. */
  readonly sample: Matrix;
  /** Columns of categories, and theirs, ascending. */
  readonly categories: ReadonlyMap<number, Float64Array>;
  /** Raw predictions before the first tree, one per score. */
  readonly baseline: Float64Array;
  readonly meanWeight: number;
  /** That of the weights. */
  readonly scale: number;
  /** Whether to stop when the score no longer improves. */
  readonly stops: boolean;
}

/** A boosting run on rows that others sum. */
export interface SummedRun {
  readonly columns: readonly BinnedColumn[];
  readonly limits: TreeLimits & ColumnRestrictions;
  readonly begun: BegunRounds;
}

export function summedRun(params: HistParams, rows: SummedRows): SummedRun {
  const { where, table, sample, categories, baseline, meanWeight, scale, stops } = rows;
  const categorical = [...categories.keys()];
  checkMonotonic(params, where, sample.cols, categorical, baseline.length);
  // Drawn as in memory, so that columns that are drawn are the same.
  const random = new Random(params.randomState);
  const columns = binColumns(where, sample, null, [], params.maxBins, random, table);
  for (const [j, values] of categories) columns[j] = categoryBins(where, j, values, params.maxBins, table);
  const limits = {
    ...treeLimits(params, meanWeight, scale),
    groups: interactionGroups(where, params.interactionCst, sample.cols, table),
    maxFeatures: params.maxFeatures,
    seed: random.uint32() || 1,
  };
  const never = { y: new Float64Array(), rows: null, weights: undefined };
  const raw = () => {
    throw new Error("predictions stay where the rows are");
  };
  const task = { where, predictor: raw };
  const scores = new Scores(task, "loss", { train: never, validation: null, raw }, scale);
  const begun = {
    columns,
    baseline,
    table,
    validationGiven: false,
    first: undefined,
    done: 0,
    stops,
    scale,
    scores,
  };
  return { columns, limits, begun };
}
