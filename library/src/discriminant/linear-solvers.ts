import { DataError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import type { Matrix } from "../data/matrix.js";
import type { ClassificationSet } from "../data/training-set.js";
import { symmetricEigen } from "../numeric/linalg/eigen.js";
import { triangularFactor } from "../numeric/linalg/qr.js";
import { rowDirections } from "../numeric/linalg/svd.js";
import { choleskyWhitening, eigenWhitening, projected, type Whitening } from "../numeric/linalg/whitening.js";
import { mergeScatter, type Scatter } from "../numeric/rows/moments.js";
import { rowsByClass } from "../numeric/rows/row-scatter.js";
import {
  type ClassStatistics,
  type ClassTotals,
  classStatistics,
  ledoitWolf,
  quartic,
  type SummedStatistics,
  shrunk,
  totalsOf,
} from "./covariance.js";
import {
  LARGEST_ROTATED,
  ROUNDING,
  rowWhitening,
  type WhiteningMap,
  whiteningMap,
  wideStatistics,
  wideWhitening,
  withinWhitening,
} from "./within-whitening.js";

/** What the solvers need of the params table. */
export interface LinearPlan {
  readonly solver: "svd" | "lsqr" | "eigen";
  readonly shrinkage: "auto" | number | null;
  readonly tol: number;
  readonly storeCovariance: boolean;
  /** Number of axes to compute. */
  readonly mostAxes: number;
  /** π of each class, once the weight of each is known. */
  priors(counts: Float64Array): Float64Array;
}

/** A linear discriminant, before two classes become one margin. */
export interface LinearSolution {
  readonly priors: Float64Array;
  /** K × d. */
  readonly means: Float64Array;
  /** Σ πₖ μₖ. */
  readonly xbar: Float64Array;
  /** d × axes, best axis first. */
  readonly scalings: Float64Array;
  readonly axes: number;
  /** Fraction of the between-class variance along each axis. */
  readonly ratio: Float64Array;
  /** K × d. */
  readonly coef: Float64Array;
  readonly intercept: Float64Array;
  readonly covariance: Float64Array | undefined;
  /** d × d: W Wᵀ is the inverse of the Σ that `coef` was computed with; undefined where that Σ is singular. */
  readonly whitening: Float64Array | undefined;
}

/**
 * "svd": whiten the within-class deviations, then find the axes along which the class means, weighted by their priors,
 * lie furthest apart. Directions in which the standardised deviations have a singular value ≤ tol are left out, so
 * constant and repeated columns, and more columns than rows, do no harm.
 *
 * Parity: the result of scikit-learn's "svd". Where the within-class covariance is well conditioned its Cholesky factor whitens
 * as well as the SVD of all rows, at a fraction of the cost; where it is not, the SVD is that of the rows, by QR.
 */
export function solveBySvd(where: string, set: ClassificationSet<Label>, plan: LinearPlan): LinearSolution {
  const wide = set.x.cols > set.x.rows;
  const d = set.x.cols;
  const pooled = new Float64Array(wide ? 0 : d * d);
  const parts: Float64Array[] = [];
  const stats =
    wide && !plan.storeCovariance
      ? wideStatistics(where, set)
      : classStatistics(where, set, (_, { count, scatter }) => {
          if (!wide) addInto(scatter, 1, pooled);
          if (plan.storeCovariance) parts.push(scatter.map((value) => value / count));
        });
  const covariances = plan.storeCovariance ? parts : undefined;
  return alongMeans(where, { stats, covariances, pooled: wide ? undefined : pooled }, plan);
}

/** What "svd" needs to know of the classes. */
interface PooledClasses {
  readonly stats: ClassStatistics | SummedStatistics;
  /** Σ of the scatters of all classes; undefined for more columns than rows. */
  readonly pooled: Float64Array | undefined;
  /** Covariance of each class, where it is to be stored. */
  readonly covariances: readonly Float64Array[] | undefined;
}

/** The axes of "svd" and the scores along them. */
function alongMeans(
  where: string,
  { stats, pooled, covariances }: PooledClasses,
  plan: LinearPlan,
): LinearSolution {
  const K = stats.counts.length;
  const { d } = stats;
  requireMoreRowsThanClasses(where, stats.total, K);
  const priors = plan.priors(stats.counts);
  const within = pooled && withinWhitening(stats, pooled, plan.tol);
  const whitening =
    within === undefined ? wideWhitening(stats as ClassStatistics, plan.tol) : whiteningMap(within);
  if (whitening.rank === 0) requireOneMean(where, stats.means, d);
  const xbar = centreOf(priors, stats.means, d);
  const apart = stats.means.map((m, e) => m - xbar[e % d]!);
  const { scalings, axes, ratio } = meanAxes(apart, priors, whitening, plan.tol);
  const along = projected(apart, K, scalings, axes);
  const coef = new Float64Array(K * d);
  const intercept = new Float64Array(K);
  for (let k = 0; k < K; k++) {
    let b = log(priors[k]!);
    for (let a = 0; a < axes; a++) b -= 0.5 * along[k * axes + a]! * along[k * axes + a]!;
    for (let j = 0; j < d; j++) {
      let sum = 0;
      for (let a = 0; a < axes; a++) sum += along[k * axes + a]! * scalings[j * axes + a]!;
      coef[k * d + j] = sum;
      b -= sum * xbar[j]!;
    }
    intercept[k] = b;
  }
  const covariance = covariances && weighted(covariances, priors);
  const full = within?.rank === d ? within.w : undefined;
  return {
    ...{ priors, means: stats.means, xbar, scalings, axes, ratio, coef, intercept, covariance },
    whitening: full,
  };
}

/**
 * "lsqr" and "eigen": Σ_W = Σ πₖ Σₖ, each Σₖ (divisor nₖ) shrunk if required, and
 *
 *   coefₖ = Σ_W⁻¹ μₖ,   axes of "eigen": (Σ_T − Σ_W) v = λ Σ_W v
 *
 * Parity: scikit-learn's two solvers, whose coefficients are the same. Its "lsqr" has no axes; here they are those of the class
 * means, as with "svd". A singular Σ_W is an error for "eigen", and solved by least norm for "lsqr".
 */
export function solveByCovariance(
  where: string,
  set: ClassificationSet<Label>,
  plan: LinearPlan,
): LinearSolution {
  const K = set.classes.length;
  const { shrinkage } = plan;
  const parts: Float64Array[] = [];
  let all: Scatter | undefined;
  const estimate = (moments: Scatter, rows: Int32Array, stats: Pick<ClassStatistics, "x" | "weights">) => {
    const fourths = (inverse: Float64Array) => quartic(stats.x, rows, stats.weights, moments.mean, inverse);
    return estimated(moments, shrinkage, fourths);
  };
  const rows = rowsByClass(set.codes, K);
  const source = { x: set.x as Matrix, weights: set.weights };
  const stats = classStatistics(where, set, (k, moments) => {
    if (plan.solver === "eigen") all = all === undefined ? moments : mergeScatter(all, moments);
    parts.push(estimate(moments, rows[k]!, source));
  });
  const total = all && estimate(all, Int32Array.from(set.codes.keys()), source);
  return alongCovariance(where, { stats, parts, total }, plan);
}

/** What "lsqr" and "eigen" need to know of the classes. */
interface EstimatedClasses {
  readonly stats: ClassStatistics | SummedStatistics;
  /** Covariance of each class, shrunk if required. */
  readonly parts: readonly Float64Array[];
  /** That of all rows, for "eigen". */
  readonly total: Float64Array | undefined;
}

/** Σ_W, the axes, and the scores. */
function alongCovariance(
  where: string,
  { stats, parts, total }: EstimatedClasses,
  plan: LinearPlan,
): LinearSolution {
  requireMoreRowsThanClasses(where, stats.total, stats.counts.length);
  const { d, means } = stats;
  const priors = plan.priors(stats.counts);
  const within = weighted(parts, priors);
  const { w, rank } = coveredWhitening(where, within, stats, priors, plan);
  if (rank === 0) requireOneMean(where, means, d);
  const xbar = centreOf(priors, means, d);
  const axes = total
    ? scatterAxes(total, within, { w, rank }, plan.mostAxes)
    : meanAxes(
        means.map((m, e) => m - xbar[e % d]!),
        priors,
        whiteningMap({ w, rank }),
        plan.tol,
      );
  const whitening = rank === d ? w : undefined;
  const scores = scoresAround(stats, priors, xbar, { w, rank });
  return { priors, means, xbar, ...axes, ...scores, covariance: within, whitening };
}

/** A covariance, shrunk if required; `quarticOf` is called for "auto". */
function estimated(
  moments: Scatter,
  shrinkage: LinearPlan["shrinkage"],
  quarticOf: (inverse: Float64Array) => number,
): Float64Array {
  if (shrinkage === "auto") return ledoitWolf(moments, quarticOf);
  const covariance = moments.scatter.map((value) => value / moments.count);
  return shrinkage === null ? covariance : shrunk(covariance, moments.mean.length, shrinkage);
}

/** Moments of each class, and Σ s ‖(x − mean) / deviation‖⁴ of each and then of all rows, for shrinkage "auto". */
export interface SummedClasses {
  readonly moments: readonly Scatter[];
  readonly quartics?: ArrayLike<number> | undefined;
}

/**
 * The solution of rows that are known by their moments only: where columns nearly depend on each other, eigenvalues decide which
 * directions are left out, not the rows.
 */
export function solveBySums(
  where: string,
  { moments, quartics }: SummedClasses,
  plan: LinearPlan,
): LinearSolution {
  const stats = totalsOf(moments);
  const covariances = () => moments.map(({ scatter, count }) => scatter.map((value) => value / count));
  if (plan.solver === "svd") {
    const pooled = new Float64Array(stats.d * stats.d);
    for (const { scatter } of moments) addInto(scatter, 1, pooled);
    const stored = plan.storeCovariance ? covariances() : undefined;
    return alongMeans(where, { stats, pooled, covariances: stored }, plan);
  }
  const estimate = (own: Scatter, k: number) => estimated(own, plan.shrinkage, () => quartics![k]!);
  const total = plan.solver === "eigen" ? estimate(moments.reduce(mergeScatter), moments.length) : undefined;
  return alongCovariance(where, { stats, parts: moments.map(estimate), total }, plan);
}

/** coefₖ = Σ_W⁻¹ μₖ and the intercepts. */
function scoresAround(
  { means, d }: ClassTotals,
  priors: Float64Array,
  xbar: Float64Array,
  { w, rank }: Whitened,
): Pick<LinearSolution, "coef" | "intercept"> {
  const K = priors.length;
  // Of two classes only differences are kept, which are the same around any point: around the middle nothing cancels. Of more
  // classes that far from 0, what Σ_W⁻¹ x̄ adds to all scores would hide their differences.
  const distance = projected(xbar, 1, w, rank).reduce((sum, z) => sum + z * z, 0);
  const origin = K === 2 || distance > FAR * FAR ? xbar : new Float64Array(d);
  const placed = means.map((m, e) => m - origin[e % d]!);
  const along = projected(placed, K, w, rank);
  const coef = new Float64Array(K * d);
  const intercept = new Float64Array(K);
  for (let k = 0; k < K; k++) {
    let b = log(priors[k]!);
    for (let j = 0; j < d; j++) {
      let sum = 0;
      for (let c = 0; c < rank; c++) sum += along[k * rank + c]! * w[j * rank + c]!;
      coef[k * d + j] = sum;
      b -= sum * (0.5 * placed[k * d + j]! + origin[j]!);
    }
    intercept[k] = b;
  }
  return { coef, intercept };
}

type Axes = Pick<LinearSolution, "scalings" | "axes" | "ratio">;
type Whitened = Pick<Whitening, "w" | "rank">;

/** The axes along which the class means, weighted by their priors, lie furthest apart in whitened coordinates. */
function meanAxes(apart: Float64Array, priors: Float64Array, whitening: WhiteningMap, tol: number): Axes {
  const K = priors.length;
  const { rank } = whitening;
  const { values, vectors } = spread(whitening.project(apart, K), priors, rank);
  const total = values.reduce((sum, s) => sum + s * s, 0);
  const axes = values.filter((s) => s > tol * values[0]!).length;
  const scalings = whitening.combine(vectors.subarray(0, axes * rank), axes);
  return { scalings, axes, ratio: values.slice(0, axes).map((s) => (s * s) / total) };
}

/** The axes of what the total scatter has beyond that within classes. */
function scatterAxes(total: Float64Array, within: Float64Array, { w, rank }: Whitened, most: number): Axes {
  const d = w.length / rank;
  const between = total.map((value, e) => value - within[e]!);
  const { values, vectors } = symmetricEigen(congruent(w, rank, between, d), rank);
  const axes = Math.min(most, rank);
  const scalings = new Float64Array(d * axes);
  for (let j = 0; j < d; j++) {
    for (let c = 0; c < rank; c++) {
      const weight = w[j * rank + c]!;
      if (weight === 0) continue;
      for (let a = 0; a < axes; a++) scalings[j * axes + a]! += weight * vectors[c * rank + (rank - 1 - a)]!;
    }
  }
  const sum = values.reduce((all, value) => all + value, 0);
  const ratio = Float64Array.from({ length: axes }, (_, a) => (sum > 0 ? values[rank - 1 - a]! / sum : 0));
  return { scalings, axes, ratio };
}

/** Directions of the class means, each weighted by √πₖ, in whitened coordinates. */
function spread(apart: Float64Array, priors: Float64Array, rank: number) {
  const K = priors.length;
  const b = apart.map((value, e) => Math.sqrt(priors[Math.floor(e / rank)]!) * value);
  if (K <= rank || rank === 0) return rowDirections(b, K, rank);
  const { r } = triangularFactor(K, rank, (k, out) => {
    out.set(b.subarray(k * rank, (k + 1) * rank));
    out[rank] = 0;
  });
  return rowDirections(r, rank, rank);
}

/** Class means this many within-class deviations from 0 have Σ_W⁻¹ μ rounded by 1e-6 of a class's log-odds. */
const FAR = 1e5;

/** Below this pivot a covariance has lost too many digits: rows decide, unless shrinkage has put them in. */
const NEARLY_SINGULAR = 1e-7;

function coveredWhitening(
  where: string,
  within: Float64Array,
  stats: ClassStatistics | SummedStatistics,
  priors: Float64Array,
  { solver, shrinkage }: LinearPlan,
): Pick<Whitening, "w" | "rank"> {
  const { d } = stats;
  const direct = choleskyWhitening(within, d);
  const plain = shrinkage === null || shrinkage === 0;
  if (direct.smallestPivot > (plain ? NEARLY_SINGULAR : ROUNDING)) return direct;
  const byRows = plain && d <= LARGEST_ROTATED && stats.x !== undefined;
  const whitening = byRows ? rowWhitening(stats, priors) : eigenWhitening(within, d, ROUNDING);
  if (solver === "lsqr" || (byRows && whitening.rank === d)) return whitening;
  const expected = 'invertible with solver "eigen"';
  const received = "a singular one (constant, repeated or too many columns)";
  const advice = `${pulledMore(shrinkage)}, or use solver "svd".`;
  throw new DataError(where, "the within-class covariance", expected, received, advice);
}

function pulledMore(shrinkage: LinearPlan["shrinkage"]): string {
  if (shrinkage === "auto") return 'Set shrinkage to a number in place of "auto"';
  return shrinkage === null || shrinkage === 0 ? "Set shrinkage above 0" : "Raise shrinkage";
}

/** Wᵀ S W. */
function congruent(w: Float64Array, rank: number, s: Float64Array, d: number): Float64Array {
  const sw = projected(s, d, w, rank);
  const out = new Float64Array(rank * rank);
  for (let j = 0; j < d; j++) {
    for (let a = 0; a < rank; a++) {
      const value = w[j * rank + a]!;
      if (value === 0) continue;
      for (let b = 0; b < rank; b++) out[a * rank + b]! += value * sw[j * rank + b]!;
    }
  }
  return out;
}

function addInto(values: Float64Array, factor: number, out: Float64Array): void {
  for (let e = 0; e < out.length; e++) out[e]! += factor * values[e]!;
}

function weighted(parts: readonly Float64Array[], priors: Float64Array): Float64Array {
  const sum = new Float64Array(parts[0]!.length);
  parts.forEach((part, k) => {
    addInto(part, priors[k]!, sum);
  });
  return sum;
}

function centreOf(priors: Float64Array, means: Float64Array, d: number): Float64Array {
  const centre = new Float64Array(d);
  for (let k = 0; k < priors.length; k++)
    for (let j = 0; j < d; j++) centre[j]! += priors[k]! * means[k * d + j]!;
  return centre;
}

/** Classes that are single points, each in its own place, are separable: equal posteriors would be a wrong answer. */
function requireOneMean(where: string, means: Float64Array, d: number): void {
  if (means.every((m, e) => m === means[e % d])) return;
  const expected = "rows that vary within a class";
  const received = "classes whose rows are all equal";
  const advice = "GaussianNB takes such rows.";
  throw new DataError(where, "X", expected, received, advice);
}

function requireMoreRowsThanClasses(where: string, total: number, classes: number): void {
  if (total > classes) return;
  const expected = `more rows (or a larger sum of weights) than classes (${classes})`;
  const advice = "A variance within classes needs a class with two rows.";
  throw new DataError(where, "X", expected, `${total}`, advice);
}
