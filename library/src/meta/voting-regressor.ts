import type { Composite } from "../core/composite.js";
import type {
  Capabilities,
  FitOptions,
  FittedModel,
  FittedRegressor,
  MatrixLike,
  Regressor,
} from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { isSingleTarget } from "../core/model.js";
import type { AnyRegressor, ModelOn, SamplesOfAll } from "../core/model-on.js";
import type { ParamsWith } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { membersOf, regressorStructure, type Structure, structure } from "../core/structure.js";
import { memberOptions } from "../ensembles/members.js";
import { withRegression } from "../fitted/regressor.js";
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
import { votingWeights, weightsOfMembers } from "./voting-weights.js";

export const votingRegressorParams = {
  estimators: namedEstimators<Regressor>("regressor"),
  weights: votingWeights,
};

/**
 * Several regressors as one: each is fitted to all rows, and the prediction is their weighted mean Σₘ vₘ fₘ(x) / Σₘ vₘ.
 * Parity: scikit-learn's VotingRegressor.
 */
export class VotingRegressor<E extends NamedEstimators<AnyRegressor> = NamedEstimators<Regressor>>
  extends Estimator<typeof votingRegressorParams, object>
  implements Composite<E>
{
  declare readonly partTypes?: E;
  static readonly id = "VotingRegressor";
  static readonly table = votingRegressorParams;
  /** What it can be at most; `capabilities` of the object depend on its estimators. */
  static readonly capabilities: Capabilities = { ...mostOfRegressors, form: "ensemble" };

  constructor(params: ParamsWith<typeof votingRegressorParams, { estimators: E }>) {
    super(params);
    checkMembers(this.id, this.params.estimators, "regression");
    weightsOfMembers(this.id, this.params);
  }

  get capabilities(): Capabilities {
    const own = { task: "regression", probabilities: false, decisionFunction: false } as const;
    return capabilitiesOfAll(Object.values(this.params.estimators), own);
  }

  namedParts(): ReadonlyMap<string, object> {
    return new Map(Object.entries(this.params.estimators));
  }

  withParts(parts: ReadonlyMap<string, object>): VotingRegressor<E> {
    const estimators = Object.fromEntries(requireParts(`${this.id}.withParts`, parts)) as unknown as E;
    return new VotingRegressor({ ...this.params, estimators } as never);
  }

  fit(
    x: SamplesOfAll<E>,
    y: NumberArray,
    options: FitOptions = {},
  ): ModelOn<FittedVotingRegressor, SamplesOfAll<E>> {
    const members = Object.values(this.params.estimators);
    const where = this.where("fit");
    const { set, opened } = regressionForMembers(where, members, this.capabilities, x, y, options);
    const own = memberOptions(options, set.weights);
    const state = membersState(
      this,
      set,
      opened,
      members.map((member) => member.fit(set.x, set.y, own)),
    );
    const names = Object.keys(this.params.estimators);
    return new FittedVotingRegressor(state, names, weightsOfMembers(this.id, this.params)) as never;
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedVotingRegressor {
    const reader = new StateReader(state);
    const members = readMembers<FittedRegressor>(reader, restorePart, "a regressor", isSingleTarget);
    const names = reader.labels("names") as readonly string[];
    if (names.length !== members.models.length)
      reader.fail("names", `${members.models.length} names`, `${names.length}`);
    return new FittedVotingRegressor(members, names, reader.weights("weights", [names.length]));
  }
}

export class FittedVotingRegressor
  extends /* @__PURE__ */ withRegression(FittedMembers<FittedRegressor>)
  implements FittedRegressor
{
  readonly #names: readonly string[];
  readonly #weights: Float64Array;

  constructor(state: MembersState<FittedRegressor>, names: readonly string[], weights: Float64Array) {
    super(state);
    this.#names = names;
    this.#weights = weights;
  }

  /** The fitted regressors by name. */
  get members(): Readonly<Record<string, FittedRegressor>> {
    return Object.fromEntries(this.#names.map((name, m) => [name, this.models[m]!]));
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    const rows = this.read(where, x);
    const total = this.#weights.reduce((sum, w) => sum + w, 0);
    const out = new Float64Array(rows.rows);
    if (rows.rows === 0) return out;
    this.models.forEach((model, m) => {
      const weight = this.#weights[m]! / total;
      model.predict(rows).forEach((value, i) => {
        out[i]! += weight * value;
      });
    });
    return out;
  }

  [structure](): Structure {
    const rule = { kind: "mean", weights: this.#weights } as const;
    return regressorStructure(this, { kind: "composite", members: membersOf(this.models), rule, outputs: 1 });
  }

  toState(): ModelState {
    const { length } = this.#weights;
    return this.stateWith({ names: [...this.#names] }, { weights: { shape: [length], data: this.#weights } });
  }
}
