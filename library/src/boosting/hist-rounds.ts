import type { FitReport } from "../core/contract.js";
import { ArgmaxError, DataError, ParameterError, show } from "../core/errors.js";
import {
  choice,
  either,
  flag,
  integer,
  numbers,
  optional,
  type ParamSpec,
  type ParamValues,
  randomState,
  real,
} from "../core/params.js";
import { Random } from "../core/random.js";
import type { Design } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import {
  categoricalColumns,
  categoricalFeatures,
  type OpenedX,
  type TableColumns,
} from "../data/table-columns.js";
import type { BinnedColumn } from "../numeric/boosting/bins.js";
import type { GrownTree } from "../numeric/boosting/boosted-tree.js";
import { Boosting, type BoostingLoss, type BoostingRows } from "../numeric/boosting/gradient-boosting.js";
import { type RelativeWeights, relativeWeights } from "../numeric/rows/relative-weights.js";
import { trainTestSplit } from "../selection/train-test-split.js";
import { binColumns } from "./hist-bins.js";
import { interactionCst, interactionGroups } from "./hist-interactions.js";
import { quantileOf } from "./hist-losses.js";
import { HistTrees } from "./hist-trees.js";

/** An optional parameter with a value unless told. */
const optionally = <T>(spec: ParamSpec<T>): ParamSpec<T | null> => ({
  ...optional(spec),
  default: spec.default,
});

/** What both estimators take. */
export const histParams = {
  learningRate: real({ above: 0, default: 0.1, doc: "What leaf values are multiplied by." }),
  maxIter: integer({ atLeast: 1, default: 100, doc: "Most rounds; each grows one tree, or one a class." }),
  maxLeafNodes: optionally(
    integer({ atLeast: 2, default: 31, doc: "Most leaves of a tree; null for no limit." }),
  ),
  maxDepth: optional(
    integer({ atLeast: 1, default: 1, doc: "Most splits from the root to a leaf; null for no limit." }),
  ),
  minSamplesLeaf: integer({ atLeast: 1, default: 20, doc: "Fewest rows of a leaf." }),
  l2Regularization: real({ atLeast: 0, default: 0, doc: "Added to the hessian of every leaf." }),
  maxBins: integer({
    atLeast: 2,
    atMost: 255,
    default: 255,
    doc: "Most bins of a column; missing values have one more.",
  }),
  categoricalFeatures,
  monotonicCst: optional(
    numbers({
      atLeast: -1,
      atMost: 1,
      default: [],
      doc: "One number a column: 1 where predictions may not fall with it, −1 where they may not rise, 0 elsewhere.",
    }),
  ),
  interactionCst,
  maxFeatures: real({
    above: 0,
    atMost: 1,
    default: 1,
    doc: "Share of the columns, drawn anew for every split, that are looked at.",
  }),
  earlyStopping: either(
    choice(["auto"], {
      default: "auto",
      doc: "Stop when the loss no longer falls; auto: with more than 10,000 rows.",
    }),
    flag({ default: false, doc: "" }),
  ),
  validationFraction: optionally(
    real({
      above: 0,
      below: 1,
      default: 0.1,
      doc: "Share of the rows held out for early stopping; null takes the training loss.",
    }),
  ),
  nIterNoChange: integer({ atLeast: 1, default: 10, doc: "Rounds without a lower loss before it stops." }),
  tol: real({ atLeast: 0, default: 1e-7, doc: "By how much a loss must be lower to count as lower." }),
  randomState: randomState(),
};
export type HistParams = ParamValues<typeof histParams>;

/** Above so many rows `earlyStopping: "auto"` stops early. */
const AUTO_ROWS = 10_000;
/** Least hessian on either side of a split. */
const MIN_HESSIAN = 1e-3;
/** Sums of larger gradients could not be squared and multiplied with those of hessians. */
const STEEPEST = 1e130;

/** X as the rounds take it. */
export interface HistRows {
  readonly x: Matrix;
  /** Columns of categories. */
  readonly categorical: readonly number[];
  /** What the columns stand for, where they come from a table. */
  readonly table: TableColumns | undefined;
}

/** The rows that are left of an opened X; a table's categories are those that they have. */
export function histRows(where: string, design: Design, opened: OpenedX, params: HistParams): HistRows {
  const dense = design as Matrix;
  const { x, columns: table } = opened.columns?.seenIn(dense) ?? { x: dense, columns: undefined };
  const categorical = categoricalColumns(where, params.categoricalFeatures, x.cols, table);
  return { x, categorical, table };
}

/** What is to be learned, beside the parameters. */
export interface HistTask extends HistRows {
  readonly where: string;
  /** Targets, or numbers of classes. */
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly loss: BoostingLoss;
  readonly quantile: number;
  /** Held-out rows have the class proportions of all rows. */
  readonly stratify: boolean;
  readonly baseline: (y: Float64Array, weights: Float64Array | undefined) => Float64Array;
}

/** Where the rounds stand. */
export interface HistState {
  readonly table: TableColumns | undefined;
  readonly trees: HistTrees;
  readonly baseline: Float64Array;
  readonly trainScore: Float64Array;
  readonly validationScore: Float64Array;
  readonly report: FitReport;
}

export interface HistRound {
  readonly iteration: number;
  readonly total: number;
  readonly objective: number;
  state(): HistState;
}

/** Round by round. */
export function* histRounds(given: HistTask, params: HistParams): Generator<HistRound, HistState, void> {
  // All that is added to sums of weighted hessians is scaled with them: leaves have the same values, and gains are scaled back.
  const { weights, scale } = ordinary(given.weights);
  const task = { ...given, weights };
  const { where, x, categorical, table, loss } = task;
  checkParams(params, task);
  const random = new Random(params.randomState);
  const { train, validation, stops } = divide(task, params, random);
  const columns = binColumns(where, x, train.rows, categorical, params.maxBins, random, table);
  const baseline = task.baseline(train.y, train.weights);
  const K = baseline.length;
  const boosting = new Boosting(where, {
    x,
    columns,
    train,
    validation,
    loss,
    quantile: task.quantile,
    baseline,
    trees: params.maxIter * K,
    maxLeaves: params.maxLeafNodes ?? Infinity,
    maxDepth: params.maxDepth ?? Infinity,
    minSamplesLeaf: params.minSamplesLeaf,
    minHessian: MIN_HESSIAN * lightness(train, scale),
    l2: params.l2Regularization * scale,
    learningRate: params.learningRate,
    monotone: params.monotonicCst && Int32Array.from(params.monotonicCst),
    groups: interactionGroups(where, params.interactionCst, x.cols, table),
    maxFeatures: params.maxFeatures,
    seed: random.uint32() || 1,
  });
  try {
    const grown: GrownTree[] = [];
    const scores = new Scores(where, boosting, scale);
    scores.note();
    let stopped = false;
    const state = (rounds: number, finished: boolean) => ({
      ...stateOf(
        columns,
        K,
        grown.slice(0, rounds * K),
        baseline,
        scores.after(rounds),
        finished && stops && !stopped,
      ),
      table,
    });
    for (let iteration = 1; iteration <= params.maxIter && !stopped; iteration++) {
      for (let k = 0; k < K; k++) grown.push(inOwnSize(grow(boosting, k, task, params.learningRate), scale));
      scores.note();
      stopped = stops && scores.stall(params.nIterNoChange, params.tol);
      yield {
        iteration,
        total: params.maxIter,
        objective: scores.last,
        state: () => state(iteration, false),
      };
    }
    return state(grown.length / K, true);
  } finally {
    boosting.close();
  }
}

/** One tree, added to the predictions; the leaves of a loss without curvature have the best value of their rows. */
function grow(boosting: Boosting, k: number, { loss, quantile }: HistTask, learningRate: number): GrownTree {
  let tree = boosting.grow(k);
  const flat = loss === "absoluteError" || loss === "quantile";
  if (flat && tree.count > 1)
    tree = boosting.revalue(loss === "quantile" ? quantile : 0.5, learningRate, quantileOf);
  boosting.add(k);
  return tree;
}

interface ScoresSoFar {
  readonly train: Float64Array;
  readonly validation: Float64Array;
  /** The largest gradient of a row. */
  readonly steepest: number;
}

/** Minus the mean losses of all rounds, the state before the first included. */
class Scores {
  readonly train: number[] = [];
  readonly validation: number[] = [];
  readonly #steepest: number[] = [];

  constructor(
    private readonly where: string,
    private readonly boosting: Boosting,
    private readonly scale: number,
  ) {}

  note(): void {
    const { train, validation } = this.boosting.losses();
    if (!Number.isFinite(train) || this.boosting.maxAbsGradient > STEEPEST) {
      throw new DataError({
        where: this.where,
        subject: "y",
        expected: "of a size whose squares can be added up",
        received: "larger numbers",
        advice: "Divide y by a constant, or lower learningRate.",
      });
    }
    this.train.push(-train);
    this.#steepest.push(this.boosting.maxAbsGradient / this.scale);
    if (validation !== null) this.validation.push(-validation);
  }

  get last(): number {
    return -this.train.at(-1)!;
  }

  /** As they were after so many rounds. */
  after(rounds: number): ScoresSoFar {
    return {
      train: Float64Array.from(this.train.slice(0, rounds + 1)),
      validation: Float64Array.from(this.validation.slice(0, rounds + 1)),
      steepest: this.#steepest[rounds]!,
    };
  }

  /** Whether none of the last `patience` rounds is better than the one before them. */
  stall(patience: number, tol: number): boolean {
    const scores = this.validation.length > 0 ? this.validation : this.train;
    if (scores.length <= patience) return false;
    const reference = scores.at(-patience - 1)! + tol;
    return !scores.slice(-patience).some((score) => score > reference);
  }
}

function stateOf(
  columns: readonly BinnedColumn[],
  K: number,
  grown: readonly GrownTree[],
  baseline: Float64Array,
  { train, validation, steepest }: ScoresSoFar,
  cutOff: boolean,
): Omit<HistState, "table"> {
  return {
    trees: HistTrees.of(columns, K, grown),
    baseline,
    trainScore: train,
    validationScore: validation,
    report: {
      converged: !cutOff,
      iterations: grown.length / K,
      objective: -train.at(-1)!,
      gradientNorm: steepest,
      solver: "histogram boosting",
      warnings: cutOff ? ["The loss was still falling after maxIter rounds."] : [],
    },
  };
}

/** Weights below 1 on average: then the least hessian is that much smaller, so that light rows can be split like others. */
function lightness({ weights }: BoostingRows, scale: number): number {
  if (weights === undefined) return 1;
  return Math.min(scale, weights.reduce((sum, w) => sum + w, 0) / weights.length);
}

/** Sizes of the largest weight that sums and squares of gradients take as they are. */
const LIGHTEST = 2 ** -20;
const HEAVIEST = 2 ** 40;

function ordinary(weights: Float64Array | undefined): RelativeWeights {
  const most = weights ? weights.reduce((m, w) => Math.max(m, w), 0) : 1;
  return most >= LIGHTEST && most <= HEAVIEST ? { weights, scale: 1 } : relativeWeights(weights);
}

const inOwnSize = (tree: GrownTree, scale: number): GrownTree =>
  scale === 1 ? tree : { ...tree, gain: tree.gain.map((gain) => gain / scale) };

/** Rows to learn from, and rows to stop by. */
function divide(
  { where, x, y, weights, stratify }: HistTask,
  { earlyStopping, validationFraction }: HistParams,
  random: Random,
): { train: BoostingRows; validation: BoostingRows | null; stops: boolean } {
  const stops = earlyStopping === "auto" ? x.rows > AUTO_ROWS : earlyStopping;
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

function checkParams({ monotonicCst }: HistParams, task: HistTask): void {
  const { where, x, categorical, baseline, y } = task;
  const { cols } = x;
  if (monotonicCst === null) return;
  if (monotonicCst.length !== cols || !monotonicCst.every(Number.isInteger)) {
    throw new ParameterError({
      where,
      subject: "monotonicCst",
      expected: `${cols} of the numbers −1, 0 and 1, one a column`,
      received: show(monotonicCst),
    });
  }
  const both = categorical.find((j) => monotonicCst[j] !== 0);
  if (both !== undefined) {
    throw new ParameterError({
      where,
      subject: `monotonicCst[${both}]`,
      expected: "0 for a categorical column, which has no order",
      received: show(monotonicCst[both]),
    });
  }
  if (baseline(y, undefined).length > 1 && monotonicCst.some((way) => way !== 0)) {
    throw new ParameterError({
      where,
      subject: "monotonicCst",
      expected: "null or all 0 with more than two classes, whose scores only have a meaning together",
      received: show(monotonicCst),
    });
  }
}
