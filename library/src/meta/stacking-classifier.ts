import type { Composite } from "../core/composite.js";
import type {
  Capabilities,
  Classifier,
  FitOptions,
  FittedModel,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { capabilitiesOf, Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOfAll } from "../core/model-on.js";
import { flag, type ParamsWith } from "../core/params/params.js";
import type { NoReject, PredictOptions } from "../core/params/predict-options.js";
import { type ModelState, StateReader } from "../core/state.js";
import { type Structure, structure } from "../core/structure.js";
import type { Matrix } from "../data/matrix.js";
import { memberOptions, memberParam, requireTask, takesWeights } from "../ensembles/members.js";
import { LogisticRegression } from "../linear/index.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { cvParam } from "../selection/search-params.js";
import { type ClassifierMember, isClassifierOf } from "./class-votes.js";
import { FittedMembers, type MembersState, membersState, readMembers } from "./fitted-members.js";
import {
  capabilitiesOfAll,
  checkMembers,
  classificationForMembers,
  labelsOf,
  mostOfClassifiers,
  type NamedEstimators,
  namedEstimators,
  requireParts,
} from "./named-estimators.js";
import { foldsFor, outOfFold } from "./out-of-fold.js";
import type { ScoresOf } from "./scores-of.js";
import {
  type ColumnsOf,
  classifierColumns,
  refusePassthrough,
  sideBySide,
  stackedOutput,
  stackedStructure,
  stackMethod,
} from "./stacked-columns.js";

export const stackingClassifierParams = {
  estimators: namedEstimators<Classifier>("classifier"),
  finalEstimator: memberParam<Classifier>({
    default: new LogisticRegression(),
    doc: "Learns from what the others predict.",
  }),
  cv: cvParam,
  stackMethod,
  passthrough: flag({ default: false, doc: "The final estimator gets X as well." }),
};

/**
 * Stacking [Wolpert 1992]: a final classifier learns how much to trust each of several others.
 *
 *   z(x) = (f₁(x), …, fₘ(x)),      ŷ(x) = g(z(x))
 *
 * g is fitted to predictions of rows that the f have not learned from (`cv` folds); the f that predict are fitted to all rows. Parity:
 * scikit-learn's StackingClassifier.
 */
export class StackingClassifier<
    E extends NamedEstimators<AnyClassifier> = NamedEstimators<Classifier>,
    F extends Classifier = LogisticRegression,
  >
  extends Estimator<typeof stackingClassifierParams, object>
  implements Composite<E & { finalEstimator: F }>
{
  declare readonly partTypes?: E & { finalEstimator: F };
  static readonly id = "StackingClassifier";
  static readonly table = stackingClassifierParams;
  /** What it can be at most; `capabilities` of the object depend on its estimators. */
  static readonly capabilities: Capabilities = {
    ...mostOfClassifiers,
    decisionFunction: true,
    form: "ensemble",
  };

  constructor(params: ParamsWith<typeof stackingClassifierParams, { estimators: E; finalEstimator?: F }>) {
    super(params);
    checkMembers(this.id, this.params.estimators, "classification");
    refusePassthrough(this.id, this.params);
    requireTask(this.id, this.params.finalEstimator, "classification");
  }

  get capabilities(): Capabilities {
    const { estimators, finalEstimator, passthrough } = this.params;
    const final = capabilitiesOf(finalEstimator);
    const all = capabilitiesOfAll(Object.values(estimators), {
      task: "classification",
      probabilities: final?.probabilities ?? false,
      decisionFunction: final?.decisionFunction ?? false,
    });
    if (!passthrough) return all;
    return { ...all, categorical: false, missing: all.missing && (final?.missing ?? false) };
  }

  namedParts(): ReadonlyMap<string, object> {
    const { estimators, finalEstimator } = this.params;
    return new Map<string, object>([...Object.entries(estimators), ["finalEstimator", finalEstimator]]);
  }

  withParts(parts: ReadonlyMap<string, object>): StackingClassifier<E, F> {
    const given = Object.fromEntries(requireParts(`${this.id}.withParts`, parts));
    const { finalEstimator, ...estimators } = given;
    return new StackingClassifier({ ...this.params, estimators, finalEstimator } as never);
  }

  fit<L extends Label>(
    x: SamplesOfAll<E>,
    y: Labels<L>,
    options: FitOptions = {},
  ): ModelOn<FittedStackingClassifier<L>, SamplesOfAll<E>> & ScoresOf<ReturnType<F["fit"]>, SamplesOfAll<E>> {
    const where = this.where("fit");
    const { estimators, finalEstimator, cv, stackMethod: method, passthrough } = this.params;
    const members = Object.values(estimators);
    const { set, opened } = classificationForMembers(where, members, this.capabilities, x, y, options);
    const columnsOf = classifierColumns(set.classes, method);
    const folded = { x: set.x, y: labelsOf(set), weights: set.weights };
    const folds = foldsFor(where, folded, cv, true);
    const columns = members.map((m) => outOfFold(where, m, folded, folds, columnsOf, options).columns);
    const models = members.map((m) => m.fit(set.x, folded.y, memberOptions(options, set.weights)));
    const z = sideBySide(columns, passthrough ? set.x : undefined);
    const weights = takesWeights(finalEstimator) ? set.weights : undefined;
    const final = finalEstimator.fit(z, folded.y, memberOptions(options, weights));
    const state = membersState(this, set, opened, [...models, final]);
    const names = Object.keys(estimators);
    const stack = { names, method, passthrough };
    return new FittedStackingClassifier(state, set.classes, stack) as never;
  }

  static restore(
    state: ModelState,
    restorePart: (part: ModelState) => FittedModel,
  ): FittedStackingClassifier {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const expected = "a classifier of these classes";
    const members = readMembers<ClassifierMember>(reader, restorePart, expected, isClassifierOf(classes));
    const names = reader.labels("names") as readonly string[];
    const count = members.models.length - 1;
    if (names.length !== count) reader.fail("names", `${count} names`, `${names.length}`);
    const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
    const isMethod = (value: unknown): value is StackMethod =>
      (stackMethod.choices as readonly unknown[]).includes(value);
    const passthrough = reader.value("passthrough", "true or false", isFlag);
    const method = reader.value("stackMethod", stackMethod.expected, isMethod);
    return new FittedStackingClassifier(members, classes, { names, method, passthrough });
  }
}

type StackMethod = (typeof stackMethod)["default"];

interface Stack {
  readonly names: readonly string[];
  readonly method: StackMethod;
  readonly passthrough: boolean;
}

/** It has `predictProba` and `decisionFunction` exactly if the final classifier has them. */
export class FittedStackingClassifier<L extends Label = Label> extends FittedMembers<ClassifierMember<L>> {
  readonly classes: readonly L[];
  declare readonly predictProba?: (x: MatrixLike) => Matrix;
  declare readonly predictLogProba?: (x: MatrixLike) => Matrix;
  declare readonly decisionFunction?: (x: MatrixLike) => Matrix;
  readonly #stack: Stack;
  readonly #columnsOf: ColumnsOf<ClassifierMember<L>>;

  constructor(state: MembersState<ClassifierMember<L>>, classes: readonly L[], stack: Stack) {
    super(state);
    this.classes = classes;
    this.#stack = stack;
    this.#columnsOf = classifierColumns(classes, stack.method);
    const final = this.finalModel as unknown as Readonly<Record<string, unknown>>;
    for (const name of ["predictProba", "predictLogProba", "decisionFunction"]) {
      const method = final[name];
      if (typeof method !== "function") continue;
      const value = (x: MatrixLike) => method.call(final, this.#columns(name, x));
      Object.defineProperty(this, name, { value, enumerable: false });
    }
  }

  /** The fitted classifiers by name. */
  get members(): Readonly<Record<string, ClassifierMember<L>>> {
    return Object.fromEntries(this.#stack.names.map((name, m) => [name, this.models[m]!]));
  }

  /** The classifier of what the members predict. */
  get finalModel(): ClassifierMember<L> {
    return this.models.at(-1)!;
  }

  /** What the final classifier gets: the members' predictions side by side, and X where it is passed through. */
  stackedColumns(x: MatrixLike): Matrix {
    return this.#columns("stackedColumns", x);
  }

  /** Takes the options of the final classifier's `predict`. */
  predict(x: MatrixLike, options?: NoReject<PredictOptions>): L[];
  predict(x: MatrixLike, options: PredictOptions): (L | undefined)[];
  predict(x: MatrixLike, options?: PredictOptions): (L | undefined)[] {
    const { predict } = this.finalModel as { predict(z: Matrix, options?: object): (L | undefined)[] };
    return predict.call(this.finalModel, this.#columns("predict", x), options);
  }

  [structure](): Structure {
    const { classes } = this;
    const { method, passthrough } = this.#stack;
    const models = this.models.slice(0, -1);
    const outputs = models.map((model) => stackedOutput(model, method));
    return stackedStructure(this, this.finalModel, { models, outputs, passthrough, classes });
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    const { names, method, passthrough } = this.#stack;
    return this.stateWith({
      classes: [...this.classes],
      names: [...names],
      stackMethod: method,
      passthrough,
    });
  }

  #columns(method: string, x: MatrixLike): Matrix {
    const rows = this.read(`${this.id}.${method}`, x);
    const parts = this.models.slice(0, -1).map((model) => this.#columnsOf(model, rows));
    return sideBySide(parts, this.#stack.passthrough ? rows : undefined);
  }
}
