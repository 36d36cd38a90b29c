import { regressor } from "../core/capabilities.js";
import type { DefaultCandidate, FitOptions, FittedRegressor, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { type Params, type ParamValues, real } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { mapSteps } from "../core/steps.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import { regressionSet } from "../data/training-set.js";
import { withRegression } from "../fitted/regressor.js";
import { kernelOf } from "../kernel-functions/kernel-params.js";
import { kernelAccess, trainingRows } from "../kernel-functions/training-rows.js";
import { halfSpread, round, wideTubeWarning } from "../losses/wide-tube.js";
import { FittedSvm, jointExpansion, readSvm, svmReport } from "./fitted-svm.js";
import { solveSvm, stepsPerYield } from "./solve-svm.js";
import { type SvmSolution, svmFacts, svmParams, withBias } from "./svm-problem.js";

export const svrParams = {
  ...svmParams,
  epsilon: real({
    atLeast: 0,
    default: 0.1,
    doc: "Half-width of the tube within which errors are not penalised.",
  }),
};

/**
 * ε-support vector regression with a kernel: errors beyond ε cost C per unit.
 *
 *   minimise over α, α*:   ½ Σ (α_s − α*_s)(α_t − α*_t) k(x_s, x_t) + ε Σ (α_t + α*_t) − Σ z_t (α_t − α*_t)
 *   subject to   0 ≤ α_t, α*_t ≤ C s_t,   Σ (α_t − α*_t) = 0;      ŷ = Σ (α_t − α*_t) k(x_t, x) + b
 *
 * `bias: "kernel"` replaces k by 1 + k and drops Σ (α_t − α*_t) = 0.
 * Parity: scikit-learn's SVR (LIBSVM).
 */
export class SVR extends Estimator<typeof svrParams> {
  static readonly id = "SVR";
  static readonly table = svrParams;
  static readonly title = "SVM regression";
  static readonly capabilities = regressor({ ...svmFacts, targetScale: "standard" });
  static readonly starter = { place: 2 } as const;
  static readonly candidate: DefaultCandidate = { cost: 6, mostRows: 20_000 };
  static readonly searchSpace = {
    C: { log: [1e-2, 1e3] },
    gamma: { log: [1e-4, 1] },
    epsilon: { log: [1e-3, 1] },
  } as const;

  constructor(params: Params<typeof svrParams> = {}) {
    super(params);
    kernelOf(this.id, this.params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedSVR {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options, false), options);
  }

  /** The fit, step by step. */
  steps(x: MatrixLike, y: NumberArray, options: FitOptions = {}): Steps<FittedSVR> {
    return this.#learn(this.where("steps"), x, y, options, true);
  }

  static restore(state: ModelState): FittedSVR {
    return new FittedSVR(readSvm(new StateReader(state), 1));
  }

  *#learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
    observed: boolean,
  ): Steps<FittedSVR> {
    const { params } = this;
    const { C, epsilon } = params;
    const set = regressionSet(where, x, y, options, { sparse: true });
    const kernel = kernelOf(SVR.id, params);
    const training = trainingRows(where, kernel, set, options.sampleWeight);
    const n = set.y.length;
    const [signs, upper, p] = [new Float64Array(2 * n), new Float64Array(2 * n), new Float64Array(2 * n)];
    for (let v = 0; v < 2 * n; v++) {
      const sign = v < n ? 1 : -1;
      signs[v] = sign;
      upper[v] = C * (set.weights?.[v % n] ?? 1);
      p[v] = epsilon - sign * set.y[v % n]!;
    }
    const { bias } = params;
    const access = withBias(kernelAccess(where, training, undefined, bias === "separate"), bias);
    const problem = { access, variablesPerPoint: 2 as const, y: signs, upper, p };
    const modelOf = (solution: SvmSolution) => {
      const solutions = [{ ...solution, subset: undefined }];
      const expansion = jointExpansion(training, set.x.cols, solutions, bias);
      const report = svmReport([solution], kernel);
      const warnings = [...report.warnings, ...emptyWarnings(solution, set.y, params)];
      return new FittedSVR({ id: SVR.id, params, expansion, report: { ...report, warnings } });
    };
    const run = solveSvm(where, problem, params, stepsPerYield(n, observed));
    const solved = yield* mapSteps(run, ({ iteration, total, solution }) => ({
      iteration,
      total,
      model: () => modelOf(solution()),
    }));
    return modelOf(solved);
  }
}

/** Warns if there are no support vectors. `tol` is in units of y, as in LIBSVM: smaller differences count as equal. */
function emptyWarnings(
  { coef, converged }: SvmSolution,
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

export class FittedSVR extends /* @__PURE__ */ withRegression(FittedSvm) implements FittedRegressor {
  /** w, with the linear kernel only. */
  get coef(): Float64Array {
    return this.expansion.linearCoef("SVR.coef").data;
  }

  get intercept(): number {
    return this.expansion.parts.intercept[0]!;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return this.scores(where, x).data;
  }

  [structure](): Structure {
    return regressorStructure(this, this.expansion.described());
  }

  toState(): ModelState {
    return this.stateWith({});
  }
}
