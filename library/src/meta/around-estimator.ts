import type { Capabilities, Classifier } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { ComposedEstimator, type ComposedTable } from "../ensembles/composed-estimator.js";
import { type MemberEstimator, nameOf } from "../ensembles/members.js";
import { capabilitiesOfWhole } from "./named-estimators.js";

/** An estimator around another one, which takes weights only if that one does. */
export abstract class AroundEstimator<
  T extends ComposedTable<M>,
  E,
  M extends object = MemberEstimator,
> extends ComposedEstimator<T, E, M> {
  override get capabilities(): Capabilities {
    return capabilitiesOfWhole(this, [this.member]);
  }
}

/** Throws unless the models of a classifier have scores. Classifiers of others may not declare what they have. */
export function requireScored(where: string, estimator: Classifier): void {
  const able = capabilitiesOf(estimator);
  if (able === undefined || able.probabilities || able.decisionFunction) return;
  const expected = "a classifier with a decision function or probabilities";
  throw new ParameterError(where, "estimator", expected, nameOf(estimator));
}
