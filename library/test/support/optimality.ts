import { expect } from "vitest";
import { Matrix } from "../../src/data/matrix.js";
import type { Kernel } from "../../src/kernel-functions/index.js";
import { productOrigin } from "../../src/numeric/kernel-functions/kernel-points.js";
import { kernelCodes } from "../../src/numeric/kernel-functions/kernel-tree.js";
import type { FittedSVC, FittedSVR } from "../../src/svm/index.js";

export type Row = ArrayLike<number>;

/** A kernel, and its formula in doubles. */
export interface Choice {
  readonly kernel: Kernel;
  readonly k: (x: Row, y: Row) => number;
  /** Values of quarters have at most 24 bits, so that nothing is lost where they are kept as 32-bit floats. */
  readonly exact?: true;
}

/** What was asked for: bounds C s of the rows, both kinds of bias, and the violation that may be left. */
export interface Asked {
  readonly choice: Choice;
  readonly upper: readonly number[];
  readonly bias: "separate" | "kernel";
  readonly tol: number;
}

/** What kernel values may be wrong by, relative to themselves: a few units of a 32-bit float, or of a double. */
const SINGLE = 2 ** -21;
const grainOf = ({ exact }: Choice) => (exact ? 2 ** -46 : SINGLE);

/** Signed coefficients of all rows, f without b in doubles, and the most that rounding may have changed it by. */
export function expansionOf(model: FittedSVC | FittedSVR, X: readonly Row[], choice: Choice) {
  const coef = new Float64Array(X.length);
  for (const [s, i] of model.support.entries()) coef[i] = model.dualCoef.at(0, s);
  const used = Array.from(model.support);
  const total = coef.reduce((sum, v) => sum + Math.abs(v), 0);
  let most = 0;
  const f = X.map((x) => {
    const terms = used.map((j) => coef[j]! * choice.k(X[j]!, x));
    most = Math.max(
      most,
      terms.reduce((sum, v) => sum + Math.abs(v), 0),
    );
    return terms.reduce((sum, v) => sum + v, 0);
  });
  // f sums them up, and the bias of all rows comes from the f of some.
  return { coef, f, total, grain: 2 * (grainOf(choice) * most + SINGLE * centredProducts(coef, X, choice)) };
}

/**
 * The largest Σⱼ |coefⱼ (xⱼ − o)·(x − o)|, where rows are so far from 0 that linear kernels are of centred ones: these have more
 * bits than a 32-bit float, also where the rows do not.
 */
function centredProducts(coef: Float64Array, X: readonly Row[], { kernel }: Choice): number {
  const linear = { code: kernelCodes.linear, a: 1, c: 0, degree: 1 };
  const rows = X.map((row) => Array.from(row));
  const o = kernel.name === "linear" ? productOrigin(Matrix.fromRows(rows), linear) : null;
  if (o === null) return 0;
  const centred = rows.map((row) => row.map((v, j) => v - o[j]!));
  const sums = centred.map((x) =>
    centred.reduce((sum, z, j) => sum + Math.abs(coef[j]! * z.reduce((dot, v, k) => dot + v * x[k]!, 0)), 0),
  );
  return Math.max(...sums);
}

/** Σ y α = 0 with a separate bias, and b = Σ y α inside the kernel. Returns how far margins may be from where they should be. */
function slackOf(
  { coef, total, grain }: ReturnType<typeof expansionOf>,
  b: number,
  { bias, tol, choice }: Asked,
): number {
  const inside = coef.reduce((sum, v) => sum + v, 0);
  // Steps of all free variables at once solve equations whose condition is 1e7, in doubles.
  expect(Math.abs(bias === "separate" ? inside : b - inside)).toBeLessThanOrEqual(1e-9 * total);
  return tol + grain + (bias === "kernel" ? 2 * grainOf(choice) * total : 0);
}

/** 0 ≤ α ≤ C s; margins at least 1 unless α is at its bound, at most 1 unless it is 0. */
export function expectOptimalClassifier(
  model: FittedSVC<number>,
  X: readonly Row[],
  signs: readonly number[],
  asked: Asked,
): void {
  const expansion = expansionOf(model, X, asked.choice);
  const b = model.intercept[0]!;
  const slack = slackOf(expansion, b, asked);
  expansion.coef.forEach((v, i) => {
    const [alpha, upper] = [v * signs[i]!, asked.upper[i]!];
    const margin = signs[i]! * (expansion.f[i]! + b);
    expect(alpha).toBeGreaterThanOrEqual(0);
    expect(alpha).toBeLessThanOrEqual(upper * (1 + 1e-12));
    if (alpha < upper) expect(margin).toBeGreaterThanOrEqual(1 - slack);
    if (alpha > 0) expect(margin).toBeLessThanOrEqual(1 + slack);
  });
}

/** |α − α*| ≤ C s; inside the tube unless it is at its bound, on its edge or outside unless it is 0. */
export function expectOptimalRegressor(
  model: FittedSVR,
  X: readonly Row[],
  targets: readonly number[],
  epsilon: number,
  asked: Asked,
): void {
  const expansion = expansionOf(model, X, asked.choice);
  const slack = slackOf(expansion, model.intercept, asked);
  expansion.coef.forEach((v, i) => {
    const upper = asked.upper[i]!;
    const residual = targets[i]! - expansion.f[i]! - model.intercept;
    expect(Math.abs(v)).toBeLessThanOrEqual(upper * (1 + 1e-12));
    if (v < upper) expect(residual).toBeLessThanOrEqual(epsilon + slack);
    if (v > -upper) expect(residual).toBeGreaterThanOrEqual(-epsilon - slack);
    if (v > 0) expect(residual).toBeGreaterThanOrEqual(epsilon - slack);
    if (v < 0) expect(residual).toBeLessThanOrEqual(-epsilon + slack);
  });
}
