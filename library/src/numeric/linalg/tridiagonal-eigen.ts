import { Random } from "../../core/numbers/random.js";

/** A symmetric tridiagonal matrix: off[i] stands beside rows i − 1 and i; off[0] is not used. */
export interface Tridiagonal {
  readonly diagonal: Float64Array;
  readonly off: Float64Array;
}

/** All eigenvalues, descending, by implicit QL without vectors [EISPACK tql1]. Undefined if a value needs more than 60 sweeps. */
export function tridiagonalValues({ diagonal, off }: Tridiagonal): Float64Array | undefined {
  const n = diagonal.length;
  const d = diagonal.slice();
  const e = new Float64Array(n);
  e.set(off.subarray(1));
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]!) > Number.EPSILON * (Math.abs(d[m]!) + Math.abs(d[m + 1]!))) m++;
      if (m === l) break;
      if (sweep === 60) return undefined;
      sweepBlock(d, e, l, m);
    }
  }
  return d.sort().reverse();
}

/** One QL sweep with Wilkinson's shift on rows l … m. */
function sweepBlock(d: Float64Array, e: Float64Array, l: number, m: number): void {
  let g = (d[l + 1]! - d[l]!) / (2 * e[l]!);
  let r = Math.sqrt(g * g + 1);
  g = d[m]! - d[l]! + e[l]! / (g + (g >= 0 ? r : -r));
  let [s, c, p] = [1, 1, 0];
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i]!;
    const b = c * e[i]!;
    r = Math.sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1]! -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1]! - p;
    r = (d[i]! - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
  }
  d[l]! -= p;
  e[l] = g;
  e[m] = 0;
}

/** Neighbouring eigenvalues nearer than this fraction of ‖T‖ need orthogonal vectors by force, as in LAPACK's dstein. */
const CLUSTER = 1e-3;
/** Solves per vector; LAPACK's limit. Two are the rule. */
const SOLVES = 5;
/** ‖Tz − λz‖ relative to ‖T‖ per √n that a vector may have. */
const RESIDUAL = 1e-14;

/** A vector of which less than this is left beside the others is taken anew. */
const LEFT = 0.01;

/**
 * Eigenvectors of the first `count` of these values (descending), as rows of `out`, by inverse iteration; false where one does not
 * converge. `orthogonalise(first, k)` subtracts from row k its projections on rows first … k − 1.
 */
export function tridiagonalVectorsInto(
  t: Tridiagonal,
  values: Float64Array,
  count: number,
  orthogonalise: (first: number, k: number) => void,
  out: Float64Array<ArrayBufferLike>,
): boolean {
  const n = t.diagonal.length;
  let norm = Number.MIN_VALUE;
  for (let i = 0; i < n; i++)
    norm = Math.max(norm, Math.abs(t.diagonal[i]!) + Math.abs(t.off[i]!) + Math.abs(t.off[i + 1] ?? 0));
  const random = new Random(0);
  const list = () => new Float64Array(n);
  const lu = { a: list(), b: list(), c: list(), l: list(), pivots: new Uint8Array(n) };
  let first = 0;
  let shifted = Infinity;
  for (let k = 0; k < count; k++) {
    if (k > 0 && values[k - 1]! - values[k]! > CLUSTER * norm) first = k;
    // Equal values would give equal vectors: they are moved apart by rounding.
    shifted = Math.min(values[k]!, shifted - (k > first ? 4 * Number.EPSILON * norm : 0));
    factorInto(t, shifted, norm, lu);
    const z = out.subarray(k * n, (k + 1) * n);
    for (let i = 0; i < n; i++) z[i] = random.uniform() - 0.5;
    let converged = false;
    for (let turn = 0; turn < SOLVES && !converged; turn++) {
      solveInto(lu, z);
      if (turn === 0) continue;
      orthogonalise(first, k);
      const left = normaliseInto(z);
      converged = left > LEFT && residual(t, values[k]!, z) <= RESIDUAL * Math.sqrt(n) * norm;
    }
    if (!converged) return false;
  }
  return true;
}

interface Factor {
  /** Diagonal, first and second row above it of U; multipliers of L, and where rows were exchanged. */
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly c: Float64Array;
  readonly l: Float64Array;
  readonly pivots: Uint8Array;
}

/** LU of T − λI with row exchanges; a pivot of 0 becomes ε‖T‖. */
function factorInto({ diagonal, off }: Tridiagonal, lambda: number, norm: number, out: Factor): void {
  const n = diagonal.length;
  const { a, b, c, l, pivots } = out;
  const tiny = Number.EPSILON * norm;
  for (let i = 0; i < n; i++) {
    a[i] = diagonal[i]! - lambda;
    b[i] = i + 1 < n ? off[i + 1]! : 0;
    c[i] = 0;
  }
  for (let i = 0; i + 1 < n; i++) {
    const below = off[i + 1]!;
    if (Math.abs(below) > Math.abs(a[i]!)) {
      pivots[i] = 1;
      const factor = a[i]! / below;
      l[i] = factor;
      const [upper, next, after] = [b[i]!, a[i + 1]!, b[i + 1]!];
      a[i] = below;
      b[i] = next;
      c[i] = after;
      a[i + 1] = upper - factor * next;
      b[i + 1] = -factor * after;
    } else {
      pivots[i] = 0;
      if (Math.abs(a[i]!) < tiny) a[i] = tiny;
      const factor = below / a[i]!;
      l[i] = factor;
      a[i + 1]! -= factor * b[i]!;
    }
  }
  if (Math.abs(a[n - 1]!) < tiny) a[n - 1] = tiny;
}

function solveInto({ a, b, c, l, pivots }: Factor, out: Float64Array<ArrayBufferLike>): void {
  const n = out.length;
  for (let i = 0; i + 1 < n; i++) {
    if (pivots[i] === 1) {
      const held = out[i]!;
      out[i] = out[i + 1]!;
      out[i + 1] = held - l[i]! * out[i]!;
    } else out[i + 1]! -= l[i]! * out[i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    const sum = out[i]! - (i + 1 < n ? b[i]! * out[i + 1]! : 0) - (i + 2 < n ? c[i]! * out[i + 2]! : 0);
    out[i] = sum / a[i]!;
    // Solutions are as large as 1/ε: long chains of small pivots would overflow.
    if (Math.abs(out[i]!) > 1e200) for (let j = 0; j < n; j++) out[j]! *= 1e-200;
  }
  normaliseInto(out);
}

/** Returns the length before. */
function normaliseInto(out: Float64Array<ArrayBufferLike>): number {
  let most = 0;
  for (let i = 0; i < out.length; i++) most = Math.max(most, Math.abs(out[i]!));
  let square = 0;
  for (let i = 0; i < out.length; i++) {
    const value = out[i]! / most;
    out[i] = value;
    square += value * value;
  }
  const scale = 1 / Math.sqrt(square);
  for (let i = 0; i < out.length; i++) out[i]! *= scale;
  return most / scale;
}

/** Largest entry of Tz − λz. */
function residual({ diagonal, off }: Tridiagonal, lambda: number, z: Float64Array<ArrayBufferLike>): number {
  const n = z.length;
  let most = 0;
  for (let i = 0; i < n; i++) {
    let sum = (diagonal[i]! - lambda) * z[i]!;
    if (i > 0) sum += off[i]! * z[i - 1]!;
    if (i + 1 < n) sum += off[i + 1]! * z[i + 1]!;
    most = Math.max(most, Math.abs(sum));
  }
  return most;
}
