import type { FitReport, MatrixLike } from "../core/contract.js";
import { ArgmaxError, ParameterError, show } from "../core/errors.js";
import type { Step, Steps } from "../core/estimator.js";
import { Random } from "../core/numbers/random.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { categoricalColumns, type OpenedX, type TableColumns } from "../data/table/table-columns.js";
import type { BinnedColumn } from "../numeric/boosting/bins.js";
import type { GrownTree } from "../numeric/boosting/boosted-tree.js";
import {
  Boosting,
  type BoostingLoss,
  type BoostingRows,
  type RoundLosses,
} from "../numeric/boosting/gradient-boosting.js";
import type { TreeLimits } from "../numeric/boosting/histogram-growth.js";
import { type RelativeWeights, relativeWeights } from "../numeric/rows/relative-weights.js";
import { unitScale } from "../numeric/rows/unit-scale.js";
import { trainTestSplit } from "../selection/train-test-split.js";
import type { FittedHist, FittedHistState } from "./fitted-hist.js";
import { binColumns } from "./hist-bins.js";
import { interactionGroups } from "./hist-interactions.js";
import { quantileOf } from "./hist-losses.js";
import type { HistParams } from "./hist-params.js";
import { type Predictor, Scores } from "./hist-scores.js";
import { HistTrees } from "./hist-trees.js";
import { resumedRounds } from "./resumed-rounds.js";

/** Number of rows above which `earlyStopping: "auto"` is true. */
const AUTO_ROWS = 10_000;
/** Minimum sum of hessians on either side of a split. Parity: scikit-learn's min_hessian_to_split. */
const MIN_HESSIAN = 1e-3;

/** Training rows. */
export interface HistRows {
  readonly x: Matrix;
  /** Indices of the categorical columns. */
  readonly categorical: readonly number[];
  /** Names and categories of the columns, if X was a table. */
  readonly table: TableColumns | undefined;
}

/** The rows of an opened X without those of weight 0; a table's categories are those that occur in them. */
export function histRows(where: string, design: Design, opened: OpenedX, params: HistParams): HistRows {
  const dense = design as Matrix;
  const { x, columns: table } = opened.columns?.seenIn(dense) ?? { x: dense, columns: undefined };
  const categorical = categoricalColumns(where, params.categoricalFeatures, x.cols, table);
  return { x, categorical, table };
}

/** Rows for early stopping, encoded like the training rows. */
export interface HistValidation {
  readonly x: Matrix;
  /** Targets, or class indices. */
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
}

/** Reads validation rows as the model will at predict time: categories that no training row has are missing values. */
export const validationReader =
  ({ x, categorical, table }: HistRows) =>
  (where: string, given: MatrixLike): Matrix => {
    const own = table ? table.read(where, given) : given;
    const read = readMatrix(where, own, { like: { nFeatures: x.cols }, missing: true, sparse: false });
    if (categorical.length === 0) return read;
    const data = read.data.slice();
    for (const j of categorical) {
      const known = new Set(x.column(j));
      for (let at = j; at < data.length; at += x.cols) if (!known.has(data[at]!)) data[at] = Number.NaN;
    }
    return new Matrix(data, read.rows, read.cols);
  };

/** What the trees are fitted to. */
export interface HistTask extends HistRows {
  /** Of the estimator. */
  readonly id: string;
  readonly where: string;
  /** A model that rounds are added to. */
  readonly resume: FittedHist | undefined;
  /** Targets, or class indices. */
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
  /** Rows for early stopping; a fraction of the training rows unless given. */
  readonly validation: HistValidation | undefined;
  readonly loss: BoostingLoss;
  readonly quantile: number;
  /** Whether held-out rows are stratified by class. */
  readonly stratify: boolean;
  /** Raw predictions before the first tree, one per score. */
  readonly baseline: (y: Float64Array, weights: Float64Array | undefined) => Float64Array;
  /** From raw predictions to what scorers ask of a model. */
  readonly predictor: (raw: Matrix) => Predictor;
  /** Index of the positive one of two classes; −1 where there is none. */
  readonly positive?: number;
}

/** What has been learned after some rounds. */
export interface HistState {
  readonly table: TableColumns | undefined;
  readonly trees: HistTrees;
  readonly baseline: Float64Array;
  readonly trainScore: Float64Array;
  readonly validationScore: Float64Array;
  /** Whether these are scores of rows that `fit` was given. */
  readonly validationGiven: boolean;
  readonly report: FitReport;
}

/** The fit, round by round; `fitted` builds a model from the first rounds or from all. */
export function* histSteps<M>(
  given: HistTask,
  params: HistParams,
  fitted: (state: HistState) => M,
): Steps<M> {
  // Constants that are added to sums of weighted hessians are scaled with them: leaf values stay the same, gains are scaled back.
  const { weights, scale } = moderateWeights(given.weights);
  const task = { ...given, weights };
  const { where, categorical, table, loss } = task;
  checkMonotonic(params, where, task.x.cols, categorical, task.baseline(task.y, undefined).length);
  const random = new Random(params.randomState);
  const { x, train, validation, stops } = task.validation
    ? withValidation(task, task.validation)
    : { x: task.x, ...holdOut(task, params, random) };
  const columns = binColumns(where, x, train.rows, categorical, params.maxBins, random, table);
  const fresh = task.baseline(train.y, train.weights);
  const K = fresh.length;
  const first = resumedRounds(task, params, columns, K, validation !== null);
  const done = first ? first.trees.count / K : 0;
  const baseline = first?.baseline ?? fresh;
  const boosting = new Boosting(where, {
    ...{ x, columns, train, validation, loss, quantile: task.quantile, baseline },
    ...treeLimits(params, meanWeight(train, scale), scale),
    maxFeatures: params.maxFeatures,
    trees: (params.maxIter - done) * K,
    groups: interactionGroups(where, params.interactionCst, x.cols, table),
    seed: (random.uint32() + done) >>> 0 || 1,
  });
  try {
    const raw = (of: "train" | "validation") => boosting.rawPredictions(of);
    const scores = new Scores(task, params.scoring, { train, validation, raw }, scale);
    if (first !== undefined) {
      const rawOf = ({ rows }: BoostingRows) =>
        first.trees.scores(where, rows ? x.selectRows(rows) : x, baseline);
      boosting.begin(rawOf(train), validation && rawOf(validation));
      scores.begin(first);
    }
    const rows: RoundRows = {
      losses: () => boosting.losses(),
      grow: () => Array.from(baseline, (_, k) => grownTree(boosting, k, task, params.learningRate)),
    };
    const validationGiven = task.validation !== undefined;
    const begun = { columns, baseline, table, validationGiven, first, done, stops, scale, scores };
    return yield* boostingRounds(rows, params, begun, fitted);
  } finally {
    boosting.close();
  }
}

/** The rows of a boosting run, as rounds ask for them; answers of the type A are pending. */
export interface RoundRows<A = never> {
  /** Computes the gradients for the next trees. */
  losses(): RoundLosses | A;
  /** Grows the trees of a round, one per score, and adds them to the raw predictions. */
  grow(): readonly GrownTree[] | A;
}

/** A run before its first round. */
export interface BegunRounds {
  readonly columns: readonly BinnedColumn[];
  readonly baseline: Float64Array;
  readonly table: TableColumns | undefined;
  readonly validationGiven: boolean;
  /** What rounds are added to, and how many it has. */
  readonly first: FittedHistState | undefined;
  readonly done: number;
  /** Whether to stop when the score no longer improves. */
  readonly stops: boolean;
  /** That of the weights. */
  readonly scale: number;
  readonly scores: Scores;
}

/** The rounds, whoever sums the rows. */
export function boostingRounds<M>(
  rows: RoundRows,
  params: HistParams,
  begun: BegunRounds,
  fitted: (state: HistState) => M,
): Steps<M>;
export function boostingRounds<M, A extends PromiseLike<unknown>>(
  rows: RoundRows<A>,
  params: HistParams,
  begun: BegunRounds,
  fitted: (state: HistState) => M,
): Generator<A | Step<M>, M, unknown>;
export function* boostingRounds<M, A extends PromiseLike<unknown>>(
  rows: RoundRows<A>,
  params: HistParams,
  { columns, baseline, table, validationGiven, first, done, stops, scale, scores }: BegunRounds,
  fitted: (state: HistState) => M,
): Generator<A | Step<M>, M, unknown> {
  const K = baseline.length;
  const grown: GrownTree[] = [];
  scores.record(yield* answered<RoundLosses, A>(rows.losses()));
  let stopped = first !== undefined && stops && scores.stalled(params.nIterNoChange, params.tol);
  const modelOf = (rounds: number, cutOff: boolean) => {
    const added = HistTrees.of(columns, K, grown.slice(0, (rounds - done) * K));
    const trees = first ? first.trees.followedBy(added) : added;
    return fitted({ trees, baseline, table, validationGiven, ...scores.after(rounds, cutOff) });
  };
  for (let iteration = done + 1; iteration <= params.maxIter && !stopped; iteration++) {
    for (const tree of yield* answered<readonly GrownTree[], A>(rows.grow()))
      grown.push(withGainsOver(scale, tree));
    scores.record(yield* answered<RoundLosses, A>(rows.losses()));
    stopped = stops && scores.stalled(params.nIterNoChange, params.tol);
    yield {
      iteration,
      total: params.maxIter,
      objective: scores.lastLoss,
      model: () => modelOf(iteration, false),
    };
  }
  return modelOf(done + grown.length / K, stops && !stopped);
}

/** An answer, once it is there. */
function* answered<T extends object, A extends PromiseLike<unknown>>(
  answer: T | A,
): Generator<A, T, unknown> {
  return "then" in answer ? ((yield answer) as T) : answer;
}

/** What bounds the trees, from the mean weight of the rows; `scale` is that of the weights. */
export const treeLimits = (params: HistParams, meanWeight: number, scale: number): TreeLimits => ({
  maxLeaves: params.maxLeafNodes ?? Infinity,
  maxDepth: params.maxDepth ?? Infinity,
  minSamplesLeaf: params.minSamplesLeaf,
  // Light rows lower the least hessian, so that they are split like others.
  minHessian: MIN_HESSIAN * Math.min(scale, meanWeight),
  l2: params.l2Regularization * scale,
  learningRate: params.learningRate,
  monotone: params.monotonicCst && Int32Array.from(params.monotonicCst),
});

/** Grows one tree and adds it to the predictions. With a loss without curvature, leaves are quantiles of their residuals. */
function grownTree(
  boosting: Boosting,
  k: number,
  { loss, quantile }: HistTask,
  learningRate: number,
): GrownTree {
  let tree = boosting.grow(k);
  const noCurvature = loss === "absoluteError" || loss === "quantile";
  if (noCurvature && tree.count > 1)
    tree = boosting.setLeafQuantiles(loss === "quantile" ? quantile : 0.5, learningRate, quantileOf);
  boosting.add(k);
  return tree;
}

const meanWeight = ({ weights }: BoostingRows, scale: number): number =>
  weights === undefined ? scale : weights.reduce((sum, w) => sum + w, 0) / weights.length;

/** Range of the largest weight in which sums and squares of gradients neither overflow nor underflow. */
const MIN_WEIGHT = 2 ** -20;
const MAX_WEIGHT = 2 ** 40;

function moderateWeights(weights: Float64Array | undefined): RelativeWeights {
  const most = weights ? weights.reduce((m, w) => Math.max(m, w), 0) : 1;
  return moderateScale(most) === 1 ? { weights, scale: 1 } : relativeWeights(weights);
}

/** The power of 2 that weights are multiplied by, from the largest of them. */
export const moderateScale = (most: number): number =>
  most >= MIN_WEIGHT && most <= MAX_WEIGHT ? 1 : unitScale(most);

const withGainsOver = (scale: number, tree: GrownTree): GrownTree =>
  scale === 1 ? tree : { ...tree, gain: tree.gain.map((gain) => gain / scale) };

/** Training rows and the validation rows of `fit` below them: bins are computed from the former only. */
function withValidation({ x, y, weights }: HistTask, own: HistValidation) {
  const data = new Float64Array(x.data.length + own.x.data.length);
  data.set(x.data);
  data.set(own.x.data, x.data.length);
  const rowsFrom = (from: number, count: number) => Int32Array.from({ length: count }, (_, i) => from + i);
  const train: BoostingRows = { rows: rowsFrom(0, x.rows), y, weights };
  const validation: BoostingRows = {
    rows: rowsFrom(x.rows, own.x.rows),
    y: own.y,
    weights: own.weights,
  };
  return { x: new Matrix(data, x.rows + own.x.rows, x.cols), train, validation, stops: true };
}

/** Whether a fit to so many rows stops when the score no longer improves. */
export const stopsEarly = (earlyStopping: HistParams["earlyStopping"], rows: number): boolean =>
  earlyStopping === "auto" ? rows > AUTO_ROWS : earlyStopping;

/** Training rows, and held-out rows for early stopping. */
function holdOut(
  { where, x, y, weights, stratify }: HistTask,
  { earlyStopping, validationFraction }: HistParams,
  random: Random,
): { train: BoostingRows; validation: BoostingRows | null; stops: boolean } {
  const stops = stopsEarly(earlyStopping, x.rows);
  if (!stops || validationFraction === null)
    return { train: { rows: null, y, weights }, validation: null, stops };
  const all = Int32Array.from({ length: x.rows }, (_, i) => i);
  const rowsOf = (rows: Int32Array): BoostingRows => ({
    rows,
    y: Float64Array.from(rows, (i) => y[i]!),
    weights: weights && Float64Array.from(rows, (i) => weights[i]!),
  });
  try {
    const { train, test } = trainTestSplit(all, y, {
      testSize: validationFraction,
      stratify,
      randomState: random.uint32(),
    });
    return { train: rowsOf(train.indices.sort()), validation: rowsOf(test.indices.sort()), stops };
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(where) : error;
  }
}

/** Throws for monotonic constraints that the columns or the number of scores do not permit. */
export function checkMonotonic(
  { monotonicCst }: HistParams,
  where: string,
  cols: number,
  categorical: readonly number[],
  scores: number,
): void {
  if (monotonicCst === null) return;
  if (monotonicCst.length !== cols || !monotonicCst.every(Number.isInteger)) {
    const expected = `${cols} numbers −1, 0 or 1, one per column`;
    throw new ParameterError(where, "monotonicCst", expected, show(monotonicCst));
  }
  const both = categorical.find((j) => monotonicCst[j] !== 0);
  if (both !== undefined) {
    const expected = "0 for a categorical column, which has no order";
    const received = show(monotonicCst[both]);
    throw new ParameterError(where, `monotonicCst[${both}]`, expected, received);
  }
  if (scores > 1 && monotonicCst.some((sign) => sign !== 0)) {
    throw new ParameterError({
      where,
      subject: "monotonicCst",
      expected:
        "null, or 0 everywhere, with more than two classes, since single scores are not monotone in the probabilities",
      received: show(monotonicCst),
    });
  }
}
