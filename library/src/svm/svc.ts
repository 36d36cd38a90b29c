import { classifierCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import { type Label, type Labels, readWeights } from "../core/labels.js";
import { choice, classWeight, flag, type Params, randomState, real } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { mapSteps } from "../core/steps.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { kernelOf, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { type LearningRows, learningRows } from "../kernel-functions/learning-rows.js";
import { gather, readSupport, supportReport, type Trained } from "./fitted-support.js";
import { FittedProbabilisticSVC, FittedSVC, type VotingRule } from "./fitted-svc.js";
import type { Sigmoid } from "./sigmoid-calibration.js";
import { type BinaryProblem, calibrate, machineSteps, problemsOf } from "./support-classifier.js";
import { supportParams } from "./support-machine.js";

export const svcParams = {
  ...supportParams,
  C: real({
    above: 0,
    default: 1,
    infinite: true,
    doc: "Cost of a row inside the margin or on the wrong side of it; Infinity allows none.",
  }),
  multiClass: choice(["ovo", "ovr"], {
    default: "ovo",
    doc: '"ovo": a machine for every pair of classes, which vote; "ovr": one for each class, the highest margin wins.',
  }),
  decisionFunctionShape: choice(["ovr", "ovo"], {
    default: "ovr",
    doc: 'What decisionFunction gives with "ovo" machines: a column a class, or one a pair.',
  }),
  breakTies: flag({
    default: false,
    doc: "Of classes with equally many votes take the one with the larger margins, and not the first.",
  }),
  classWeight: classWeight(),
  probability: flag({
    default: false,
    doc: "Learn probabilities too, from margins of rows held out in turn: six times the work.",
  }),
  randomState: randomState(),
};
export type SvcParams<P extends boolean> = Params<typeof svcParams> & { readonly probability?: P };

/** With probabilities if they were asked for. */
export type FittedSvcOf<P extends boolean, L extends Label> = [P] extends [true]
  ? FittedProbabilisticSVC<L>
  : FittedSVC<L>;

/**
 * Support vector classifier with a kernel: the widest margin between two classes in the space of the kernel, rows inside it
 * at a cost of C each.
 *
 *   minimise over α:   ½ Σ_st α_s α_t y_s y_t k(x_s, x_t) − Σ_t α_t     subject to   0 ≤ α_t ≤ C s_t,   Σ_t y_t α_t = 0
 *   decide by the sign of   Σ_t y_t α_t k(x_t, x) + b
 *
 * `bias: "kernel"` has 1 + k for k, no Σ y α = 0, and b = Σ y α. `probability` fits 1/(1 + e^(a f + b)) to margins f of rows that
 * were held out (five folds, drawn from randomState).
 * Parity: scikit-learn's SVC (LIBSVM), up to the folds of `probability`; kernel values are kept in 32 bits while learning, as there.
 */
export class SVC<P extends boolean = false> extends Estimator<typeof svcParams> {
  static readonly id = "SVC";
  static readonly table = svcParams;
  static readonly capabilities: Capabilities = {
    ...classifierCapabilities,
    sparse: true,
    decisionFunction: true,
  };

  constructor(params: SvcParams<P> = {}) {
    super(SVC.id, svcParams, params);
    const kernel = kernelOf(SVC.id, this.params);
    if (this.params.C === Infinity) requirePositiveDefinite(`${SVC.id} with C: Infinity`, kernel);
  }

  get capabilities(): Capabilities {
    return { ...SVC.capabilities, probabilities: this.params.probability };
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedSvcOf<P, L> {
    const where = "SVC.fit";
    return runSteps(where, this.#learn(where, x, y, options, false), options) as FittedSvcOf<P, L>;
  }

  /** The fit, some steps at a time; machines of other classes that are still to come say nothing. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Generator<Step<FittedSVC<L>>, FittedSvcOf<P, L>, void> {
    return this.#learn("SVC.steps", x, y, options, true) as Generator<
      Step<FittedSVC<L>>,
      FittedSvcOf<P, L>,
      void
    >;
  }

  static restore(state: ModelState): FittedSVC | FittedProbabilisticSVC {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const multiClass = reader.value("multiClass", '"ovo" or "ovr"', isShape);
    const shape = reader.value("decisionFunctionShape", '"ovr" or "ovo"', isShape);
    const breakTies = reader.value("breakTies", "true or false", (v): v is boolean => typeof v === "boolean");
    const K = classes.length;
    const machines = K === 2 ? 1 : multiClass === "ovo" ? (K * (K - 1)) / 2 : K;
    const support = readSupport(reader, machines);
    const isOrder = (v: unknown): v is readonly number[] => isPermutation(v, K);
    const given = "order" in state.values;
    const order = given ? { order: reader.value("order", `0 … ${K - 1} in some order`, isOrder) } : {};
    const rule: VotingRule = { multiClass, shape, breakTies, ...order };
    if (state.values["probability"] !== true) return new FittedSVC(support, classes, rule);
    const numbers = reader.floats("sigmoids", [machines, 2]);
    if (!numbers.every(Number.isFinite)) reader.fail("sigmoids", "finite", "±∞");
    const sigmoids = Array.from({ length: machines }, (_, k) => ({
      a: numbers[2 * k]!,
      b: numbers[2 * k + 1]!,
    }));
    return new FittedProbabilisticSVC(support, classes, rule, sigmoids);
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
    shown: boolean,
  ): Generator<Step<FittedSVC<L>>, FittedSVC<L>, void> {
    const { params } = this;
    const set = classificationSet(where, x, y, options, { sparse: true }, params.classWeight);
    // Weights of classes say nothing about how far rows spread.
    const given = readWeights(where, options.sampleWeight, options.sampleWeight?.length ?? 0);
    const learning = learningRows(where, kernelOf(SVC.id, params), set, given);
    const trained: Trained[] = [];
    const sigmoids: Sigmoid[] = [];
    const problems = [...problemsOf(set.codes, set.classes.length, params.multiClass)];
    for (const [k, problem] of problems.entries()) {
      const rest = problems.slice(k + 1).map(unsolved);
      const before = [...trained];
      const steps = machineSteps(where, learning, set.weights, problem, params, shown);
      const solved = yield* mapSteps(steps, ({ iteration, total, solution }) => ({
        iteration,
        total,
        model: () =>
          this.#model(set, learning, [...before, { ...solution(), part: problem.part }, ...rest], []),
      }));
      trained.push({ ...solved, part: problem.part });
      if (params.probability) {
        const known = [...trained];
        const model = () => this.#model(set, learning, [...known, ...rest], []);
        const folds = calibrate(where, learning, set.weights, given, problem, params);
        sigmoids.push(yield* mapSteps(folds, (fold) => ({ ...fold, model })));
      }
    }
    return this.#model(set, learning, trained, sigmoids);
  }

  #model<L extends Label>(
    set: ClassificationSet<L>,
    learning: LearningRows,
    trained: readonly Trained[],
    sigmoids: readonly Sigmoid[],
  ): FittedSVC<L> {
    const { params } = this;
    const { multiClass, decisionFunctionShape: shape, breakTies } = params;
    const pairs = set.classes.length > 2 && multiClass === "ovo";
    const expansion = gather(learning, set.x.cols, trained, params.bias, pairs ? set.codes : undefined);
    const report = supportReport(trained, kernelOf(SVC.id, params));
    const state = { id: SVC.id, params, expansion, report };
    const rule: VotingRule = { multiClass, shape, breakTies };
    return sigmoids.length > 0
      ? new FittedProbabilisticSVC(state, set.classes, rule, sigmoids)
      : new FittedSVC(state, set.classes, rule);
  }
}

const isShape = (value: unknown): value is "ovo" | "ovr" => value === "ovo" || value === "ovr";

const isPermutation = (value: unknown, K: number): boolean =>
  Array.isArray(value) && value.length === K && Array.from(value.keys()).every((k) => value.includes(k));

const unsolved = ({ part, y }: BinaryProblem): Trained => ({
  coef: new Float64Array(y.length),
  intercept: 0,
  origin: null,
  objective: 0,
  dualityGap: 0,
  iterations: 0,
  violation: 0,
  converged: true,
  part,
});
