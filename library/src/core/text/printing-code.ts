import { show } from "../errors.js";
import { Printed, shortNumber, shownPlaces } from "./printing.js";

/** A value as it would be written in code, shortened. */
export function asCode(value: unknown): string {
  if (typeof value === "string") return value.length > 60 ? show(value) : JSON.stringify(value);
  if (typeof value === "number") return String(value);
  if (typeof value === "function") return value.name || "a function";
  if (value instanceof Printed) return value.toString();
  if (Array.isArray(value)) return listAsCode(value, asCode);
  if (ArrayBuffer.isView(value)) return listAsCode(value as unknown as ArrayLike<unknown>, asCode);
  if (value === null || typeof value !== "object") return String(value);
  // Kernels, layers and optimizers say in plain values what they are.
  if ("toJSON" in value && typeof value.toJSON === "function") return asCode(value.toJSON());
  if (Object.getPrototypeOf(value) !== Object.prototype) return show(value);
  return objectAsCode(Object.entries(value));
}

function listAsCode<T>(list: ArrayLike<T>, each: (entry: T) => string): string {
  const shown = shownPlaces(list.length).map((e) => (e < 0 ? "…" : each(list[e]!)));
  return `[${shown.join(", ")}]`;
}

/** Numbers to five digits, between brackets. */
export const numbersAsCode = (list: ArrayLike<number>): string => listAsCode(list, shortNumber);

/** `{ a: 1, b: 2 }`. */
export function objectAsCode(entries: readonly (readonly [string, unknown])[]): string {
  const name = (key: string) => (/^[\p{L}_$][\p{L}\d_$]*$/u.test(key) ? key : JSON.stringify(key));
  return `{ ${entries.map(([key, value]) => `${name(key)}: ${asCode(value)}`).join(", ")} }`;
}
