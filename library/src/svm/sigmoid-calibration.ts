import { exp, log, log1p, sigmoid } from "../core/numbers/elementary.js";
import { maxOf } from "../core/numbers/extremes.js";
import { Random } from "../core/numbers/random.js";

/** P(y = +1 | f) = 1/(1 + e^(a f + b)). */
export interface Sigmoid {
  readonly a: number;
  readonly b: number;
}

const FOLDS = 5;

/** The fold 0 … 4 of every row, stratified by class; rows of a class are shuffled with the seed. */
export function stratifiedFolds(y: Float64Array, seed: number): Int32Array {
  const random = new Random(seed);
  const folds = new Int32Array(y.length);
  let next = 0;
  for (const sign of [1, -1]) {
    const rows = Int32Array.from(y.keys()).filter((i) => y[i] === sign);
    for (let e = rows.length - 1; e > 0; e--) {
      const other = Math.floor(random.uniform() * (e + 1));
      [rows[e], rows[other]] = [rows[other]!, rows[e]!];
    }
    for (const i of rows) folds[i] = next++ % FOLDS;
  }
  return folds;
}

/** Training and held-out rows of each fold. */
export function* foldsOf(y: Float64Array, seed: number): Generator<{ train: Int32Array; test: Int32Array }> {
  const folds = stratifiedFolds(y, seed);
  const all = Int32Array.from(folds.keys());
  for (let fold = 0; fold < FOLDS; fold++) {
    const test = all.filter((i) => folds[i] === fold);
    if (test.length > 0) yield { train: all.filter((i) => folds[i] !== fold), test };
  }
}

/** Stop when both entries of the gradient are below this, as LIBSVM does. */
const SMALL_GRADIENT = 1e-5;
const MOST_STEPS = 100;
/** Keeps the Hessian invertible where all probabilities are 0 or 1. */
const RIDGE = 1e-12;

/**
 * Platt's sigmoid for decision values f of held-out rows.
 *
 *   minimise over (a, b):   −Σ s [t log p + (1 − t) log(1 − p)],   p = 1/(1 + e^(a f + b)),
 *   t = (N₊ + 1)/(N₊ + 2) for y = +1 and 1/(N₋ + 2) for y = −1
 *
 * by Newton steps with backtracking [Lin, Lin & Weng 2007]. Targets inside (0, 1) regularise the fit to few rows.
 */
export function fitSigmoid(f: Float64Array, y: Float64Array, weights?: Float64Array): Sigmoid {
  let positive = 0;
  let negative = 0;
  const weightOf = (i: number) => weights?.[i] ?? 1;
  for (let i = 0; i < y.length; i++) {
    if (y[i]! > 0) positive += weightOf(i);
    else negative += weightOf(i);
  }
  const high = (positive + 1) / (positive + 2);
  const low = 1 / (negative + 2);
  const target = (i: number) => (y[i]! > 0 ? high : low);
  const costOf = (a: number, b: number) => {
    let cost = 0;
    for (let i = 0; i < f.length; i++) {
      const z = a * f[i]! + b;
      const t = target(i);
      cost += weightOf(i) * (z >= 0 ? t * z + log1p(exp(-z)) : (t - 1) * z + log1p(exp(z)));
    }
    return cost;
  };
  let a = 0;
  let b = log((negative + 1) / (positive + 1));
  let cost = costOf(a, b);
  for (let step = 0; step < MOST_STEPS; step++) {
    let [h11, h22, h21, g1, g2] = [RIDGE, RIDGE, 0, 0, 0];
    for (let i = 0; i < f.length; i++) {
      const p = sigmoid(-(a * f[i]! + b));
      const curvature = weightOf(i) * p * (1 - p);
      const derivative = weightOf(i) * (target(i) - p);
      h11 += f[i]! * f[i]! * curvature;
      h22 += curvature;
      h21 += f[i]! * curvature;
      g1 += f[i]! * derivative;
      g2 += derivative;
    }
    if (Math.abs(g1) < SMALL_GRADIENT && Math.abs(g2) < SMALL_GRADIENT) break;
    const det = h11 * h22 - h21 * h21;
    const da = -(h22 * g1 - h21 * g2) / det;
    const db = -(-h21 * g1 + h11 * g2) / det;
    const fall = g1 * da + g2 * db;
    let size = 1;
    for (; size >= 1e-10; size /= 2) {
      const next = costOf(a + size * da, b + size * db);
      if (next < cost + 1e-4 * size * fall) {
        [a, b, cost] = [a + size * da, b + size * db, next];
        break;
      }
    }
    if (size < 1e-10) break;
  }
  return { a, b };
}

/** Pairwise probabilities are clipped to [CLIP, 1 − CLIP], as in LIBSVM. */
const CLIP = 1e-7;
export const clipped = (p: number): number => Math.min(Math.max(p, CLIP), 1 - CLIP);

/**
 * Pairwise coupling: probabilities p of K classes from those of pairs, r[i][j] = P(i | i or j):
 *
 *   minimise over p ≥ 0, Σ p = 1:   ½ Σ_i Σ_{j≠i} (r_ji p_i − r_ij p_j)²      [Wu, Lin & Weng 2004, second method]
 */
export function coupled(r: Float64Array, K: number): Float64Array {
  const q = new Float64Array(K * K);
  for (let i = 0; i < K; i++) {
    for (let j = 0; j < K; j++) {
      if (i === j) continue;
      q[i * K + i]! += r[j * K + i]! ** 2;
      q[i * K + j] = -r[j * K + i]! * r[i * K + j]!;
    }
  }
  const p = new Float64Array(K).fill(1 / K);
  const qp = new Float64Array(K);
  const enough = 0.005 / K;
  for (let step = 0; step < Math.max(100, K); step++) {
    let pqp = 0;
    for (let i = 0; i < K; i++) {
      let sum = 0;
      for (let j = 0; j < K; j++) sum += q[i * K + j]! * p[j]!;
      qp[i] = sum;
      pqp += p[i]! * sum;
    }
    if (maxOf(qp.map((v) => Math.abs(v - pqp))) < enough) break;
    for (let i = 0; i < K; i++) {
      const move = (pqp - qp[i]!) / q[i * K + i]!;
      p[i]! += move;
      pqp = (pqp + move * (move * q[i * K + i]! + 2 * qp[i]!)) / (1 + move) ** 2;
      for (let j = 0; j < K; j++) {
        qp[j] = (qp[j]! + move * q[i * K + j]!) / (1 + move);
        p[j]! /= 1 + move;
      }
    }
  }
  return p;
}
