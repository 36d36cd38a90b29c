import type { Label, Labels } from "../core/labels.js";
import { exp, log } from "../core/numbers/elementary.js";
import { readOptions } from "../core/params/options.js";
import { choice, real, type TableOf } from "../core/params/params.js";
import { type Margins, marginsOf } from "./contingency.js";

export type EntropyAverage = "min" | "geometric" | "arithmetic" | "max";

export interface MutualInfoOptions {
  /** Mean of the two entropies that the mutual information is divided by. */
  readonly averageMethod?: EntropyAverage | undefined;
}

const mutualInfoOptions = {
  averageMethod: choice(["arithmetic", "geometric", "min", "max"], {
    default: "arithmetic",
    doc: "Mean of the two entropies that the mutual information is divided by.",
  }),
} satisfies TableOf<MutualInfoOptions>;

export interface VMeasureOptions {
  /** Above 1 completeness counts more, below 1 homogeneity. */
  readonly beta?: number | undefined;
}

const vMeasureOptions = {
  beta: real({ above: 0, default: 1, doc: "Above 1 completeness counts more, below 1 homogeneity." }),
} satisfies TableOf<VMeasureOptions>;

/** −Σ p log p of counts. */
function entropyOf(counts: Float64Array, n: number): number {
  if (counts.length <= 1) return 0;
  return counts.reduce((sum, count) => (count > 0 ? sum - (count / n) * (log(count) - log(n)) : sum), 0);
}

function mutualInformation({ n, cells, rows, columns }: Margins): number {
  if (rows.length === 1 || columns.length === 1) return 0;
  let sum = 0;
  for (const [r, c, count] of cells)
    sum += (count / n) * (log(count) - log(n) + (2 * log(n) - log(rows[r]!) - log(columns[c]!)));
  return Math.max(0, sum);
}

/** Mutual information of two labelings in nats: Σ p(u, v) log(p(u, v) / (p(u) p(v))). */
export function mutualInfoScore<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
): number {
  return mutualInformation(marginsOf("mutualInfoScore", yTrue, yPred));
}

function averageOf(method: EntropyAverage, a: number, b: number): number {
  if (method === "min") return Math.min(a, b);
  if (method === "max") return Math.max(a, b);
  return method === "geometric" ? Math.sqrt(a * b) : (a + b) / 2;
}

/** One cluster in both labelings: they agree, though there is no information to share. */
const bothTrivial = ({ rows, columns }: Margins): boolean => rows.length === 1 && columns.length === 1;

/** Mutual information divided by the mean of the entropies: from 0 to 1. */
export function normalizedMutualInfoScore<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
  options: MutualInfoOptions = {},
): number {
  const where = "normalizedMutualInfoScore";
  const { averageMethod } = readOptions(where, mutualInfoOptions, options);
  const margins = marginsOf(where, yTrue, yPred);
  if (bothTrivial(margins)) return 1;
  const shared = mutualInformation(margins);
  // Nothing shared may be rounded to a little more than 0.
  if (shared <= Number.EPSILON) return 0;
  const { rows, columns, n } = margins;
  return shared / averageOf(averageMethod, entropyOf(rows, n), entropyOf(columns, n));
}

/**
 * Mutual information adjusted for chance [Vinh et al. 2010]: (I − E[I]) / (mean entropy − E[I]) with the expectation over random
 * labelings of the same sizes. 1 for the same partition, about 0 for random labels, may be negative. 0 where all labelings of these sizes
 * share as much, as with one of singletons. Parity: there scikit-learn divides rounding by rounding, and two rows apart in both have 0.
 */
export function adjustedMutualInfoScore<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
  options: MutualInfoOptions = {},
): number {
  const where = "adjustedMutualInfoScore";
  const { averageMethod } = readOptions(where, mutualInfoOptions, options);
  const margins = marginsOf(where, yTrue, yPred);
  if (isSamePartition(margins)) return 1;
  const { rows, columns, n } = margins;
  const f = logFactorials(n);
  const expected = expectedInformation(margins, f);
  const most = averageOf(averageMethod, entropyOf(rows, n), entropyOf(columns, n));
  // The mean is at least the information of any labelings of these sizes. Where it equals their expectation, all of them share as much as
  // these two do, as with a labeling of singletons: no more than chance. E[I] is a sum of e^(differences of log factorials).
  const rounding = 8 * Number.EPSILON * (1 + f[n]!) * most;
  if (most - expected <= rounding) return 0;
  return (mutualInformation(margins) - expected) / (most - expected);
}

/** Whether every class is one cluster. */
const isSamePartition = ({ cells, rows, columns }: Margins): boolean =>
  cells.length === rows.length && cells.length === columns.length;

/** E[I] under the hypergeometric model [Vinh et al. 2010, eq. 24a]. */
function expectedInformation({ n, rows, columns }: Margins, f: Float64Array): number {
  if (rows.length === 1 || columns.length === 1) return 0;
  const sizes = sizesOf(columns);
  let sum = 0;
  for (const [a, times] of sizesOf(rows)) {
    for (const [b, also] of sizes) {
      const fixed = f[a]! + f[b]! + f[n - a]! + f[n - b]! - f[n]!;
      for (let m = Math.max(1, a + b - n); m <= Math.min(a, b); m++) {
        const information = log(n) + log(m) - log(a) - log(b);
        const logChance = fixed - f[m]! - f[a - m]! - f[b - m]! - f[n - a - b + m]!;
        sum += times * also * (m / n) * information * exp(logChance);
      }
    }
  }
  return sum;
}

/** How many groups there are of each size: a hundred thousand singletons are one size. */
function sizesOf(counts: Float64Array): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (const count of counts) sizes.set(count, (sizes.get(count) ?? 0) + 1);
  return sizes;
}

/** log m! for m = 0 … n, summed with compensation [Kahan 1965]. */
function logFactorials(n: number): Float64Array {
  const out = new Float64Array(n + 1);
  let lost = 0;
  for (let m = 2; m <= n; m++) {
    const term = log(m) - lost;
    out[m] = out[m - 1]! + term;
    lost = out[m]! - out[m - 1]! - term;
  }
  return out;
}

export interface HomogeneityCompleteness {
  /** 1 if every cluster holds rows of one class only. */
  readonly homogeneity: number;
  /** 1 if all rows of a class are in one cluster. */
  readonly completeness: number;
  readonly vMeasure: number;
}

/** Homogeneity, completeness and V-measure [Rosenberg & Hirschberg 2007] at once. */
export function homogeneityCompletenessVMeasure<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
  options: VMeasureOptions = {},
): HomogeneityCompleteness {
  return measuresOf("homogeneityCompletenessVMeasure", yTrue, yPred, options);
}

function measuresOf<T extends Label, P extends Label>(
  where: string,
  yTrue: Labels<T>,
  yPred: Labels<P>,
  options: VMeasureOptions,
): HomogeneityCompleteness {
  const { beta } = readOptions(where, vMeasureOptions, options);
  const margins = marginsOf(where, yTrue, yPred);
  const shared = mutualInformation(margins);
  const ofClasses = entropyOf(margins.rows, margins.n);
  const ofClusters = entropyOf(margins.columns, margins.n);
  const homogeneity = ofClasses === 0 ? 1 : shared / ofClasses;
  const completeness = ofClusters === 0 ? 1 : shared / ofClusters;
  const sum = beta * homogeneity + completeness;
  const vMeasure = sum === 0 ? 0 : ((1 + beta) * homogeneity * completeness) / sum;
  return { homogeneity, completeness, vMeasure };
}

/** I(classes, clusters) / H(classes): 1 if every cluster holds rows of one class only. */
export function homogeneityScore<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
): number {
  return measuresOf("homogeneityScore", yTrue, yPred, {}).homogeneity;
}

/** I(classes, clusters) / H(clusters): 1 if all rows of a class are in one cluster. */
export function completenessScore<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
): number {
  return measuresOf("completenessScore", yTrue, yPred, {}).completeness;
}

/** (1 + β) h c / (β h + c) of homogeneity h and completeness c. */
export function vMeasureScore<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
  options: VMeasureOptions = {},
): number {
  return measuresOf("vMeasureScore", yTrue, yPred, options).vMeasure;
}
