import { classifier } from "../core/capabilities.js";
import type { Capabilities, DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Step, type Steps } from "../core/estimator.js";
import { type Label, type Labels, readWeights } from "../core/labels.js";
import { choice, classWeight, flag, type Params, randomState, real } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { mapSteps } from "../core/steps.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { kernelOf, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { type TrainingRows, trainingRows } from "../kernel-functions/training-rows.js";
import { type BinaryProblem, binaryProblems, binarySvmSteps, calibrate } from "./binary-problems.js";
import { FittedProbabilisticSVC, FittedSVC, type VotingRule } from "./fitted-svc.js";
import { jointExpansion, readSvm, supportIndices, svmReport, type TrainedSvm } from "./fitted-svm.js";
import type { Sigmoid } from "./sigmoid-calibration.js";
import { svmFacts, svmParams } from "./svm-problem.js";

export const svcParams = {
  ...svmParams,
  C: real({
    above: 0,
    default: 1,
    infinite: true,
    doc: "Regularisation parameter: the cost of rows inside the margin. Larger C regularises less; Infinity is the hard margin.",
  }),
  multiClass: choice(["ovo", "ovr"], {
    default: "ovo",
    doc: '"ovo": one binary SVM per pair of classes, by vote; "ovr": one per class against the rest, by highest score.',
  }),
  decisionFunctionShape: choice(["ovr", "ovo"], {
    default: "ovr",
    doc: 'Columns of decisionFunction with multiClass "ovo": one per class ("ovr") or one per pair of classes ("ovo").',
  }),
  breakTies: flag({
    default: false,
    doc: "Break ties of votes by the scores; when false, the first of the tied classes wins.",
  }),
  classWeight: classWeight(),
  probability: flag({
    default: false,
    doc: "Enable predictProba: calibrates scores by 5-fold cross-validation, about six times the work.",
  }),
  randomState: randomState(),
};
export type SvcParams<P extends boolean> = Params<typeof svcParams, { probability: P }>;

/** The fitted model, with predictProba if `probability` is true. */
export type FittedSvcOf<P extends boolean, L extends Label> = [P] extends [true]
  ? FittedProbabilisticSVC<L>
  : FittedSVC<L>;

/**
 * C-support vector classification with a kernel: the widest margin between two classes in the kernel's feature space, with cost C
 * for each unit of slack.
 *
 *   minimise over α:   ½ Σ_st α_s α_t y_s y_t k(x_s, x_t) − Σ_t α_t     subject to   0 ≤ α_t ≤ C s_t,   Σ_t y_t α_t = 0
 *   decide by the sign of   Σ_t y_t α_t k(x_t, x) + b
 *
 * `bias: "kernel"` replaces k by 1 + k, drops Σ y α = 0, and sets b = Σ y α. `probability` fits 1/(1 + e^(a f + b)) to held-out
 * scores f (five folds, drawn from randomState).
 * Parity: scikit-learn's SVC (LIBSVM), up to the folds of `probability`; training stores kernel values in 32 bits, as LIBSVM does.
 */
export class SVC<P extends boolean = false> extends Estimator<typeof svcParams> {
  static readonly id = "SVC";
  static readonly table = svcParams;
  static readonly title = "SVM, Gaussian kernel";
  static readonly capabilities = classifier({ ...svmFacts, decisionFunction: true });
  static readonly starter = { place: 2 } as const;
  static readonly candidate: DefaultCandidate = { cost: 6, mostRows: 20_000 };
  static readonly searchSpace = { C: { log: [1e-2, 1e3] }, gamma: { log: [1e-4, 1] } } as const;

  constructor(params: SvcParams<P> = {}) {
    super(params);
    const kernel = kernelOf(this.id, this.params);
    if (this.params.C === Infinity) requirePositiveDefinite(`${this.id} with C: Infinity`, kernel);
  }

  get capabilities(): Capabilities {
    return { ...SVC.capabilities, probabilities: this.params.probability };
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedSvcOf<P, L> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options, false), options) as FittedSvcOf<P, L>;
  }

  /** The fit, step by step. Binary SVMs that are not trained yet have no support vectors. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Generator<Step<FittedSVC<L>>, FittedSvcOf<P, L>, void> {
    return this.#learn(this.where("steps"), x, y, options, true) as Generator<
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
    const breakTies = reader.flag("breakTies");
    const K = classes.length;
    const svms = K === 2 ? 1 : multiClass === "ovo" ? (K * (K - 1)) / 2 : K;
    const support = readSvm(reader, svms);
    const nSupport = reader.integers("nSupport", [K]);
    if (nSupport.some((count) => count < 0) || sum(nSupport) !== support.expansion.parts.rows.length)
      reader.fail("nSupport", "counts of all support vectors", `${[...nSupport]}`);
    const isOrder = (v: unknown): v is readonly number[] => isPermutation(v, K);
    const given = "order" in state.values;
    const order = given ? { order: reader.value("order", `0 … ${K - 1} in some order`, isOrder) } : {};
    const rule: VotingRule = { multiClass, shape, breakTies, ...order };
    if (state.values["probability"] !== true) return new FittedSVC(support, classes, nSupport, rule);
    const numbers = reader.finite("sigmoids", [svms, 2]);
    const sigmoids = Array.from({ length: svms }, (_, k) => ({ a: numbers[2 * k]!, b: numbers[2 * k + 1]! }));
    return new FittedProbabilisticSVC(support, classes, nSupport, rule, sigmoids);
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
    observed: boolean,
  ): Steps<FittedSVC<L>> {
    const { params } = this;
    const set = classificationSet(where, x, y, options, { sparse: true }, params.classWeight);
    // gamma "scale" uses the sample weights, but not the class weights.
    const given = readWeights(where, options.sampleWeight, options.sampleWeight?.length ?? 0);
    const training = trainingRows(where, kernelOf(SVC.id, params), set, given);
    const trained: TrainedSvm[] = [];
    const sigmoids: Sigmoid[] = [];
    const problems = [...binaryProblems(set.codes, set.classes.length, params.multiClass)];
    // Computed only when a caller asks for the model of a step: there are K(K − 1)/2 problems.
    const unfinished = (known: readonly TrainedSvm[]) =>
      this.#model(set, training, [...known, ...problems.slice(known.length).map(unsolved)], []);
    for (const [k, problem] of problems.entries()) {
      const steps = binarySvmSteps(where, training, set.weights, problem, params, observed);
      const solved = yield* mapSteps(steps, ({ iteration, total, solution }) => ({
        iteration,
        total,
        model: () => unfinished([...trained.slice(0, k), { ...solution(), subset: problem.subset }]),
      }));
      trained.push({ ...solved, subset: problem.subset });
      if (params.probability) {
        const model = () => unfinished(trained.slice(0, k + 1));
        const folds = calibrate(where, training, set.weights, given, problem, params);
        sigmoids.push(yield* mapSteps(folds, (fold) => ({ ...fold, model })));
      }
    }
    return this.#model(set, training, trained, sigmoids);
  }

  #model<L extends Label>(
    set: ClassificationSet<L>,
    training: TrainingRows,
    trained: readonly TrainedSvm[],
    sigmoids: readonly Sigmoid[],
  ): FittedSVC<L> {
    const { params } = this;
    const { multiClass, decisionFunctionShape: shape, breakTies } = params;
    const pairs = set.classes.length > 2 && multiClass === "ovo";
    const order = pairs ? set.codes : undefined;
    const expansion = jointExpansion(training, set.x.cols, trained, params.bias, order);
    const report = svmReport(trained, kernelOf(SVC.id, params));
    const state = { id: SVC.id, params, expansion, report };
    const rule: VotingRule = { multiClass, shape, breakTies };
    const nSupport = new Int32Array(set.classes.length);
    for (const i of supportIndices(training.x.rows, trained)) nSupport[set.codes[i]!]!++;
    return sigmoids.length > 0
      ? new FittedProbabilisticSVC(state, set.classes, nSupport, rule, sigmoids)
      : new FittedSVC(state, set.classes, nSupport, rule);
  }
}

const sum = (counts: Int32Array): number => counts.reduce((total, count) => total + count, 0);

const isShape = (value: unknown): value is "ovo" | "ovr" => value === "ovo" || value === "ovr";

const isPermutation = (value: unknown, K: number): boolean =>
  Array.isArray(value) && value.length === K && Array.from(value.keys()).every((k) => value.includes(k));

const unsolved = ({ subset, y }: BinaryProblem): TrainedSvm => ({
  coef: new Float64Array(y.length),
  intercept: 0,
  origin: null,
  objective: 0,
  dualityGap: 0,
  iterations: 0,
  violation: 0,
  converged: true,
  subset,
});
