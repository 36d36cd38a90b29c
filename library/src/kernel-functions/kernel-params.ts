import { ParameterError, show } from "../core/errors.js";
import { choice, either, integer, invalid, type ParamSpec, real } from "../core/params/params.js";
import type { Json } from "../core/state/state.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { KernelLeaf, KernelTree } from "../numeric/kernel-functions/kernel-tree.js";
import { codeCount, kernelCodes, kernelValue } from "../numeric/kernel-functions/kernel-tree.js";
import type { FormulaKernel, FormulaName, Gamma, Kernel, KernelFunction } from "./kernel.js";
import { custom, formulaKernel, formulaNames, isKernel, kernelFromJson, precomputed } from "./kernel.js";

/** The kernels that can be given by name. */
export type KernelName = FormulaName | "precomputed";
export const kernelNames: readonly KernelName[] = [...formulaNames, "precomputed"];

const kernelPart: ParamSpec<KernelName | Kernel> = {
  kind: "kernel",
  default: "rbf",
  doc: "Kernel k(x, y): a name (with gamma, degree and coef0), one of kernels.… (kernels.rbf({ sigma: 2 })), or a function of two rows.",
  expected: `a kernel: ${kernelNames.join(", ")}, one of kernels.…, or a function of two rows`,
  // Without "precomputed", which requires another X.
  choices: formulaNames,
  read: (value) => {
    const name = kernelNames.find((known) => known === value);
    if (name) return name;
    if (typeof value === "function") return custom(value as KernelFunction);
    if (isKernel(value)) return value;
    return kernelFromJson(value) ?? invalid;
  },
};

/** The parameters of a kernel function. */
export const kernelParams = {
  kernel: kernelPart as ParamSpec<KernelName | Kernel | KernelFunction>,
  gamma: either(
    choice(["scale", "auto"], {
      default: "scale",
      doc: 'Kernel coefficient γ of a kernel given by name: "scale" is 1/(columns × variance of X), "auto" is 1/columns.',
    }),
    real({ above: 0, default: 1, doc: "" }),
  ),
  degree: integer({ atLeast: 0, default: 3, doc: "Degree of the polynomial kernel given by name." }),
  coef0: real({
    default: 0,
    doc: "Independent term c of a kernel given by name (poly, sigmoid, multiquadric, …).",
  }),
};

export interface KernelChoice {
  readonly kernel: KernelName | Kernel | KernelFunction;
  readonly gamma: Gamma;
  readonly degree: number;
  readonly coef0: number;
}

/** The kernel that the parameters of estimator `id` specify. */
export function kernelOf(id: string, { kernel, gamma, degree, coef0 }: KernelChoice): Kernel {
  if (typeof kernel === "function") return custom(kernel);
  if (typeof kernel !== "string") return kernel;
  if (kernel === "precomputed") return precomputed();
  if ((kernel === "inverseMultiquadric" || kernel === "rationalQuadratic") && !(coef0 > 0)) {
    throw new ParameterError(id, "coef0", `> 0 with the ${kernel} kernel, which divides by it`, show(coef0));
  }
  if (kernel === "linear") return formulaKernel({ name: kernel, gamma: 1, coef0: 0, degree: 1 });
  return formulaKernel({ name: kernel, gamma, coef0, degree: kernel === "quadratic" ? 2 : degree });
}

/** For solvers that require an inner product. Kernels of unknown definiteness are checked by the solvers. */
export function requirePositiveDefinite(id: string, kernel: Kernel): void {
  if (kernel.positiveDefinite !== false) return;
  const expected = "positive definite, since this method requires an inner product";
  const received = `${show(kernel.name)}, whose matrices may have negative eigenvalues`;
  const advice = "SVC, SVR and KernelPerceptron take such kernels.";
  throw new ParameterError(id, "kernel", expected, received, advice);
}

/** A kernel whose γ is computed from the training rows. */
export type BoundKernel =
  | { readonly kind: "tree"; readonly tree: KernelTree }
  | { readonly kind: "function"; readonly value: KernelFunction }
  | { readonly kind: "precomputed" };

/** gamma "scale" and "auto" are computed from `rows`. */
export function bindKernel(kernel: Kernel, rows: Design, weights: Float64Array | undefined): BoundKernel {
  if (kernel.name === "precomputed") return { kind: "precomputed" };
  let scale: number | undefined;
  const gammaOf = (rule: Gamma) => {
    if (typeof rule === "number") return rule;
    if (rule === "auto") return 1 / rows.cols;
    scale ??= scaleOf(rows, weights);
    return scale;
  };
  return isCustom(kernel)
    ? { kind: "function", value: functionOf(kernel, gammaOf) }
    : { kind: "tree", tree: treeOf(kernel, gammaOf) };
}

const isCustom = (kernel: Kernel): boolean =>
  kernel.value !== undefined || (kernel.parts?.some(isCustom) ?? false);

function treeOf(kernel: Kernel, gammaOf: (rule: Gamma) => number): KernelTree {
  if (kernel.formula) return leafOf(kernel.formula, gammaOf);
  const parts = kernel.parts!.map((part) => treeOf(part, gammaOf));
  return { op: kernel.name as "sum" | "product", parts };
}

function functionOf(kernel: Kernel, gammaOf: (rule: Gamma) => number): KernelFunction {
  if (kernel.value) return kernel.value;
  if (!isCustom(kernel)) {
    const tree = treeOf(kernel, gammaOf);
    return (x, y) => kernelValue(tree, x, y);
  }
  const parts = kernel.parts!.map((part) => functionOf(part, gammaOf));
  const join: (a: number, b: number) => number = kernel.name === "sum" ? (a, b) => a + b : (a, b) => a * b;
  return (x, y) => parts.map((value) => value(x, y)).reduce(join);
}

const codeOf: Readonly<Record<FormulaName, number>> = {
  linear: kernelCodes.linear,
  quadratic: kernelCodes.polynomial,
  poly: kernelCodes.polynomial,
  sigmoid: kernelCodes.sigmoid,
  rbf: kernelCodes.gaussian,
  exponential: kernelCodes.exponential,
  laplacian: kernelCodes.exponential,
  multiquadric: kernelCodes.multiquadric,
  inverseMultiquadric: kernelCodes.inverseMultiquadric,
  rationalQuadratic: kernelCodes.rationalQuadratic,
  thinPlate: kernelCodes.thinPlate,
};

const leafOf = (
  { name, gamma, coef0, degree }: FormulaKernel,
  gammaOf: (rule: Gamma) => number,
): KernelLeaf => ({ code: codeOf[name], a: gammaOf(gamma), c: coef0, degree });

/**
 * scikit-learn's "scale" with weighted rows; 1 for a constant X.
 */
function scaleOf(x: Design, weights: Float64Array | undefined): number {
  const total = x.cols * (weights ? weights.reduce((sum, s) => sum + s, 0) : x.rows);
  const mean = weightedSum(x, weights, 0, false) / total;
  const variance = weightedSum(x, weights, mean, true) / total;
  return variance > 0 && variance < Infinity ? 1 / (x.cols * variance) : 1;
}

/** Σ s (x − offset), or Σ s (x − offset)², over all entries, including zeros that are not stored. */
function weightedSum(x: Design, weights: Float64Array | undefined, offset: number, squares: boolean): number {
  const dense = x instanceof Matrix;
  const values = dense ? x.data : x.values;
  let sum = 0;
  for (let i = 0; i < x.rows; i++) {
    const from = dense ? i * x.cols : x.indptr[i]!;
    const to = dense ? from + x.cols : x.indptr[i + 1]!;
    const zero = squares ? offset * offset : -offset;
    let row = (x.cols - (to - from)) * zero;
    for (let e = from; e < to; e++) {
      const v = values[e]! - offset;
      row += squares ? v * v : v;
    }
    sum += weights ? weights[i]! * row : row;
  }
  return sum;
}

/** The JSON of a bound kernel in a saved model; a function cannot be saved. */
export function boundKernelJson(where: string, kernel: BoundKernel): Json {
  if (kernel.kind === "tree") return kernel.tree as unknown as Json;
  if (kernel.kind === "precomputed") return "precomputed";
  const expected = "one of the named kernels, since functions cannot be saved";
  const advice = 'Use kernel: "precomputed" and compute the kernel matrix yourself.';
  throw new ParameterError(where, "kernel", expected, "a function", advice);
}

/** The bound kernel in a file; undefined if the value is not a kernel. */
export function readBoundKernel(value: unknown): BoundKernel | undefined {
  if (value === "precomputed") return { kind: "precomputed" };
  return isTree(value, 0) ? { kind: "tree", tree: value } : undefined;
}

/** Deeper trees are rejected as hostile. */
const DEEPEST = 32;

function isTree(value: unknown, depth: number): value is KernelTree {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return false;
  if ("op" in value) {
    const { op, parts } = value as { op: unknown; parts?: unknown };
    if (op !== "sum" && op !== "product") return false;
    return Array.isArray(parts) && parts.length > 0 && parts.every((part) => isTree(part, depth + 1));
  }
  const { code, a, c, degree } = value as Partial<KernelLeaf>;
  const numbers = [code, a, c, degree].every((v) => typeof v === "number" && Number.isFinite(v));
  if (!numbers) return false;
  return (
    Number.isInteger(code) && code! >= 0 && code! < codeCount && Number.isInteger(degree) && degree! >= 0
  );
}
