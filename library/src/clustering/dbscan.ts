import { clusterer } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import type { FilledIn, Params, ParamsWith, ParamValues } from "../core/params/params.js";
import { choice, integer, real } from "../core/params/params.js";
import { type Learned, restoring } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type KnownFeatures, readColumns } from "../data/feature-names-in.js";
import type { Design } from "../data/input.js";
import { unlabelledSet } from "../data/training-set.js";
import { ClustererEstimator } from "../fitted/clusterers.js";
import { type DensityClusters, densityClusters } from "../numeric/clustering/density-clusters.js";
import type { Metric, MetricName, TreeMetricName } from "../numeric/neighbors/metric.js";
import { hasTree, namedMetric } from "../numeric/neighbors/metric.js";
import { NeighborIndex, searchMethod } from "../numeric/neighbors/neighbor-index.js";
import type { NeighborSearch } from "../numeric/neighbors/search.js";
import { SparseNeighborIndex } from "../numeric/neighbors/sparse-neighbor-index.js";
import { readLabels } from "./fitted-centers.js";
import { LabelledRows } from "./labelled-rows.js";

const metrics = [
  "euclidean",
  "manhattan",
  "chebyshev",
  "minkowski",
  "cosine",
  "hamming",
  "jaccard",
] as const satisfies readonly MetricName[];

export const dbscanParams = {
  eps: real({ above: 0, default: 0.5, doc: "Largest distance between neighbours." }),
  minSamples: integer({
    atLeast: 1,
    default: 5,
    doc: "Rows, or their weight, within eps that make a row a core row; it counts itself.",
  }),
  metric: choice(metrics, {
    default: "euclidean",
    doc: "Distance of two rows. Sparse rows: euclidean or cosine.",
  }),
  algorithm: choice(["auto", "brute", "kdTree", "ballTree"], {
    default: "auto",
    doc: "How neighbours are found; all ways give the same answer. auto: by the number of rows and columns.",
  }),
  leafSize: integer({ atLeast: 1, default: 30, doc: "Most rows in a leaf of a tree." }),
  p: real({ atLeast: 1, default: 2, doc: "Exponent of minkowski: (Σ |xⱼ − zⱼ|ᵖ)^(1/p)." }),
};
type DbscanParams = typeof dbscanParams;
/** Trees search by some of the metrics only. */
type DbscanChoice =
  | Params<DbscanParams, { metric: TreeMetricName }>
  | ParamsWith<DbscanParams, { metric: Exclude<MetricName, TreeMetricName>; algorithm?: "auto" | "brute" }>;

/**
 * Clusters of high density, of any shape, and noise between them [Ester et al. 1996]:
 *
 *   x is a core row if Σ w over all rows within eps of it, its own included, is ≥ minSamples;
 *   core rows within eps of each other are in the same cluster;
 *   any other row within eps of a core row belongs to its cluster, to the first if there are several; all others are noise (−1).
 *
 * Clusters are numbered by their first core row. Parity: the labels of scikit-learn's DBSCAN. A row of weight 0 is not a core row and
 * counts for none.
 */
export class DBSCAN extends ClustererEstimator<DbscanParams, FittedDBSCAN> {
  static readonly id = "DBSCAN";
  static readonly table = dbscanParams;
  static readonly capabilities = clusterer({ sparse: true });
  static readonly starter = { place: 3 } as const;
  declare readonly params: FilledIn<DbscanChoice>;

  constructor(params: DbscanChoice = {}) {
    super(params);
    requireTree(this.params);
  }

  /** Sparse rows have euclidean and cosine distances. */
  get capabilities(): Capabilities {
    return { ...DBSCAN.capabilities, sparse: acceptsSparse(this.params) };
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedDBSCAN {
    const where = this.where("fit");
    const set = unlabelledSet(where, x, y, options, { sparse: acceptsSparse(this.params) });
    const { eps, minSamples } = this.params;
    const index = indexOf(where, set.x, this.params);
    try {
      const found = densityClusters(where, index, set.x, set.x.rows, eps, minSamples, set.weights);
      const own = Int32Array.from(found.core.keys()).filter((i) => found.core[i] === 1);
      const labels = set.kept ? labelsOfAll(where, index, set.given, set.kept, found, eps) : found.labels;
      const core = set.kept ? own.map((i) => set.kept![i]!) : own;
      return new FittedDBSCAN(this.params, set, labels, core);
    } finally {
      index.close();
    }
  }

  static restore(state: ModelState): FittedDBSCAN {
    const { reader, params } = restoring(dbscanParams, state);
    const labels = readLabels(reader, reader.count("nClusters"), -1);
    const core = reader.integers("coreSampleIndices", [-1]);
    if (core.some((i) => i < 0 || i >= labels.length))
      reader.fail("coreSampleIndices", "rows of fit", "something else");
    return new FittedDBSCAN(params, readColumns(reader), labels, core);
  }
}

export class FittedDBSCAN extends LabelledRows<ParamValues<DbscanParams>> {
  protected readonly id = DBSCAN.id;

  constructor(
    params: ParamValues<DbscanParams>,
    known: KnownFeatures,
    /** The cluster of every row of fit; −1 is noise. */
    labels: Int32Array,
    /** Numbers of the core rows, ascending. */
    readonly coreSampleIndices: Int32Array,
  ) {
    super(params, known, labels);
  }

  get nClusters(): number {
    return this.labels.reduce((most, label) => Math.max(most, label + 1), 0);
  }

  protected learned(): Learned {
    return { coreSampleIndices: this.coreSampleIndices };
  }
}

function acceptsSparse(params: ParamValues<DbscanParams>): boolean {
  return ["euclidean", "cosine"].includes(metricOf(params).name);
}

/** An index of dense or sparse rows. */
type Index = NeighborSearch<Design>;

const metricOf = ({ metric, p }: ParamValues<DbscanParams>): Metric => namedMetric(metric, p);

function indexOf(where: string, x: Design, params: ParamValues<DbscanParams>): Index {
  const metric = metricOf(params);
  if (x instanceof CsrMatrix) return new SparseNeighborIndex(where, x, metric) as Index;
  const { algorithm, leafSize } = params;
  const method = algorithm === "auto" ? searchMethod(metric, x) : algorithm;
  return new NeighborIndex(where, x, metric, method, leafSize) as Index;
}

/** Rows of weight 0 belong to the first cluster with a core row within eps, like all rows that are not core rows. */
function labelsOfAll(
  where: string,
  index: Index,
  given: Design,
  kept: Int32Array,
  { labels, core }: DensityClusters,
  eps: number,
): Int32Array {
  const out = new Int32Array(given.rows).fill(-1);
  kept.forEach((i, r) => {
    out[i] = labels[r]!;
  });
  const isKept = new Uint8Array(given.rows);
  for (const i of kept) isKept[i] = 1;
  const left = Int32Array.from(isKept.keys()).filter((i) => isKept[i] === 0);
  const radii = new Float64Array(left.length).fill(eps);
  const rows = given.selectRows(left);
  index.within(where, rows, radii, false, (from, count, starts, _, indices) => {
    for (let r = 0; r < count; r++) {
      const near = indices.subarray(starts[r]!, starts[r + 1]!).filter((j) => core[j] === 1);
      if (near.length > 0)
        out[left[from + r]!] = near.reduce((least, j) => Math.min(least, labels[j]!), Infinity);
    }
  });
  return out;
}

/** Throws where a tree is asked for that the metric has none of. */
function requireTree(params: ParamValues<DbscanParams>): void {
  const { algorithm, metric } = params;
  if (algorithm === "auto" || algorithm === "brute" || hasTree(metricOf(params))) return;
  const expected =
    '"auto" or "brute", since trees need a euclidean, manhattan, chebyshev or minkowski metric';
  const received = `"${algorithm}" with "${metric}"`;
  throw new ParameterError(DBSCAN.id, "algorithm", expected, received);
}
