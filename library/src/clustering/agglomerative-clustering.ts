import { clusterer } from "../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { absent, option, readOptions } from "../core/params/options.js";
import type { FilledIn, ParamSpec, Params, ParamsWith, ParamValues } from "../core/params/params.js";
import { choice, integer, optional, real } from "../core/params/params.js";
import { type Learned, restoring } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type KnownFeatures, readColumns } from "../data/feature-names-in.js";
import { tooLarge } from "../data/input.js";
import { unweightedSet } from "../data/training-set.js";
import { ClustererEstimator } from "../fitted/clusterers.js";
import { type Hierarchy, hierarchyOf } from "../numeric/clustering/linkage.js";
import { plainMetrics } from "../numeric/neighbors/metric.js";
import { cutHierarchy } from "./cut-hierarchy.js";
import { type Dendrogram, type DendrogramSvgOptions, dendrogramOf, drawDendrogram } from "./dendrogram.js";
import { requireClusters } from "./enough-rows.js";
import { readLabels } from "./fitted-centers.js";
import { LabelledRows } from "./labelled-rows.js";

export const agglomerativeClusteringParams = {
  nClusters: optional(
    integer({
      atLeast: 1,
      default: 2,
      doc: "Number of clusters; 2 unless there is a distanceThreshold.",
    }),
  ),
  distanceThreshold: optional(
    real({
      atLeast: 0,
      default: 0,
      doc: "Clusters at this distance or farther are not joined: it decides the number of clusters.",
    }),
  ),
  linkage: choice(["ward", "complete", "average", "single"], {
    default: "ward",
    doc: "Distance of two clusters: growth of the sum of squares, farthest rows, mean over all pairs, nearest rows.",
  }),
  metric: choice(plainMetrics, { default: "euclidean", doc: "Distance of two rows; ward needs euclidean." }),
};
type AgglomerativeClusteringParams = typeof agglomerativeClusteringParams;
/** Ward is about means, so about euclidean distances. */
type AgglomerativeChoice =
  | Params<AgglomerativeClusteringParams, { linkage: "ward"; metric: "euclidean" }>
  | ParamsWith<AgglomerativeClusteringParams, { linkage: "complete" | "average" | "single" }>;

/**
 * A hierarchy of clusters: every row is one, and the two nearest clusters are joined until one is left.
 *
 *   single     d(A, B) = min over a ∈ A, b ∈ B of d(a, b)        average    d(A, B) = mean of d(a, b)
 *   complete   d(A, B) = max of d(a, b)                          ward       d(A, B)² = 2 |A||B| / (|A| + |B|) ‖mean A − mean B‖²
 *
 * Nearest-neighbour chains (single: a minimum spanning tree), O(n²) time and memory. The hierarchy and the labels are those of
 * scikit-learn's AgglomerativeClustering. Parity: there is no `connectivity`, and the metric "l1" is called "manhattan"; of equally near
 * clusters ward may join others first, since it compares squares.
 */
export class AgglomerativeClustering extends ClustererEstimator<
  AgglomerativeClusteringParams,
  FittedAgglomerativeClustering
> {
  static readonly id = "AgglomerativeClustering";
  static readonly table = agglomerativeClusteringParams;
  static readonly capabilities = clusterer({ sampleWeight: false });
  declare readonly params: FilledIn<AgglomerativeChoice>;

  constructor(params: AgglomerativeChoice = {}) {
    super(params);
    const { nClusters, distanceThreshold, linkage, metric } = this.params;
    if (nClusters !== null && distanceThreshold !== null)
      refuse("nClusters", "null with a distanceThreshold, which decides it", `${nClusters}`);
    if (linkage === "ward" && metric !== "euclidean")
      refuse("metric", '"euclidean" with ward, which is about means', `"${metric}"`);
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedAgglomerativeClustering {
    const where = this.where("fit");
    const set = unweightedSet(where, x, y, options, {});
    const { linkage, metric, nClusters, distanceThreshold } = this.params;
    const wanted = nClusters ?? 2;
    if (distanceThreshold === null) requireClusters(where, wanted, set.x.rows);
    const hierarchy = hierarchyOf(where, set.x, { name: metric, p: 2 }, linkage);
    if (!hierarchy.distances.every(Number.isFinite))
      tooLarge(where, "values whose distances are not finite", {
        expected: "small enough for distances of its rows",
      });
    const k = distanceThreshold === null ? wanted : clustersAt(hierarchy, distanceThreshold);
    const labels = cutHierarchy(hierarchy, k);
    return new FittedAgglomerativeClustering(this.params, set, labels, k, hierarchy);
  }

  static restore(state: ModelState): FittedAgglomerativeClustering {
    const { reader, params } = restoring(agglomerativeClusteringParams, state);
    const k = reader.count("nClusters");
    const labels = readLabels(reader, k, 0);
    const n = labels.length;
    const hierarchy = {
      children: reader.integers("children", [Math.max(0, n - 1), 2]),
      distances: reader.floats("distances", [Math.max(0, n - 1)]),
      counts: reader.integers("counts", [Math.max(0, n - 1)]),
    };
    if (!isHierarchy(hierarchy)) reader.fail("children", "merges of earlier clusters", "something else");
    return new FittedAgglomerativeClustering(params, readColumns(reader), labels, k, hierarchy);
  }
}

export class FittedAgglomerativeClustering extends LabelledRows<ParamValues<AgglomerativeClusteringParams>> {
  protected readonly id = AgglomerativeClustering.id;

  constructor(
    params: ParamValues<AgglomerativeClusteringParams>,
    known: KnownFeatures,
    labels: Int32Array,
    readonly nClusters: number,
    private readonly hierarchy: Hierarchy,
  ) {
    super(params, known, labels);
  }

  /** Merge m joins children[2m] and children[2m + 1]: rows of fit below n, what merge m made is n + m. */
  get children(): Int32Array {
    return this.hierarchy.children;
  }

  /** The distance of the clusters that each merge joins, ascending. */
  get distances(): Float64Array {
    return this.hierarchy.distances;
  }

  /** Rows of the cluster that each merge makes. */
  get counts(): Int32Array {
    return this.hierarchy.counts;
  }

  /** Labels of another number of clusters, from the same hierarchy. */
  cut(nClusters: number): Int32Array {
    const where = "AgglomerativeClustering.cut";
    const read = agglomerativeClusteringParams.nClusters.read(nClusters);
    if (typeof read !== "number") refuse("nClusters", "an integer ≥ 1", `${nClusters}`, where);
    requireClusters(where, nClusters, this.labels.length);
    return cutHierarchy(this.hierarchy, nClusters);
  }

  /** Where the leaves and bars of a dendrogram are. */
  dendrogram(): Dendrogram {
    return dendrogramOf(this.hierarchy);
  }

  /** The dendrogram as SVG. */
  toSvg(options: DendrogramSvgOptions = {}): string {
    const where = "AgglomerativeClustering.toSvg";
    const own = readOptions(where, svgOptions, options);
    if (own.labels && own.labels.length !== this.labels.length)
      refuse("labels", `one per row of fit (${this.labels.length})`, `${own.labels.length}`, where);
    return drawDendrogram(this.dendrogram(), own);
  }

  protected learned(): Learned {
    const { children, distances, counts } = this.hierarchy;
    return { children: { shape: [counts.length, 2], data: children }, distances, counts };
  }
}

const svgOptions = {
  labels: option<readonly string[]>("labels", "A text per row of fit.", "an array of texts", isArrayLike),
  threshold: absent(real({ atLeast: 0, default: 0, doc: "Draws a line at this distance." })),
} satisfies Record<keyof DendrogramSvgOptions, ParamSpec<unknown>>;

/** Parity: scikit-learn joins only clusters below the threshold. */
function clustersAt({ distances }: Hierarchy, threshold: number): number {
  return distances.reduce((k, distance) => k + (distance >= threshold ? 1 : 0), 1);
}

function isHierarchy({ children, counts }: Hierarchy): boolean {
  const n = counts.length + 1;
  const seen = new Uint8Array(2 * n - 1);
  for (let e = 0; e < children.length; e++) {
    const node = children[e]!;
    if (node < 0 || node >= n + (e >> 1) || seen[node] === 1) return false;
    seen[node] = 1;
  }
  return true;
}

function refuse(
  subject: string,
  expected: string,
  received: string,
  where: string = AgglomerativeClustering.id,
): never {
  throw new ParameterError(where, subject, expected, received);
}
