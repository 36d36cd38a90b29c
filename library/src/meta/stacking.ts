import type {
  Capabilities,
  Classifier,
  FitOptions,
  FittedModel,
  FittedRegressor,
  MatrixLike,
  Regressor,
  RestorePart,
  ScoreOptions,
} from "../core/contract.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { isSingleTarget } from "../core/model.js";
import type { AnyClassifier, AnyRegressor, ModelOn, SamplesOfAll } from "../core/model-on.js";
import { flag, type ParamSpec, type ParamsTable, type ParamsWith } from "../core/params/params.js";
import type { NoReject, PredictOptions } from "../core/params/predict-options.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { type MemberOutput, type Structure, structure } from "../core/structure.js";
import type { Matrix } from "../data/matrix.js";
import type { ClassificationSet, RegressionSet } from "../data/training-set.js";
import { type ClassifierMember, isClassifierOf } from "../ensembles/class-votes.js";
import { type MembersState, readMembers } from "../ensembles/fitted-members.js";
import { memberOptions, memberParam, requireTask, takesWeights } from "../ensembles/members.js";
import { withRegression } from "../fitted/regressor.js";
import { LogisticRegression, RidgeCV } from "../linear/index.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { cvParam } from "../selection/search-params.js";
import { FittedNamedMembers, readNames } from "./fitted-named-members.js";
import {
  classificationForMembers,
  composedClassifier,
  composedRegressor,
  labelsOf,
  type NamedEstimators,
  NamedMembers,
  namedEstimators,
  type ReadForMembers,
  regressionForMembers,
} from "./named-estimators.js";
import { foldsFor, outOfFold } from "./out-of-fold.js";
import type { ScoresOf } from "./scores-of.js";
import {
  type ColumnsOf,
  classifierColumns,
  refusePassthrough,
  regressorColumns,
  sideBySide,
  stackedOutput,
  stackedStructure,
  stackMethod,
} from "./stacked-columns.js";

const passthroughParam = flag({ default: false, doc: "The final estimator gets X as well." });
const finalDoc = "Learns from what the others predict.";

export const stackingClassifierParams = {
  estimators: namedEstimators<Classifier>("classifier"),
  finalEstimator: memberParam<Classifier>(new LogisticRegression(), finalDoc),
  cv: cvParam,
  stackMethod,
  passthrough: passthroughParam,
};

export const stackingRegressorParams = {
  estimators: namedEstimators<Regressor>("regressor"),
  finalEstimator: memberParam<Regressor>(new RidgeCV(), finalDoc),
  cv: cvParam,
  passthrough: passthroughParam,
};

interface StackTable extends ParamsTable {
  readonly estimators: ParamSpec<NamedEstimators<object>>;
  readonly finalEstimator: ParamSpec<object>;
  readonly cv: typeof cvParam;
  readonly passthrough: typeof passthroughParam;
}

/** What both stacks share: their parts, what they take, and the predictions that the final estimator learns from. */
abstract class Stacking<T extends StackTable, E extends object, F> extends NamedMembers<
  T,
  E,
  E & { finalEstimator: F }
> {
  constructor(params: object) {
    super(params);
    const { finalEstimator, passthrough, estimators } = this.#own;
    refusePassthrough(this.id, { passthrough, estimators });
    requireTask(this.id, finalEstimator, this.capabilities.task);
  }

  override get capabilities(): Capabilities {
    const all = super.capabilities;
    const final = capabilitiesOf(this.#own.finalEstimator);
    const probabilities = all.probabilities && (final?.probabilities ?? false);
    const decisionFunction = all.decisionFunction && (final?.decisionFunction ?? false);
    if (!this.#own.passthrough) return { ...all, probabilities, decisionFunction };
    const missing = all.missing && (final?.missing ?? false);
    return { ...all, probabilities, decisionFunction, categorical: false, missing };
  }

  override namedParts(): ReadonlyMap<string, object> {
    return new Map([...super.namedParts(), ["finalEstimator", this.#own.finalEstimator]]);
  }

  protected override withMembers({ finalEstimator, ...estimators }: { finalEstimator?: object }): this {
    return super.withMembers(estimators, { finalEstimator });
  }

  /** The members fitted to all rows, and after them the final estimator, fitted to what they predict of rows that they have not seen. */
  protected stack<M extends FittedModel>(
    read: ReadForMembers<ClassificationSet<Label> | RegressionSet>,
    y: ArrayLike<unknown>,
    columnsOf: ColumnsOf<M>,
    options: FitOptions,
  ): MembersState<M> {
    const where = this.where("fit");
    const { finalEstimator, cv, passthrough } = this.#own;
    const folded = { x: read.set.x, y: y as never, weights: read.set.weights };
    const folds = foldsFor(where, folded, cv, this.capabilities.task === "classification");
    const columns = this.members.map(
      (member) => outOfFold<M>(where, member as never, folded, folds, columnsOf, options).columns,
    );
    const z = sideBySide(columns, passthrough ? folded.x : undefined);
    const own = memberOptions(options, takesWeights(finalEstimator) ? folded.weights : undefined);
    const state = this.fitted<M>(read, y, options);
    return { ...state, models: [...state.models, finalEstimator.fit(z, y, own) as M] };
  }

  get #own() {
    return this.params as unknown as {
      readonly estimators: NamedEstimators<object>;
      readonly finalEstimator: { fit(x: Matrix, y: unknown, options: FitOptions): unknown };
      readonly cv: (typeof cvParam)["default"];
      readonly passthrough: boolean;
    };
  }
}

type StackedClassifier<
  E extends NamedEstimators<AnyClassifier>,
  F extends Classifier,
  L extends Label,
> = ModelOn<FittedStackingClassifier<L>, SamplesOfAll<E>> & ScoresOf<ReturnType<F["fit"]>, SamplesOfAll<E>>;

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
> extends Stacking<typeof stackingClassifierParams, E, F> {
  static readonly id = "StackingClassifier";
  static readonly table = stackingClassifierParams;
  /** What it can be at most; `capabilities` of the object depend on its estimators. */
  static readonly capabilities = composedClassifier({ decisionFunction: true, form: "ensemble" });

  // biome-ignore lint/complexity/noUselessConstructor: it says what the parameters are
  constructor(params: ParamsWith<typeof stackingClassifierParams, { estimators: E; finalEstimator?: F }>) {
    super(params);
  }

  fit<L extends Label>(
    x: SamplesOfAll<E>,
    y: Labels<L>,
    options: FitOptions = {},
  ): StackedClassifier<E, F, L> {
    const { stackMethod: method, passthrough } = this.params;
    const read = classificationForMembers(this.where("fit"), this.members, this.capabilities, x, y, options);
    const { classes } = read.set;
    const state = this.stack(read, labelsOf(read.set), classifierColumns(classes, method), options);
    return new FittedStackingClassifier(state, this.names, classes, {
      method,
      passthrough,
    }) as StackedClassifier<E, F, L>;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedStackingClassifier {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const expected = "a classifier of these classes";
    const members = readMembers<ClassifierMember>(reader, restorePart, expected, isClassifierOf(classes));
    const isMethod = (value: unknown): value is StackMethod =>
      (stackMethod.choices as readonly unknown[]).includes(value);
    const method = reader.value("stackMethod", stackMethod.expected, isMethod);
    const names = readNames(reader, members.models.length - 1);
    return new FittedStackingClassifier(members, names, classes, {
      method,
      passthrough: reader.flag("passthrough"),
    });
  }
}

type StackMethod = (typeof stackMethod)["default"];

interface Stack {
  readonly method: StackMethod;
  readonly passthrough: boolean;
}

/** What both fitted stacks share: the final model, and what it gets. */
abstract class FittedStack<M extends FittedModel> extends FittedNamedMembers<M> {
  readonly #columnsOf: ColumnsOf<M>;
  readonly #passthrough: boolean;

  constructor(
    state: MembersState<M>,
    names: readonly string[],
    columnsOf: ColumnsOf<M>,
    passthrough: boolean,
  ) {
    super(state, names);
    this.#columnsOf = columnsOf;
    this.#passthrough = passthrough;
  }

  /** The model of what the members predict. */
  get finalModel(): M {
    return this.models.at(-1)!;
  }

  /** What the final model gets: the members' predictions side by side, and X where it is passed through. */
  stackedColumns(x: MatrixLike): Matrix {
    return this.columns(`${this.id}.stackedColumns`, x);
  }

  protected columns(where: string, x: MatrixLike): Matrix {
    const rows = this.read(where, x);
    const parts = this.models.slice(0, -1).map((model) => this.#columnsOf(model, rows));
    return sideBySide(parts, this.#passthrough ? rows : undefined);
  }

  protected structureBy(outputOf: (model: M) => MemberOutput, classes: readonly Label[]): Structure {
    const models = this.models.slice(0, -1);
    const stack = { models, outputs: models.map(outputOf), passthrough: this.#passthrough, classes };
    return stackedStructure(this, this.finalModel, stack);
  }
}

/** It has `predictProba` and `decisionFunction` exactly if the final classifier has them. */
export class FittedStackingClassifier<L extends Label = Label> extends FittedStack<ClassifierMember<L>> {
  declare readonly predictProba?: (x: MatrixLike) => Matrix;
  declare readonly predictLogProba?: (x: MatrixLike) => Matrix;
  declare readonly decisionFunction?: (x: MatrixLike) => Matrix;
  readonly #stack: Stack;

  constructor(
    state: MembersState<ClassifierMember<L>>,
    names: readonly string[],
    readonly classes: readonly L[],
    stack: Stack,
  ) {
    super(state, names, classifierColumns(classes, stack.method), stack.passthrough);
    this.#stack = stack;
    const final = this.finalModel as unknown as Readonly<Record<string, unknown>>;
    for (const name of ["predictProba", "predictLogProba", "decisionFunction"]) {
      const method = final[name];
      if (typeof method !== "function") continue;
      const value = (x: MatrixLike) => method.call(final, this.columns(`${this.id}.${name}`, x));
      Object.defineProperty(this, name, { value, enumerable: false });
    }
  }

  /** Takes the options of the final classifier's `predict`. */
  predict(x: MatrixLike, options?: NoReject<PredictOptions>): L[];
  predict(x: MatrixLike, options: PredictOptions): (L | undefined)[];
  predict(x: MatrixLike, options?: PredictOptions): (L | undefined)[] {
    const { predict } = this.finalModel as { predict(z: Matrix, options?: object): (L | undefined)[] };
    return predict.call(this.finalModel, this.columns(`${this.id}.predict`, x), options);
  }

  [structure](): Structure {
    return this.structureBy((model) => stackedOutput(model, this.#stack.method), this.classes);
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    const { method: stackMethod, passthrough } = this.#stack;
    return this.stateWith({ classes: [...this.classes], stackMethod, passthrough });
  }
}

type StackedRegressor<E extends NamedEstimators<AnyRegressor>> = ModelOn<
  FittedStackingRegressor,
  SamplesOfAll<E>
>;

/**
 * Stacking [Wolpert 1992]: a final regressor learns how much to trust each of several others.
 *
 *   z(x) = (f₁(x), …, fₘ(x)),      ŷ(x) = g(z(x))
 *
 * g is fitted to predictions of rows that the f have not learned from (`cv` folds); the f that predict are fitted to all rows. Parity:
 * scikit-learn's StackingRegressor.
 */
export class StackingRegressor<
  E extends NamedEstimators<AnyRegressor> = NamedEstimators<Regressor>,
  F extends Regressor = RidgeCV,
> extends Stacking<typeof stackingRegressorParams, E, F> {
  static readonly id = "StackingRegressor";
  static readonly table = stackingRegressorParams;
  /** What it can be at most; `capabilities` of the object depend on its estimators. */
  static readonly capabilities = composedRegressor({ form: "ensemble" });

  // biome-ignore lint/complexity/noUselessConstructor: it says what the parameters are
  constructor(params: ParamsWith<typeof stackingRegressorParams, { estimators: E; finalEstimator?: F }>) {
    super(params);
  }

  fit(x: SamplesOfAll<E>, y: NumberArray, options: FitOptions = {}): StackedRegressor<E> {
    const read = regressionForMembers(this.where("fit"), this.members, this.capabilities, x, y, options);
    const state = this.stack(read, read.set.y, regressorColumns, options);
    return new FittedStackingRegressor(state, this.names, this.params.passthrough) as StackedRegressor<E>;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedStackingRegressor {
    const reader = new StateReader(state);
    const members = readMembers<FittedRegressor>(reader, restorePart, "a regressor", isSingleTarget);
    const names = readNames(reader, members.models.length - 1);
    return new FittedStackingRegressor(members, names, reader.flag("passthrough"));
  }
}

export class FittedStackingRegressor
  extends /* @__PURE__ */ withRegression(FittedStack<FittedRegressor>)
  implements FittedRegressor
{
  readonly #passthrough: boolean;

  constructor(state: MembersState<FittedRegressor>, names: readonly string[], passthrough: boolean) {
    super(state, names, regressorColumns, passthrough);
    this.#passthrough = passthrough;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return this.finalModel.predict(this.columns(where, x));
  }

  [structure](): Structure {
    return this.structureBy(() => "values", []);
  }

  toState(): ModelState {
    return this.stateWith({ passthrough: this.#passthrough });
  }
}
