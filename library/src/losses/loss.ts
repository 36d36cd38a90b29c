/**
 * A loss ℓ(z, y) of one linear margin z = w·x + b, with its derivatives in z and its link.
 *
 * `name` is a literal type: solvers state which names they can minimise, and the compiler holds callers to it.
 * `code` and `param` are how the kernels know the same function (wasm/shared/losses.ts); the functions here are
 * its plain TypeScript twin.
 */
export interface Loss<Name extends LossName = LossName> {
  readonly name: Name;
  readonly code: number;
  /** Huber's δ, the quantile, or the half-width ε of the tube; 0 where there is none. */
  readonly param: number;
  value(z: number, y: number): number;
  /** ∂ℓ/∂z; at a kink, the subgradient that the kernels use. */
  slope(z: number, y: number): number;
  /** ∂²ℓ/∂z² where it exists, else 0. */
  curvature(z: number, y: number): number;
  /** The prediction that a margin stands for. */
  mean(z: number): number;
  /** `"logistic"`, or `{ name: "huber", delta: 1.35 }` where there is a parameter. */
  toJSON(): LossJson;
}

export type LossJson = string | { readonly name: string; readonly [key: string]: string | number };

/** Targets −1 and +1. */
export type BinaryLossName =
  | "logistic"
  | "hinge"
  | "squaredHinge"
  | "perceptron"
  | "exponential"
  | "modifiedHuber";
/** Numbers as targets. */
export type RegressionLossName =
  | "squared"
  | "absolute"
  | "huber"
  | "quantile"
  | "epsilonInsensitive"
  | "squaredEpsilonInsensitive"
  | "poisson";
export type ClassificationLossName = BinaryLossName | "squared" | "softmax";
export type LossName = ClassificationLossName | RegressionLossName;

export const binaryLosses: readonly BinaryLossName[] = [
  "logistic",
  "hinge",
  "squaredHinge",
  "perceptron",
  "exponential",
  "modifiedHuber",
];

/** Losses with a continuous gradient and a curvature. */
export type SmoothLossName =
  | "squared"
  | "huber"
  | "logistic"
  | "softmax"
  | "squaredHinge"
  | "modifiedHuber"
  | "exponential"
  | "poisson"
  | "squaredEpsilonInsensitive";
/** Losses whose dual is a box-constrained quadratic. */
export type DualLossName =
  | "hinge"
  | "squaredHinge"
  | "epsilonInsensitive"
  | "squaredEpsilonInsensitive"
  | "absolute";
/** Piecewise linear losses: quadratic programs for the interior-point solver. */
export type PiecewiseLinearLossName = "hinge" | "absolute" | "quantile" | "epsilonInsensitive";

export const smoothLosses: readonly SmoothLossName[] = [
  "squared",
  "huber",
  "logistic",
  "softmax",
  "squaredHinge",
  "modifiedHuber",
  "exponential",
  "poisson",
  "squaredEpsilonInsensitive",
];
export const dualLosses: readonly DualLossName[] = [
  "hinge",
  "squaredHinge",
  "epsilonInsensitive",
  "squaredEpsilonInsensitive",
  "absolute",
];
export const piecewiseLinearLosses: readonly PiecewiseLinearLossName[] = [
  "hinge",
  "absolute",
  "quantile",
  "epsilonInsensitive",
];
