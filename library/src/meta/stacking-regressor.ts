import type { Composite } from "../core/composite.js";
import type {
  Capabilities,
  FitOptions,
  FittedModel,
  FittedRegressor,
  MatrixLike,
  Regressor,
} from "../core/contract.js";
import { capabilitiesOf, Estimator } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { isSingleTarget } from "../core/model.js";
import type { AnyRegressor, ModelOn, SamplesOfAll } from "../core/model-on.js";
import { flag, type ParamsWith } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { type Structure, structure } from "../core/structure.js";
import type { Matrix } from "../data/matrix.js";
import { memberOptions, memberParam, requireTask, takesWeights } from "../ensembles/members.js";
import { withRegression } from "../fitted/regressor.js";
import { RidgeCV } from "../linear/index.js";
import { cvParam } from "../selection/search-params.js";
import { FittedMembers, type MembersState, membersState, readMembers } from "./fitted-members.js";
import {
  capabilitiesOfAll,
  checkMembers,
  mostOfRegressors,
  type NamedEstimators,
  namedEstimators,
  regressionForMembers,
  requireParts,
} from "./named-estimators.js";
import { foldsFor, outOfFold } from "./out-of-fold.js";
import { refusePassthrough, regressorColumns, sideBySide, stackedStructure } from "./stacked-columns.js";

export const stackingRegressorParams = {
  estimators: namedEstimators<Regressor>("regressor"),
  finalEstimator: memberParam<Regressor>({
    default: new RidgeCV(),
    doc: "Learns from what the others predict.",
  }),
  cv: cvParam,
  passthrough: flag({ default: false, doc: "The final estimator gets X as well." }),
};

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
  >
  extends Estimator<typeof stackingRegressorParams, object>
  implements Composite<E & { finalEstimator: F }>
{
  declare readonly partTypes?: E & { finalEstimator: F };
  static readonly id = "StackingRegressor";
  static readonly table = stackingRegressorParams;
  /** What it can be at most; `capabilities` of the object depend on its estimators. */
  static readonly capabilities: Capabilities = { ...mostOfRegressors, form: "ensemble" };

  constructor(params: ParamsWith<typeof stackingRegressorParams, { estimators: E; finalEstimator?: F }>) {
    super(params);
    checkMembers(this.id, this.params.estimators, "regression");
    refusePassthrough(this.id, this.params);
    requireTask(this.id, this.params.finalEstimator, "regression");
  }

  get capabilities(): Capabilities {
    const { estimators, finalEstimator, passthrough } = this.params;
    const final = capabilitiesOf(finalEstimator);
    const all = capabilitiesOfAll(Object.values(estimators), {
      task: "regression",
      probabilities: false,
      decisionFunction: false,
    });
    if (!passthrough) return all;
    return { ...all, categorical: false, missing: all.missing && (final?.missing ?? false) };
  }

  namedParts(): ReadonlyMap<string, object> {
    const { estimators, finalEstimator } = this.params;
    return new Map<string, object>([...Object.entries(estimators), ["finalEstimator", finalEstimator]]);
  }

  withParts(parts: ReadonlyMap<string, object>): StackingRegressor<E, F> {
    const given = Object.fromEntries(requireParts(`${this.id}.withParts`, parts));
    const { finalEstimator, ...estimators } = given;
    return new StackingRegressor({ ...this.params, estimators, finalEstimator } as never);
  }

  fit(
    x: SamplesOfAll<E>,
    y: NumberArray,
    options: FitOptions = {},
  ): ModelOn<FittedStackingRegressor, SamplesOfAll<E>> {
    const where = this.where("fit");
    const { estimators, finalEstimator, cv, passthrough } = this.params;
    const members = Object.values(estimators);
    const { set, opened } = regressionForMembers(where, members, this.capabilities, x, y, options);
    const folded = { x: set.x, y: set.y, weights: set.weights };
    const folds = foldsFor(where, folded, cv, false);
    const columns = members.map((m) => outOfFold(where, m, folded, folds, regressorColumns, options).columns);
    const models = members.map((m) => m.fit(set.x, folded.y, memberOptions(options, set.weights)));
    const z = sideBySide(columns, passthrough ? set.x : undefined);
    const weights = takesWeights(finalEstimator) ? set.weights : undefined;
    const final = finalEstimator.fit(z, folded.y, memberOptions(options, weights));
    const state = membersState(this, set, opened, [...models, final]);
    const names = Object.keys(estimators);
    return new FittedStackingRegressor(state, names, passthrough) as never;
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedStackingRegressor {
    const reader = new StateReader(state);
    const members = readMembers<FittedRegressor>(reader, restorePart, "a regressor", isSingleTarget);
    const names = reader.labels("names") as readonly string[];
    const count = members.models.length - 1;
    if (names.length !== count) reader.fail("names", `${count} names`, `${names.length}`);
    const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
    const passthrough = reader.value("passthrough", "true or false", isFlag);
    return new FittedStackingRegressor(members, names, passthrough);
  }
}

export class FittedStackingRegressor
  extends /* @__PURE__ */ withRegression(FittedMembers<FittedRegressor>)
  implements FittedRegressor
{
  readonly #names: readonly string[];
  readonly #passthrough: boolean;

  constructor(state: MembersState<FittedRegressor>, names: readonly string[], passthrough: boolean) {
    super(state);
    this.#names = names;
    this.#passthrough = passthrough;
  }

  /** The fitted regressors by name. */
  get members(): Readonly<Record<string, FittedRegressor>> {
    return Object.fromEntries(this.#names.map((name, m) => [name, this.models[m]!]));
  }

  /** The regressor of what the members predict. */
  get finalModel(): FittedRegressor {
    return this.models.at(-1)!;
  }

  /** What the final regressor gets: the members' predictions side by side, and X where it is passed through. */
  stackedColumns(x: MatrixLike): Matrix {
    return this.#columns(`${this.id}.stackedColumns`, x);
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return this.finalModel.predict(this.#columns(where, x));
  }

  [structure](): Structure {
    const models = this.models.slice(0, -1);
    const outputs = models.map(() => "values" as const);
    const stack = { models, outputs, passthrough: this.#passthrough, classes: [] };
    return stackedStructure(this, this.finalModel, stack);
  }

  toState(): ModelState {
    return this.stateWith({ names: [...this.#names], passthrough: this.#passthrough });
  }

  #columns(where: string, x: MatrixLike): Matrix {
    const rows = this.read(where, x);
    const parts = this.models.slice(0, -1).map((model) => regressorColumns(model, rows));
    return sideBySide(parts, this.#passthrough ? rows : undefined);
  }
}
