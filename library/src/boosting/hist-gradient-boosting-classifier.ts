import { classifier } from "../core/capabilities.js";
import type { DefaultCandidate, FittedProbabilisticClassifier, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { posteriors, predictedClasses } from "../core/numbers/scores.js";
import { classWeight } from "../core/params/params.js";
import { positiveLabelParam, usualPositive } from "../core/positive-label.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { classifierStructure, posteriorLink, type Structure, structure } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { openTable } from "../data/table/table-columns.js";
import { classificationSet } from "../data/training-set.js";
import { requireEarlyStopping, validationClasses } from "../data/validation-rows.js";
import { requireSameClasses } from "../ensembles/resume.js";
import { withPosteriors } from "../fitted/classifiers.js";
import { classificationScorers, requirePositive } from "../metrics/scorers.js";
import { FittedHist, type FittedHistState, readHist } from "./fitted-hist.js";
import { logClassProportions } from "./hist-losses.js";
import { histFacts, histParams, histScoring } from "./hist-params.js";
import { type HistState, type HistTask, histRows, histSteps, validationReader } from "./hist-rounds.js";
import type { Predictor } from "./hist-scores.js";
import { type HistFitOptions, histFitOptions } from "./resumed-rounds.js";
import { boostingSpace } from "./search-space.js";

export const histGradientBoostingClassifierParams = {
  ...histParams,
  scoring: histScoring(classificationScorers),
  positiveLabel: positiveLabelParam('Which of two labels is "positive", for scorers that ask.'),
  classWeight: classWeight(),
};

/**
 * Gradient boosting of trees on binned columns, for classification on 10⁴ rows and more.
 *
 *   minimise over trees f_tk:   (1/Σs) Σᵢ sᵢ (log Σₖ e^(zᵢₖ) − zᵢ,yᵢ),      zᵢₖ = bₖ + Σ_t f_tk(xᵢ)
 *
 * Each round grows one tree per class; for two classes a single tree, whose z are log-odds of the second class. A split has the largest
 * gain in G²/(H + λ), with G, H the sums of first and second derivatives; a leaf's value is −η G/(H + λ). Missing values (NaN) go to
 * the side with the larger gain; categories are split in the order of G/H.
 * Parity: scikit-learn's HistGradientBoostingClassifier, with gradients of more than the 24 bits of its floats; held-out rows are drawn by our generator.
 */
export class HistGradientBoostingClassifier extends Estimator<typeof histGradientBoostingClassifierParams> {
  static readonly id = "HistGradientBoostingClassifier";
  static readonly table = histGradientBoostingClassifierParams;
  static readonly title = "Gradient boosting";
  static readonly capabilities = classifier({ ...histFacts, probabilities: true, decisionFunction: true });
  static readonly candidate: DefaultCandidate = { cost: 11 };
  static readonly searchSpace = boostingSpace;
  static readonly fitOptions = histFitOptions;

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: HistFitOptions<FittedHistGradientBoostingClassifier<L>> = {},
  ): FittedHistGradientBoostingClassifier<L> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, round by round. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: HistFitOptions<FittedHistGradientBoostingClassifier<L>> = {},
  ): Steps<FittedHistGradientBoostingClassifier<L>> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  static restore(state: ModelState): FittedHistGradientBoostingClassifier {
    const classes = new StateReader(state).labels("classes", 2);
    const K = classes.length === 2 ? 1 : classes.length;
    return new FittedHistGradientBoostingClassifier({ ...readHist(state, K), classes });
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: HistFitOptions<FittedHistGradientBoostingClassifier<L>>,
  ): Steps<FittedHistGradientBoostingClassifier<L>> {
    const { id, params } = this;
    const opened = openTable(where, x);
    const rules = { missing: true, options: histFitOptions };
    const set = classificationSet(where, opened.x, y, options, rules, params.classWeight);
    const { classes } = set;
    requirePositive(where, [params.scoring], classes, params.positiveLabel);
    if (options.resume) requireSameClasses(where, options.resume.classes, classes);
    const rows = histRows(where, set.x, opened, params);
    if (options.validation) requireEarlyStopping(where, params.earlyStopping);
    const own =
      options.validation && validationClasses(where, options.validation, classes, validationReader(rows));
    const validation = own && { ...own, x: own.x as Matrix, y: Float64Array.from(own.codes) };
    const task: HistTask = {
      id,
      where,
      resume: options.resume,
      ...rows,
      validation,
      y: Float64Array.from(set.codes),
      weights: set.weights,
      loss: "logLoss",
      quantile: 0,
      stratify: true,
      baseline: (codes, weights) => logClassProportions(codes, weights, classes.length),
      predictor: (raw) => predictorOf(raw, [...classes.keys()]),
      positive: classes.indexOf((params.positiveLabel ?? usualPositive(classes)) as L),
    };
    const modelOf = (state: HistState) =>
      new FittedHistGradientBoostingClassifier({ ...state, id, params, classes });
    return yield* histSteps(task, params, modelOf);
  }
}

/** Of class indices. */
const predictorOf = (raw: Matrix, classes: readonly number[]): Predictor => ({
  classes,
  decisionFunction: () => raw,
  predict: () => predictedClasses(classes, raw.data, raw.cols),
  predictProba: () => new Matrix(posteriors(raw.data, raw.cols), raw.rows, classes.length),
});

interface ClassifierState<L extends Label> extends FittedHistState {
  readonly classes: readonly L[];
}

export class FittedHistGradientBoostingClassifier<L extends Label = Label>
  extends /* @__PURE__ */ withPosteriors(FittedHist)<L>
  implements FittedProbabilisticClassifier<L>
{
  readonly classes: readonly L[];

  constructor(state: ClassifierState<L>) {
    super(state);
    this.classes = state.classes;
  }

  /** `decisionFunction` after each round. */
  stagedDecisionFunction(x: MatrixLike): Generator<Matrix, void, void> {
    return this.rawStages("stagedDecisionFunction", x);
  }

  /** `predictProba` after each round. */
  *stagedPredictProba(x: MatrixLike): Generator<Matrix, void, void> {
    for (const z of this.rawStages("stagedPredictProba", x)) yield this.probabilities(z);
  }

  /** `predict` after each round. */
  *stagedPredict(x: MatrixLike): Generator<L[], void, void> {
    for (const { data, cols } of this.rawStages("stagedPredict", x))
      yield predictedClasses(this.classes, data, cols);
  }

  [structure](): Structure {
    const { inputs, baseline } = this;
    return classifierStructure(this, this.treeScores, posteriorLink(baseline.length), { inputs });
  }

  protected values() {
    return { classes: [...this.classes] };
  }
}
