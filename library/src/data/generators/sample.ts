import type { Random } from "../../core/numbers/random.js";
import { Matrix } from "../matrix.js";

/** Points and the class of each. */
export interface ClassSample {
  readonly X: Matrix;
  readonly y: number[];
}

/** How many of n go to each of `parts` groups: as equal as possible, the first ones get the remainder. */
export function spread(n: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, k) => Math.floor(n / parts) + (k < n % parts ? 1 : 0));
}

/** Adds Gaussian noise to every number. */
export function jitterInto(random: Random, deviation: number, out: Float64Array): void {
  if (deviation === 0) return;
  for (let e = 0; e < out.length; e++) out[e]! += deviation * random.normal();
}

/** The finish that all generators of classes share: rows in random order if asked for, then noise. */
export function finish(
  random: Random,
  points: readonly (readonly number[])[],
  labels: readonly number[],
  { shuffle, noise }: { readonly shuffle: boolean; readonly noise: number },
): ClassSample {
  const order = shuffle ? random.permutation(points.length) : points.keys();
  const rows = Array.from(order);
  const X = Matrix.fromRows(rows.map((i) => points[i]!));
  jitterInto(random, noise, X.data);
  return { X, y: rows.map((i) => labels[i]!) };
}
