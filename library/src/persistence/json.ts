import { FormatError, show } from "../core/errors.js";
import type { Json } from "../core/state/state.js";

/** Deeper nesting than any model has; it keeps a hostile file from overflowing the stack. */
const MAX_DEPTH = 128;

/**
 * Plain values as text. JSON has no NaN, no infinities and no −0, so these are written as `{ "$number": "NaN" }`; keys
 * that begin with `$`, and `__proto__`, are prefixed with `$` to avoid confusion.
 */
export function stringify(where: string, value: Json): string {
  return JSON.stringify(escaped(where, value, 0));
}

function checkDepth(where: string, depth: number): void {
  if (depth <= MAX_DEPTH) return;
  throw new FormatError(where, "the description", `at most ${MAX_DEPTH} levels deep`, "more");
}

function escaped(where: string, value: Json, depth: number): unknown {
  checkDepth(where, depth);
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { $number: Object.is(value, -0) ? "-0" : String(value) };
  }
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((inner) => escaped(where, inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      /^\$|^__proto__$/.test(key) ? `$${key}` : key,
      escaped(where, inner, depth + 1),
    ]),
  );
}

/** The inverse of `stringify`, for untrusted text. */
export function parse(where: string, text: string): Json {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    const error = new FormatError(where, "the description", "JSON", "something else");
    error.cause = cause;
    throw error;
  }
  return unescaped(where, parsed, 0);
}

function unescaped(where: string, value: unknown, depth: number): Json {
  checkDepth(where, depth);
  if (value === null || typeof value !== "object") return value as Json;
  if (Array.isArray(value)) return value.map((inner) => unescaped(where, inner, depth + 1));
  if (Object.hasOwn(value, "$number")) return specialNumber(where, value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === "__proto__" || (key.startsWith("$") && !/^\$(\$|__proto__$)/.test(key))) {
        throw new FormatError(where, "every key", "an ordinary name", show(key));
      }
      return [key.startsWith("$") ? key.slice(1) : key, unescaped(where, inner, depth + 1)];
    }),
  );
}

function specialNumber(where: string, value: object): number {
  const text = (value as { $number: unknown }).$number;
  const known = text === "NaN" || text === "Infinity" || text === "-Infinity" || text === "-0";
  if (known && Object.keys(value).length === 1) return Number(text);
  throw new FormatError(where, "$number", "NaN, Infinity, -Infinity or -0", show(text));
}
