import { listOf } from "../core/column-like.js";
import type { MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { checkLength, type Label, type Labels } from "../core/labels.js";
import { Random } from "../core/numbers/random.js";
import { absent, readOptions } from "../core/params/options.js";
import { choice, integer, randomState, type TableOf } from "../core/params/params.js";
import { readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { eachPairBlock } from "../numeric/clustering/pairwise.js";
import { sortedLabels } from "./inputs.js";

export type SilhouetteMetric = "euclidean" | "manhattan" | "chebyshev" | "cosine" | "hamming" | "jaccard";

export interface SilhouetteOptions {
  /** Distance of two rows. */
  readonly metric?: SilhouetteMetric | undefined;
}

export interface SilhouetteScoreOptions extends SilhouetteOptions {
  /** Score of so many random rows only, since all of them take n² distances. */
  readonly sampleSize?: number | undefined;
  /** Seed of the random rows. */
  readonly randomState?: number | undefined;
}

const silhouetteOptions = {
  metric: choice(["euclidean", "manhattan", "chebyshev", "cosine", "hamming", "jaccard"], {
    default: "euclidean",
    doc: "Distance of two rows.",
  }),
} satisfies TableOf<SilhouetteOptions>;

const silhouetteScoreOptions = {
  ...silhouetteOptions,
  sampleSize: absent(
    integer({
      atLeast: 3,
      default: 1000,
      doc: "Score of so many random rows only, since all of them take n² distances.",
    }),
  ),
  randomState: randomState(),
} satisfies TableOf<SilhouetteScoreOptions>;

interface Clustered {
  readonly x: Matrix;
  readonly codes: Int32Array;
  readonly sizes: Int32Array;
}

function clusteredRows<L extends Label>(where: string, x: MatrixLike, labels: Labels<L>): Clustered {
  const rows = readMatrix(where, x, {});
  checkLength(where, "labels", labels, rows.rows);
  return requireClusters(where, rows, listOf(labels));
}

function requireClusters<L extends Label>(where: string, x: Matrix, labels: ArrayLike<L>): Clustered {
  const classes = sortedLabels(where, [labels]);
  const index = new Map(classes.map((label, k) => [label, k]));
  const codes = Int32Array.from({ length: x.rows }, (_, i) => index.get(labels[i]!)!);
  const sizes = new Int32Array(classes.length);
  for (const code of codes) sizes[code]!++;
  if (classes.length < 2 || classes.length >= x.rows) {
    throw new DataError(where, "labels", `of 2 to n − 1 = ${x.rows - 1} clusters`, `${classes.length}`);
  }
  return { x, codes, sizes };
}

/**
 * Silhouette of every row [Rousseeuw 1987]: (b − a) / max(a, b), with a the mean distance to the other rows of its cluster and b the
 * least mean distance to the rows of another cluster. From −1 (in the wrong cluster) to 1; 0 for a cluster of one row.
 */
export function silhouetteSamples<L extends Label>(
  x: MatrixLike,
  labels: Labels<L>,
  options: SilhouetteOptions = {},
): Float64Array {
  const where = "silhouetteSamples";
  const { metric } = readOptions(where, silhouetteOptions, options);
  return silhouettes(where, clusteredRows(where, x, labels), metric);
}

/** Mean silhouette of all rows, or of `sampleSize` random ones among each other. */
export function silhouetteScore<L extends Label>(
  x: MatrixLike,
  labels: Labels<L>,
  options: SilhouetteScoreOptions = {},
): number {
  const where = "silhouetteScore";
  const own = readOptions(where, silhouetteScoreOptions, options);
  let set = clusteredRows(where, x, labels);
  if (own.sampleSize !== undefined && own.sampleSize < set.x.rows) {
    const list = listOf(labels);
    const drawn = new Random(own.randomState).permutation(set.x.rows).slice(0, own.sampleSize);
    set = requireClusters(
      where,
      set.x.selectRows(drawn),
      Array.from(drawn, (i) => list[i]!),
    );
  }
  const all = silhouettes(where, set, own.metric);
  return all.reduce((sum, value) => sum + value, 0) / all.length;
}

/** Rows whose distances to all others are in memory at a time. */
const BLOCK = 512;

function silhouettes(where: string, { x, codes, sizes }: Clustered, metric: SilhouetteMetric): Float64Array {
  const n = x.rows;
  const K = sizes.length;
  const out = new Float64Array(n);
  const sums = new Float64Array(K);
  eachPairBlock(where, x, { name: metric, p: 2 }, false, BLOCK, (from, count, distances) => {
    for (let r = 0; r < count; r++) {
      sums.fill(0);
      for (let t = 0, at = r * n; t < n; t++, at++) sums[codes[t]!]! += distances[at]!;
      out[from + r] = silhouetteOf(sums, sizes, codes[from + r]!);
    }
  });
  return out;
}

function silhouetteOf(sums: Float64Array, sizes: Int32Array, own: number): number {
  if (sizes[own] === 1) return 0;
  const within = sums[own]! / (sizes[own]! - 1);
  let between = Infinity;
  for (let k = 0; k < sums.length; k++) if (k !== own) between = Math.min(between, sums[k]! / sizes[k]!);
  const larger = Math.max(within, between);
  return larger === 0 ? 0 : (between - within) / larger;
}

/** Means per cluster, relative to the first row so that an offset costs no digits. */
function clusterMeans({ x, codes, sizes }: Clustered): Float64Array {
  const { rows, cols, data } = x;
  const means = new Float64Array(sizes.length * cols);
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0, at = codes[i]! * cols; j < cols; j++, e++, at++)
      means[at]! += (data[e]! - data[j]!) / sizes[codes[i]!]!;
  }
  for (let at = 0; at < means.length; at++) means[at]! += data[at % cols]!;
  return means;
}

function squaredGap(a: Float64Array, i: number, b: Float64Array, k: number, d: number): number {
  let sum = 0;
  for (let j = 0; j < d; j++) {
    const gap = a[i * d + j]! - b[k * d + j]!;
    sum += gap * gap;
  }
  return sum;
}

/**
 * Davies–Bouldin index [1979]: mean over the clusters of the largest (sᵢ + sⱼ) / ‖μᵢ − μⱼ‖, with s the mean distance of a cluster's rows
 * to its mean μ. Smaller is better, 0 is the least.
 */
export function daviesBouldinScore<L extends Label>(x: MatrixLike, labels: Labels<L>): number {
  const set = clusteredRows("daviesBouldinScore", x, labels);
  const { x: rows, codes, sizes } = set;
  const K = sizes.length;
  const means = clusterMeans(set);
  const spread = new Float64Array(K);
  for (let i = 0; i < rows.rows; i++) {
    const k = codes[i]!;
    spread[k]! += Math.sqrt(squaredGap(rows.data, i, means, k, rows.cols)) / sizes[k]!;
  }
  let sum = 0;
  for (let i = 0; i < K; i++) {
    let worst = 0;
    for (let k = 0; k < K; k++) {
      const gap = Math.sqrt(squaredGap(means, i, means, k, rows.cols));
      // Clusters with the same mean are left out, as scikit-learn does.
      if (gap > 0) worst = Math.max(worst, (spread[i]! + spread[k]!) / gap);
    }
    sum += worst;
  }
  return sum / K;
}

/**
 * Calinski–Harabasz index [1974]: variance between the clusters over variance within them, each per degree of freedom. Larger is
 * better; 1 if the rows of every cluster are equal.
 */
export function calinskiHarabaszScore<L extends Label>(x: MatrixLike, labels: Labels<L>): number {
  const set = clusteredRows("calinskiHarabaszScore", x, labels);
  const { x: rows, codes, sizes } = set;
  const { rows: n, cols: d } = rows;
  const K = sizes.length;
  const means = clusterMeans(set);
  const mean = clusterMeans({ x: rows, codes: new Int32Array(n), sizes: Int32Array.of(n) });
  let between = 0;
  for (let k = 0; k < K; k++) between += sizes[k]! * squaredGap(means, k, mean, 0, d);
  let within = 0;
  for (let i = 0; i < n; i++) within += squaredGap(rows.data, i, means, codes[i]!, d);
  return within === 0 ? 1 : (between * (n - K)) / (within * (K - 1));
}
