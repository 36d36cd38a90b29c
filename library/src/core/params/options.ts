import { isSupervised } from "../capabilities.js";
import { type ColumnLike, isColumn } from "../column-like.js";
import type { FitOptions, Progress, ScoreOptions, Unlabelled } from "../contract.js";
import { AbortError, DataError, ParameterError, show } from "../errors.js";
import { capabilitiesOf } from "../estimator.js";
import type { NumberArray } from "../labels.js";
import { isArrayLike } from "../numbers/typed-arrays.js";
import type { SignalLike } from "../signal.js";
import { isTargetMatrix } from "../target-matrix.js";
import { refuseTimer } from "../time-limit.js";
import type { ParamSpec, ParamsTable, ParamValues, TableOf } from "./params.js";
import { invalid, readTable } from "./params.js";

/** A row of an options table: it may be absent, and what it holds in detail is checked where it is used. */
export function option<T>(
  kind: ParamSpec<T>["kind"],
  doc: string,
  expected: string,
  accepts: (value: unknown) => boolean,
): ParamSpec<T | undefined> {
  const read = (value: unknown) => (accepts(value) ? (value as T) : invalid);
  return { kind, default: undefined, doc, expected, read };
}

/** The same spec, for an option without a default: absent is undefined. */
export const absent = <T>(spec: ParamSpec<T>): ParamSpec<T | undefined> => ({ ...spec, default: undefined });

export const functionOption = <F>(doc: string, expected = "a function"): ParamSpec<F | undefined> =>
  option<F>("function", doc, expected, (value) => typeof value === "function");

export const sampleWeight = option<NumberArray>(
  "numbers",
  "One weight per row; 2 counts as the row twice, 0 as the row gone.",
  "an array or a typed array of weights",
  // Read with the number of rows at hand (`readWeights`), which says what is wrong with them.
  () => true,
);

const isSignal = (value: unknown): boolean => {
  const { aborted, addEventListener } = (value ?? {}) as Partial<SignalLike>;
  return typeof aborted === "boolean" && typeof addEventListener === "function";
};

/** Something else in place of a signal, e.g. the whole controller, would never stop anything. */
export const signal: ParamSpec<SignalLike | undefined> = {
  ...option<SignalLike>(
    "signal",
    "Stops the work with an AbortError at its next step.",
    "an AbortSignal",
    isSignal,
  ),
  advice: (value) =>
    typeof (value as Partial<AbortController> | null)?.abort === "function"
      ? "Pass the controller's signal: controller.signal."
      : undefined,
};

export const onProgress = functionOption<(progress: Progress) => void>("Called after every step.");

export const onWarning = functionOption<(warning: string) => void>(
  "Called with every warning of the report, e.g. when training stopped before it converged.",
);

/** What `fit` and `steps` take besides X and y. */
export const fitOptions = { sampleWeight, signal, onProgress, onWarning } satisfies TableOf<FitOptions>;

/** What `score` takes besides X and y. */
export const scoreOptions = { sampleWeight } satisfies TableOf<ScoreOptions>;

/** The options of a function by its table: an unknown or misspelt one, or something else than an object, is an error. */
export function readOptions<T extends ParamsTable>(where: string, table: T, given: unknown): ParamValues<T> {
  const isWeights = isArrayLike(given) && "sampleWeight" in table;
  const advice = isWeights ? "Weights have a name: { sampleWeight: [1, 2, …] }." : undefined;
  return readTable(where, table, given, { one: "option", all: "the options" }, advice);
}

/**
 * For functions without options, as `newton()`: the compiler refuses an argument, plain JavaScript would ignore it. An empty
 * object is not an option.
 */
export function refuseOptions(where: string, given: readonly unknown[]): void {
  for (const argument of given) if (argument !== undefined) readOptions(where, {}, argument);
}

/** Start of a fit without further checks: reads the options and throws if the signal has fired, or could not fire during the fit. */
export function beginFit(where: string, options: FitOptions, table: ParamsTable = fitOptions): void {
  beginElsewhere(where, options, table);
  refuseTimer(where, options.signal);
}

/** The same for a fit in a worker, during which timers of this thread fire. */
export function beginElsewhere(where: string, options: FitOptions, table: ParamsTable = fitOptions): void {
  readOptions(where, table, options);
  if (options.signal?.aborted) throw new AbortError(where, options.signal);
}

/** The options of `fit(X)`, `fit(X, options)` or `fit(X, y, options)`. */
export function unlabelledOptions<O extends object>(
  where: string,
  y: ArrayLike<unknown> | ColumnLike<unknown> | O | null | undefined,
  options: O | undefined,
): O {
  if (y === undefined || y === null || isArrayLike(y) || isColumn(y) || isTargetMatrix(y))
    return options === undefined ? ({} as O) : options;
  if (typeof y === "object" && options === undefined) return y;
  const advice = "Options come last: fit(X, options) or fit(X, y, options).";
  throw new DataError(where, "y", "an array or a typed array, or absent", show(y), advice);
}

/** `beginFit` of an estimator that learns from X alone; returns its options. */
export function beginUnlabelledFit(
  where: string,
  y: Unlabelled,
  options: FitOptions | undefined,
): FitOptions {
  const own = unlabelledOptions(where, y, options);
  beginFit(where, own);
  return own;
}

/** The same where weights have no meaning: throws on them instead of ignoring them. */
export function beginUnweightedFit(
  where: string,
  y: Unlabelled,
  options: FitOptions | undefined,
): FitOptions {
  const own = beginUnlabelledFit(where, y, options);
  refuseWeights(where, own, ", since nothing here depends on weights");
  return own;
}

/** Throws on weights where they have no meaning; `reason` follows "absent". */
export function refuseWeights(where: string, { sampleWeight }: FitOptions, reason: string): void {
  if (sampleWeight === undefined) return;
  throw new ParameterError(where, "sampleWeight", `absent${reason}`, "weights");
}

/** y and options of a call `(X, y, options)` about any estimator, or `(X, options)` about one that learns from X alone. */
export function fitArguments<O extends object>(
  where: string,
  estimator: object,
  y: unknown,
  options: O | undefined,
): { readonly y: unknown; readonly options: O } {
  const capabilities = capabilitiesOf(estimator);
  if (!capabilities || isSupervised(capabilities))
    return { y, options: options === undefined ? ({} as O) : options };
  const own = unlabelledOptions(where, y as ArrayLike<unknown> | O | null | undefined, options);
  return { y: own === y || y === null ? undefined : y, options: own };
}
