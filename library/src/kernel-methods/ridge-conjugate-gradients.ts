import { Random } from "../core/numbers/random.js";
import type { Matrix } from "../data/matrix.js";
import { kernelRowsOf, type TrainingRows } from "../kernel-functions/training-rows.js";
import { SLICE_WIDTH } from "../numeric/kernel-functions/feature-slices.js";
import { kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import { lowerKernelMatrix } from "../numeric/kernel-functions/kernel-scores.js";
import { type CholeskyFactor, cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import { SymmetricProducts } from "../numeric/linalg/symmetric-products.js";
import { TallProducts } from "../numeric/linalg/tall-products.js";
import { momentsOf } from "../numeric/rows/moments.js";
import { type Arena, type F64, withArena } from "../numeric/runtime/arena.js";
import { kernelDiagonalOf } from "./kernel-columns.js";
import { PivotedFactor } from "./pivoted-factor.js";

/** (K + D) c = y, for each of several y. */
export interface RidgeSystem {
  readonly where: string;
  readonly training: TrainingRows;
  /** The diagonal of D. */
  readonly ridge: Float64Array;
  readonly y: readonly Float64Array[];
}

/** Solutions of (K + D) c = y, one per right-hand side. */
export interface RidgeSolutions {
  readonly solutions: readonly Float64Array[];
  readonly iterations: number;
  /** Largest absolute entry of y − (K + D) c. */
  readonly residual: number;
}

/** Relative error of c; the residual bounds it, since no eigenvalue of K + D is below the smallest of D. */
const PRECISION = 1e-10;
/** Rows sampled for the preconditioner. */
const SAMPLED_ROWS = 128;
/** Sampled rows with a smaller relative residual are in the span of the others. */
const SPANNED = 1e-8;
/** Above this ratio of K to D, rounding alone exceeds PRECISION. */
const WORST_CONDITION = 1e5;
/** The recurrence's residual drifts from the true one; more corrections than this do not help. */
const MOST_RESTARTS = 3;

/**
 * Conjugate gradients, preconditioned by the Nyström approximation Φ Φᵀ of K on some of its rows [Saad 2003, alg. 9.1]:
 *
 *   P = Φ Φᵀ + D,      P⁻¹ = D⁻¹ − D⁻¹ Φ (I + Φᵀ D⁻¹ Φ)⁻¹ Φᵀ D⁻¹
 *
 * For n rows a step costs 2n² operations, a factorisation as much as n/6 steps. Null if it does not converge in time.
 */
export function ridgeByConjugateGradients({ where, training, ridge, y }: RidgeSystem): RidgeSolutions | null {
  const n = ridge.length;
  const weakest = ridge.reduce((least, d) => Math.min(least, d), Infinity);
  // The largest eigenvalue is at most the trace, and often near it.
  const trace = kernelDiagonalOf(where, training).reduce((sum, v) => sum + v, 0);
  if (trace > WORST_CONDITION * weakest) return null;
  const phi = sampledFeatures(where, training);
  return withArena(where, (arena) => {
    const precondition = preconditioner(arena, where, phi, ridge);
    const products = new SymmetricProducts(arena, lowerHalf(arena, where, training), n, y.length);
    const multiplyInto = (x: Float64Array, out: Float64Array) => {
      products.multiplyInto(x, out);
      for (let e = 0; e < x.length; e++) out[e]! += ridge[e % n]! * x[e]!;
    };
    return descend(y, multiplyInto, precondition, PRECISION * weakest, Math.max(50, n / 40));
  });
}

type Into = (x: Float64Array, out: Float64Array) => void;

/** Iterates all right-hand sides together, so that the matrix is read once per step. */
function descend(
  y: readonly Float64Array[],
  multiplyInto: Into,
  preconditionInto: Into,
  precision: number,
  maxIter: number,
): RidgeSolutions | null {
  const n = y[0]!.length;
  const [x, p, q] = [
    new Float64Array(n * y.length),
    new Float64Array(n * y.length),
    new Float64Array(n * y.length),
  ];
  const systems = y.map((system, v) => {
    const slice = (all: Float64Array) => all.subarray(v * n, (v + 1) * n);
    return {
      y: system,
      x: slice(x),
      p: slice(p),
      q: slice(q),
      r: system.slice(),
      z: new Float64Array(n),
      rz: 0,
      done: false,
    };
  });
  const isDone = (system: (typeof systems)[number]) => norm(system.r) <= precision * norm(system.x);
  let iterations = 0;
  for (let restart = 0; restart <= MOST_RESTARTS; restart++) {
    for (const system of systems) {
      preconditionInto(system.r, system.z);
      system.p.set(system.z);
      system.rz = dot(system.r, system.z);
      system.done = isDone(system);
    }
    while (systems.some((system) => !system.done)) {
      if (++iterations > maxIter) return null;
      multiplyInto(p, q);
      for (const system of systems) if (!system.done && !stepInto(system, preconditionInto)) return null;
      for (const system of systems) system.done ||= isDone(system);
    }
    multiplyInto(x, q);
    for (const system of systems) for (let i = 0; i < n; i++) system.r[i] = system.y[i]! - system.q[i]!;
    if (systems.every((system) => norm(system.r) <= 10 * precision * norm(system.x))) {
      const residual = systems.reduce((most, { r }) => Math.max(most, largest(r)), 0);
      return { solutions: systems.map((system) => system.x.slice()), iterations, residual };
    }
  }
  return null;
}

interface Descent {
  readonly x: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
  readonly r: Float64Array;
  readonly z: Float64Array;
  rz: number;
}

/** One step; false if the matrix turns out not to be positive definite. */
function stepInto(system: Descent, preconditionInto: Into): boolean {
  const { x, p, q, r, z } = system;
  const curvature = dot(p, q);
  // Converged exactly, or y = 0.
  if (system.rz === 0) return true;
  if (!(curvature > 0)) return false;
  const step = system.rz / curvature;
  for (let i = 0; i < x.length; i++) {
    x[i]! += step * p[i]!;
    r[i]! -= step * q[i]!;
  }
  preconditionInto(r, z);
  const rz = dot(r, z);
  const beta = rz / system.rz;
  system.rz = rz;
  for (let i = 0; i < x.length; i++) p[i] = z[i]! + beta * p[i]!;
  return true;
}

/** P⁻¹. */
function preconditioner(arena: Arena, where: string, phi: Matrix, ridge: Float64Array): Into {
  const { rows: n, cols: r } = phi;
  const products = new TallProducts(arena, phi);
  const inverse = ridge.map((d) => 1 / d);
  const inner = innerFactor(where, phi, inverse);
  const [scaled, t, u] = [new Float64Array(n), new Float64Array(r), new Float64Array(r)];
  return (v, out) => {
    for (let i = 0; i < n; i++) scaled[i] = v[i]! * inverse[i]!;
    products.projectInto(scaled, t);
    choleskySolveInto(inner, t, u);
    products.expandInto(u, out);
    for (let i = 0; i < n; i++) out[i] = scaled[i]! - out[i]! * inverse[i]!;
  };
}

/** The factor of I + Φᵀ D⁻¹ Φ. */
function innerFactor(where: string, phi: Matrix, inverse: Float64Array): CholeskyFactor {
  const r = phi.cols;
  const { scatter } = momentsOf(where, phi, new Float64Array(phi.rows), inverse, false);
  const inner = new Float64Array(r * r);
  for (let k = 0; k < r; k++) {
    inner.set(scatter.subarray(k * (r + 1), k * (r + 1) + r), k * r);
    inner[k * r + k]! += 1;
  }
  return cholesky(inner, r);
}

/** Φ of a random sample of rows. */
function sampledFeatures(where: string, training: TrainingRows): Matrix {
  const n = training.x.rows;
  const order = new Random(0).permutation(n).subarray(0, Math.min(n, SAMPLED_ROWS));
  const diagonal = kernelDiagonalOf(where, training);
  return withArena(where, (arena) => {
    const factor = new PivotedFactor(arena, where, training, diagonal);
    for (let from = 0; from < order.length; from += SLICE_WIDTH) {
      const candidates = order.slice(from, from + SLICE_WIDTH);
      factor.add(candidates, (k) => SPANNED * diagonal[candidates[k]!]!);
    }
    return factor.features();
  });
}

/** The lower half of K, in the arena. */
function lowerHalf(arena: Arena, where: string, training: TrainingRows): F64 {
  const { kernel, x } = training;
  const n = x.rows;
  if (kernel.kind === "tree") return lowerKernelMatrix(arena, x, kernelPoints(x, kernel.tree), kernel.tree);
  const out = arena.f64(n * n);
  for (let from = 0; from < n; from += SLICE_WIDTH) {
    const chosen = Int32Array.from({ length: Math.min(SLICE_WIDTH, n - from) }, (_, e) => from + e);
    out.array.set(kernelRowsOf(where, training, chosen).data, from * n);
  }
  return out;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

const norm = (v: Float64Array): number => Math.sqrt(dot(v, v));
const largest = (v: Float64Array): number => v.reduce((most, e) => Math.max(most, Math.abs(e)), 0);
