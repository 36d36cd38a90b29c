import { show } from "../core/errors.js";
import { exp, expm1, log, log1p, sigmoid } from "../core/numbers/elementary.js";
import { invalid, type ParamSpec } from "../core/params/params.js";

/** A function of one target. */
export type TargetFunction = (y: number) => number;

/** Functions that are known by name, and the names of their inverses. */
const known = {
  log: { call: log, inverse: "exp" },
  exp: { call: exp, inverse: "log" },
  log1p: { call: log1p, inverse: "expm1" },
  expm1: { call: expm1, inverse: "log1p" },
  sqrt: { call: Math.sqrt, inverse: "square" },
  square: { call: (y: number) => y * y, inverse: "sqrt" },
  logit: { call: (p: number) => log(p / (1 - p)), inverse: "expit" },
  expit: { call: sigmoid, inverse: "logit" },
} as const satisfies Record<string, { call: TargetFunction; inverse: string }>;

export type TargetFunctionName = keyof typeof known;

const names = Object.keys(known) as TargetFunctionName[];

/** The parameter that holds a function. */
export const targetFunction = (doc: string): ParamSpec<TargetFunctionName | TargetFunction> => ({
  kind: "function",
  default: "log1p",
  doc,
  expected: `a function of one number or one of ${names.map(show).join(", ")}`,
  read: (value) =>
    typeof value === "function" || names.includes(value as TargetFunctionName)
      ? (value as TargetFunctionName | TargetFunction)
      : invalid,
});

export const callOf = (given: TargetFunctionName | TargetFunction): TargetFunction =>
  typeof given === "function" ? given : known[given].call;

/** The inverse of a function that is known by name. */
export const inverseOf = (given: TargetFunctionName | TargetFunction | null): TargetFunctionName | null =>
  given === null || typeof given === "function" ? null : known[given].inverse;
