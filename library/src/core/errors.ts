import { isDetached, typedArrayName } from "./numbers/typed-arrays.js";

/**
 * Every message reads `where: subject must be expected, got received. What to do.`
 * The parts are kept as fields, so that a form or a server can show them without parsing text.
 */
export interface ErrorDetails {
  /** The call that was made, e.g. `LogisticRegression.fit`. */
  readonly where: string;
  /** What is wrong, e.g. `X` or `tol`. */
  readonly subject: string;
  /** What it must be, e.g. `a number > 0`. */
  readonly expected: string;
  /** What it is. */
  readonly received: string;
  /** What to do about it, when that is not obvious. */
  readonly advice?: string;
}

export type ErrorCode = "parameter" | "shape" | "data" | "format" | "environment" | "aborted";

const inOrder = (
  where: string,
  [subject = "", expected = "", received = "", advice = ""]: readonly string[],
) => ({
  where,
  subject,
  expected,
  received,
  advice,
});

export abstract class ArgmaxError extends Error {
  abstract readonly code: ErrorCode;
  readonly where: string;
  readonly subject: string;
  readonly expected: string;
  readonly received: string;
  /** What to do about it; empty when that is obvious. */
  readonly advice: string;

  constructor(details: ErrorDetails);
  /** The same in the order of the message. */
  constructor(where: string, subject: string, expected: string, received: string, advice?: string);
  constructor(given: ErrorDetails | string, ...rest: readonly string[]) {
    const details: ErrorDetails = typeof given === "string" ? inOrder(given, rest) : given;
    const { where, subject, expected, received, advice = "" } = details;
    super(`${where}: ${subject} must be ${expected}, got ${received}.${advice ? ` ${advice}` : ""}`);
    this.where = where;
    this.subject = subject;
    this.expected = expected;
    this.received = received;
    this.advice = advice;
  }

  /** The same error from inside a larger piece of work, whose name is put in front of `where`. */
  within(outer: string): ArgmaxError {
    const Same = this.constructor as new (details: ErrorDetails) => ArgmaxError;
    const error = new Same({ ...this, where: `${outer}, ${this.where}` });
    error.cause = this;
    return error;
  }
}

/** The page, the browser or the machine does not allow what every computation needs. */
export class EnvironmentError extends ArgmaxError {
  override readonly name = "EnvironmentError";
  readonly code = "environment";
}

/** A parameter has a value outside its table, or parameters contradict each other. */
export class ParameterError extends ArgmaxError {
  override readonly name = "ParameterError";
  readonly code = "parameter";
}

/** Sizes that do not fit together: ragged rows, wrong width, X and y of different lengths. */
export class ShapeError extends ArgmaxError {
  override readonly name = "ShapeError";
  readonly code = "shape";
}

/** Values that cannot be learned from: NaN, infinities, one class, negative weights. */
export class DataError extends ArgmaxError {
  override readonly name = "DataError";
  readonly code = "data";
}

/** Bytes or text that are not what they claim to be. */
export class FormatError extends ArgmaxError {
  override readonly name = "FormatError";
  readonly code = "format";
}

/**
 * The caller's AbortSignal fired; its reason (what `controller.abort(reason)` was given, or a TimeoutError) is the `cause`.
 * `name` is the platform's own, so that the usual check for it works.
 */
export class AbortError extends Error {
  override readonly name = "AbortError";
  readonly code = "aborted";
  /**
   * The model as it stood after the last step before the abort: `predict` and `saveModel` take it. Undefined if there was no step, or if
   * the estimator does not learn in steps.
   */
  readonly model: unknown;

  constructor(where: string, signal?: { readonly reason?: unknown }, model?: unknown) {
    const reason = signal?.reason;
    super(`${where}: aborted by its signal.`, reason === undefined ? {} : { cause: reason });
    this.model = model;
  }
}

/** A value as it should appear in a message: short, and with its type where that is the point. */
export function show(value: unknown): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "undefined":
      return "undefined";
    case "string":
      return value.length > 40 ? `${JSON.stringify(value.slice(0, 37))}…` : JSON.stringify(value);
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return `${value}n`;
    case "function":
      return "a function";
    case "symbol":
      return "a symbol";
    default:
      return showObject(value);
  }
}

function showObject(value: object): string {
  if (Array.isArray(value)) return showArray(value);
  if (ArrayBuffer.isView(value)) {
    const name = typedArrayName(value);
    if (name === undefined) return "a DataView";
    return isDetached(value)
      ? `a ${name} whose memory was transferred away`
      : `a ${name} of ${(value as Uint8Array).length}`;
  }
  const name = value.constructor?.name;
  return name && name !== "Object" ? `a ${name}` : `{ ${Object.keys(value).slice(0, 6).join(", ")} }`;
}

/** At most six short scalars as they are, anything more by its number. */
function showArray(list: readonly unknown[]): string {
  if (list.length === 0) return "an empty array";
  const counted = `an array of ${list.length}`;
  if (list.length > 6 || list.some((entry) => entry !== null && typeof entry === "object")) return counted;
  // A hole is shown as what it reads as; `map` would leave it out.
  const shown = Array.from(list, show);
  return shown.every((text) => text.length <= 20) ? `[${shown.join(", ")}]` : counted;
}

/** `a, b or c`, for messages that name the legal choices. */
export function oneOf(choices: readonly unknown[]): string {
  const shown = choices.map(show);
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}
