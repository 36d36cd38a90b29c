import type { Capabilities, EstimatorClass, FitOptions, FitReport, Progress } from "./contract.js";
import { AbortError, ParameterError } from "./errors.js";
import { invalid, type Params, type ParamsTable, type ParamValues, readParams } from "./params/params.js";
import type { Json, StateReader } from "./state/state.js";
import { Printed } from "./text/printing.js";
import { objectAsCode } from "./text/printing-code.js";
import { refuseTimer } from "./time-limit.js";

/** A frozen object that is its parameters, checked with the static `table` of its class. */
export abstract class Parameterised<T extends ParamsTable, P = Params<T>> extends Printed {
  /** The static `id` of its class. */
  readonly id: string;
  /** Every parameter of the table, defaults filled in. */
  readonly params: ParamValues<T>;

  constructor(params: P = {} as P) {
    super();
    const { id, table } = new.target as unknown as { readonly id: string; readonly table: T };
    this.id = id;
    this.params = readParams(id, table, params);
    Object.freeze(this);
  }
}

/**
 * A frozen description of how to learn: no data, no state. `fit` returns an object of another type.
 * Subclasses have no fields of their own: everything they are is in `params`.
 */
export abstract class Estimator<T extends ParamsTable, P = Params<T>> extends Parameterised<T, P> {
  constructor(params: P = {} as P) {
    super(params);
    nesting.set(this, checkedNesting(this.id, this.params));
  }

  /** The name of a method in errors: "Ridge.fit". */
  protected where(method: string): string {
    return `${this.id}.${method}`;
  }

  /** The call that makes it, with the parameters that differ from their defaults. */
  toString(): string {
    const { table = {} } = this.constructor as Partial<EstimatorClass>;
    const changed = Object.entries(this.params).filter(([key, value]) => !isSame(value, table[key]?.default));
    return `${this.id}(${changed.length > 0 ? objectAsCode(changed) : ""})`;
  }

  /** `{ estimator, params }`: enough to build the same estimator again. */
  toJSON(): { estimator: string; params: Readonly<Record<string, Json>> } {
    return { estimator: this.id, params: describeParams(this.params) };
  }
}

/**
 * Estimators inside each other: what walks them (capabilities, JSON, fits) calls itself once per level. A model file nests up to four levels
 * of JSON per estimator and may have 128 of them, so that whatever can be made can be saved.
 */
const MOST_NESTED = 25;

/** How many estimators deep an estimator is, itself included. */
const nesting = new WeakMap<object, number>();

function checkedNesting(where: string, params: object): number {
  const depth = 1 + nestingIn(params, 0);
  if (depth <= MOST_NESTED) return depth;
  throw new ParameterError(where, "estimators inside each other", `at most ${MOST_NESTED} deep`, `${depth}`);
}

/** Levels of lists and objects in which parameters hold estimators: `transformers: { name: [estimator, columns] }`. */
const LEVELS_OF_PARAMS = 3;

/** The deepest estimator among the values of a parameter. */
function nestingIn(value: unknown, level: number): number {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return 0;
  const own = nesting.get(value);
  if (own !== undefined) return own;
  // Lists of words or numbers may be long, and hold no estimators.
  if (level > LEVELS_OF_PARAMS || (Array.isArray(value) && ["string", "number"].includes(typeof value[1])))
    return 0;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, nestingIn(inner, level + 1));
  return deepest;
}

const isSame = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) ||
  (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((e, i) => isSame(e, b[i])));

/** Those of estimators made of others, which never change: asked anew at every level, twice each would be 2ⁿ times. */
const known = new WeakMap<object, Capabilities>();

/** What an estimator can do: its class says so, or, when it is made of other estimators, the object itself. */
export function capabilitiesOf(estimator: object): Capabilities | undefined {
  if (estimator instanceof Estimator && "capabilities" in estimator) {
    const own = known.get(estimator) ?? (estimator.capabilities as Capabilities);
    known.set(estimator, own);
    return own;
  }
  if ("capabilities" in estimator) return estimator.capabilities as Capabilities;
  return (estimator.constructor as Partial<EstimatorClass>).capabilities;
}

/** What the class of an estimator declares, whatever the estimators inside it need; nothing of objects that are not of a declared class. */
export const classFacts = (estimator: object): Partial<Capabilities> =>
  (estimator.constructor as Partial<EstimatorClass> | undefined)?.capabilities ?? {};

/** Parameters as plain JSON; parts and estimators describe themselves through `toJSON`. Throws on functions, which JSON would drop. */
export function describeParams(params: object): Readonly<Record<string, Json>> {
  const plain = (key: string, value: unknown) => {
    if (typeof value === "function") refuseFunction(key);
    return value === Infinity ? "Infinity" : value;
  };
  return JSON.parse(JSON.stringify(params, plain));
}

function refuseFunction(subject: string): never {
  const expected = "a name or a plain value, since functions cannot be saved or sent to a worker";
  throw new ParameterError("toJSON", subject, expected, "a function");
}

/** The inverse of `describeParams`, for a constructor: JSON has no Infinity, so it travels as text. */
export function reviveParams(
  table: ParamsTable,
  described: Readonly<Record<string, Json>>,
): Record<string, unknown> {
  const entries = Object.entries(described).map(([key, value]): [string, unknown] => {
    const spec = Object.hasOwn(table, key) ? table[key] : undefined;
    const infinite = value === "Infinity" && spec !== undefined && spec.read(value) === invalid;
    return [key, infinite ? Infinity : value];
  });
  return Object.fromEntries(entries);
}

/** The parameters that a saved model was fitted with, checked. */
export function restoreParams<T extends ParamsTable>(table: T, reader: StateReader): ParamValues<T> {
  return readParams(reader.where, table, reviveParams(table, reader.state.params));
}

/** One step of an iterative learner, as `steps()` yields it. */
export interface Step<M> extends Progress {
  /** The model as it stands after this step. */
  model(): M;
}

/** An iterative fit: a step per iteration, then the fitted model. */
export type Steps<M> = Generator<Step<M>, M, void>;

/** Gives the warnings of a fitted model to `onWarning`. */
export function passWarnings(model: unknown, options: FitOptions | undefined): void {
  if (options?.onWarning === undefined) return;
  const { report } = (model ?? {}) as { readonly report?: Partial<FitReport> };
  for (const warning of report?.warnings ?? []) options.onWarning(warning);
}

/** The model after a step; undefined for steps that have none. */
export function modelOf(step: Progress): unknown {
  const { model } = step as Partial<Step<unknown>>;
  return typeof model === "function" ? model.call(step) : undefined;
}

/** Runs a learner's steps to the end: reports each to `onProgress`, stops when the signal fires, and passes on warnings. */
export function runSteps<R>(where: string, steps: Generator<Progress, R, void>, options: FitOptions): R {
  // What is not an object is refused by the learner itself, whose first step reads the options.
  const { signal, onProgress } = options ?? {};
  try {
    if (signal?.aborted) throw new AbortError(where, signal);
    refuseTimer(where, signal);
    for (;;) {
      const step = steps.next();
      if (step.done) {
        passWarnings(step.value, options);
        return step.value;
      }
      onProgress?.(step.value);
      if (signal?.aborted) throw new AbortError(where, signal, modelOf(step.value));
    }
  } finally {
    // Frees what the learner holds when the caller's callback throws or the signal fires.
    steps.return(undefined as R);
  }
}
