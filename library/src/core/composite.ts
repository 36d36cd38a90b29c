import { oneOf, ParameterError, show } from "./errors.js";
import { isArrayLike } from "./numbers/typed-arrays.js";
import type { ParamsTable } from "./params/params.js";

/**
 * An estimator made of others, which have names: the steps of a pipeline, the members of an ensemble. Searches and `withParams` reach
 * their parameters as `name.param`.
 */
export interface Composite<P extends object = object> {
  /** For the compiler only: the types of the parts by name. No object has it. */
  readonly partTypes?: P;
  /** The parts by name. */
  namedParts(): ReadonlyMap<string, object>;
  /** The same estimator of other parts, by the same names. */
  withParts(parts: ReadonlyMap<string, object>): object;
}

type PartsOf<E> = E extends { readonly partTypes?: infer P } ? NonNullable<P> : Record<never, never>;
type OwnParams<E> = E extends { readonly params: infer P } ? P : Record<never, never>;
type Name<K> = K extends string | number ? `${K}` : never;

/** The names of all parameters of an estimator, those of its parts as `name.param`. */
export type ParamName<E> =
  | Name<keyof OwnParams<E>>
  | { [K in keyof PartsOf<E>]: Name<K> | `${Name<K>}.${ParamName<PartsOf<E>[K]>}` }[keyof PartsOf<E>];

/** The part at a name or place. */
type PartAt<E, K> = K extends keyof PartsOf<E>
  ? PartsOf<E>[K]
  : K extends `${infer N extends number}`
    ? N extends keyof PartsOf<E>
      ? PartsOf<E>[N]
      : never
    : never;

/** What a parameter holds. */
export type ParamOf<E, K> = K extends `${infer P}.${infer R}`
  ? ParamOf<PartAt<E, P>, R>
  : K extends keyof OwnParams<E>
    ? OwnParams<E>[K]
    : PartAt<E, K> extends never
      ? never
      : object;

interface Parametric {
  readonly params: Readonly<Record<string, unknown>>;
}

const isComposite = (value: object): value is Composite =>
  typeof (value as Partial<Composite>).namedParts === "function";

const isEstimator = (value: unknown): value is object =>
  typeof (value as { readonly fit?: unknown } | null | undefined)?.fit === "function";

/** Parts are a Map, so that their order is kept. */
export function requireParts(where: string, parts: unknown): ReadonlyMap<string, object> {
  if (Object.prototype.toString.call(parts) === "[object Map]") return parts as ReadonlyMap<string, object>;
  throw new ParameterError(where, "the parts", "a Map of estimators by name", show(parts));
}

/** The parts of an estimator: named ones, or parameters that are estimators. */
export function partsOf(estimator: object): ReadonlyMap<string, object> {
  if (isComposite(estimator)) return estimator.namedParts();
  const { params = {} } = estimator as Partial<Parametric>;
  return new Map(Object.entries(params).filter((entry): entry is [string, object] => isEstimator(entry[1])));
}

const tableOf = (estimator: object): ParamsTable =>
  (estimator.constructor as { readonly table?: ParamsTable }).table ?? {};

/**
 * The same estimator with other parameters; `name.param` is a parameter of a part:
 * `withParams(pipe, { "svc.C": 10, "scale.withMean": false })`.
 */
export function withParams<E extends object>(
  estimator: E,
  changes: { readonly [K in ParamName<E>]?: ParamOf<E, K> },
): E {
  const where = "withParams";
  if (!isEstimator(estimator))
    throw new ParameterError(where, "the estimator", "an estimator", show(estimator));
  if (changes === null || typeof changes !== "object" || isArrayLike(changes)) {
    const expected = "an object of values by the name of the parameter";
    throw new ParameterError(where, "the parameters", expected, show(changes));
  }
  return changed(where, estimator, new Map(Object.entries(changes))) as E;
}

/** `withParams` of names that the compiler does not know. */
export function changed(where: string, estimator: object, changes: ReadonlyMap<string, unknown>): object {
  if (changes.size === 0) return estimator;
  const parts = partsOf(estimator);
  const own = new Map<string, unknown>();
  const inner = new Map<string, Map<string, unknown>>();
  for (const [key, value] of changes) {
    const dot = key.indexOf(".");
    const head = dot < 0 ? key : key.slice(0, dot);
    const name = partName(parts, head);
    if (dot < 0 && name === undefined) {
      if (!Object.hasOwn(tableOf(estimator), key)) refuseName(where, estimator, parts, key);
      own.set(key, value);
    } else if (name === undefined) refuseName(where, estimator, parts, key);
    else if (dot < 0) own.set(name, value);
    else {
      const list = inner.get(name) ?? new Map();
      inner.set(name, list.set(key.slice(dot + 1), value));
    }
  }
  const fresh = new Map(parts);
  for (const [name, list] of inner) {
    const part = own.has(name) ? own.get(name) : parts.get(name);
    fresh.set(name, changed(`${where}, ${name}`, part as object, list));
  }
  for (const [name, value] of own) if (parts.has(name) && !inner.has(name)) fresh.set(name, value as object);
  const params = new Map([...own].filter(([key]) => !parts.has(key)));
  if (isComposite(estimator)) {
    const other = params.size === 0 ? estimator : rebuilt(estimator, params);
    return inner.size + own.size > params.size ? (other as Composite).withParts(fresh) : other;
  }
  return rebuilt(estimator, new Map([...fresh, ...params]));
}

/** The name of a part, or of the part at a place. */
function partName(parts: ReadonlyMap<string, object>, head: string): string | undefined {
  if (parts.has(head)) return head;
  return /^\d+$/.test(head) ? [...parts.keys()][Number(head)] : undefined;
}

function rebuilt(estimator: object, changes: ReadonlyMap<string, unknown>): object {
  const { params } = estimator as Parametric;
  const type = estimator.constructor as new (given: object) => object;
  return new type({ ...params, ...Object.fromEntries(changes) });
}

function refuseName(
  where: string,
  estimator: object,
  parts: ReadonlyMap<string, object>,
  key: string,
): never {
  const names = [...Object.keys(tableOf(estimator)), ...[...parts.keys()].map((name) => `${name}.…`)];
  const expected = names.length > 0 ? oneOf(names) : "absent, since this estimator tells of none";
  throw new ParameterError(where, "the parameter", expected, show(key));
}
