import type {
  Capabilities,
  FitOptions,
  FitReport,
  FittedRegressor,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { describeParams, Estimator, passWarnings } from "../core/estimator.js";
import { type NumberArray, readWeights } from "../core/labels.js";
import { Model } from "../core/model.js";
import { beginFit, refuseOptions } from "../core/options.js";
import { flag, type Params, real } from "../core/params.js";
import { readReport, reportJson } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state.js";
import { Matrix } from "../data/matrix.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { type Expansion, expansionOver, readExpansion } from "../kernel-functions/expansion.js";
import type { Kernel } from "../kernel-functions/kernel.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { type TrainingRows, trainingRows } from "../kernel-functions/training-rows.js";
import { linearRegressorCapabilities } from "../linear/capabilities.js";
import { leastSquares } from "../linear/least-squares.js";
import { r2Score } from "../metrics/regression.js";
import { featureMap } from "./feature-map.js";
import { pivotedFeatures } from "./pivoted-features.js";
import { ridgeByCholesky } from "./ridge-cholesky.js";
import { ridgeByConjugateGradients } from "./ridge-conjugate-gradients.js";

export const kernelRidgeParams = {
  alpha: real({ atLeast: 0, default: 1, doc: "Regularisation strength α of the penalty α‖w‖²." }),
  ...kernelParams,
  fitIntercept: flag({
    default: false,
    doc: "Fit an intercept b, which is not penalised; when false, b = 0.",
  }),
};

/**
 * Ridge regression in the feature space of a kernel:
 *
 *   minimise over (c, b):   Σᵢ sᵢ (yᵢ − f(xᵢ))² + α cᵀKc,      f(x) = Σₜ cₜ k(xₜ, x) + b
 *
 * with solution (K + α S⁻¹) c = y − b, and Σ c = 0 if there is an intercept: with A = K + α S⁻¹, A u = y and A v = 1 it is
 * b = Σu/Σv and c = u − b v. With the linear kernel this is Ridge. α = 0 is least squares with the smallest cᵀKc.
 * Parity: scikit-learn's KernelRidge, which has no intercept and defaults to the linear kernel and γ = 1/columns ("auto").
 */
export class KernelRidge extends Estimator<typeof kernelRidgeParams> {
  static readonly id = "KernelRidge";
  static readonly table = kernelRidgeParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;

  constructor(params: Params<typeof kernelRidgeParams> = {}) {
    super(KernelRidge.id, kernelRidgeParams, params);
    requirePositiveDefinite(KernelRidge.id, kernelOf(KernelRidge.id, this.params));
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedKernelRidge {
    const where = "KernelRidge.fit";
    beginFit(where, options);
    const { params } = this;
    const set = regressionSet(where, x, y, options, { sparse: true });
    const kernel = kernelOf(KernelRidge.id, params);
    const weights = readWeights(where, options.sampleWeight, options.sampleWeight?.length ?? 0);
    const training = trainingRows(where, kernel, set, weights);
    requireFewRows(where, set.y.length);
    const learned =
      solveDual(where, training, set, params) ?? solvePrimal(where, training, kernel, set, params);
    const model = new FittedKernelRidge({ params, ...learned });
    passWarnings(model, options);
    return model;
  }

  static restore(state: ModelState): FittedKernelRidge {
    const reader = new StateReader(state);
    return new FittedKernelRidge({
      params: state.params,
      expansion: readExpansion(reader, 1),
      report: readReport(reader),
    });
  }
}

interface KernelRidgeState {
  readonly params: Readonly<Record<string, unknown>>;
  readonly expansion: Expansion;
  readonly report: FitReport;
}

type Learned = Pick<KernelRidgeState, "expansion" | "report">;
type RidgeParams = { readonly alpha: number; readonly fitIntercept: boolean };

/** The n × n kernel matrix of more rows does not fit the arena. */
const MOST_ROWS = 20_000;
/** With fewer rows, Cholesky is faster than building a preconditioner. */
const FEWEST_ITERATIVE = 400;

function requireFewRows(where: string, rows: number): void {
  if (rows <= MOST_ROWS) return;
  throw new DataError({
    where,
    subject: "X",
    expected: `at most ${MOST_ROWS} rows, whose kernel matrix fits into memory`,
    received: `${rows}`,
    advice: "A pipeline of Nystroem and Ridge takes any number.",
  });
}

/** Solves (K + α S⁻¹) c = y − b; null if α is 0 or too small to make the system positive definite. */
function solveDual(
  where: string,
  training: TrainingRows,
  set: RegressionSet,
  params: RidgeParams,
): Learned | null {
  const { alpha, fitIntercept } = params;
  const n = set.y.length;
  if (alpha === 0) return null;
  const ridge = Float64Array.from({ length: n }, (_, i) => alpha / (set.weights?.[i] ?? 1));
  const right = fitIntercept ? [set.y, new Float64Array(n).fill(1)] : [set.y];
  const iterated = n >= FEWEST_ITERATIVE ? ridgeByConjugateGradients(where, training, ridge, right) : null;
  const solved = iterated ?? ridgeByCholesky(where, training, ridge, right);
  if (solved === null) return null;
  const [u, v] = solved.solutions as [Float64Array, Float64Array | undefined];
  const b = v ? sum(u) / sum(v) : 0;
  const coef = v ? u.map((value, i) => value - b * v[i]!) : u;
  // At the solution the errors are e = α c/s, so Σ s e² + α cᵀKc = α cᵀ(y − b).
  const objective = alpha * coef.reduce((total, c, i) => total + c * (set.y[i]! - b), 0);
  return {
    expansion: expansionOver(training, null, new Matrix(coef, 1, n), Float64Array.of(b)),
    report: {
      converged: true,
      iterations: solved.iterations,
      objective,
      gradientNorm: solved.residual,
      solver: iterated ? "conjugateGradients" : "cholesky",
      warnings: [],
    },
  };
}

/** Relative trace that the factorisation of a nearly singular kernel matrix may omit. */
const TOL = 1e-13;

/** Least squares on the columns of the kernel's feature map, as many as the rank of the kernel matrix. */
function solvePrimal(
  where: string,
  training: TrainingRows,
  kernel: Kernel,
  set: RegressionSet,
  { alpha, fitIntercept }: RidgeParams,
): Learned {
  const found = pivotedFeatures(where, training, kernel, TOL);
  const { coef, intercept, report } = leastSquares(where, { ...set, x: found.features }, alpha, fitIntercept);
  const map = featureMap(training, found);
  return {
    expansion: map.expansion(new Matrix(coef, 1, map.rank), Float64Array.of(intercept)),
    report: { ...report, solver: "pivotedCholesky" },
  };
}

const sum = (v: Float64Array): number => v.reduce((total, e) => total + e, 0);

export class FittedKernelRidge extends Model implements FittedRegressor {
  readonly report: FitReport;
  readonly #state: KernelRidgeState;

  constructor(state: KernelRidgeState) {
    super();
    this.#state = state;
    this.report = state.report;
  }

  get nFeatures(): number {
    return this.#state.expansion.parts.nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.#state.expansion.parts.featureNamesIn;
  }

  /** c, one coefficient per training row in `rows`. */
  get dualCoef(): Float64Array {
    return this.#state.expansion.parts.coef.data;
  }

  get intercept(): number {
    return this.#state.expansion.parts.intercept[0]!;
  }

  /** Indices of the training rows of `dualCoef`: all, or the pivots if α is 0 or too small. */
  get rows(): Int32Array {
    return this.#state.expansion.parts.rows;
  }

  predict(x: MatrixLike): Float64Array;
  predict(x: MatrixLike, ...given: readonly unknown[]): Float64Array {
    refuseOptions("KernelRidge.predict", given);
    return this.#state.expansion.scores("KernelRidge.predict", x).data;
  }

  /** R². */
  score(x: MatrixLike, y: NumberArray, options: ScoreOptions = {}): number {
    return r2Score(y, this.predict(x), options);
  }

  toState(): ModelState {
    const { params, expansion, report } = this.#state;
    const { values, tensors } = expansion.toState(`saveModel(${KernelRidge.id})`);
    return {
      kind: KernelRidge.id,
      params: describeParams(params),
      values: { ...values, report: reportJson(report) },
      tensors,
    };
  }
}
