import { cos, exp, expm1, log, log1p, pow, sigmoid, sin, tanh } from "../numbers/elementary.js";

/** A function of one number that is known by name, so that it can be saved. */
export interface NamedFunction {
  readonly value: (x: number) => number;
  /** Name of the function that undoes it, where there is one. */
  readonly inverse: string | undefined;
}

/** By a Newton step from exp(log(x) / 3), whose error is that of the logarithm times its size: cubes of integers are exact. */
function cbrt(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const size = Math.abs(x);
  const root = pow(size, 1 / 3);
  return Math.sign(x) * (root - (root - size / (root * root)) / 3);
}

/** Functions of one number; `inverse` undoes them where they are defined: sqrt undoes square of numbers ≥ 0 only. */
export const namedFunctions = {
  abs: { value: Math.abs, inverse: undefined },
  arctanh: { value: (x) => (log1p(x) - log1p(-x)) / 2, inverse: "tanh" },
  cbrt: { value: cbrt, inverse: "cube" },
  cos: { value: cos, inverse: undefined },
  cube: { value: (x) => x * x * x, inverse: "cbrt" },
  exp: { value: exp, inverse: "log" },
  expit: { value: sigmoid, inverse: "logit" },
  expm1: { value: expm1, inverse: "log1p" },
  log: { value: log, inverse: "exp" },
  log1p: { value: log1p, inverse: "expm1" },
  logit: { value: (p) => log(p) - log1p(-p), inverse: "expit" },
  negative: { value: (x) => -x, inverse: "negative" },
  reciprocal: { value: (x) => 1 / x, inverse: "reciprocal" },
  sign: { value: Math.sign, inverse: undefined },
  sin: { value: sin, inverse: undefined },
  sqrt: { value: Math.sqrt, inverse: "square" },
  square: { value: (x) => x * x, inverse: "sqrt" },
  tanh: { value: tanh, inverse: "arctanh" },
} as const satisfies Record<string, NamedFunction>;

export type FunctionName = keyof typeof namedFunctions;
export const functionNames = Object.keys(namedFunctions) as FunctionName[];

/** Whether zeros that sparse rows do not store stay zeros. */
export const keepsZero = (name: FunctionName): boolean => namedFunctions[name].value(0) === 0;
