import { ParameterError, show } from "../core/errors.js";
import { readOptions, refuseOptions } from "../core/params/options.js";
import type { Params, ParamsTable } from "../core/params/params.js";
import { choice, either, flag, integer, readParams, real } from "../core/params/params.js";
import type { Json } from "../core/state/state.js";

/** k(x, y) of two rows, symmetric in them. */
export type KernelFunction = (x: Float64Array, y: Float64Array) => number;

/** 1/(columns × variance of X), 1/columns, or the number itself. */
export type Gamma = "scale" | "auto" | number;

/** A built-in kernel and its parameters: γ, c and the degree. */
export interface FormulaKernel {
  readonly name: FormulaName;
  readonly gamma: Gamma;
  readonly coef0: number;
  readonly degree: number;
}

/**
 * A kernel: a symmetric function of two rows. It is an inner product in some feature space if all its matrices are positive
 * semidefinite (`positiveDefinite`); solvers that require that reject kernels with `false` and check matrices of kernels with
 * "unknown".
 */
export interface Kernel {
  readonly name: FormulaName | "sum" | "product" | "precomputed" | "custom";
  readonly positiveDefinite: boolean | "unknown";
  readonly formula?: FormulaKernel;
  /** The operands of a sum or product. */
  readonly parts?: readonly Kernel[];
  /** The function of a custom kernel. */
  readonly value?: KernelFunction;
  toJSON(): Json;
}

export const formulaNames = [
  "linear",
  "quadratic",
  "poly",
  "sigmoid",
  "rbf",
  "exponential",
  "laplacian",
  "multiquadric",
  "inverseMultiquadric",
  "rationalQuadratic",
  "thinPlate",
] as const;
export type FormulaName = (typeof formulaNames)[number];

const gamma = (fallback: Gamma) =>
  either(
    choice(["scale", "auto"], {
      default: fallback as "scale",
      doc: 'Kernel coefficient γ: a number, "scale" for 1/(columns × variance of X), or "auto" for 1/columns.',
    }),
    real({ above: 0, default: 1, doc: "" }),
  );
const coef0 = (fallback: number) => real({ default: fallback, doc: "Independent term c." });
/** c of kernels that divide by it. */
const divisor = real({ above: 0, default: 1, doc: "Constant c, which the kernel divides by." });
const sigma = either(
  choice([null], { default: null, doc: "σ, instead of γ." }),
  real({ above: 0, default: 1, doc: "" }),
);

/** The parameters of each kernel. */
export const formulaParams = {
  linear: { gamma: gamma(1), coef0: coef0(0) },
  quadratic: { gamma: gamma("scale"), coef0: coef0(1) },
  poly: {
    gamma: gamma("scale"),
    coef0: coef0(1),
    degree: integer({ atLeast: 0, default: 3, doc: "Degree of the polynomial." }),
  },
  sigmoid: { gamma: gamma("scale"), coef0: coef0(0) },
  rbf: { gamma: gamma("scale"), sigma },
  exponential: { gamma: gamma("scale"), sigma },
  laplacian: { gamma: gamma("scale"), sigma },
  multiquadric: { coef0: coef0(1) },
  inverseMultiquadric: { coef0: divisor },
  rationalQuadratic: { coef0: divisor },
  thinPlate: {},
} satisfies Readonly<Record<FormulaName, ParamsTable>>;

/** γ of the usual σ: e^(−r²/2σ²), e^(−r/2σ²), e^(−r/σ). */
const gammaOfSigma: Partial<Record<FormulaName, (sigma: number) => number>> = {
  rbf: (s) => 1 / (2 * s * s),
  exponential: (s) => 1 / (2 * s * s),
  laplacian: (s) => 1 / s,
};

function formula<N extends FormulaName>(name: N, given: Params<(typeof formulaParams)[N]>): Kernel {
  const table: ParamsTable = formulaParams[name];
  const read = readParams(`kernels.${name}`, table, given) as Readonly<Record<string, unknown>>;
  const { gamma = 1, sigma = null, coef0 = 0, degree = name === "quadratic" ? 2 : 3 } = read;
  const g = sigma === null ? (gamma as Gamma) : gammaOfSigma[name]!(sigma as number);
  return formulaKernel({ name, gamma: g, coef0: coef0 as number, degree: degree as number });
}

/** A built-in kernel; its parameters must be valid. */
export function formulaKernel(made: FormulaKernel): Kernel {
  const { name, gamma, coef0, degree } = made;
  const set: Record<string, Json> = { gamma, coef0, degree };
  const json: Record<string, Json> = { name };
  for (const key of Object.keys(formulaParams[name])) if (key in set) json[key] = set[key]!;
  return Object.freeze({
    name,
    positiveDefinite: isPositiveDefinite(made),
    formula: Object.freeze(made),
    toJSON: () => json,
  });
}

function isPositiveDefinite({ name, coef0 }: FormulaKernel): boolean {
  if (name === "linear" || name === "quadratic" || name === "poly") return coef0 >= 0;
  return name !== "sigmoid" && name !== "multiquadric" && name !== "thinPlate";
}

/** γ x·y + c; positive definite for c ≥ 0. */
export const linear = (params: Params<typeof formulaParams.linear> = {}): Kernel => formula("linear", params);
/** (γ x·y + c)²; positive definite for c ≥ 0. */
export const quadratic = (params: Params<typeof formulaParams.quadratic> = {}): Kernel =>
  formula("quadratic", params);
/** (γ x·y + c)^degree; positive definite for c ≥ 0. */
export const polynomial = (params: Params<typeof formulaParams.poly> = {}): Kernel => formula("poly", params);
/** tanh(γ x·y + c); not positive definite. */
export const sigmoidKernel = (params: Params<typeof formulaParams.sigmoid> = {}): Kernel =>
  formula("sigmoid", params);
/** The Gaussian kernel e^(−γ r²), r = ‖x − y‖ and γ = 1/2σ². */
export const rbf = (params: Params<typeof formulaParams.rbf> = {}): Kernel => formula("rbf", params);
/** e^(−γ r), r = ‖x − y‖ and γ = 1/2σ². */
export const exponentialKernel = (params: Params<typeof formulaParams.exponential> = {}): Kernel =>
  formula("exponential", params);
/** e^(−γ r), r = ‖x − y‖ and γ = 1/σ. Parity: Euclidean distance, as in the lectures and kernlab, not city blocks. */
export const laplacian = (params: Params<typeof formulaParams.laplacian> = {}): Kernel =>
  formula("laplacian", params);
/** √(r² + c²); not positive definite. */
export const multiquadric = (params: Params<typeof formulaParams.multiquadric> = {}): Kernel =>
  formula("multiquadric", params);
/** 1/√(r² + c²). */
export const inverseMultiquadric = (params: Params<typeof formulaParams.inverseMultiquadric> = {}): Kernel =>
  formula("inverseMultiquadric", params);
/** 1 − r²/(r² + c). */
export const rationalQuadratic = (params: Params<typeof formulaParams.rationalQuadratic> = {}): Kernel =>
  formula("rationalQuadratic", params);
/** r² log r; not positive definite. */
export const thinPlate = (...given: []): Kernel => {
  refuseOptions("kernels.thinPlate", given);
  return formula("thinPlate", {});
};

/** X is the kernel matrix: n × n for fit, m × n for predict (m rows, n training rows). */
export const precomputed = (...given: []): Kernel => {
  refuseOptions("kernels.precomputed", given);
  return Object.freeze({
    name: "precomputed",
    positiveDefinite: "unknown",
    toJSON: () => ({ name: "precomputed" }),
  });
};

const customOptions = {
  positiveDefinite: either(
    choice(["unknown"], {
      default: "unknown",
      doc: "Whether every kernel matrix is positive semi-definite.",
    }),
    flag({ default: true, doc: "" }),
  ),
};

/** A custom kernel. It runs in JavaScript, and can be neither saved nor sent to a worker. */
export function custom(
  value: KernelFunction,
  options: { readonly positiveDefinite?: boolean | "unknown" | undefined } = {},
): Kernel {
  const { positiveDefinite } = readOptions("kernels.custom", customOptions, options);
  if (typeof value !== "function") {
    throw new ParameterError("kernels.custom", "the kernel", "a function of two rows", show(value));
  }
  return Object.freeze({ name: "custom", positiveDefinite, value, toJSON: () => ({ name: "custom" }) });
}

/** k₁ + k₂ + …: the concatenation of their features. */
export const sum = (...parts: readonly Kernel[]): Kernel => combination("sum", parts);
/** k₁ k₂ …: all products of their features. */
export const product = (...parts: readonly Kernel[]): Kernel => combination("product", parts);

function combination(name: "sum" | "product", parts: readonly Kernel[]): Kernel {
  const isWrong = (part: unknown) => !isKernel(part) || part.name === "precomputed";
  const wrong: unknown = parts.find(isWrong);
  if (parts.length === 0 || parts.some(isWrong)) {
    throw new ParameterError({
      where: `kernels.${name}`,
      subject: "every operand",
      expected: "a kernel of rows (kernels.rbf(), kernels.linear(), …)",
      received: parts.length === 0 ? "none" : isKernel(wrong) ? "a precomputed kernel" : show(wrong),
      ...(isKernel(wrong) ? { advice: `Compute the ${name} of the matrices yourself.` } : {}),
    });
  }
  const known = parts.map((part) => part.positiveDefinite);
  return Object.freeze({
    name,
    positiveDefinite: known.includes(false) ? false : known.includes("unknown") ? "unknown" : true,
    parts: Object.freeze([...parts]),
    toJSON: () => ({ name, parts: parts.map((part) => part.toJSON()) }),
  });
}

export function isKernel(value: unknown): value is Kernel {
  return typeof value === "object" && value !== null && "positiveDefinite" in value && "toJSON" in value;
}

/** The inverse of `toJSON`; undefined if the value describes no kernel. */
export function kernelFromJson(value: unknown): Kernel | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, parts, ...rest } = value as { name?: unknown; parts?: unknown };
  if (name === "precomputed") return precomputed();
  if (name === "sum" || name === "product") {
    const read = Array.isArray(parts) ? parts.map(kernelFromJson) : [];
    return read.length > 0 && read.every(isKernel) ? combination(name, read) : undefined;
  }
  const found = formulaNames.find((known) => known === name);
  return found && formula(found, rest as Params<(typeof formulaParams)[typeof found]>);
}
