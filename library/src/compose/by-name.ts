import { invalid, type ParamSpec } from "../core/params/params.js";

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** A parameter that is an object whose entries all pass. */
export const byName = <T>(
  doc: string,
  expected: string,
  isFine: (name: string, value: unknown) => boolean,
  least = 0,
): ParamSpec<Readonly<Record<string, T>>> => ({
  kind: "estimator",
  default: Object.freeze({}),
  doc,
  expected,
  read: (value) => {
    if (!isRecord(value)) return invalid;
    const entries = Object.entries(value);
    const fine = entries.length >= least && entries.every(([name, entry]) => isFine(name, entry));
    return fine ? Object.freeze(Object.fromEntries(entries) as Record<string, T>) : invalid;
  },
});
