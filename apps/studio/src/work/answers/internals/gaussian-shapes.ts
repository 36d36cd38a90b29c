import type { FittedLinearDiscriminantAnalysis } from "argmax/discriminant";
import { type DenseRows, type GaussianComponent, structureOf } from "argmax/structure";
import { scoresOfKind } from "./scores.js";
import { viewAs } from "./view.js";

/** A normal distribution as pictures show it. */
export interface Shape {
  readonly group: number;
  readonly mean: Float64Array;
  readonly covariance: DenseRows;
  /** Among the components of its group. */
  readonly weight: number;
}

/** The normal distributions that a model consists of, with their covariances, the inverses of W Wᵀ. */
export function shapesOf(model: object): Shape[] {
  const structure = structureOf(model);
  const scores = scoresOfKind(structure, "gaussians");
  if (scores === undefined) return sharedShapes(model);
  const parts = scores.components.map((component) => {
    const { covariance, logDet } = inverted(component);
    // The constant is log weight + log |W| and numbers that all components share.
    const mass = Math.exp(component.constant - logDet - scores.components[0]!.constant);
    return { ...component, covariance, mass };
  });
  return parts.map(({ group, mean, covariance, mass }) => {
    const own = structure.kind === "density" ? parts : parts.filter((part) => part.group === group);
    return { group, mean, covariance, weight: mass / own.reduce((sum, part) => sum + part.mass, 0) };
  });
}

/** Classes of linear discriminants that keep the covariance that all of them share. */
function sharedShapes(model: object): Shape[] {
  const { means, covariance } = viewAs<FittedLinearDiscriminantAnalysis>(model, "means", "covariance") ?? {};
  if (means === undefined || covariance === undefined) return [];
  return rowsOf(means).map((mean, group) => ({ group, mean, covariance, weight: 1 }));
}

export const rowsOf = ({ data, rows, cols }: DenseRows): Float64Array[] =>
  Array.from({ length: rows }, (_, i) => data.subarray(i * cols, (i + 1) * cols));

export const isDiagonal = ({ mean, whitening }: GaussianComponent): boolean =>
  whitening.length === mean.length;

/** Σ = (W Wᵀ)⁻¹ = VᵀV with V = W⁻¹, and log |det W|. */
function inverted(component: GaussianComponent): { covariance: DenseRows; logDet: number } {
  const { mean, whitening } = component;
  const d = mean.length;
  const w = new Float64Array(d * d);
  if (isDiagonal(component)) for (let j = 0; j < d; j++) w[j * d + j] = whitening[j]!;
  else w.set(whitening);
  const { inverse, logDet } = gaussJordan(w, d);
  const data = new Float64Array(d * d);
  for (let i = 0; i < d; i++)
    for (let j = 0; j < d; j++)
      for (let k = 0; k < d; k++) data[i * d + j]! += inverse[k * d + i]! * inverse[k * d + j]!;
  return { covariance: { data, rows: d, cols: d }, logDet };
}

/** The inverse of a d × d matrix, which is destroyed, and the logarithm of its absolute determinant; rows are exchanged for the largest pivot. */
function gaussJordan(a: Float64Array, d: number): { inverse: Float64Array; logDet: number } {
  const inverse = new Float64Array(d * d);
  for (let j = 0; j < d; j++) inverse[j * d + j] = 1;
  const rows = (m: Float64Array, i: number) => m.subarray(i * d, (i + 1) * d);
  let logDet = 0;
  for (let p = 0; p < d; p++) {
    let best = p;
    for (let i = p + 1; i < d; i++) if (Math.abs(a[i * d + p]!) > Math.abs(a[best * d + p]!)) best = i;
    for (const m of [a, inverse]) {
      const held = rows(m, p).slice();
      rows(m, p).set(rows(m, best));
      rows(m, best).set(held);
    }
    const pivot = a[p * d + p]!;
    logDet += Math.log(Math.abs(pivot));
    for (const m of [a, inverse]) for (let j = 0; j < d; j++) m[p * d + j]! /= pivot;
    for (let i = 0; i < d; i++) {
      const factor = a[i * d + p]!;
      if (i === p || factor === 0) continue;
      for (const m of [a, inverse]) for (let j = 0; j < d; j++) m[i * d + j]! -= factor * m[p * d + j]!;
    }
  }
  return { inverse, logDet };
}
