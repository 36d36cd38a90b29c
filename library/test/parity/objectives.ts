import type { CsrMatrix, Matrix } from "argmax";
import { scores, type Target } from "./fixtures.js";

/**
 * What every estimator minimises, written out. These are the formulas of tools/parity, a second time and in another
 * language, and share no code with the library: a misread objective on either side fails the tests.
 */

type Rows = Matrix | CsrMatrix;
type Vector = ArrayLike<number>;

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};
const square = (w: Vector) => sum(Array.from(w, (v) => v * v));
const absolute = (w: Vector) => sum(Array.from(w, Math.abs));
const log1pExp = (z: number) => (z > 0 ? z + Math.log1p(Math.exp(-z)) : Math.log1p(Math.exp(z)));

/** Row k of a K×d matrix. */
export const rowVector = (coef: Matrix, k: number): Float64Array =>
  coef.data.slice(k * coef.cols, (k + 1) * coef.cols) as Float64Array;

/** Σᵢ sᵢ (yᵢ − zᵢ)² + alpha ‖w‖² */
export function ridge(X: Rows, y: Vector, s: Vector, w: Vector, b: number, alpha: number): number {
  return sum(scores(X, w, b).map((z, i) => s[i]! * (y[i]! - z) ** 2)) + alpha * square(w);
}

/** 1/(2Σs) Σᵢ sᵢ (yᵢ − zᵢ)² + alpha·ratio ‖w‖₁ + ½ alpha (1 − ratio) ‖w‖² */
export function elasticNet(
  X: Rows,
  y: Vector,
  s: Vector,
  w: Vector,
  b: number,
  alpha: number,
  ratio: number,
): number {
  const half = ridge(X, y, s, w, b, 0) / (2 * sum(Array.from(s)));
  return half + alpha * ratio * absolute(w) + 0.5 * alpha * (1 - ratio) * square(w);
}

export interface Penalty {
  readonly C: number;
  readonly penalty: "l1" | "l2" | "elasticnet" | "none";
  readonly l1Ratio?: number;
}

/** C · loss + ratio ‖W‖₁ + ½ (1 − ratio) ‖W‖²; without a penalty, the loss. */
function penalised(loss: number, W: Vector, { C, penalty, l1Ratio }: Penalty): number {
  if (penalty === "none") return loss;
  const ratio = penalty === "l1" ? 1 : penalty === "l2" ? 0 : l1Ratio!;
  return C * loss + ratio * absolute(W) + 0.5 * (1 - ratio) * square(W);
}

/** ℓᵢ = log(1 + exp(−yᵢ zᵢ)) with y = +1 for the second class, or log Σₖ exp zᵢₖ − z_{i,yᵢ}. */
export function logistic(
  X: Rows,
  y: readonly Target[],
  s: Vector,
  model: { readonly coef: Matrix; readonly intercept: Vector; readonly classes: readonly Target[] },
  penalty: Penalty,
): number {
  const { coef, intercept, classes } = model;
  const Z = Array.from({ length: coef.rows }, (_, k) => scores(X, rowVector(coef, k), intercept[k]!));
  const losses = y.map((label, i) => {
    const code = classes.indexOf(label);
    if (coef.rows === 1) return s[i]! * log1pExp(code === 1 ? -Z[0]![i]! : Z[0]![i]!);
    const row = Z.map((z) => z[i]!);
    const top = Math.max(...row);
    return s[i]! * (top + Math.log(sum(row.map((z) => Math.exp(z - top)))) - row[code]!);
  });
  return penalised(sum(losses), coef.data as Float64Array, penalty);
}

/** Σₖ [½‖wₖ‖² (or ‖wₖ‖₁) + C Σᵢ sᵢ φ(tᵢₖ zᵢₖ)], φ the hinge or its square; one problem a class, one for two classes. */
export function supportVector(
  X: Rows,
  y: readonly Target[],
  s: Vector,
  model: { readonly coef: Matrix; readonly intercept: Vector; readonly classes: readonly Target[] },
  { C, squared, l1 }: { C: number; squared: boolean; l1: boolean },
): number {
  const { coef, intercept, classes } = model;
  const problems = Array.from({ length: coef.rows }, (_, k) => {
    const w = rowVector(coef, k);
    const positive = classes[coef.rows === 1 ? 1 : k];
    const gaps = scores(X, w, intercept[k]!).map((z, i) => Math.max(0, 1 - (y[i] === positive ? z : -z)));
    const loss = sum(gaps.map((gap, i) => s[i]! * (squared ? gap * gap : gap)));
    return (l1 ? absolute(w) : 0.5 * square(w)) + C * loss;
  });
  return sum(problems);
}

/** ½‖w‖² + C Σᵢ sᵢ φ(yᵢ − zᵢ), φ(r) = max(0, |r| − ε) or its square. */
export function supportVectorRegression(
  X: Rows,
  y: Vector,
  s: Vector,
  w: Vector,
  b: number,
  { C, epsilon, squared }: { C: number; epsilon: number; squared: boolean },
): number {
  const over = scores(X, w, b).map((z, i) => Math.max(0, Math.abs(y[i]! - z) - epsilon));
  return 0.5 * square(w) + C * sum(over.map((v, i) => s[i]! * (squared ? v * v : v)));
}

/** Σᵢ sᵢ (σ + H(rᵢ/σ) σ) + alpha ‖w‖², H(u) = u² if |u| ≤ ε, else 2ε|u| − ε². */
export function huber(
  X: Rows,
  y: Vector,
  s: Vector,
  model: { readonly coef: Vector; readonly intercept: number; readonly scale: number },
  { epsilon, alpha }: { epsilon: number; alpha: number },
): number {
  const { coef, intercept, scale } = model;
  const losses = scores(X, coef, intercept).map((z, i) => {
    const u = Math.abs(y[i]! - z) / scale;
    return s[i]! * (scale + scale * (u <= epsilon ? u * u : 2 * epsilon * u - epsilon * epsilon));
  });
  return sum(losses) + alpha * square(coef);
}

/** 1/(2Σs) Σᵢ sᵢ dev(yᵢ, exp zᵢ) + ½ alpha ‖w‖², dev(y, μ) = 2 (y log(y/μ) − y + μ). */
export function poisson(X: Rows, y: Vector, s: Vector, w: Vector, b: number, alpha: number): number {
  const halves = scores(X, w, b).map((z, i) => {
    const t = y[i]!;
    return s[i]! * ((t > 0 ? t * Math.log(t) : 0) - t * z - t + Math.exp(z));
  });
  return sum(halves) / sum(Array.from(s)) + 0.5 * alpha * square(w);
}

/** sᵢ · c_{yᵢ}: sample weights times class weights, "balanced" being n / (K · rows of the class). */
export function withClassWeights(
  y: readonly Target[],
  s: readonly number[],
  classes: readonly Target[],
  classWeight: unknown,
): number[] {
  if (classWeight === undefined) return [...s];
  const count = (label: Target) => y.filter((other) => other === label).length;
  const weights = new Map(
    classes.map((label) => [
      label,
      classWeight === "balanced"
        ? y.length / (classes.length * count(label))
        : (classWeight as Record<string, number>)[String(label)]!,
    ]),
  );
  return y.map((label, i) => s[i]! * weights.get(label)!);
}
