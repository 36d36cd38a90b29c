import type { FitReport, FittedModel, FittedRegressor, MatrixLike, RestorePart } from "../core/contract.js";
import { isSingleTarget } from "../core/model.js";
import { readReport, reportJson } from "../core/report.js";
import { stateOf } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { membersOf, regressorStructure, type Structure, structure } from "../core/structure.js";
import type { KnownToMembers, MemberRows } from "../ensembles/member-rows.js";
import { hasColumns, readForMembers, readKnown, readsJson } from "../ensembles/member-rows.js";
import { RegressorModel } from "../fitted/regressor.js";
import { weightedMedians } from "./regression-rounds.js";

interface AdaBoostRegressorState<M extends FittedModel> extends KnownToMembers {
  readonly params: object;
  readonly members: readonly (FittedRegressor & M)[];
  readonly estimatorWeights: Float64Array;
  readonly estimatorErrors: Float64Array;
  readonly report: FitReport;
}

const ID = "AdaBoostRegressor";

export class FittedAdaBoostRegressor<M extends FittedModel = FittedModel>
  extends RegressorModel
  implements FittedRegressor
{
  /** The weak regressors, in the order of the rounds. */
  readonly members: readonly (FittedRegressor & M)[];
  /** The weight of each member in the median. */
  readonly estimatorWeights: Float64Array;
  /** Weighted mean loss of each member. */
  readonly estimatorErrors: Float64Array;
  readonly nFeatures: number;
  readonly featureNamesIn: readonly string[] | undefined;
  readonly report: FitReport;
  protected readonly id = ID;
  readonly #params: object;
  readonly #known: KnownToMembers;

  constructor(state: AdaBoostRegressorState<M>) {
    super();
    this.members = Object.freeze([...state.members]);
    this.estimatorWeights = state.estimatorWeights;
    this.estimatorErrors = state.estimatorErrors;
    this.nFeatures = state.nFeatures;
    this.featureNamesIn = state.featureNamesIn;
    this.report = state.report;
    this.#params = state.params;
    this.#known = state;
  }

  /** The weighted median of the members' predictions. */
  protected predictRows(where: string, x: MatrixLike): Float64Array {
    const design = this.#read(where, x);
    return weightedMedians(this.#predictions(design), this.estimatorWeights, design.rows);
  }

  /** `predict` after each round. */
  *stagedPredict(x: MatrixLike): Generator<Float64Array, void, void> {
    const design = this.#read(`${ID}.stagedPredict`, x);
    const all = this.#predictions(design);
    for (let t = 1; t <= all.length; t++)
      yield weightedMedians(all.slice(0, t), this.estimatorWeights.subarray(0, t), design.rows);
  }

  [structure](): Structure {
    const rule = { kind: "median", weights: this.estimatorWeights } as const;
    const members = membersOf(this.members);
    return regressorStructure(this, { kind: "composite", members, rule, outputs: 1 });
  }

  /** The members' importances, weighted by their weights; null if a member has none. */
  get featureImportances(): Float64Array | null {
    const importances = new Float64Array(this.nFeatures);
    const total = this.estimatorWeights.reduce((sum, w) => sum + w, 0);
    for (const [t, member] of this.members.entries()) {
      const own = (member as { readonly featureImportances?: Float64Array | null }).featureImportances;
      if (!own) return null;
      for (const [j, importance] of own.entries())
        importances[j]! += (this.estimatorWeights[t]! / total) * importance;
    }
    return importances;
  }

  toState(): ModelState {
    const { nFeatures, estimatorWeights, estimatorErrors, featureNamesIn } = this;
    const report = reportJson(this.report);
    const learned = { nFeatures, report, ...readsJson(this.#known.reads), estimatorWeights, estimatorErrors };
    const parts = this.members.map((member) => member.toState());
    return stateOf(ID, { params: this.#params, featureNamesIn }, learned, parts);
  }

  /** Members check sparse rows and missing values themselves. */
  #read(where: string, x: MatrixLike): MemberRows {
    return readForMembers(where, x, this.#known, { sparse: true, missing: true });
  }

  #predictions(design: MemberRows): Float64Array[] {
    if (design.rows === 0) return this.members.map(() => new Float64Array());
    return this.members.map((member) => Float64Array.from(member.predict(design)));
  }
}

/** The inverse of `toState`. */
export function readAdaBoostRegressor(state: ModelState, restorePart: RestorePart): FittedAdaBoostRegressor {
  const reader = new StateReader(state);
  const known = readKnown(reader);
  const { nFeatures } = known;
  const estimatorWeights = reader.floats("estimatorWeights", [-1]);
  const T = estimatorWeights.length;
  if (T === 0) reader.fail("estimatorWeights", "one or more", "none");
  const members = (state.parts ?? []).map(restorePart);
  if (members.length !== T) reader.fail("parts", `${T} members`, `${members.length}`);
  for (const [t, member] of members.entries()) {
    const fits = hasColumns(reader, member, nFeatures) && isSingleTarget(member);
    if (!fits) reader.fail(`member ${t}`, `a regressor of ${nFeatures} columns`, "another");
  }
  return new FittedAdaBoostRegressor({
    ...known,
    params: state.params,
    members: members as unknown as FittedRegressor[],
    estimatorWeights,
    estimatorErrors: reader.floats("estimatorErrors", [T]),
    report: readReport(reader),
  });
}
