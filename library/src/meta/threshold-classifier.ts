import type {
  Capabilities,
  Classifier,
  FitOptions,
  FittedClassifier,
  FittedModel,
  MatrixLike,
  RestorePart,
  ScoreOptions,
} from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOf } from "../core/model-on.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import type { ParamSpec, Params, ParamValues } from "../core/params/params.js";
import { choice, invalid, optional, real } from "../core/params/params.js";
import type { NoReject, PredictOptions } from "../core/params/predict-options.js";
import { acceptedLabels, predictLabels, readPredictOptions } from "../core/params/predict-options.js";
import { positiveIndex, positiveLabelParam } from "../core/positive-label.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { classifierStructure, membersOf, type Structure, structure, structureOf } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import type { ClassifierMember } from "../ensembles/class-votes.js";
import { FittedMembers, type MembersState, membersState, readMembers } from "../ensembles/fitted-members.js";
import type { MemberRows } from "../ensembles/member-rows.js";
import { memberOptions, memberParam, nameOf } from "../ensembles/members.js";
import { LogisticRegression } from "../linear/index.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { labelScorers } from "../metrics/scorers.js";
import { isClass } from "../metrics/threshold-counts.js";
import { cvParam } from "../selection/search-params.js";
import { AroundEstimator } from "./around-estimator.js";
import { classificationForMembers, composedClassifier, labelsOf } from "./named-estimators.js";
import { foldsFor, outOfFold } from "./out-of-fold.js";
import type { DecisionMethod, DecisionsOf, ProbabilityMethods } from "./scores-of.js";
import { bestThreshold, type ThresholdCurve, type ThresholdGoal, thresholdCurve } from "./threshold-curve.js";
import { declaredResponse, type ResponseMethod, responseOf, responses } from "./threshold-response.js";

const costs: ParamSpec<readonly (readonly number[])[]> = {
  kind: "matrix",
  default: [],
  doc: "Costs [[c₀₀, c₀₁], [c₁₀, c₁₁]]: row = true class, column = predicted class, in sorted order; the mean cost is minimised.",
  expected: "two rows of two finite numbers",
  read: (value) => {
    const rows = isArrayLike(value) ? Array.from(value) : [];
    const isRow = (row: unknown) =>
      isArrayLike(row) && row.length === 2 && Array.from(row).every((cost) => Number.isFinite(cost));
    if (rows.length !== 2 || !rows.every(isRow)) return invalid;
    return Object.freeze(rows.map((row) => Object.freeze(Array.from(row as ArrayLike<number>))));
  },
};

export const thresholdClassifierParams = {
  estimator: memberParam<Classifier>(
    new LogisticRegression(),
    "The classifier of two classes; it needs probabilities or a decision function.",
  ),
  threshold: optional(
    real({ default: 0.5, doc: "A fixed threshold. null: it is chosen by the scores of held-out rows." }),
  ),
  scoring: choice([null, ...labelScorers], {
    default: null,
    doc: "The metric that is maximised. null: balanced accuracy; precision where only minRecall is given; recall where only minPrecision is.",
  }),
  costMatrix: optional(costs),
  minRecall: optional(
    real({
      above: 0,
      atMost: 1,
      default: 1,
      doc: "The smallest recall (sensitivity) of the positive class on held-out rows.",
    }),
  ),
  minPrecision: optional(
    real({
      above: 0,
      atMost: 1,
      default: 1,
      doc: "The smallest precision of the positive class on held-out rows.",
    }),
  ),
  responseMethod: choice(["auto", "predictProba", "decisionFunction"], {
    default: "auto",
    doc: "The scores that are compared with the threshold: the first of the others that the classifier has.",
  }),
  positiveLabel: positiveLabelParam("The positive class: the one that is predicted from the threshold on."),
  cv: cvParam,
};
type Values = ParamValues<typeof thresholdClassifierParams>;

/** The scores that the threshold is of, where the types of the classifier M and of responseMethod R tell. */
type ResponseOf<M, R> = R extends "predictProba"
  ? ProbabilityMethods
  : R extends "decisionFunction"
    ? DecisionMethod
    : M extends { predictProba: unknown }
      ? ProbabilityMethods
      : "predictProba" extends keyof M
        ? unknown
        : DecisionsOf<M>;

type Fitted<E extends AnyClassifier, L extends Label, R> = ModelOn<
  FittedThresholdClassifier<L>,
  SamplesOf<E>
> &
  ResponseOf<ReturnType<E["fit"]>, R>;

/**
 * A classifier of two classes with a threshold t other than the usual one: x is positive if s(x) ≥ t, where s is the probability or the
 * decision value of the positive class.
 *
 *   t = argmax over t of m(y, [s ≥ t])   subject to   recall ≥ minRecall,  precision ≥ minPrecision
 *
 * m is a metric or the negative mean cost. Scores s are those of held-out rows, by models of the other folds; the model itself is fitted
 * to all rows. With `threshold`, t is given and there are no folds.
 *
 * Parity: TunedThresholdClassifierCV and FixedThresholdClassifier of scikit-learn 1.5. That averages the metric of folds over 100
 * thresholds; here the held-out scores of all folds are one list, and every threshold that divides it differently is tried. It has
 * no `minRecall` and `minPrecision`.
 */
export class ThresholdClassifier<
  E extends AnyClassifier = LogisticRegression,
  R extends Values["responseMethod"] = "auto",
> extends AroundEstimator<typeof thresholdClassifierParams, E> {
  static readonly id = "ThresholdClassifier";
  static readonly table = thresholdClassifierParams;
  /** What it can be at most; `capabilities` of the object depend on its estimator. */
  static readonly capabilities = composedClassifier({ multiclass: false, decisionFunction: true });

  constructor(params: Params<typeof thresholdClassifierParams, { estimator: E; responseMethod: R }> = {}) {
    super(params);
    const { estimator, responseMethod } = this.params;
    requireOneGoal(this.id, this.params);
    const able = capabilitiesOf(estimator);
    if (able === undefined || declaredResponse(able, responseMethod) !== undefined) return;
    const needed = { predictProba: "probabilities", decisionFunction: "a decision function" };
    const either = "probabilities or a decision function";
    const expected = `a classifier with ${responseMethod === "auto" ? either : needed[responseMethod]}`;
    throw new ParameterError(this.id, "estimator", expected, nameOf(estimator));
  }

  override get capabilities(): Capabilities {
    const { estimator, responseMethod } = this.params;
    const response = declaredResponse(capabilitiesOf(estimator) ?? composedClassifier(), responseMethod);
    const probabilities = response === "predictProba";
    const decisionFunction = response === "decisionFunction";
    return { ...super.capabilities, multiclass: false, probabilities, decisionFunction };
  }

  fit<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Fitted<E, L, R> {
    const where = this.where("fit");
    const { estimator, threshold, responseMethod, cv } = this.params;
    const { set, opened } = classificationForMembers(where, [estimator], this.capabilities, x, y, options);
    const { classes, codes, weights } = set;
    requireTwo(where, classes);
    const positive = positiveIndex(where, classes, this.params.positiveLabel);
    const folded = { x: set.x, y: labelsOf(set), weights };
    const scoresOf = (model: ClassifierMember<L>, rows: MemberRows) =>
      new Matrix(responses(model, rows, responseOf(where, model, responseMethod), positive), rows.rows, 1);
    const tuned = () => {
      const folds = foldsFor(where, folded, cv, true);
      const { columns, models } = outOfFold(where, estimator, folded, folds, scoresOf, options);
      const goal = goalOf(this.params, positive);
      const curve = thresholdCurve(
        { scores: columns.data, positive: isClass(codes, positive), weights },
        goal,
      );
      const usual = responseOf(where, models[0]!, responseMethod) === "predictProba" ? 0.5 : 0;
      const best = bestThreshold(where, curve, goal, usual);
      return { threshold: curve.thresholds[best]!, bestScore: curve.scores[best]!, curve };
    };
    const rule = threshold === null ? tuned() : { threshold };
    const model = estimator.fit(set.x, folded.y, memberOptions(options, weights)) as ClassifierMember<L>;
    const response = responseOf(where, model, responseMethod);
    const state = membersState(this, set, opened, [model]);
    const own = { ...rule, response, positive };
    return new FittedThresholdClassifier(state, classes, own) as Fitted<E, L, R>;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedThresholdClassifier {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const isResponse = (value: unknown): value is ResponseMethod =>
      value === "predictProba" || value === "decisionFunction";
    const response = reader.value("response", '"predictProba" or "decisionFunction"', isResponse);
    const isMember = (model: FittedModel) => {
      const { classes: own = [] } = model as Partial<ClassifierMember>;
      return response in model && own.length === 2 && own.every((label, k) => label === classes[k]);
    };
    const members = readMembers<ClassifierMember>(
      reader,
      restorePart,
      `a classifier with ${response}`,
      isMember,
    );
    if (members.models.length !== 1) reader.fail("parts", "one model", `${members.models.length}`);
    const positive = reader.count("positive");
    if (classes.length !== 2 || positive > 1) reader.fail("positive", "one of two classes", `${positive}`);
    const threshold = reader.number("threshold");
    if (state.values["bestScore"] === undefined)
      return new FittedThresholdClassifier(members, classes, { threshold, response, positive });
    const thresholds = reader.floats("thresholds", [-1]);
    const list = (name: string) => reader.floats(name, [thresholds.length]);
    const curve = {
      thresholds,
      scores: list("scores"),
      precision: list("precision"),
      recall: list("recall"),
    };
    const bestScore = reader.number("bestScore");
    return new FittedThresholdClassifier(members, classes, {
      threshold,
      response,
      positive,
      bestScore,
      curve,
    });
  }
}

/** A fixed threshold is chosen by nothing else, and costs replace a metric. */
function requireOneGoal(where: string, params: Values): void {
  const { threshold, costMatrix, scoring } = params;
  const goals = (["scoring", "costMatrix", "minRecall", "minPrecision"] as const).filter(
    (key) => params[key] !== null,
  );
  if (threshold !== null && goals.length > 0) {
    throw new ParameterError(where, "threshold", `absent where ${goals[0]} chooses it`, show(threshold));
  }
  if (costMatrix !== null && scoring !== null) {
    throw new ParameterError(where, "scoring", "absent where costMatrix is given", show(scoring));
  }
}

function goalOf({ scoring, costMatrix, minRecall, minPrecision }: Values, positive: number): ThresholdGoal {
  const onlyRecall = minRecall !== null && minPrecision === null;
  const onlyPrecision = minPrecision !== null && minRecall === null;
  const automatic = onlyRecall ? "precision" : onlyPrecision ? "recall" : "balancedAccuracy";
  // The curve has the negative class first.
  const costs =
    costMatrix && (positive === 1 ? costMatrix : [...costMatrix].reverse().map((row) => [...row].reverse()));
  return { scoring: scoring ?? automatic, costs, minRecall, minPrecision };
}

function requireTwo(where: string, classes: readonly Label[]): void {
  if (classes.length === 2) return;
  throw new DataError(where, "y", "of two classes", `${classes.length} classes`);
}

interface ThresholdRule {
  readonly threshold: number;
  readonly response: ResponseMethod;
  /** Index of the positive class. */
  readonly positive: number;
  readonly bestScore?: number | undefined;
  readonly curve?: ThresholdCurve | undefined;
}

/**
 * With a threshold of probabilities it has `predictProba`, that of its classifier: the predicted class need not be the likelier one. With one
 * of decision values it has `decisionFunction`, whose sign is the prediction.
 */
export class FittedThresholdClassifier<L extends Label = Label>
  extends FittedMembers<ClassifierMember<L>>
  implements FittedClassifier<L>
{
  readonly classes: readonly L[];
  /** Rows with at least this score are predicted as positive. */
  readonly threshold: number;
  /** The label that is predicted from the threshold on. */
  readonly positiveLabel: L;
  /** What the threshold reaches on held-out rows; undefined if it was given. */
  readonly bestScore: number | undefined;
  declare readonly predictProba?: (x: MatrixLike) => Matrix;
  declare readonly predictLogProba?: (x: MatrixLike) => Matrix;
  declare readonly decisionFunction?: (x: MatrixLike) => Matrix;
  readonly #rule: ThresholdRule;

  constructor(state: MembersState<ClassifierMember<L>>, classes: readonly L[], rule: ThresholdRule) {
    super(state);
    this.classes = classes;
    this.threshold = rule.threshold;
    this.positiveLabel = classes[rule.positive]!;
    this.bestScore = rule.bestScore;
    this.#rule = rule;
    const define = (name: string, value: (x: MatrixLike) => Matrix) =>
      Object.defineProperty(this, name, { value, enumerable: false });
    if (rule.response === "decisionFunction")
      define("decisionFunction", (x) => this.#margins("decisionFunction", x));
    else for (const name of ["predictProba", "predictLogProba"]) define(name, (x) => this.#ask(name, x));
  }

  /** All thresholds and what they are worth on held-out rows; undefined if the threshold was given. */
  get curve(): ThresholdCurve | undefined {
    return this.#rule.curve;
  }

  /** The classifier, fitted to all rows. */
  get model(): ClassifierMember<L> {
    return this.models[0]!;
  }

  /** Takes `minProba`, or for a threshold of decision values `threshold` and `minMargin`, which are relative to this one. */
  predict(x: MatrixLike, options?: NoReject<PredictOptions>): L[];
  predict(x: MatrixLike, options: PredictOptions): (L | undefined)[];
  predict(x: MatrixLike, options?: PredictOptions): (L | undefined)[] {
    const where = `${this.id}.predict`;
    const { response, positive, threshold } = this.#rule;
    if (response === "decisionFunction")
      return predictLabels(where, this.classes, this.#margins("predict", x), options, { margins: true });
    const { data, rows } = this.#ask("predictProba", x, "predict");
    const p = () => data as Float64Array;
    const given = readPredictOptions(where, options, 2, { probabilities: p });
    const codes = Int32Array.from({ length: rows }, (_, i) =>
      data[2 * i + positive]! >= threshold ? positive : 1 - positive,
    );
    return acceptedLabels(this.classes, codes, given, () => 0, p);
  }

  [structure](): Structure {
    const { response, positive, threshold } = this.#rule;
    const inner = structureOf(this.model);
    if (inner.kind !== "classifier") return inner;
    if (response === "decisionFunction") {
      const rule = { kind: "shift", positive, threshold } as const;
      return classifierStructure(
        this,
        { kind: "composite", members: membersOf(this.models), rule, outputs: 1 },
        null,
      );
    }
    return { ...inner, decision: { kind: "threshold", positive, threshold }, margins: null };
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    const { threshold, response, positive, bestScore, curve } = this.#rule;
    const values = { classes: [...this.classes], threshold, response, positive };
    return this.stateWith(curve === undefined ? values : { ...values, bestScore, ...curve });
  }

  /** What the classifier answers. */
  #ask(name: string, x: MatrixLike, method = name): Matrix {
    const rows = this.read(`${this.id}.${method}`, x);
    const { model } = this;
    return (model as unknown as Record<string, (x: MemberRows) => Matrix>)[name]!.call(model, rows);
  }

  /** The score less the threshold, positive for the second class. A row on the threshold belongs to the positive class. */
  #margins(method: string, x: MatrixLike): Matrix<Float64Array> {
    const rows = this.read(`${this.id}.${method}`, x);
    const { threshold, response, positive } = this.#rule;
    const scores = rows.rows > 0 ? responses(this.model, rows, response, positive) : new Float64Array(0);
    const margins = scores.map((s) => (positive === 1 ? s - threshold || Number.MIN_VALUE : threshold - s));
    return new Matrix(margins, rows.rows, 1);
  }
}
