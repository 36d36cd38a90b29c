import { exp, log, pow } from "../../core/numbers/elementary.js";
import {
  CHEBYSHEV,
  COSINE,
  EUCLIDEAN,
  HAMMING,
  JACCARD,
  MANHATTAN,
  MINKOWSKI,
} from "../generated/neighbors.layout.js";

/**
 * Distances that the kernels measure. Searches compare reduced distances, which order rows in the same way: squares for euclidean,
 * sums of powers for minkowski, the distances themselves for all others.
 */
export const metricCodes = {
  euclidean: EUCLIDEAN,
  manhattan: MANHATTAN,
  chebyshev: CHEBYSHEV,
  minkowski: MINKOWSKI,
  cosine: COSINE,
  hamming: HAMMING,
  jaccard: JACCARD,
} as const;

export type MetricName = keyof typeof metricCodes;
/** The metrics without an exponent. */
export const plainMetrics = ["euclidean", "manhattan", "chebyshev", "cosine", "hamming", "jaccard"] as const;
/** Metrics that trees can search by: distances that grow with the difference of each column. */
export type TreeMetricName = "euclidean" | "manhattan" | "chebyshev" | "minkowski";

export interface Metric {
  readonly name: MetricName;
  /** The exponent of minkowski; 2 for all others. */
  readonly p: number;
}

/** The metric by name; minkowski with an exponent of 1 or 2 has a name of its own. */
export function namedMetric(name: MetricName, p: number): Metric {
  if (name !== "minkowski") return { name, p: 2 };
  if (p === 1) return { name: "manhattan", p: 2 };
  return p === 2 ? { name: "euclidean", p: 2 } : { name, p };
}

/** Metrics with a triangle inequality that boxes and balls can bound. */
export const hasTree = ({ name }: Metric): boolean =>
  name === "euclidean" || name === "manhattan" || name === "chebyshev" || name === "minkowski";

/** The reduced form of a distance. */
export function reducedOf({ name, p }: Metric, distance: number): number {
  if (name === "euclidean") return distance * distance;
  return name === "minkowski" ? pow(distance, p) : distance;
}

/** Steps of one unit in the last place that `reducedRadius` tries: √ needs two at most. */
const STEPS = 64;

/** The largest reduced distance whose distance is at most `radius`: powers are rounded, so that radiusᵖ may be too small. */
export function reducedRadius(metric: Metric, radius: number): number {
  let reduced = reducedOf(metric, radius);
  if (metric.name !== "euclidean" && metric.name !== "minkowski") return reduced;
  for (let step = 0; step < STEPS; step++) {
    const next = reduced + reduced * 1.5 * 2 ** -53;
    if (!(next > reduced && distanceOf(metric, next) <= radius)) break;
    reduced = next;
  }
  return reduced;
}

/** The distance of a reduced distance. */
export function distanceOf({ name, p }: Metric, reduced: number): number {
  if (name === "euclidean") return Math.sqrt(reduced);
  return name === "minkowski" ? exp(log(reduced) / p) : reduced;
}
