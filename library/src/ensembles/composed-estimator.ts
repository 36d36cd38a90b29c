import type { Capabilities } from "../core/contract.js";
import { classFacts, Estimator } from "../core/estimator.js";
import type { ParamSpec, ParamsTable } from "../core/params/params.js";
import { capabilitiesOver, type MemberEstimator, requireTask } from "./members.js";

export interface ComposedTable<M> extends ParamsTable {
  readonly estimator: ParamSpec<M>;
}

/** What an ensemble can do with its default estimator; `capabilities` of the object depend on its own. */
export const ensembleOf = (
  { capabilities }: { readonly capabilities: Capabilities },
  facts: Partial<Capabilities>,
): Capabilities => ({ ...capabilities, composite: true, form: "ensemble", ...facts });

/** An estimator made of another one of the same task, its parameter `estimator`, whose type is E. */
export abstract class ComposedEstimator<
  T extends ComposedTable<M>,
  E,
  M extends object = MemberEstimator,
> extends Estimator<T, object> {
  /** For the compiler only: searches reach the parameters of the estimator as `estimator.name`. */
  declare readonly partTypes?: { estimator: E };

  constructor(params: object = {}) {
    super(params);
    requireTask(this.id, this.member, classFacts(this).task!);
  }

  /** It takes what the estimator inside takes, and returns what its class declares. */
  get capabilities(): Capabilities {
    const { task, probabilities, decisionFunction } = classFacts(this) as Capabilities;
    return capabilitiesOver(this.member, { task, probabilities, decisionFunction, sampleWeight: true });
  }

  protected get member(): M {
    return (this.params as unknown as { readonly estimator: M }).estimator;
  }
}
