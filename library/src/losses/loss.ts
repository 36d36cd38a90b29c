/**
 * A loss: its name, and the properties that solvers read. Solvers never branch on the name.
 *
 * `name` is a literal type: solvers declare the names that they can minimise, and the compiler rejects all others.
 */
export interface Loss<Name extends LossName = LossName> {
  readonly name: Name;
  readonly targets: TargetKind;
  readonly shape: LossShape;
  /**
   * For losses that decrease towards 0 without reaching it: the least loss of a row whose best two classes tie. A smaller sum over
   * all rows means that every row is classified correctly, and that no minimum exists without a penalty.
   */
  readonly tieCost?: number;
  /** `"logistic"`, or `{ name: "huber", delta: 1.35 }` where there is a parameter. */
  toJSON(): LossJson;
}

/** −1 and +1; numbers; counts ≥ 0; or class indices, for a loss of one margin per class. */
export type TargetKind = "signs" | "numbers" | "counts" | "classes";

/**
 * quadratic           one curvature everywhere
 * curved              a curvature that changes with z and is never 0
 * piecewiseQuadratic  a continuous derivative; the curvature is constant on some intervals and 0 on the others
 * piecewiseLinear     the derivative jumps
 */
export type LossShape = "quadratic" | "curved" | "piecewiseQuadratic" | "piecewiseLinear";

/**
 * A loss ℓ(z, y) of one margin z = w·x + b, with its derivatives in z and its link.
 *
 * `code` and `param` identify the same function in the kernels (wasm/shared/losses.ts); the functions here are its plain
 * TypeScript twin.
 */
export interface MarginLoss<Name extends MarginLossName = MarginLossName> extends Loss<Name> {
  readonly targets: Exclude<TargetKind, "classes">;
  readonly code: number;
  /** Huber's δ, the quantile, or the half-width ε of the tube; 0 where there is none. */
  readonly param: number;
  value(z: number, y: number): number;
  /** ∂ℓ/∂z; at a kink, the subgradient that the kernels use. */
  derivative(z: number, y: number): number;
  /** ∂²ℓ/∂z² where it exists, else 0. */
  curvature(z: number, y: number): number;
  /** The prediction for a margin. */
  mean(z: number): number;
  /** Infimum of ℓ: 0, or −∞. */
  readonly infimum: number;
  /** ℓ as a sum of hinges, for solvers of the dual. */
  readonly hinges?: HingeForm;
  /**
   * Curvature of the quadratic in z that touches ℓ at z and lies above it everywhere (iteratively reweighted least squares), for
   * losses with linear tails: there the curvature itself is 0, and a Newton step is not defined.
   */
  majorant?(z: number, y: number): number;
  /** The best constant is this quantile of y (½: the median), exactly or nearly; if absent, it is nearer to the mean. */
  readonly quantile?: number;
  /** Half-width of the interval around y in which ℓ is 0. */
  readonly tube?: number;
  /** Σ s ℓ(b, y) for a constant b, where Σ s y and Σ s determine it. */
  constantSum?(b: number, sum: number, total: number): number;
  /** The loss m with ℓ(uz, uy) = u · m(z, y), where ℓ has a parameter in the unit of y; if absent, ℓ itself. */
  inUnit?(unit: number): MarginLoss;
}

/**
 *   ℓ(z, y) = Σ over pieces of max(0, c − σz)ᵖ + tilt · (z − y)
 *
 * Each piece is one bounded (p = 1) or penalised (p = 2) variable per row in the dual.
 */
export interface HingeForm {
  readonly pieces: readonly { sigma(y: number): number; c(y: number): number }[];
  readonly power: 1 | 2;
  readonly tilt: number;
}

/** Whether the loss is a function of one margin; the others have one margin per class. */
export function isMarginLoss(loss: Loss): loss is MarginLoss {
  return loss.targets !== "classes";
}

/** The loss as a function of one margin. */
export function marginLoss(loss: Loss): MarginLoss {
  if (isMarginLoss(loss)) return loss;
  throw new Error(`${loss.name} has one margin per class`);
}

/** Whether ℓ has a continuous derivative. */
export const isSmooth = ({ shape }: Loss): boolean => shape !== "piecewiseLinear";

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
export type MarginLossName = Exclude<LossName, "softmax">;

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

export const regressionLosses: readonly RegressionLossName[] = [
  "squared",
  "absolute",
  "huber",
  "quantile",
  "epsilonInsensitive",
  "squaredEpsilonInsensitive",
  "poisson",
];
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
