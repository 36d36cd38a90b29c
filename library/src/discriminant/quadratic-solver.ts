import { DataError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import type { ClassificationSet } from "../data/training-set.js";
import { triangularFactor } from "../numeric/linalg/qr.js";
import { choleskyWhitening, triangularWhitening } from "../numeric/linalg/whitening.js";
import type { Scatter } from "../numeric/rows/moments.js";
import { type ClassStatistics, type ClassTotals, classStatistics, totalsOf } from "./covariance.js";
import type { QuadraticPart } from "./quadratic-margins.js";
import { wideStatistics } from "./within-whitening.js";

export interface QuadraticPlan {
  readonly regParam: number;
  readonly tiedCovariance: boolean;
  readonly storeCovariance: boolean;
  readonly tol: number;
}

export interface Gaussians {
  readonly counts: Float64Array;
  /** K × d. */
  readonly means: Float64Array;
  readonly parts: readonly QuadraticPart[];
  readonly covariances: readonly Float64Array[] | undefined;
}

/** Below this pivot the Cholesky factor of the moments has lost too many digits: QR of the rows squares nothing. */
const NEARLY_SINGULAR = 1e-6;

/** Below this many rows per column, updates of W by each row cost less than the d³ of a factorisation. */
const WIDE = 0.25;

/** Mean and covariance of every class, or one covariance for all of them. */
export function gaussians(where: string, set: ClassificationSet<Label>, plan: QuadraticPlan): Gaussians {
  const d = set.x.cols;
  if (plan.regParam === 0) requireEnoughRows(where, set, plan);
  else if (set.x.rows < WIDE * d && !plan.storeCovariance) return wideGaussians(where, set, plan);
  const scatters: Float64Array[] = [];
  const stats = classStatistics(where, set, (k, moments) => {
    addScatter(where, set.classes[k]!, moments, plan, scatters);
  });
  const divisors = divisorsOf(where, set.classes, stats, plan);
  const covariances = scatters.map((scatter, k) => regularised(scatter, divisors[k]!, plan.regParam, d));
  const parts = covariances.map((covariance, k) => {
    const rows = plan.tiedCovariance ? undefined : stats.rows[k]!;
    return whitened(where, wholeOf(set.classes, plan, k), covariance, stats, rows, divisors[k]!, plan);
  });
  return {
    counts: stats.counts,
    means: stats.means,
    parts,
    covariances: plan.storeCovariance ? covariances : undefined,
  };
}

/** Adds the scatter of a class to the list of all, or to the one of all classes. */
function addScatter(
  where: string,
  label: Label,
  { count, scatter }: Scatter,
  { tiedCovariance }: QuadraticPlan,
  out: Float64Array[],
): void {
  if (!tiedCovariance && !(count > 1)) throw tooFewRows(where, label, count);
  const pooled = out[0];
  if (!tiedCovariance || pooled === undefined) out.push(scatter);
  else for (let e = 0; e < scatter.length; e++) pooled[e]! += scatter[e]!;
}

function divisorsOf(
  where: string,
  classes: readonly Label[],
  { counts, total }: ClassTotals,
  { tiedCovariance }: QuadraticPlan,
): readonly number[] {
  const divisors = tiedCovariance ? [total - classes.length] : Array.from(counts, (count) => count - 1);
  if (!(divisors[0]! > 0)) throw tooFewRows(where, classes[0]!, counts[0]!);
  return divisors;
}

/** (1 − regParam) S / divisor + regParam I. */
function regularised(scatter: Float64Array, divisor: number, regParam: number, d: number): Float64Array {
  const covariance = scatter.map((value) => ((1 - regParam) * value) / divisor);
  for (let j = 0; j < d; j++) covariance[j * d + j]! += regParam;
  return covariance;
}

/** A Cholesky factor of moments with a smaller pivot has less than six digits left. */
const LEAST_PIVOT = 1e-10;

/** The same of rows that are known by the moments of each class: where columns nearly depend on each other, nothing is more exact. */
export function gaussiansOfSums(
  where: string,
  classes: readonly Label[],
  moments: readonly Scatter[],
  plan: QuadraticPlan,
): Gaussians {
  const stats = totalsOf(moments);
  const { d, counts, means } = stats;
  const scatters: Float64Array[] = [];
  moments.forEach((own, k) => {
    addScatter(where, classes[k]!, { ...own, scatter: own.scatter.slice() }, plan, scatters);
  });
  const divisors = divisorsOf(where, classes, stats, plan);
  const covariances = scatters.map((scatter, k) => regularised(scatter, divisors[k]!, plan.regParam, d));
  const parts = covariances.map((covariance, k) => {
    const whole = wholeOf(classes, plan, k);
    requireVarying(where, whole, covariance, d, plan);
    const found = choleskyWhitening(covariance, d);
    if (found.smallestPivot > Math.max(plan.tol * plan.tol, LEAST_PIVOT)) return found;
    throw singular(where, whole, plan, dependent(plan.tiedCovariance ? stats.total : counts[k]!, d));
  });
  return { counts, means, parts, covariances: plan.storeCovariance ? covariances : undefined };
}

/** A covariance of fewer rows than columns is singular, whatever they hold: told before anything of size d² is computed. */
function requireEnoughRows(where: string, set: ClassificationSet<Label>, plan: QuadraticPlan): void {
  const { classes, codes, x } = set;
  const counts = new Float64Array(classes.length);
  for (const k of codes) counts[k]!++;
  const k = plan.tiedCovariance ? -1 : counts.findIndex((count) => count > 1 && count - 1 < x.cols);
  const count = plan.tiedCovariance ? x.rows : counts[k];
  if (count === undefined || count - (plan.tiedCovariance ? classes.length : 1) >= x.cols) return;
  throw singular(where, wholeOf(set.classes, plan, k), plan, dependent(count, x.cols));
}

/** Σ = (1 − regParam) S + regParam I of fewer rows than columns, without a matrix of S. */
function wideGaussians(where: string, set: ClassificationSet<Label>, plan: QuadraticPlan): Gaussians {
  const stats = wideStatistics(where, set);
  const { counts, means, rows, total } = stats;
  const K = counts.length;
  const lonely = plan.tiedCovariance ? -1 : counts.findIndex((count) => !(count > 1));
  if (lonely >= 0) throw tooFewRows(where, set.classes[lonely]!, counts[lonely]!);
  if (!(total > K) && plan.tiedCovariance) throw tooFewRows(where, set.classes[0]!, counts[0]!);
  const groups = plan.tiedCovariance ? [Int32Array.from(set.codes.keys())] : rows;
  const parts = groups.map((own, k) => {
    const divisor = plan.tiedCovariance ? total - K : counts[k]! - 1;
    return updatedWhitening(stats, own, (1 - plan.regParam) / divisor, plan.regParam);
  });
  for (const [k, { logDet }] of parts.entries())
    if (!Number.isFinite(logDet))
      throw singular(where, wholeOf(set.classes, plan, k), plan, "numbers too large for doubles");
  return { counts, means, parts, covariances: undefined };
}

/**
 * W of Σ = pull·I + Σᵢ uᵢuᵢᵀ, row by row. Let z = Wᵀu and t_c = 1 + Σ_{j≤c} z_j². Then (Σ + uuᵀ)⁻¹ = (WC)(WC)ᵀ with the upper triangle
 *
 *   C_cc = √(t_{c−1}/t_c),     C_jc = −z_j z_c / √(t_{c−1} t_c)  for j < c,     and   log|Σ + uuᵀ| = log|Σ| + log t_d
 *
 * [Gill, Golub, Murray & Saunders 1974, method C1]. The product costs d² per row, since its sums over j are running sums.
 */
function updatedWhitening(
  { x, codes, means, weights, d }: ClassStatistics,
  rows: Int32Array,
  share: number,
  pull: number,
): QuadraticPart {
  const w = new Float64Array(d * d);
  for (let j = 0; j < d; j++) w[j * d + j] = 1 / Math.sqrt(pull);
  let logDet = d * log(pull);
  const z = new Float64Array(d);
  const [keep, take] = [new Float64Array(d), new Float64Array(d)];
  for (const i of rows) {
    const s = Math.sqrt((weights === undefined ? 1 : weights[i]!) * share);
    z.fill(0);
    for (let j = 0; j < d; j++) {
      const u = s * (x.data[i * d + j]! - means[codes[i]! * d + j]!);
      if (u !== 0) for (let c = j, e = j * d + j; c < d; c++, e++) z[c]! += u * w[e]!;
    }
    let t = 1;
    for (let c = 0; c < d; c++) {
      const next = t + z[c]! * z[c]!;
      keep[c] = Math.sqrt(t / next);
      take[c] = z[c]! / Math.sqrt(t) / Math.sqrt(next);
      t = next;
    }
    logDet += log(t);
    for (let j = 0; j < d; j++) {
      let sum = 0;
      for (let c = j, e = j * d + j; c < d; c++, e++) {
        const old = w[e]!;
        w[e] = keep[c]! * old - take[c]! * sum;
        sum += z[c]! * old;
      }
    }
  }
  return { w, logDet };
}

const wholeOf = (classes: readonly Label[], plan: QuadraticPlan, k: number): string =>
  plan.tiedCovariance ? "all classes" : `class ${show(classes[k])}`;

const dependent = (rows: number, columns: number): string =>
  `columns that depend on each other (${rows} rows, ${columns} columns)`;

function whitened(
  where: string,
  whole: string,
  covariance: Float64Array,
  stats: ClassStatistics,
  rows: Int32Array | undefined,
  divisor: number,
  plan: QuadraticPlan,
): QuadraticPart {
  const { d } = stats;
  requireVarying(where, whole, covariance, d, plan);
  const direct = choleskyWhitening(covariance, d);
  if (direct.smallestPivot > NEARLY_SINGULAR) return direct;
  const scale = Float64Array.from({ length: d }, (_, j) => 1 / Math.sqrt(covariance[j * d + j]!));
  const count = rows?.length ?? stats.x.rows;
  const pull = Math.sqrt(plan.regParam);
  // The identity's share enters as d more rows: Σ = Σᵢ uᵢuᵢᵀ + Σⱼ eⱼeⱼᵀ.
  const { r } = triangularFactor(count + (pull > 0 ? d : 0), d, (at, out) => {
    out.fill(0);
    if (at >= count) {
      const j = at - count;
      out[j] = pull * scale[j]!;
      return;
    }
    const i = rows === undefined ? at : rows[at]!;
    const share = (1 - plan.regParam) / divisor;
    const s = Math.sqrt((stats.weights === undefined ? 1 : stats.weights[i]!) * share);
    const mean = stats.codes[i]! * d;
    for (let j = 0; j < d; j++) out[j] = s * (stats.x.data[i * d + j]! - stats.means[mean + j]!) * scale[j]!;
  });
  const exact = triangularWhitening(r, scale);
  if (exact.smallestPivot > Math.max(plan.tol * plan.tol, 1e-28)) return exact;
  throw singular(where, whole, plan, dependent(count, d));
}

function requireVarying(
  where: string,
  whole: string,
  covariance: Float64Array,
  d: number,
  plan: QuadraticPlan,
): void {
  const constant = Array.from({ length: d }, (_, j) => j).find((j) => !(covariance[j * d + j]! > 0));
  if (constant !== undefined) throw singular(where, whole, plan, `column ${constant} constant`);
}

const singular = (where: string, whole: string, { regParam }: QuadraticPlan, received: string) =>
  new DataError({
    where,
    subject: `the covariance of ${whole}`,
    expected: "of full rank",
    received,
    advice: `${regParam === 0 ? "Set regParam above 0" : "Raise regParam"}, leave columns out, or use LinearDiscriminantAnalysis.`,
  });

const tooFewRows = (where: string, label: Label, count: number) =>
  new DataError({
    where,
    subject: `class ${show(label)}`,
    expected: "more than one row (or a sum of weights above 1), since it needs a covariance",
    received: `${count}`,
    advice: "Leave the class out, or use LinearDiscriminantAnalysis.",
  });
