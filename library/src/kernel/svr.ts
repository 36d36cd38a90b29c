import type {
  Capabilities,
  FitOptions,
  FittedRegressor,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { type Params, real } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { regressionSet } from "../data/training-set.js";
import { r2Score } from "../metrics/regression.js";
import { FittedSupport, gather, readSupport } from "./fitted-support.js";
import { checkKernel, kernelCode } from "./kernel-function.js";
import { denseOf, solveSupport, supportParams } from "./support-machine.js";

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
 * Parity: scikit-learn's SVR (LIBSVM).
 */
export class SVR extends Estimator<typeof svrParams> {
  static readonly id = "SVR";
  static readonly table = svrParams;
  static readonly capabilities: Capabilities = {
    task: "regression",
    sparse: true,
    missing: false,
    categorical: false,
    multiclass: false,
    probabilities: false,
    decisionFunction: false,
    sampleWeight: true,
    partialFit: false,
  };

  constructor(params: Params<typeof svrParams> = {}) {
    super(SVR.id, svrParams, params);
    checkKernel(SVR.id, this.params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedSVR {
    const where = "SVR.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  static restore(state: ModelState): FittedSVR {
    return new FittedSVR(readSupport(new StateReader(state), 1));
  }

  *#learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): Generator<Omit<Step<never>, "model">, FittedSVR, void> {
    const { params } = this;
    const { C, epsilon } = params;
    const set = regressionSet(where, x, y, options, { sparse: true });
    const design = denseOf(where, set.x);
    const kernel = kernelCode(params, design, set.weights);
    const n = design.rows;
    const both = <V>(value: (t: number, sign: 1 | -1) => V) =>
      Array.from({ length: 2 * n }, (_, v) => value(v % n, v < n ? 1 : -1));
    const problem = {
      x: design,
      kernel,
      halves: 2 as const,
      y: Float64Array.from(both((_, sign) => sign)),
      upper: Float64Array.from(both((t) => C * (set.weights?.[t] ?? 1))),
      p: Float64Array.from(both((t, sign) => epsilon - sign * set.y[t]!)),
    };
    const solution = yield* solveSupport(where, problem, params);
    return new FittedSVR(gather(SVR.id, params, kernel, design, [{ ...solution, rows: undefined }]));
  }
}

export class FittedSVR extends FittedSupport implements FittedRegressor {
  get intercept(): number {
    return this.learned.intercept[0]!;
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
