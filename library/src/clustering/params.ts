import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { choice, either, integer, invalid, type ParamSpec, randomState } from "../core/params/params.js";
import { Matrix } from "../data/matrix.js";
import type { KMeansInit } from "../numeric/clustering/k-means.js";

/** Rows of numbers, kept as frozen plain arrays so that the description stays JSON. */
export type GivenCenters = readonly (readonly number[])[];

const isRow = (row: unknown): row is ArrayLike<number> =>
  isArrayLike(row) && Array.from(row as ArrayLike<unknown>).every(Number.isFinite);

function readCenters(value: unknown): GivenCenters | typeof invalid {
  const rows: unknown = value instanceof Matrix ? value.toArray() : value;
  if (!isArrayLike(rows) || typeof rows === "string" || rows.length === 0) return invalid;
  const list = Array.from(rows as ArrayLike<unknown>);
  if (!list.every(isRow)) return invalid;
  const plain = list.map((row) => Object.freeze(Array.from(row)));
  return plain.every((row) => row.length === plain[0]!.length && row.length > 0)
    ? Object.freeze(plain)
    : invalid;
}

export const nClusters = integer({ atLeast: 1, default: 8, doc: "Number of clusters." });

export const init: ParamSpec<"k-means++" | "random" | GivenCenters> = either(
  choice(["k-means++", "random"], {
    default: "k-means++",
    doc: "First centres: rows far from each other (greedy k-means++), random rows, or given centres, one row per cluster.",
  }),
  {
    kind: "rows",
    expected: "an array of nClusters rows of finite numbers",
    read: readCenters,
  },
);

export const nInit = (most: number): ParamSpec<number | "auto"> =>
  either(
    choice(["auto"], {
      default: "auto",
      doc: `Number of starts, of which the best counts. auto: ${most} for "random", 1 otherwise.`,
    }),
    integer({ atLeast: 1, default: 1, doc: "" }),
  );

export { randomState };

/** The centres that a fit begins with, as `kMeans` takes them. */
export const initOf = (given: "k-means++" | "random" | GivenCenters): KMeansInit =>
  typeof given === "string" ? given : Matrix.fromRows(given);
