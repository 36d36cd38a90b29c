import { maxOf } from "argmax/numeric";
import { readDoubles, readIntegers } from "./data/store.js";
import type { Measure, StoredData } from "./workload.js";

/** The model of a contestant: `vectors` rows of `cols` coefficients, and one intercept each. */
export interface Learned {
  readonly coef: Float64Array;
  readonly intercept: Float64Array;
  readonly vectors: number;
  /** The penalties of a path, one per vector. */
  readonly alphas?: Float64Array;
}

/** The rows of a set, dense or sparse, as the evaluator reads them. */
export interface Rows {
  readonly rows: number;
  readonly cols: number;
  readonly y: Int32Array | Float64Array;
  /** z[k] = wₖ·xᵢ + bₖ, for one row. */
  scoresInto(i: number, learned: Learned, z: Float64Array): void;
}

export function openRows(data: StoredData): Rows {
  const { rows, cols } = data;
  const y = data.classes > 0 ? readIntegers(data.y) : readDoubles(data.y);
  if (data.sparse) {
    const indptr = readIntegers(data.sparse.indptr);
    const indices = readIntegers(data.sparse.indices);
    const values = readDoubles(data.sparse.values);
    const scoresInto = (i: number, { coef, intercept }: Learned, z: Float64Array) => {
      for (let k = 0; k < z.length; k++) {
        let score = intercept[k]!;
        for (let e = indptr[i]!; e < indptr[i + 1]!; e++) score += values[e]! * coef[k * cols + indices[e]!]!;
        z[k] = score;
      }
    };
    return { rows, cols, y, scoresInto };
  }
  const X = readDoubles(data.dense!);
  const scoresInto = (i: number, { coef, intercept }: Learned, z: Float64Array) => {
    for (let k = 0; k < z.length; k++) {
      let score = intercept[k]!;
      for (let j = 0; j < cols; j++) score += X[i * cols + j]! * coef[k * cols + j]!;
      z[k] = score;
    }
  };
  return { rows, cols, y, scoresInto };
}

/** Contestants write coefficients, then intercepts, for each seed; a path, its penalties first. */
export function readLearned(
  path: string,
  vectors: number,
  cols: number,
  measure: Measure,
  seeds = 1,
): readonly Learned[] {
  const numbers = readDoubles(path);
  const offset = measure.kind === "elasticNetPath" ? vectors : 0;
  const size = offset + vectors * (cols + 1);
  if (numbers.length !== seeds * size) {
    throw new Error(
      `${path}: expected ${seeds * size} numbers (${vectors} × (${cols} + 1) a seed), got ${numbers.length}.`,
    );
  }
  return Array.from({ length: seeds }, (_, seed) => {
    const own = numbers.subarray(seed * size, (seed + 1) * size);
    return {
      vectors,
      coef: own.subarray(offset, offset + vectors * cols),
      intercept: own.subarray(offset + vectors * cols),
      ...(offset > 0 ? { alphas: own.subarray(0, offset) } : {}),
    };
  });
}

const log1pExp = (z: number) => (z > 0 ? z + Math.log1p(Math.exp(-z)) : Math.log1p(Math.exp(z)));
const square = (w: Float64Array) => w.reduce((total, v) => total + v * v, 0);
const absolute = (w: Float64Array) => w.reduce((total, v) => total + Math.abs(v), 0);

/** +1 if the row is of the class of vector k, else −1. */
const sign = (y: number, k: number, vectors: number) => (vectors === 1 ? 2 * y - 1 : y === k ? 1 : -1);

function softmaxLoss(z: Float64Array, y: number): number {
  let top = z[0]!;
  for (const v of z) if (v > top) top = v;
  let total = 0;
  for (const v of z) total += Math.exp(v - top);
  return top + Math.log(total) - z[y]!;
}

function overVectors(z: Float64Array, y: number, loss: (margin: number) => number): number {
  let total = 0;
  for (let k = 0; k < z.length; k++) total += loss(sign(y, k, z.length) * z[k]!);
  return total;
}

/** Σᵢ of a function of a row's scores and target. */
function total(rows: Rows, learned: Learned, of: (z: Float64Array, y: number) => number): number {
  const z = new Float64Array(learned.vectors);
  let sum = 0;
  for (let i = 0; i < rows.rows; i++) {
    rows.scoresInto(i, learned, z);
    sum += of(z, rows.y[i]!);
  }
  return sum;
}

const hinge = (margin: number) => Math.max(0, 1 - margin);
const squaredHinge = (margin: number) => Math.max(0, 1 - margin) ** 2;
const logistic = (margin: number) => log1pExp(-margin);

/**
 * The number that is compared: an objective (lower is better), or one minus the accuracy. Intercepts are not
 * penalised, whatever the contestant did.
 */
export function evaluate(measure: Measure, rows: Rows, learned: Learned): number {
  const { coef } = learned;
  switch (measure.kind) {
    case "logistic": {
      const loss = total(rows, learned, (z, y) => overVectors(z, y, logistic));
      return measure.C * loss + (measure.l1 ? absolute(coef) : 0.5 * square(coef));
    }
    case "softmax":
      return measure.C * total(rows, learned, softmaxLoss) + 0.5 * square(coef);
    case "squares":
      return total(rows, learned, (z, y) => (z[0]! - y) ** 2) + measure.alpha * square(coef);
    case "elasticNet":
      return elasticNet(rows, learned, measure.alpha, measure.l1Ratio);
    case "elasticNetPath":
      return path(rows, learned, measure.l1Ratio);
    case "hinge":
    case "squaredHinge": {
      const of = measure.kind === "hinge" ? hinge : squaredHinge;
      return 0.5 * square(coef) + measure.C * total(rows, learned, (z, y) => overVectors(z, y, of));
    }
    case "meanHinge":
    case "meanLogistic": {
      const of = measure.kind === "meanHinge" ? hinge : logistic;
      const loss = total(rows, learned, (z, y) => overVectors(z, y, of)) / rows.rows;
      return loss + 0.5 * measure.alpha * square(coef);
    }
    case "accuracy": {
      const right = total(rows, learned, (z, y) => (chosen(z) === y ? 1 : 0));
      return 1 - right / rows.rows;
    }
  }
}

function chosen(z: Float64Array): number {
  if (z.length === 1) return z[0]! > 0 ? 1 : 0;
  return z.indexOf(maxOf(z));
}

/** 1/(2n) Σ (yᵢ − zᵢ)² + alpha (ratio ‖w‖₁ + ½ (1 − ratio) ‖w‖²) */
function elasticNet(rows: Rows, learned: Learned, alpha: number, ratio: number): number {
  const squares = total(rows, learned, (z, y) => (z[0]! - y) ** 2);
  const penalty = ratio * absolute(learned.coef) + 0.5 * (1 - ratio) * square(learned.coef);
  return squares / (2 * rows.rows) + alpha * penalty;
}

/** The objectives of all steps, summed: a path is as good as all of its steps. */
function path(rows: Rows, learned: Learned, ratio: number): number {
  const { cols } = rows;
  let sum = 0;
  for (let step = 0; step < learned.vectors; step++) {
    const one = {
      vectors: 1,
      coef: learned.coef.subarray(step * cols, (step + 1) * cols),
      intercept: learned.intercept.subarray(step, step + 1),
    };
    sum += elasticNet(rows, one, learned.alphas![step]!, ratio);
  }
  return sum;
}
