import { Random } from "../core/random.js";
import type { Matrix } from "../data/matrix.js";
import { kernelRowsOf, type LearningRows } from "../kernel-functions/learning-rows.js";
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

/** Solutions of (K + D) c = y, one for each right-hand side. */
export interface RidgeSolutions {
  readonly solutions: readonly Float64Array[];
  readonly iterations: number;
  /** Largest entry of y − (K + D) c. */
  readonly residual: number;
}

/** ‖c − exact‖ ≤ this · ‖c‖: the residual bounds it, since no eigenvalue of K + D is below the smallest of D. */
const PRECISION = 1e-10;
/** Rows whose span the preconditioner knows exactly. */
const KNOWN_ROWS = 128;
/** Of a row that has no more than this left the others say all that matters here. */
const SPANNED = 1e-8;
/** Where K is larger than D by more than this, rounding alone is more than PRECISION. */
const WORST_CONDITION = 1e5;
/** Residuals drift from what the recurrence says; after that many corrections there is no more to gain. */
const MOST_RESTARTS = 3;

/**
 * Conjugate gradients, preconditioned by the Nyström approximation Φ Φᵀ of K on some of its rows [Saad 2003, alg. 9.1]:
 *
 *   P = Φ Φᵀ + D,      P⁻¹ = D⁻¹ − D⁻¹ Φ (I + Φᵀ D⁻¹ Φ)⁻¹ Φᵀ D⁻¹
 *
 * For n rows a step costs 2n², a factorisation as much as n/6 of them. Null if that many steps do not get there.
 */
export function ridgeByGradients(
  where: string,
  learning: LearningRows,
  ridge: Float64Array,
  y: readonly Float64Array[],
): RidgeSolutions | null {
  const n = ridge.length;
  const weakest = ridge.reduce((least, d) => Math.min(least, d), Infinity);
  // The largest eigenvalue is at most the trace, and often near it.
  const trace = kernelDiagonalOf(where, learning).reduce((sum, v) => sum + v, 0);
  if (trace > WORST_CONDITION * weakest) return null;
  const phi = sampledFeatures(where, learning);
  return withArena(where, (arena) => {
    const precondition = preconditioner(arena, where, phi, ridge);
    const products = new SymmetricProducts(arena, lowerHalf(arena, where, learning), n, y.length);
    const multiplyInto = (x: Float64Array, out: Float64Array) => {
      products.multiplyInto(x, out);
      for (let e = 0; e < x.length; e++) out[e]! += ridge[e % n]! * x[e]!;
    };
    return descend(y, multiplyInto, precondition, PRECISION * weakest, Math.max(50, n / 40));
  });
}

type Into = (x: Float64Array, out: Float64Array) => void;

/** All right-hand sides in step, so that the matrix is read once for all of them. */
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
  const parts = y.map((own, v) => {
    const part = (all: Float64Array) => all.subarray(v * n, (v + 1) * n);
    return {
      y: own,
      x: part(x),
      p: part(p),
      q: part(q),
      r: own.slice(),
      z: new Float64Array(n),
      rz: 0,
      done: false,
    };
  });
  const isDone = (own: (typeof parts)[number]) => norm(own.r) <= precision * norm(own.x);
  let iterations = 0;
  for (let restart = 0; restart <= MOST_RESTARTS; restart++) {
    for (const own of parts) {
      preconditionInto(own.r, own.z);
      own.p.set(own.z);
      own.rz = dot(own.r, own.z);
      own.done = isDone(own);
    }
    while (parts.some((own) => !own.done)) {
      if (++iterations > maxIter) return null;
      multiplyInto(p, q);
      for (const own of parts) if (!own.done && !stepInto(own, preconditionInto)) return null;
      for (const own of parts) own.done ||= isDone(own);
    }
    multiplyInto(x, q);
    for (const own of parts) for (let i = 0; i < n; i++) own.r[i] = own.y[i]! - own.q[i]!;
    if (parts.every((own) => norm(own.r) <= 10 * precision * norm(own.x))) {
      const residual = parts.reduce((most, { r }) => Math.max(most, largest(r)), 0);
      return { solutions: parts.map((own) => own.x.slice()), iterations, residual };
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
function stepInto(own: Descent, preconditionInto: Into): boolean {
  const { x, p, q, r, z } = own;
  const curvature = dot(p, q);
  // Nothing left to do: y was 0, or its last digit is reached.
  if (own.rz === 0) return true;
  if (!(curvature > 0)) return false;
  const step = own.rz / curvature;
  for (let i = 0; i < x.length; i++) {
    x[i]! += step * p[i]!;
    r[i]! -= step * q[i]!;
  }
  preconditionInto(r, z);
  const rz = dot(r, z);
  const beta = rz / own.rz;
  own.rz = rz;
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

/** Φ of rows that are drawn at random. */
function sampledFeatures(where: string, learning: LearningRows): Matrix {
  const n = learning.x.rows;
  const order = new Random(0).permutation(n).subarray(0, Math.min(n, KNOWN_ROWS));
  const diagonal = kernelDiagonalOf(where, learning);
  return withArena(where, (arena) => {
    const factor = new PivotedFactor(arena, where, learning, diagonal);
    for (let from = 0; from < order.length; from += SLICE_WIDTH) {
      const candidates = order.slice(from, from + SLICE_WIDTH);
      factor.add(candidates, (k) => SPANNED * diagonal[candidates[k]!]!);
    }
    return factor.features();
  });
}

/** K in the arena, up to its diagonal. */
function lowerHalf(arena: Arena, where: string, learning: LearningRows): F64 {
  const { kernel, x } = learning;
  const n = x.rows;
  if (kernel.kind === "tree") return lowerKernelMatrix(arena, x, kernelPoints(x, kernel.tree), kernel.tree);
  const out = arena.f64(n * n);
  for (let from = 0; from < n; from += SLICE_WIDTH) {
    const chosen = Int32Array.from({ length: Math.min(SLICE_WIDTH, n - from) }, (_, e) => from + e);
    out.array.set(kernelRowsOf(where, learning, chosen).data, from * n);
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
