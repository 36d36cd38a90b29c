import type {
  Capabilities,
  FitOptions,
  FittedRegressor,
  FittedTargets,
  MatrixLike,
  Regressor,
  RestorePart,
  Samples,
} from "../../core/contract.js";
import { AbortError } from "../../core/errors.js";
import type { NumberArray } from "../../core/labels.js";
import { isSingleTarget } from "../../core/model.js";
import { beginFit } from "../../core/params/options.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import type { CombinationRule, Scores, Structure } from "../../core/structure.js";
import { membersOf, regressorStructure, structure, structureOf } from "../../core/structure.js";
import { Matrix } from "../../data/matrix.js";
import type { Splitter } from "../../data/splitters/splitter.js";
import type { TargetsSet } from "../../data/targets.js";
import { columnsToMatrix, readTargetNames, targetNamesJson, targetsSet } from "../../data/targets.js";
import type { MembersState, Opened } from "../../ensembles/fitted-members.js";
import { FittedMembers, readMembers } from "../../ensembles/fitted-members.js";
import type { MemberRows, MemberSet } from "../../ensembles/member-rows.js";
import { hasColumns, memberSet, openForMembers, widthOf } from "../../ensembles/member-rows.js";
import { memberOptions } from "../../ensembles/members.js";
import { withRegression } from "../../fitted/regressor.js";
import { withTargets } from "../../fitted/targets.js";
import { regressionForMembers, requireNoWeights } from "../named-estimators.js";
import { foldsFor, outOfFold } from "../out-of-fold.js";
import { regressorColumns } from "../stacked-columns.js";
import { chainedRows } from "./chained-rows.js";

/** An estimator that fits another one to each target. */
interface OutputsEstimator {
  readonly id: string;
  readonly params: object;
  readonly capabilities: Capabilities;
}

/** How the targets depend on each other: not at all, or in an order, each on those before it. */
export interface Chain {
  /** Targets in the order in which they are learned and predicted. */
  readonly order: readonly number[];
  /** Later members learn from out-of-fold predictions of earlier ones; null: from the targets themselves. */
  readonly cv: number | Splitter | null;
}

/** The model of one target, a list. */
export function fitOutput(
  { id, params, capabilities }: OutputsEstimator,
  estimator: Regressor,
  x: Samples,
  y: NumberArray,
  options: FitOptions,
): FittedRegressorOutput {
  const where = `${id}.fit`;
  const { set, opened } = regressionForMembers(where, [estimator], capabilities, x, y, options);
  const models = [estimator.fit(set.x, set.y, memberOptions(options, set.weights))];
  return new FittedRegressorOutput({ ...opened, ...learnedFrom(set), id, params, models });
}

/** The models of all targets, the columns of Y. */
export function fitOutputs(
  { id, params, capabilities }: OutputsEstimator,
  estimator: Regressor,
  x: Samples,
  y: MatrixLike,
  options: FitOptions,
  chainOf: (targets: number) => Chain | undefined,
): FittedRegressorOutputs {
  const where = `${id}.fit`;
  const { set, opened } = targetsForMembers(where, estimator, capabilities, x, y, options);
  let done = 0;
  const fit: FitTarget = (rows, target) => {
    if (options.signal?.aborted) throw new AbortError(where, options.signal);
    const model = estimator.fit(rows, target, memberOptions(options, set.weights));
    options.onProgress?.({ iteration: ++done, total: set.y.length });
    return model;
  };
  const chain = chainOf(set.y.length);
  const models = chain
    ? fitChain(where, estimator, set, chain, fit, options)
    : set.y.map((target) => fit(set.x, target));
  const state = { ...opened, ...learnedFrom(set), id, params, models };
  return new FittedRegressorOutputs(state, set.targetNames, chain?.order);
}

const learnedFrom = ({ x, featureNamesIn }: Pick<MemberSet<TargetsSet>, "x" | "featureNamesIn">) => ({
  nFeatures: widthOf(x),
  featureNamesIn,
});

function targetsForMembers(
  where: string,
  estimator: object,
  capabilities: Capabilities,
  x: Samples,
  y: MatrixLike,
  options: FitOptions,
): { set: MemberSet<TargetsSet>; opened: Opened } {
  beginFit(where, options);
  requireNoWeights(where, capabilities, options);
  const { sparse, missing } = capabilities;
  const { x: numbers, rules, given, reads } = openForMembers(where, x, estimator, { sparse, missing });
  const set = memberSet(targetsSet(where, numbers, y, options, rules), given);
  return { set, opened: { input: { sparse, missing }, reads } };
}

/** Fits the member of one target and reports progress. */
type FitTarget = (x: MemberRows, y: Float64Array) => FittedRegressor;

/** The members of a chain, by target. */
function fitChain(
  where: string,
  estimator: Regressor,
  { x, y, weights }: MemberSet<TargetsSet>,
  { order, cv }: Chain,
  fit: FitTarget,
  options: FitOptions,
): FittedRegressor[] {
  const models = new Array<FittedRegressor>(order.length);
  const before: Float64Array[] = [];
  for (const [place, t] of order.entries()) {
    const rows = chainedRows(x, before);
    const target = y[t]!;
    models[t] = fit(rows, target);
    if (place + 1 === order.length) break;
    const set = { x: rows, y: target, weights };
    const heldOut = () =>
      outOfFold(where, estimator, set, foldsFor(where, set, cv!, false), regressorColumns, options).columns
        .data;
    before.push(cv === null ? target : heldOut());
  }
  return models;
}

/** A model of one target: that of the estimator inside. */
export class FittedRegressorOutput
  extends /* @__PURE__ */ withRegression(FittedMembers<FittedRegressor>)
  implements FittedRegressor
{
  /** The fitted estimator. */
  get estimator(): FittedRegressor {
    return this.models[0]!;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    const rows = this.read(where, x);
    return rows.rows === 0 ? new Float64Array(0) : this.estimator.predict(rows);
  }

  [structure](): Structure {
    return structureOf(this.estimator);
  }

  toState(): ModelState {
    return this.stateWith({});
  }
}

/** The inverse of `FittedRegressorOutput.toState`. */
export function readRegressorOutput(state: ModelState, restorePart: RestorePart): FittedRegressorOutput {
  const reader = new StateReader(state);
  const members = readMembers<FittedRegressor>(reader, restorePart, "a regressor", isSingleTarget);
  if (members.models.length !== 1) reader.fail("parts", "one model", `${members.models.length}`);
  checkWidths(reader, members, [0]);
  return new FittedRegressorOutput(members);
}

/** A model of several targets with an estimator for each: alone, or in a chain. */
export class FittedRegressorOutputs
  extends /* @__PURE__ */ withTargets(FittedMembers<FittedRegressor>)
  implements FittedTargets
{
  static readonly id: string = "RegressorOutputs";

  constructor(
    state: MembersState<FittedRegressor>,
    /** Names of the targets, if Y was a table in fit. */
    readonly targetNames: readonly string[] | undefined,
    /** Of a chain: the targets in the order in which they are predicted, each from X and those before it. */
    readonly order: readonly number[] | undefined,
  ) {
    super(state);
  }

  get nTargets(): number {
    return this.models.length;
  }

  /** The fitted estimators, one per target. */
  get estimators(): readonly FittedRegressor[] {
    return this.models;
  }

  /** One row per row of X, one column per target. */
  protected predictRows(where: string, x: MatrixLike): Matrix {
    const rows = this.read(where, x);
    if (rows.rows === 0) return Matrix.zeros(0, this.nTargets);
    if (this.order === undefined) return columnsToMatrix(this.models.map((model) => model.predict(rows)));
    const columns = new Array<Float64Array>(this.nTargets);
    const before: Float64Array[] = [];
    for (const t of this.order) {
      columns[t] = this.models[t]!.predict(chainedRows(rows, before));
      before.push(columns[t]!);
    }
    return columnsToMatrix(columns);
  }

  [structure](): Structure {
    const { order, nTargets: targets } = this;
    const rule: CombinationRule = order ? { kind: "chain", order } : { kind: "outputs" };
    const scores: Scores = { kind: "composite", members: membersOf(this.models), rule, outputs: targets };
    return regressorStructure(this, scores, { targets });
  }

  toState(): ModelState {
    const { id, order, targetNames } = this;
    const values = { estimator: id, ...targetNamesJson(targetNames), ...(order && { order: [...order] }) };
    return { ...this.stateWith(values), kind: FittedRegressorOutputs.id };
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedRegressorOutputs {
    const reader = new StateReader(state);
    const members = readMembers<FittedRegressor>(reader, restorePart, "a regressor", isSingleTarget);
    const targets = members.models.length;
    const chained = Object.hasOwn(state.values, "order");
    const order = chained ? reader.value("order", "every target once", isOrderOf(targets)) : undefined;
    checkWidths(
      reader,
      members,
      members.models.map((_, t) => order?.indexOf(t) ?? 0),
    );
    const id = reader.text("estimator");
    return new FittedRegressorOutputs({ ...members, id }, readTargetNames(reader, targets), order);
  }
}

/** Whether a value lists the numbers from 0 below `count` in any order. */
export const isOrderOf =
  (count: number) =>
  (value: unknown): value is readonly number[] =>
    Array.isArray(value) &&
    value.length === count &&
    Array.from({ length: count }, (_, t) => t).every((t) => value.includes(t));

/** Every member must have the columns of X and `more` of its own. */
function checkWidths(
  reader: StateReader,
  { nFeatures, models }: MembersState<FittedRegressor>,
  more: readonly number[],
): void {
  const wrong = models.findIndex((model, m) => !hasColumns(reader, model, nFeatures + more[m]!));
  if (wrong >= 0)
    reader.fail(
      `part ${wrong}`,
      `a regressor of ${nFeatures + more[wrong]!} columns`,
      `${models[wrong]!.nFeatures}`,
    );
}
