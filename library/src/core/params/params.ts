import { oneOf, ParameterError, show } from "../errors.js";
import { isArrayLike } from "../numbers/typed-arrays.js";
import { nearestName } from "./nearest-name.js";

/**
 * One row of an estimator's params table. The same row validates the constructor's argument, documents the
 * parameter, and describes it to command lines and forms.
 */
export interface ParamSpec<T> {
  /**
   * What kind of value this is, for command lines and forms: "real", "integer", "flag", "choice", "numbers", "classWeight" and
   * "union" are made here; families add their own ("kernel", "estimator", "estimators", …).
   */
  readonly kind: string;
  readonly default: T;
  readonly doc: string;
  /** Completes the sentence "name must be …". */
  readonly expected: string;
  /** The legal values of a choice; the names of the parts. */
  readonly choices?: readonly (string | number | boolean | null)[];
  readonly range?: NumberRange;
  /** The value to use, or `invalid`. */
  read(value: unknown): T | typeof invalid;
  /** What to do about a value that is not legal, where that is not obvious. */
  advice?(value: unknown): string | undefined;
}

export type ParamsTable = Readonly<Record<string, ParamSpec<unknown>>>;
/** A table with a row for every option of O. */
export type TableOf<O> = Readonly<Record<keyof O, ParamSpec<unknown>>>;
type ParamValue<S> = S extends ParamSpec<infer V> ? V : never;
export type ParamValues<T extends ParamsTable> = { readonly [K in keyof T]: ParamValue<T[K]> };
/**
 * What a constructor takes: any subset of the table's keys; undefined is the default. `Narrowed` replaces the types of some
 * parameters: by a type parameter of the estimator, or by what is legal in one combination of several. In the published
 * declarations the build writes each parameter with its doc (tools/build/param-docs.mjs).
 */
export type Params<T extends ParamsTable, Narrowed extends { readonly [K in keyof T]?: unknown } = object> = {
  readonly [K in keyof T]?: (K extends keyof Narrowed ? Narrowed[K] : ParamValue<T[K]>) | undefined;
};
/** The same with the narrowed parameters required, except those marked with "?". */
export type ParamsWith<
  T extends ParamsTable,
  Narrowed extends { readonly [K in keyof T]?: unknown },
> = Params<T, Narrowed> & { readonly [K in keyof Narrowed]: Narrowed[K] | WhereOptional<Narrowed, K> };
type WhereOptional<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? undefined : never;
/** `Params` with the defaults filled in, as an estimator's `params`: of a union of combinations, the union. */
export type FilledIn<P> = { readonly [K in keyof P]-?: Exclude<P[K], undefined> };

export const invalid: unique symbol = Symbol("invalid");

export interface NumberRange {
  readonly above?: number;
  readonly atLeast?: number;
  readonly below?: number;
  readonly atMost?: number;
}

interface Described<T> {
  readonly default: T;
  readonly doc: string;
}

function within(value: number, range: NumberRange): boolean {
  const { above = -Infinity, atLeast = -Infinity, below = Infinity, atMost = Infinity } = range;
  return (
    value >= atLeast &&
    value <= atMost &&
    (value > above || above === -Infinity) &&
    (value < below || below === Infinity)
  );
}

const signs = { above: ">", atLeast: "≥", below: "<", atMost: "≤" } as const;

/** The bounds that are given, in the order in which messages have them. */
const boundsOf = (range: NumberRange) =>
  (Object.keys(signs) as (keyof NumberRange)[]).filter((bound) => range[bound] !== undefined);

function describeRange(noun: string, range: NumberRange): string {
  const bounds = boundsOf(range).map((bound) => `${signs[bound]} ${range[bound]}`);
  return bounds.length === 0 ? noun : `${noun} ${bounds.join(" and ")}`;
}

const rangeOf = (options: NumberRange): NumberRange =>
  Object.fromEntries(boundsOf(options).map((bound) => [bound, options[bound]]));

function numberIn(
  kind: "real" | "integer",
  noun: string,
  options: NumberRange & Described<number>,
  isOne: (value: unknown) => boolean,
): ParamSpec<number> {
  const range = rangeOf(options);
  return {
    kind,
    default: options.default,
    doc: options.doc,
    range,
    expected: describeRange(noun, range),
    read: (value) => (isOne(value) && within(value as number, range) ? (value as number) : invalid),
  };
}

/** A finite number; `infinite: true` also takes Infinity. */
export function real(options: NumberRange & Described<number> & { infinite?: boolean }): ParamSpec<number> {
  return options.infinite
    ? numberIn("real", "a number (Infinity allowed)", options, (v) => Number.isFinite(v) || v === Infinity)
    : numberIn("real", "a number", options, Number.isFinite);
}

export const integer = (options: NumberRange & Described<number>): ParamSpec<number> =>
  numberIn("integer", "an integer", options, Number.isSafeInteger);

/** The seed. It has a fixed default: same input, same result, on every platform. */
export function randomState(): ParamSpec<number> {
  return integer({ default: 0, doc: "Seed of the random numbers." });
}

export function flag(options: Described<boolean>): ParamSpec<boolean> {
  return {
    kind: "flag",
    ...options,
    expected: "true or false",
    choices: [true, false],
    read: (value) => (typeof value === "boolean" ? value : invalid),
  };
}

export function choice<const C extends readonly (string | null)[]>(
  choices: C,
  options: Described<C[number]>,
): ParamSpec<C[number]> {
  return {
    kind: "choice",
    ...options,
    expected: oneOf(choices),
    choices,
    read: (value) => (choices.includes(value as C[number]) ? (value as C[number]) : invalid),
  };
}

/** A parameter that takes what either of two specs takes; the second's default and doc are not used. */
export function either<A, B>(
  first: ParamSpec<A>,
  second: Omit<ParamSpec<B>, "default" | "doc">,
): ParamSpec<A | B> {
  const choices = [...(first.choices ?? []), ...(second.choices ?? [])];
  const range = first.range ?? second.range;
  return {
    kind: "union",
    default: first.default,
    doc: first.doc,
    expected: `${first.expected}, or ${second.expected}`,
    ...(choices.length > 0 ? { choices } : {}),
    ...(range ? { range } : {}),
    read: (value) => {
      const read = first.read(value);
      return read === invalid ? second.read(value) : read;
    },
  };
}

/** `null` means "not set" and is the default. */
export function optional<T>(spec: ParamSpec<T>): ParamSpec<T | null> {
  return {
    ...spec,
    default: null,
    expected: `${spec.expected}, or null`,
    read: (value) => (value === null ? null : spec.read(value)),
  };
}

/** A list of finite numbers, kept as a frozen plain array so that the description stays JSON. */
export function numbers(
  options: Described<readonly number[]> & NumberRange & { length?: number },
): ParamSpec<readonly number[]> {
  const range = rangeOf(options);
  return {
    kind: "numbers",
    default: options.default,
    doc: options.doc,
    range,
    expected: `an array of ${options.length ?? ""} numbers${describeRange("", range)}`.replace("  ", " "),
    read: (value) => {
      if (!isArrayLike(value)) return invalid;
      const list = Array.from(value);
      if (options.length !== undefined && list.length !== options.length) return invalid;
      const fine = list.every((v) => typeof v === "number" && Number.isFinite(v) && within(v, range));
      return fine ? Object.freeze(list as number[]) : invalid;
    },
  };
}

/** Of any realm. */
const isMap = (value: unknown): value is ReadonlyMap<unknown, unknown> =>
  Object.prototype.toString.call(value) === "[object Map]";

/** How classes are weighted: not at all, inversely to their frequency, or by a map from label to weight. */
export type ClassWeight = "balanced" | Readonly<Record<string, number>> | null;

export function classWeight(): ParamSpec<ClassWeight> {
  return {
    kind: "classWeight",
    default: null,
    doc: 'Weight of each class: "balanced" for n / (classes × count), or a map from label to weight.',
    expected: '"balanced", null, or a map from every label to a finite weight ≥ 0',
    choices: ["balanced", null],
    read: (value) => {
      if (value === null || value === "balanced") return value;
      const entries = isMap(value)
        ? [...value.entries()].map(([label, weight]) => [String(label), weight] as const)
        : typeof value === "object" && !Array.isArray(value)
          ? Object.entries(value as object)
          : [];
      const fine = entries.every(([, w]) => typeof w === "number" && Number.isFinite(w) && w >= 0);
      return entries.length > 0 && fine ? Object.freeze(Object.fromEntries(entries)) : invalid;
    },
  };
}

/** Fills in defaults and refuses unknown keys and values outside the table. */
export function readParams<T extends ParamsTable>(where: string, table: T, given: unknown): ParamValues<T> {
  return readTable(where, table, given, { one: "parameter", all: "the argument" });
}

/** What a call without parameters or options expects. */
const NONE = "absent (there are none)";

/** What the rows of a table are called in messages. */
interface Nouns {
  readonly one: string;
  readonly all: string;
}

/** The same for any table: parameters of estimators, options of functions. */
export function readTable<T extends ParamsTable>(
  where: string,
  table: T,
  given: unknown,
  { one, all }: Nouns,
  advice?: string,
): ParamValues<T> {
  const names = Object.keys(table);
  if (given === null || typeof given !== "object" || isArrayLike(given)) {
    const expected = names.length > 0 ? `an object with ${one}s (${names.join(", ")})` : NONE;
    throw new ParameterError(where, all, expected, show(given), advice);
  }
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(table, key)) throw unknownKey(where, table, key, one);
  }
  const values: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(table)) {
    const raw = (given as Record<string, unknown>)[key];
    const value = raw === undefined ? spec.default : spec.read(raw);
    if (value === invalid) throw new ParameterError(where, key, spec.expected, show(raw), spec.advice?.(raw));
    values[key] = value;
  }
  return Object.freeze(values) as ParamValues<T>;
}

function unknownKey(where: string, table: ParamsTable, key: string, noun: string): ParameterError {
  const names = Object.keys(table);
  // A third of the letters may be wrong: "C" and "tol" have no near miss but themselves.
  const most = Math.min(2, Math.floor(key.replaceAll("_", "").length / 3));
  const meant = nearestName(key, names, most);
  const expected = names.length > 0 ? `one of ${names.join(", ")}` : NONE;
  const advice = meant && `Did you mean ${meant}?`;
  return new ParameterError(where, `every ${noun}`, expected, show(key), advice);
}
