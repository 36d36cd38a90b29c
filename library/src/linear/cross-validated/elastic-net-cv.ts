import type { FitOptions, MatrixLike, Progress } from "../../core/contract.js";
import { Estimator, runSteps } from "../../core/estimator.js";
import type { NumberArray } from "../../core/labels.js";
import { either, numbers, type Params, type ParamValues } from "../../core/params/params.js";
import type { Learned } from "../../core/state/model-state.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import { mapSteps } from "../../core/steps.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { type RegressionSet, regressionSet } from "../../data/training-set.js";
import { linearScores } from "../../numeric/rows/linear-scores.js";
import { FittedElasticNet } from "../elastic-net.js";
import { elasticNetSetSteps } from "../elastic-net-fits.js";
import { linearRegressor } from "../fits/capabilities.js";
import { type RegressorState, readRegressorState } from "../fitted-regressor.js";
import {
  FoldRows,
  foldsOf,
  foldsParam,
  matricesOf,
  requireCandidates,
  rowsOf,
  stacked,
} from "./cross-validation.js";
import { elasticNetPathParams, pathSteps, pathStrengths, type RegularisationPath } from "./paths.js";

const { l1Ratio, nAlphas, eps, alphas, fitIntercept, tol, maxIter, positive } = elasticNetPathParams;

/** The parameters that LassoCV and ElasticNetCV share. */
export const pathCVParams = {
  eps,
  nAlphas,
  alphas,
  fitIntercept,
  cv: foldsParam("Number of folds, or how to make them; null: five folds of consecutive rows."),
  tol,
  maxIter,
  positive,
};

export const elasticNetCVParams = {
  l1Ratio: either(l1Ratio, numbers({ above: 0, atMost: 1, default: [], doc: "" })),
  ...pathCVParams,
};

/**
 * Elastic net whose α, and l1Ratio if several are given, have the least mean squared error over the folds: one path per fold and
 * l1Ratio, each fit started from the one before. Then one fit on all rows.
 *
 * Parity: scikit-learn's ElasticNetCV, with tol 1e-6 instead of 1e-4 and maxIter 10,000 instead of 1,000. With weights, the largest α
 * is that of the weighted rows (as from scikit-learn 1.7 on).
 */
export class ElasticNetCV extends Estimator<typeof elasticNetCVParams> {
  static readonly id = "ElasticNetCV";
  static readonly table = elasticNetCVParams;
  static readonly capabilities = linearRegressor({ manyColumns: false });

  constructor(params: Params<typeof elasticNetCVParams> = {}) {
    super(params);
    const { alphas } = this.params;
    if (alphas !== null) requireCandidates(this.id, "alphas", alphas);
    requireCandidates(this.id, "l1Ratio", ratiosOf(this.params));
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedElasticNetCV {
    const ratios = ratiosOf(this.params);
    const build = (...found: [RegressorState, PathSearch]) => new FittedElasticNetCV(...found);
    const steps = searchSteps(this, ratios, x, y, options, build);
    return runSteps(this.where("fit"), steps, options);
  }

  static restore(state: ModelState): FittedElasticNetCV {
    return new FittedElasticNetCV(...readSearch(state));
  }
}

const ratiosOf = ({ l1Ratio }: ParamValues<typeof elasticNetCVParams>): readonly number[] =>
  typeof l1Ratio === "number" ? [l1Ratio] : l1Ratio;

/** The mean squared errors that were compared. */
export interface PathSearch {
  /** The strengths compared, largest first: one row per l1Ratio. */
  readonly alphas: Matrix;
  /** Mean squared errors of held-out rows per l1Ratio: one row per α, one column per fold. */
  readonly msePaths: readonly Matrix[];
  readonly alpha: number;
  readonly l1Ratio: number;
  /** The duality gap of the final fit: its objective is above the minimum by at most this. */
  readonly dualGap: number;
}

interface SearchingEstimator {
  readonly id: string;
  readonly params: ParamValues<typeof pathCVParams>;
}

/** paths of all folds → best α and l1Ratio → fit on all rows. */
export function* searchSteps<M>(
  estimator: SearchingEstimator,
  ratios: readonly number[],
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
  build: (state: RegressorState, search: PathSearch) => M,
): Generator<Progress, M, void> {
  const { id, params } = estimator;
  const where = `${id}.fit`;
  const set = regressionSet(where, x, y, options, { sparse: true });
  const folds = foldsOf(where, params.cv, set.y);
  const alphas = ratios.map((l1Ratio) => pathStrengths(where, set, { ...params, l1Ratio }));
  const count = alphas[0]!.length;
  const total = ratios.length * folds.length * count + 1;
  const rows = new FoldRows(set.x);
  const msePaths: Matrix[] = [];
  const best = { alpha: alphas[0]![0]!, l1Ratio: ratios[0]!, error: Infinity };
  for (const _ of ratios) msePaths.push(Matrix.zeros(count, folds.length));
  for (const [f, fold] of folds.entries()) {
    const train = rowsOf(set, fold.train, rows.train(fold));
    const test = rowsOf(set, fold.test, rows.test(fold));
    for (const [r, l1Ratio] of ratios.entries()) {
      const own = { ...params, l1Ratio, alphas: [...alphas[r]!] };
      const before = (f * ratios.length + r) * count;
      // A step per α, so that the signal is read in between.
      const path = yield* mapSteps(pathSteps(where, train, own), ({ iteration }) => ({
        iteration: before + iteration,
        total,
      }));
      const mse = heldOutErrors(where, test, path);
      for (let a = 0; a < count; a++) msePaths[r]!.data[a * folds.length + f] = mse[a]!;
    }
  }
  for (const [r, l1Ratio] of ratios.entries()) {
    for (let a = 0; a < count; a++) {
      const error = msePaths[r]!.row(a).reduce((sum, e) => sum + e, 0) / folds.length;
      if (error < best.error) Object.assign(best, { alpha: alphas[r]![a]!, l1Ratio, error });
    }
  }
  const { alpha, l1Ratio } = best;
  const final = elasticNetSetSteps(where, estimator, { alpha, l1Ratio }, (learned) => learned, set);
  const state = yield* mapSteps(final, () => ({ iteration: total - 1, total }));
  yield { iteration: total, total };
  const dualGap = dualGapOf(set, state, { alpha, l1Ratio, positive: params.positive });
  const table = new Matrix(Float64Array.from(alphas.flatMap((list) => [...list])), ratios.length, count);
  return build(state, { alphas: table, msePaths, alpha, l1Ratio, dualGap });
}

/** The (weighted) mean squared error of a fold's test rows, per α. */
function heldOutErrors(
  where: string,
  { x, y, weights }: RegressionSet,
  path: RegularisationPath,
): Float64Array {
  const { data, cols } = linearScores(where, x, path.coefs.data, path.intercepts);
  const sums = new Float64Array(cols);
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    const s = weights ? weights[i]! : 1;
    total += s;
    for (let a = 0; a < cols; a++) sums[a]! += s * (y[i]! - data[i * cols + a]!) ** 2;
  }
  return sums.map((sum) => sum / total);
}

/**
 * P(w) − D(θ) in units of the mean, with θ the residuals scaled until they are dual feasible [Fercoq et al. 2015]: an upper bound of
 * P(w) − min P.
 */
function dualGapOf(
  { x, y, weights }: RegressionSet,
  { coef, intercept }: Pick<RegressorState, "coef" | "intercept">,
  {
    alpha,
    l1Ratio,
    positive,
  }: { readonly alpha: number; readonly l1Ratio: number; readonly positive: boolean },
): number {
  const fits = linearScores("dualGap", x, coef, Float64Array.of(intercept)).data;
  const correlations = new Float64Array(coef.length);
  let [total, square, along] = [0, 0, 0];
  for (let i = 0; i < y.length; i++) {
    const s = weights ? weights[i]! : 1;
    const r = y[i]! - fits[i]!;
    total += s;
    square += s * r * r;
    along += s * r * (fits[i]! - intercept);
    if (x instanceof CsrMatrix)
      for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++)
        correlations[x.indices[e]!]! += s * r * x.values[e]!;
    else for (let j = 0, e = i * x.cols; j < x.cols; j++, e++) correlations[j]! += s * r * x.data[e]!;
  }
  const [l1, l2] = [alpha * l1Ratio * total, alpha * (1 - l1Ratio) * total];
  let [norm1, norm2, largest] = [0, 0, 0];
  for (let j = 0; j < coef.length; j++) {
    norm1 += Math.abs(coef[j]!);
    norm2 += coef[j]! ** 2;
    const pull = correlations[j]! - l2 * coef[j]!;
    // With w ≥ 0, the dual is bounded on one side only.
    largest = Math.max(largest, positive ? pull : Math.abs(pull));
  }
  const primal = 0.5 * square + l1 * norm1 + 0.5 * l2 * norm2;
  const scale = largest > l1 ? l1 / largest : 1;
  // r·y without the mean of y, which residuals of sum 0 do not see: r·(r + Xw).
  const dual = scale * (square + along) - 0.5 * scale * scale * (square + l2 * norm2);
  return Math.max(0, primal - dual) / total;
}

/** Shared with LassoCV. */
export abstract class FittedPathSearch extends FittedElasticNet {
  constructor(
    state: RegressorState,
    protected readonly search: PathSearch,
  ) {
    super(state);
  }

  /** The chosen α. */
  get alpha(): number {
    return this.search.alpha;
  }

  /** The duality gap of the final fit: its objective is above the minimum by at most this. */
  get dualGap(): number {
    return this.search.dualGap;
  }

  protected override learned(): Learned {
    const { alphas, msePaths, alpha, l1Ratio, dualGap } = this.search;
    const search = { alpha, l1Ratio, dualGap };
    return { ...super.learned(), search, alphas, msePaths: stacked(msePaths) };
  }
}

const isChoice = (value: unknown): value is Pick<PathSearch, "alpha" | "l1Ratio" | "dualGap"> =>
  ["alpha", "l1Ratio", "dualGap"].every(
    (name) => typeof (value as Record<string, unknown> | null | undefined)?.[name] === "number",
  );

/** Checks and rebuilds what `toState` wrote. */
export function readSearch(state: ModelState): [RegressorState, PathSearch] {
  const reader = new StateReader(state);
  const { alpha, l1Ratio, dualGap } = reader.value("search", "alpha, l1Ratio and dualGap", isChoice);
  const data = reader.floats("msePaths", [-1, -1, -1]);
  const [ratios, count, folds] = state.tensors["msePaths"]!.shape as [number, number, number];
  if (ratios < 1) reader.fail("msePaths", "one or more", "none");
  const alphas = new Matrix(reader.floats("alphas", [ratios, count]), ratios, count);
  const msePaths = matricesOf(data, ratios, count, folds);
  return [readRegressorState(state), { alphas, msePaths, alpha, l1Ratio, dualGap }];
}

export class FittedElasticNetCV extends FittedPathSearch {
  /** The chosen l1Ratio. */
  get l1Ratio(): number {
    return this.search.l1Ratio;
  }

  /** The strengths compared, largest first: one row per l1Ratio. */
  get alphas(): Matrix {
    return this.search.alphas;
  }

  /** Mean squared errors of held-out rows, one matrix per l1Ratio: one row per α, one column per fold. */
  get msePath(): readonly Matrix[] {
    return this.search.msePaths;
  }
}
