import { DataError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import type { ClassificationSet } from "../data/training-set.js";
import { triangularFactor } from "../numeric/linalg/qr.js";
import { choleskyWhitening, triangularWhitening } from "../numeric/linalg/whitening.js";
import { type ClassStatistics, classStatistics } from "./covariance.js";
import type { QuadraticPart } from "./quadratic-margins.js";

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

/** Mean and covariance of every class, or one covariance for all of them. */
export function gaussians(where: string, set: ClassificationSet<Label>, plan: QuadraticPlan): Gaussians {
  const K = set.classes.length;
  const d = set.x.cols;
  const scatters: Float64Array[] = [];
  const stats = classStatistics(where, set, (k, { count, scatter }) => {
    if (!plan.tiedCovariance && !(count > 1)) throw tooFewRows(where, set.classes[k]!, count);
    const pooled = scatters[0];
    if (!plan.tiedCovariance || pooled === undefined) scatters.push(scatter);
    else for (let e = 0; e < scatter.length; e++) pooled[e]! += scatter[e]!;
  });
  const divisors = plan.tiedCovariance ? [stats.total - K] : Array.from(stats.counts, (count) => count - 1);
  if (!(divisors[0]! > 0)) throw tooFewRows(where, set.classes[0]!, stats.counts[0]!);
  const covariances = scatters.map((scatter, k) => {
    const covariance = scatter.map((value) => ((1 - plan.regParam) * value) / divisors[k]!);
    for (let j = 0; j < d; j++) covariance[j * d + j]! += plan.regParam;
    return covariance;
  });
  const parts = covariances.map((covariance, k) => {
    const rows = plan.tiedCovariance ? undefined : stats.rows[k]!;
    const whole = plan.tiedCovariance ? "all classes" : `class ${show(set.classes[k])}`;
    return whitened(where, whole, covariance, stats, rows, divisors[k]!, plan);
  });
  return {
    counts: stats.counts,
    means: stats.means,
    parts,
    covariances: plan.storeCovariance ? covariances : undefined,
  };
}

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
  const constant = Array.from({ length: d }, (_, j) => j).find((j) => !(covariance[j * d + j]! > 0));
  if (constant !== undefined) throw singular(where, whole, plan, `column ${constant} constant`);
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
  throw singular(where, whole, plan, `columns that depend on each other (${count} rows, ${d} columns)`);
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
