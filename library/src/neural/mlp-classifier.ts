import { classifierCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitReport, MatrixLike } from "../core/contract.js";
import { Estimator, restoreParams, runSteps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, type Params, type ParamValues } from "../core/params.js";
import { readReport } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import {
  type ClassificationSet,
  classificationSet,
  type PartialFitOptions,
  partialClassificationSet,
} from "../data/training-set.js";
import type { NdArray } from "./autodiff/arrays.js";
import { FittedNetworkClassifier } from "./fitted-network-classifier.js";
import {
  coefsOf,
  interceptsOf,
  isInputShape,
  type MlpFitOptions,
  mlpFitOptions,
  mlpNetwork,
  mlpParams,
  mlpPlan,
  mlpRules,
  readContinued,
  requireMlpParams,
  startOf,
} from "./mlp.js";
import type { Network } from "./network/network.js";
import { type Beginning, classifierSteps, type NetworkSteps } from "./network-steps.js";
import { requireSameClasses, requireSameNetwork } from "./training/plan.js";
import { readTraining } from "./training/state.js";
import type { TrainingState } from "./training/task.js";

export const mlpClassifierParams = { ...mlpParams, classWeight: classWeight() };
type MlpClassifierParams = typeof mlpClassifierParams;

/**
 * A feed-forward network for classification (multi-layer perceptron).
 *
 *   minimise over W, b:   (1/n) Σᵢ sᵢ ℓ(network(xᵢ), yᵢ) + (α/2n) Σ‖W‖²
 *
 * ℓ is the cross-entropy of a softmax over the classes, or of the sigmoid of one output for two classes; hidden layers are
 * f(x·W + b). Parity: objective, parameters, defaults and training of scikit-learn's MLPClassifier; weights are 32 bits wide unless dtype is
 * "float64", and the random numbers are drawn by another generator. The reported loss is exact where scikit-learn's is at most 36 per
 * row (it clips probabilities at 2⁻⁵²), so that a rate that is too large is visible.
 */
export class MLPClassifier extends Estimator<MlpClassifierParams> {
  static readonly id = "MLPClassifier";
  static readonly table = mlpClassifierParams;
  static readonly capabilities: Capabilities = {
    ...classifierCapabilities,
    sparse: true,
    probabilities: true,
    partialFit: true,
  };
  static readonly fitOptions = mlpFitOptions;

  constructor(params: Params<MlpClassifierParams> = {}) {
    super(MLPClassifier.id, mlpClassifierParams, params);
    requireMlpParams(MLPClassifier.id, this.params);
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: MlpFitOptions<FittedMLPClassifier<L>> = {},
  ): FittedMLPClassifier<L> {
    const where = "MLPClassifier.fit";
    const set = classificationSet(where, x, y, options, mlpRules(options), this.params.classWeight);
    return runSteps(where, this.#learn(where, set, options, false), options);
  }

  /** The fit, epoch by epoch. */
  *steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: MlpFitOptions<FittedMLPClassifier<L>> = {},
  ): NetworkSteps<FittedMLPClassifier<L>> {
    const where = "MLPClassifier.steps";
    const set = classificationSet(where, x, y, options, mlpRules(options), this.params.classWeight);
    return yield* this.#learn(where, set, options, true);
  }

  /**
   * One epoch over new rows, starting from `model` (null begins a new one). The first call must know all classes: from y, or from
   * `classes` if y lacks some. Returns a new model; the old one is untouched.
   */
  partialFit<L extends Label>(
    model: FittedMLPClassifier<L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedMLPClassifier<L> {
    const where = "MLPClassifier.partialFit";
    const begun = readContinued(where, this.params, model, FittedMLPClassifier);
    const { classWeight } = this.params;
    const partial = { sparse: true, keepSingles: true, deferFiniteCheck: true };
    const set = partialClassificationSet(where, model, x, y, options, partial, classWeight);
    const network = this.#network(where, set);
    if (model) requireSameNetwork(where, model.network, network);
    const plan = { ...mlpPlan(this.params), maxIter: (begun?.epoch ?? 0) + 1 };
    const beginning = { snapshots: false, resume: begun };
    const steps = classifierSteps(where, plan, network, set, beginning, this.#make(set, network));
    return runSteps(where, steps, options);
  }

  static restore(state: ModelState): FittedMLPClassifier {
    const reader = new StateReader(state);
    const params = restoreParams(mlpClassifierParams, reader);
    const classes = reader.labels("classes", 2);
    const [inputs] = reader.value("inputShape", "[inputs]", isInputShape);
    const network = mlpNetwork(reader.where, params, inputs, unitsFor(classes.length));
    const dtype = mlpPlan(params).dtype;
    const training = readTraining(reader, network, dtype);
    const report = readReport(reader);
    const featureNamesIn = readFeatureNames(reader, inputs);
    return new FittedMLPClassifier(
      { id: MLPClassifier.id, params, network, dtype, training, report, featureNamesIn },
      classes,
    );
  }

  #learn<L extends Label>(
    where: string,
    set: ClassificationSet<L>,
    { start, resume }: MlpFitOptions<FittedMLPClassifier<L>>,
    snapshots: boolean,
  ): NetworkSteps<FittedMLPClassifier<L>> {
    const network = this.#network(where, set);
    if (resume !== undefined) {
      requireSameNetwork(where, resume.network, network);
      requireSameClasses(where, resume, set.classes);
    }
    const beginning: Beginning = {
      start: startOf(where, network, start),
      resume: resume?.training,
      snapshots,
    };
    return classifierSteps(where, mlpPlan(this.params), network, set, beginning, this.#make(set, network));
  }

  #network(where: string, { x, classes }: ClassificationSet<Label>): Network {
    return mlpNetwork(where, this.params, x.cols, unitsFor(classes.length));
  }

  #make<L extends Label>({ classes, featureNamesIn }: ClassificationSet<L>, network: Network) {
    const { params } = this;
    const { dtype } = mlpPlan(params);
    return (training: TrainingState, report: FitReport) =>
      new FittedMLPClassifier<L>(
        { id: MLPClassifier.id, params, network, dtype, training, report, featureNamesIn },
        classes,
      );
  }
}

/** One output decides between two classes. */
const unitsFor = (classes: number): number => (classes === 2 ? 1 : classes);

export class FittedMLPClassifier<L extends Label = Label> extends FittedNetworkClassifier<L> {
  declare readonly params: ParamValues<MlpClassifierParams>;

  /** Weights of every layer: inputs × neurons. */
  get coefs(): readonly NdArray[] {
    return coefsOf(this);
  }

  /** Biases of every layer. */
  get intercepts(): readonly Float64Array[] {
    return interceptsOf(this);
  }
}
