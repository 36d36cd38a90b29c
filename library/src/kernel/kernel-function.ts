import { ParameterError, show } from "../core/errors.js";
import { choice, either, integer, real } from "../core/params.js";
import type { Matrix } from "../data/matrix.js";
import type { KernelCode } from "../numeric/smo.js";

/** The kernel functions, in the order of their codes in kernels/shared/kernel-functions.ts, and other names for some. */
const codes = {
  linear: 0,
  poly: 1,
  quadratic: 1,
  sigmoid: 2,
  rbf: 3,
  exponential: 4,
  laplacian: 4,
  multiquadric: 5,
  inverseMultiquadric: 6,
  rationalQuadratic: 7,
  thinPlate: 8,
} as const;

/** Codes are below this. */
export const codeCount = 9;

export type KernelName = keyof typeof codes;
export const kernelNames = Object.keys(codes) as readonly KernelName[];

/** Kernels whose matrices have no negative eigenvalue, whatever the points: the dual then has one minimum. */
export const positiveDefinite: readonly KernelName[] = [
  "linear",
  "poly",
  "quadratic",
  "rbf",
  "exponential",
  "laplacian",
  "inverseMultiquadric",
  "rationalQuadratic",
];

/** The parameters of a kernel function. */
export const kernelParams = {
  kernel: choice(kernelNames as readonly [KernelName, ...KernelName[]], {
    default: "rbf",
    doc: "The kernel function k(x, y).",
  }),
  gamma: either(
    choice(["scale", "auto"], {
      default: "scale",
      doc: 'γ of the kernel: "scale" is 1/(columns × variance of X), "auto" 1/columns.',
    }),
    real({ above: 0, default: 1, doc: "" }),
  ),
  degree: integer({ atLeast: 0, default: 3, doc: "Degree of the polynomial kernel." }),
  coef0: real({ default: 0, doc: "c of the kernels that have one." }),
};

/** Some kernels divide by c. */
export function checkKernel(id: string, { kernel, coef0 }: KernelChoice): void {
  const divides = kernel === "inverseMultiquadric" || kernel === "rationalQuadratic";
  if (!divides || coef0 > 0) return;
  throw new ParameterError({
    where: id,
    subject: "coef0",
    expected: `> 0 with the ${kernel} kernel, which divides by it`,
    received: show(coef0),
  });
}

export interface KernelChoice {
  readonly kernel: KernelName;
  readonly gamma: "scale" | "auto" | number;
  readonly degree: number;
  readonly coef0: number;
}

/**
 * The kernel with its numbers filled in, for the given rows:
 *
 *   linear x·y;  poly (γ x·y + c)^degree;  quadratic the same with degree 2;  sigmoid tanh(γ x·y + c)
 *   rbf e^(−γ r²);  exponential and laplacian e^(−γ r), with r = ‖x − y‖ (γ = 1/2σ² and 1/σ in the usual letters)
 *   multiquadric √(r² + c²);  inverseMultiquadric 1/√(r² + c²);  rationalQuadratic 1 − r²/(r² + c);  thinPlate r² log r
 */
export function kernelCode(
  { kernel, gamma, degree, coef0 }: KernelChoice,
  x: Matrix,
  weights: Float64Array | undefined,
): KernelCode {
  const a = kernel === "linear" ? 1 : typeof gamma === "number" ? gamma : gammaOf(gamma, x, weights);
  const c = kernel === "linear" ? 0 : coef0;
  return { code: codes[kernel], a, c, degree: kernel === "quadratic" ? 2 : degree };
}

/**
 * scikit-learn's rules, with rows counted by their weight; a constant X has no variance to divide by, and γ is 1.
 */
function gammaOf(
  rule: "scale" | "auto",
  { data, rows, cols }: Matrix,
  weights: Float64Array | undefined,
): number {
  if (rule === "auto") return 1 / cols;
  const total = cols * (weights ? weights.reduce((sum, s) => sum + s, 0) : rows);
  const average = (of: (v: number) => number) => {
    let sum = 0;
    for (let i = 0, at = 0; i < rows; i++) {
      let row = 0;
      for (let j = 0; j < cols; j++, at++) row += of(data[at]!);
      sum += weights ? weights[i]! * row : row;
    }
    return sum / total;
  };
  const mean = average((v) => v);
  const variance = average((v) => (v - mean) * (v - mean));
  return variance > 0 && variance < Infinity ? 1 / (cols * variance) : 1;
}
