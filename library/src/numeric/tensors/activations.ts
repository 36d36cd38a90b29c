import type { unaryChunk, unaryGradientChunk } from "../generated/tensor.js";

/**
 * Functions of one number that have a kernel each (forward and derivative, `wasm/shared/activations.ts`),
 * with up to two constants. The order is the kernels' code.
 */
export const unaryNames = [
  "linear", // x
  "negative", // −x
  "exp",
  "log",
  "sqrt",
  "square",
  "reciprocal", // 1/x
  "abs",
  "sin",
  "cos",
  "sigmoid", // 1/(1 + e^(−a(x − c)))
  "tanh",
  "relu",
  "leakyRelu", // x for x > 0, else a·x
  "gelu", // ½x(1 + erf(x/√2))
  "softplus", // log(1 + eˣ)
  "gaussian", // exp(−(x − c)²/2a²)
  "inverseMultiquadric", // 1/√((x − c)² + a²)
  "sign", // −1, 0, +1; no derivative
  "heaviside", // 1 for x > 0, else 0; no derivative
  "twoStep", // 1 for a < x < c, else 0; no derivative
  "scale", // a·x + c
  "power", // xᵃ for x ≥ 0 (any x where a is a whole number)
] as const;
export type UnaryName = (typeof unaryNames)[number];

/** Kernels of functions of one number, in one family or another. */
export interface UnaryKernels {
  readonly unaryChunk: typeof unaryChunk;
  readonly unaryGradientChunk: typeof unaryGradientChunk;
}

/** A unary function with its constants. */
export interface Unary {
  readonly name: UnaryName;
  readonly a?: number | undefined;
  readonly c?: number | undefined;
  /** The kernels that have it, where they are not those of every network: see `anyFunction`. */
  readonly kernels?: UnaryKernels | undefined;
}

/** The functions in the kernels of every network; a bundle has the others only if something uses them. */
export const basicNames: ReadonlySet<UnaryName> = new Set<UnaryName>([
  "linear",
  "sigmoid",
  "tanh",
  "relu",
  "scale",
]);

const constants: Partial<Record<UnaryName, { readonly a: number; readonly c: number }>> = {
  sigmoid: { a: 1, c: 0 },
  gaussian: { a: 1, c: 0 },
  inverseMultiquadric: { a: 1, c: 0 },
  leakyRelu: { a: 0.01, c: 0 },
  twoStep: { a: 0.25, c: 0.75 },
  scale: { a: 1, c: 0 },
  power: { a: 1, c: 0 },
};
const NONE = { a: 0, c: 0 };

/** A function as kernels are given it, with the default constants where it has none of its own. */
export function unaryArguments({ name, a, c }: Unary): { code: number; a: number; c: number } {
  const byDefault = constants[name] ?? NONE;
  return { code: unaryNames.indexOf(name), a: a ?? byDefault.a, c: c ?? byDefault.c };
}

/** Piecewise constant: the derivative is 0 where it exists, so nothing can be learned through it. */
export const hasDerivative = (name: UnaryName): boolean =>
  name !== "sign" && name !== "heaviside" && name !== "twoStep";

/** Functions whose derivative follows from their value, so that a fused layer stores the value only. */
export const derivativeFromValue: ReadonlySet<UnaryName> = new Set<UnaryName>([
  "linear",
  "negative",
  "exp",
  "sqrt",
  "sigmoid",
  "tanh",
  "relu",
]);
