import type { Capabilities, Classifier, FitOptions, FittedModel, Regressor } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { capabilitiesOf, type Estimator } from "../core/estimator.js";
import { invalid, type ParamSpec, type ParamsTable } from "../core/params/params.js";

/** An estimator that an ensemble is made of. */
export type MemberEstimator = Classifier | Regressor;

const isEstimator = (value: unknown): value is object & { fit: unknown } =>
  typeof value === "object" && value !== null && "fit" in value && typeof value.fit === "function";

/** The parameter that holds the estimator that an ensemble fits many times. */
export const memberParam = <E>(usual: E, doc: string): ParamSpec<E> => ({
  kind: "estimator",
  default: usual,
  doc,
  expected: "an estimator",
  read: (value) => (isEstimator(value) ? (value as E) : invalid),
});

export const nameOf = (estimator: object): string => estimator.constructor.name;

/** The parameters of an estimator; undefined for an object that only has its `fit`. */
export const paramsOf = (estimator: object): Readonly<Record<string, unknown>> | undefined =>
  (estimator as Partial<Estimator<ParamsTable>>).params;

/** Throws if the estimator's task is not the ensemble's. */
export function requireTask(where: string, estimator: object, task: Capabilities["task"]): void {
  const { task: own } = capabilitiesOf(estimator) ?? {};
  if (own === undefined || own === task) return;
  const expected = `an estimator for ${task}`;
  const received = `${nameOf(estimator)}, which is for ${own}`;
  throw new ParameterError(where, "estimator", expected, received);
}

export const takesWeights = (estimator: object): boolean => capabilitiesOf(estimator)?.sampleWeight ?? true;

/** An ensemble accepts what its members accept; `own` is what it returns. */
export function capabilitiesOver(
  estimator: object,
  own: Pick<Capabilities, "task" | "probabilities" | "decisionFunction" | "sampleWeight">,
): Capabilities {
  const inner = capabilitiesOf(estimator);
  return {
    ...own,
    ...(inner?.input && { input: inner.input }),
    sparse: inner?.sparse ?? false,
    missing: inner?.missing ?? false,
    categorical: inner?.categorical ?? false,
    multiclass: inner?.multiclass ?? true,
    partialFit: false,
  };
}

/**
 * The same estimator with every `randomState`, also of estimators inside it, replaced by a number from `next`. An estimator
 * without one is returned as it is.
 */
export function reseeded<E extends object>(estimator: E, next: () => number): E {
  const params = paramsOf(estimator);
  if (params === undefined) return estimator;
  let changed = false;
  const fresh = (value: unknown): unknown => {
    if (Array.isArray(value) && value.some(isEstimator)) return value.map(fresh);
    if (!isEstimator(value)) return value;
    const inner = reseeded(value, next);
    changed ||= inner !== value;
    return inner;
  };
  const entries = Object.entries(params).map(([key, value]): [string, unknown] => {
    if (key !== "randomState") return [key, fresh(value)];
    changed = true;
    return [key, next()];
  });
  if (!changed) return estimator;
  const type = estimator.constructor as new (given: object) => E;
  return new type(Object.fromEntries(entries));
}

/** Options for a member's fit, without `onProgress`: the ensemble reports its own progress. */
export const memberOptions = (options: FitOptions, sampleWeight?: Float64Array): FitOptions => ({
  ...(sampleWeight && { sampleWeight }),
  ...(options.signal && { signal: options.signal }),
  ...(options.onWarning && { onWarning: options.onWarning }),
});

/** Writes the class index of every label that a member predicted. */
export function encodeInto(labels: ArrayLike<unknown>, classes: readonly unknown[], out: Int32Array): void {
  const index = new Map(classes.map((label, k) => [label, k]));
  for (let i = 0; i < labels.length; i++) out[i] = index.get(labels[i])!;
}

export type MemberOf<E extends { fit(...args: never[]): FittedModel }> = ReturnType<E["fit"]>;
