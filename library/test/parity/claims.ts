import { expect } from "vitest";

/**
 * Parameters that ask for more digits than the defaults. Solvers stop when the objective is within about tol² of its
 * minimum, relatively: 1e-14 is as near as rounding lets a sum of a few hundred terms come.
 */
export const precise = { tol: 1e-7, maxIter: 100_000 } as const;

/**
 * `expected` is a proven minimum: nothing can lie below it by more than rounding (1e-11 covers sums of a few thousand
 * terms), and a good fit lies above it by no more than `relative`. `floor` is the size of the terms whose difference the
 * objective is, for minima near zero.
 */
export function expectMinimum(ours: number, expected: number, relative: number, floor = 0): void {
  const scale = Math.max(Math.abs(expected), floor);
  expect(ours).toBeGreaterThanOrEqual(expected - 1e-11 * scale);
  expect(ours).toBeLessThanOrEqual(expected + relative * scale);
}

/** Every entry within `tolerance` times the largest expected one: one number for vectors of any unit. */
export function expectClose(ours: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(ours.length).toBe(expected.length);
  const scale = Math.max(...Array.from(expected, Math.abs), Number.MIN_VALUE);
  const worst = Math.max(...Array.from(ours, (value, i) => Math.abs(value - expected[i]!)));
  expect(worst / scale).toBeLessThanOrEqual(tolerance);
}

/** Vectors less the mean of their entries at each position: what softmax determines. */
export function centred(vectors: readonly (readonly number[])[]): number[][] {
  const K = vectors.length;
  const mean = vectors[0]!.map((_, j) => vectors.reduce((total, vector) => total + vector[j]! / K, 0));
  return vectors.map((vector) => vector.map((value, j) => value - mean[j]!));
}
