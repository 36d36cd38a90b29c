import { choice, integer, invalid, type ParamSpec, real } from "../core/params/params.js";
import { type MetricName, plainMetrics } from "../numeric/neighbors/metric.js";

/** A distance of two rows: not negative, 0 between equal rows, the same both ways. */
export type DistanceFunction = (a: Float64Array, b: Float64Array) => number;

/** The weight of a vote, by distance. */
export type WeightFunction = (distance: number) => number;

export type MetricParam = MetricName | DistanceFunction;
export type WeightsParam = "uniform" | "distance" | WeightFunction;

const metricNames = ["minkowski", ...plainMetrics] as const;

/** One of the names, or a function. Functions cannot be saved or sent to a worker. */
function nameOrFunction<N extends string, F>(
  names: readonly N[],
  given: { readonly default: N; readonly doc: string },
): ParamSpec<N | F> {
  const named = choice(names as readonly N[], given);
  return {
    ...named,
    kind: "function",
    expected: `${named.expected}, or a function`,
    read: (value) => {
      if (typeof value === "function") return value as F;
      const name = named.read(value);
      return name === invalid ? invalid : (name as N);
    },
  };
}

/** How neighbours are searched. */
export const searchParams = {
  algorithm: choice(["auto", "brute", "kdTree", "ballTree"], {
    default: "auto",
    doc: "Search method; all return the same neighbours. auto: by the number of rows and columns.",
  }),
  leafSize: integer({ atLeast: 1, default: 30, doc: "Maximum number of points in a leaf of a tree." }),
  metric: nameOrFunction<MetricName, DistanceFunction>(metricNames, {
    default: "minkowski",
    doc: "Distance of two rows; minkowski with p = 2 is euclidean. Sparse rows: euclidean or cosine.",
  }),
  p: real({ atLeast: 1, default: 2, doc: "Exponent of minkowski: (Σ |xⱼ − zⱼ|ᵖ)^(1/p)." }),
};

export const nNeighbors = integer({ atLeast: 1, default: 5, doc: "Number of neighbours." });

export const radius = real({ above: 0, default: 1, doc: "Largest distance of a neighbour." });

export const weights: ParamSpec<WeightsParam> = nameOrFunction<"uniform" | "distance", WeightFunction>(
  ["uniform", "distance"],
  {
    default: "uniform",
    doc: "Weight of a neighbour: uniform, 1/distance (if some are at distance 0, only these count), or a function of the distance.",
  },
);
