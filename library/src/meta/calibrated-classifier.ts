import type {
  Classifier,
  FitOptions,
  FittedModel,
  FittedProbabilisticClassifier,
  MatrixLike,
  RestorePart,
  Samples,
} from "../core/contract.js";
import type { Label, Labels } from "../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOf } from "../core/model-on.js";
import { beginFit } from "../core/params/options.js";
import { choice, flag, type Params } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import {
  classifierStructure,
  memberOutput,
  membersOf,
  probabilityLink,
  type Scores,
  type Structure,
  structure,
} from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import type { ClassifierMember } from "../ensembles/class-votes.js";
import { FittedMembers, type MembersState, membersState, readMembers } from "../ensembles/fitted-members.js";
import type { MemberRows } from "../ensembles/member-rows.js";
import { memberOptions, memberParam } from "../ensembles/members.js";
import { withProbabilities } from "../fitted/classifiers.js";
import { LinearSVC } from "../linear/index.js";
import { cvParam } from "../selection/search-params.js";
import { AroundEstimator, requireScored } from "./around-estimator.js";
import {
  addCalibratedInto,
  type CalibrationMethod,
  type Calibrator,
  calibrationOf,
  calibratorsState,
  fitCalibrator,
  logScore,
  readCalibrators,
} from "./calibrators.js";
import { classificationForMembers, composedClassifier, labelsOf } from "./named-estimators.js";
import { foldsFor, outOfFold, unequalClasses } from "./out-of-fold.js";
import { type PrefitOptions, prefitOptions, prefitSet } from "./prefit.js";

export const calibratedClassifierParams = {
  estimator: memberParam<Classifier>(
    new LinearSVC(),
    "The classifier whose scores become probabilities; it needs a decision function or probabilities.",
  ),
  method: choice(["sigmoid", "isotonic", "temperature"], {
    default: "sigmoid",
    doc: "Platt's sigmoid, a monotone step function for many rows, or one temperature for all classes.",
  }),
  cv: cvParam,
  ensemble: flag({
    default: true,
    doc: "One model and one calibrator per fold, averaged; otherwise one model of all rows, calibrated by the scores of held-out rows.",
  }),
};

type Fitted<E extends AnyClassifier, L extends Label> = ModelOn<FittedCalibratedClassifier<L>, SamplesOf<E>>;

/**
 * Probabilities that come true as often as they say, from the scores f of any classifier on rows that it has not learned from.
 *
 *   sigmoid:       P(k | x) ∝ 1/(1 + e^(aₖ fₖ(x) + bₖ))            [Platt 1999]
 *   isotonic:      P(k | x) ∝ mₖ(fₖ(x)),  mₖ does not decrease     [Zadrozny & Elkan 2002]
 *   temperature:   P(k | x) ∝ e^(fₖ(x)/T)                          [Guo et al. 2017], of probabilities f = log p
 *
 * f is the decision function or, without one, the probabilities. `fit(X, y, { prefit: model })` calibrates a model that is fitted already, on
 * rows that it has not learned from. Parity: scikit-learn's CalibratedClassifierCV, whose `cv="prefit"` (a FrozenEstimator) is that
 * option; it has no temperature before 1.8.
 */
export class CalibratedClassifier<E extends AnyClassifier = LinearSVC> extends AroundEstimator<
  typeof calibratedClassifierParams,
  E
> {
  static readonly id = "CalibratedClassifier";
  static readonly table = calibratedClassifierParams;
  static readonly fitOptions = prefitOptions;
  /** What it can be at most; `capabilities` of the object depend on its estimator. */
  static readonly capabilities = composedClassifier();

  constructor(params: Params<typeof calibratedClassifierParams, { estimator: E }> = {}) {
    super(params);
    requireScored(this.id, this.params.estimator);
  }

  fit<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: PrefitOptions<L> = {}): Fitted<E, L> {
    const where = this.where("fit");
    beginFit(where, options, prefitOptions);
    const { prefit, ...own } = options;
    const model = prefit
      ? this.#calibrate(where, prefit as ClassifierMember<L>, x, y, own)
      : this.#crossFit(where, x, y, own);
    return model as Fitted<E, L>;
  }

  /** One calibrator of a model that is fitted already: without folds. */
  #calibrate<L extends Label>(
    where: string,
    model: ClassifierMember<L>,
    x: Samples,
    y: Labels<L>,
    options: FitOptions,
  ): FittedCalibratedClassifier<L> {
    const { method } = this.params;
    const { x: rows, codes, weights, opened } = prefitSet(where, model, x, y, options);
    const K = model.classes.length;
    const calibrator = fitCalibrator(method, { scores: scoresOf(model, rows, method), codes, weights, K });
    const { nFeatures, featureNamesIn } = model;
    const state = { ...opened, id: this.id, params: this.params, nFeatures, featureNamesIn, models: [model] };
    return new FittedCalibratedClassifier(state, model.classes, method, [calibrator]);
  }

  #crossFit<L extends Label>(
    where: string,
    x: Samples,
    y: Labels<L>,
    options: FitOptions,
  ): FittedCalibratedClassifier<L> {
    const { estimator, method, cv, ensemble } = this.params;
    const { set, opened } = classificationForMembers(where, [estimator], this.capabilities, x, y, options);
    const { classes, codes, weights } = set;
    const K = classes.length;
    const folded = { x: set.x, y: labelsOf(set), weights };
    const folds = foldsFor(where, folded, cv, true);
    const columnsOf = (model: ClassifierMember<L>, rows: MemberRows) => {
      if (model.classes.length !== K) unequalClasses(where);
      return scoresOf(model, rows, method);
    };
    const { columns, models } = outOfFold(where, estimator, folded, folds, columnsOf, options);
    const calibratorOf = (rows: Int32Array) =>
      fitCalibrator(method, {
        scores: columns.selectRows(rows),
        codes: Int32Array.from(rows, (i) => codes[i]!),
        weights: weights && Float64Array.from(rows, (i) => weights[i]!),
        K,
      });
    const all = Int32Array.from(codes.keys());
    const whole = () => estimator.fit(set.x, folded.y, memberOptions(options, weights));
    const state = membersState(this, set, opened, ensemble ? models : [whole() as ClassifierMember<L>]);
    const calibrators = ensemble ? folds.map(({ test }) => calibratorOf(test)) : [calibratorOf(all)];
    return new FittedCalibratedClassifier(state, classes, method, calibrators);
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedCalibratedClassifier {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const isMember = (model: FittedModel) => {
      const { classes: own, predictProba, decisionFunction } = model as Partial<ClassifierMember>;
      const able = predictProba !== undefined || decisionFunction !== undefined;
      return able && own?.length === classes.length && own.every((label, k) => label === classes[k]);
    };
    const expected = "a classifier of these classes with scores";
    const members = readMembers<ClassifierMember>(reader, restorePart, expected, isMember);
    const { choices, expected: methods } = calibratedClassifierParams.method;
    const isMethod = (value: unknown): value is CalibrationMethod =>
      (choices as readonly unknown[]).includes(value);
    const method = reader.value("method", methods, isMethod);
    const cols = classes.length === 2 ? 1 : classes.length;
    const calibrators = readCalibrators(reader, method, members.models.length, cols);
    return new FittedCalibratedClassifier(members, classes, method, calibrators);
  }
}

/** The decision function or, without one, the probabilities (their logarithms for temperatures); of two classes the second's. */
function scoresOf(model: ClassifierMember, x: MemberRows, method: CalibrationMethod): Matrix<Float64Array> {
  const decision = model.decisionFunction?.(x) as Matrix<Float64Array> | undefined;
  if (decision) return decision.cols === 2 ? logOdds(decision) : decision;
  const p = model.predictProba!(x) as Matrix<Float64Array>;
  if (method === "temperature") {
    const logs = new Matrix(p.data.map(logScore), p.rows, p.cols);
    return p.cols === 2 ? logOdds(logs) : logs;
  }
  return p.cols === 2 ? p.selectColumns([1]) : p;
}

/** The second column less the first. */
const logOdds = ({ data, rows }: Matrix<Float64Array>): Matrix<Float64Array> =>
  new Matrix(
    Float64Array.from({ length: rows }, (_, i) => data[2 * i + 1]! - data[2 * i]!),
    rows,
    1,
  );

export class FittedCalibratedClassifier<L extends Label = Label>
  extends /* @__PURE__ */ withProbabilities(FittedMembers<ClassifierMember>)<L>
  implements FittedProbabilisticClassifier<L>
{
  readonly classes: readonly L[];
  readonly method: CalibrationMethod;
  readonly #calibrators: readonly Calibrator[];

  constructor(
    state: MembersState<ClassifierMember<L>>,
    classes: readonly L[],
    method: CalibrationMethod,
    calibrators: readonly Calibrator[],
  ) {
    super(state);
    this.classes = classes;
    this.method = method;
    this.#calibrators = calibrators;
  }

  /** The calibrated models: one per fold, or one. */
  get estimators(): readonly ClassifierMember<L>[] {
    return this.models as readonly ClassifierMember<L>[];
  }

  [structure](): Structure {
    const calibrations = this.models.map((model, m) => ({
      output: memberOutput(model),
      curve: calibrationOf(this.#calibrators[m]!, this.classes.length),
    }));
    const outputs = this.classes.length;
    const rule = { kind: "calibrated", calibrations } as const;
    const scores: Scores = { kind: "composite", members: membersOf(this.models), rule, outputs };
    return classifierStructure(this, scores, probabilityLink);
  }

  toState(): ModelState {
    const values = { classes: [...this.classes], method: this.method };
    return this.stateWith({ ...values, ...calibratorsState(this.#calibrators) });
  }

  /** The mean of the calibrated probabilities of all models. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const rows = this.read(where, x);
    const K = this.classes.length;
    const out = new Float64Array(rows.rows * K);
    const share = 1 / this.models.length;
    if (rows.rows > 0)
      this.models.forEach((model, m) => {
        addCalibratedInto(this.#calibrators[m]!, scoresOf(model, rows, this.method), K, share, out);
      });
    return new Matrix(out, rows.rows, K);
  }
}
