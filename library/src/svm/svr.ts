import { regressorCapabilities } from "../core/capabilities.js";
import type {
  Capabilities,
  FitOptions,
  FittedRegressor,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import { type NumberArray, readWeights } from "../core/labels.js";
import { type Params, type ParamValues, real } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { mapSteps } from "../core/steps.js";
import { regressionSet } from "../data/training-set.js";
import { kernelOf } from "../kernel-functions/kernel-params.js";
import { kernelAccess, learningRows } from "../kernel-functions/learning-rows.js";
import { halfSpread, round, wideTubeWarning } from "../losses/wide-tube.js";
import { r2Score } from "../metrics/regression.js";
import { FittedSupport, gather, readSupport, supportReport } from "./fitted-support.js";
import { type SupportSolution, solveSupport, stepsFor, supportParams, withBias } from "./support-machine.js";

export const svrParams = {
  ...supportParams,
  epsilon: real({ atLeast: 0, default: 0.1, doc: "Half-width of the tube in which errors cost nothing." }),
};

/**
 * Support vector regression with a kernel: a tube of half-width ε around the rows, those outside it at a cost of C each.
 *
 *   minimise over α, α*:   ½ Σ (α_s − α*_s)(α_t − α*_t) k(x_s, x_t) + ε Σ (α_t + α*_t) − Σ z_t (α_t − α*_t)
 *   subject to   0 ≤ α_t, α*_t ≤ C s_t,   Σ (α_t − α*_t) = 0;      ŷ = Σ (α_t − α*_t) k(x_t, x) + b
 *
 * `bias: "kernel"` has 1 + k for k, and no Σ (α_t − α*_t) = 0.
 * Parity: scikit-learn's SVR (LIBSVM).
 */
export class SVR extends Estimator<typeof svrParams> {
  static readonly id = "SVR";
  static readonly table = svrParams;
  static readonly capabilities: Capabilities = {
    ...regressorCapabilities,
    sparse: true,
  };

  constructor(params: Params<typeof svrParams> = {}) {
    super(SVR.id, svrParams, params);
    kernelOf(SVR.id, this.params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedSVR {
    const where = "SVR.fit";
    return runSteps(where, this.#learn(where, x, y, options, false), options);
  }

  /** The fit, some steps at a time. */
  steps(
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): Generator<Step<FittedSVR>, FittedSVR, void> {
    return this.#learn("SVR.steps", x, y, options, true);
  }

  static restore(state: ModelState): FittedSVR {
    return new FittedSVR(readSupport(new StateReader(state), 1));
  }

  *#learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
    shown: boolean,
  ): Generator<Step<FittedSVR>, FittedSVR, void> {
    const { params } = this;
    const { C, epsilon } = params;
    const set = regressionSet(where, x, y, options, { sparse: true });
    const part = kernelOf(SVR.id, params);
    const weights = readWeights(where, options.sampleWeight, options.sampleWeight?.length ?? 0);
    const learning = learningRows(where, part, set, weights);
    const n = set.y.length;
    const [signs, upper, p] = [new Float64Array(2 * n), new Float64Array(2 * n), new Float64Array(2 * n)];
    for (let v = 0; v < 2 * n; v++) {
      const sign = v < n ? 1 : -1;
      signs[v] = sign;
      upper[v] = C * (set.weights?.[v % n] ?? 1);
      p[v] = epsilon - sign * set.y[v % n]!;
    }
    const access = withBias(
      kernelAccess(where, learning, undefined, params.bias === "separate"),
      params.bias,
    );
    const problem = { access, halves: 2 as const, y: signs, upper, p };
    const modelOf = (solution: SupportSolution) => {
      const expansion = gather(learning, set.x.cols, [{ ...solution, part: undefined }], params.bias);
      const report = supportReport([solution], part);
      const warnings = [...report.warnings, ...emptyWarnings(solution, set.y, params)];
      return new FittedSVR({ id: SVR.id, params, expansion, report: { ...report, warnings } });
    };
    const run = solveSupport(where, problem, params, stepsFor(n, shown));
    const solved = yield* mapSteps(run, ({ iteration, total, solution }) => ({
      iteration,
      total,
      model: () => modelOf(solution()),
    }));
    return modelOf(solved);
  }
}

/** Why there are no support vectors. `tol` is in units of y, as in LIBSVM: targets that differ by less count as equal. */
function emptyWarnings(
  { coef, converged }: SupportSolution,
  y: Float64Array,
  { epsilon, tol, bias }: ParamValues<typeof svrParams>,
): string[] {
  if (!converged || coef.some((v) => v !== 0)) return [];
  const free = bias === "separate";
  const wide = wideTubeWarning(epsilon, y, free);
  const width = halfSpread(y, free);
  if (wide !== undefined || width === 0) return wide === undefined ? [] : [wide];
  return [
    `No step was taken: y is never further than ${round(width)} from a constant, which epsilon = ${epsilon} and tol = ${tol} leave ` +
      "as it is, and the model predicts the same for every row. Scale y, or lower tol.",
  ];
}

export class FittedSVR extends FittedSupport implements FittedRegressor {
  get intercept(): number {
    return this.learned.expansion.parts.intercept[0]!;
  }

  predict(x: MatrixLike): Float64Array {
    return this.scores("SVR.predict", x).data;
  }

  /** R². */
  score(x: MatrixLike, y: NumberArray, options: ScoreOptions = {}): number {
    return r2Score(y, this.predict(x), options);
  }

  toState(): ModelState {
    return this.stateWith({});
  }
}
