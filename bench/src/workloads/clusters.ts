import type { DataSpec } from "../data/spec.js";
import type { Workload } from "../workload.js";
import { argmax, faster, npmPackage, sklearn } from "./contestants.js";

const clusters = (rows: number, cols: number, centres: number, seed: number): DataSpec => ({
  kind: "clusters",
  rows,
  cols,
  centres,
  seed,
});
const normals = (rows: number, cols: number, seed: number): DataSpec => ({
  kind: "normals",
  rows,
  cols,
  seed,
});

interface Fit {
  readonly id: string;
  readonly title: string;
  readonly data: DataSpec;
  readonly ours: readonly [string, object];
  /** Several if scikit-learn has several algorithms. */
  readonly theirs: readonly (readonly [string, object, string?])[];
  readonly ratio?: number;
}

const fit = ({ id, title, data, ours, theirs, ratio = 1 }: Fit): Workload => ({
  id,
  title,
  group: "clusters",
  action: "unsupervised",
  data,
  contestants: [argmax(...ours), ...theirs.map((one) => sklearn(...one))],
  pledge: { ...faster, ratio },
});

/** With the same initial centres, so that the iterations agree; scikit-learn with Lloyd and with Elkan. */
const kMeans = (id: string, title: string, data: DataSpec, k: number, ratio?: number): Workload =>
  fit({
    id,
    title,
    data,
    ours: ["KMeans", { nClusters: k, start: "firstRows" }],
    theirs: ["lloyd", "elkan"].map(
      (algorithm) => ["cluster.KMeans", { n_clusters: k, start: "firstRows", algorithm }, algorithm] as const,
    ),
    ...(ratio === undefined ? {} : { ratio }),
  });

const withMlKMeans = (workload: Workload, k: number): Workload => ({
  ...workload,
  contestants: [...workload.contestants, npmPackage("ml-kmeans", { k })],
});

const mixture = (id: string, title: string, data: DataSpec, k: number, type: string): Workload =>
  fit({
    id,
    title,
    data,
    ours: [
      "GaussianMixture",
      { nComponents: k, covarianceType: type, maxIter: 50, tol: 0, start: "firstRows" },
    ],
    theirs: [
      [
        "mixture.GaussianMixture",
        { n_components: k, covariance_type: type, max_iter: 50, tol: 0, start: "firstRows" },
      ],
    ],
  });

export const clusterings: readonly Workload[] = [
  kMeans("kmeans-20", "k-means, k = 20, 100,000 × 20", normals(100_000, 20, 41), 20),
  kMeans("kmeans-100", "k-means, k = 100, 100,000 × 20", normals(100_000, 20, 41), 100, 3),
  kMeans(
    "kmeans-clusters",
    "k-means, k = 50, 100,000 × 20 in 50 clusters",
    clusters(100_000, 20, 50, 42),
    50,
  ),
  withMlKMeans(
    kMeans(
      "kmeans-digits",
      "k-means, k = 10, digits",
      { kind: "included", name: "digits", target: "class" },
      10,
    ),
    10,
  ),
  fit({
    id: "kmeans-plus",
    title: "k-means++ and k-means, k = 20, 100,000 × 20 in 20 clusters",
    data: clusters(100_000, 20, 20, 43),
    ours: ["KMeans", { nClusters: 20, nInit: 1 }],
    theirs: [["cluster.KMeans", { n_clusters: 20, n_init: 1, random_state: 0 }]],
  }),
  mixture(
    "gmm-full",
    "Gaussian mixture, 8 full covariances, 50,000 × 10, 50 steps",
    clusters(50_000, 10, 8, 44),
    8,
    "full",
  ),
  mixture(
    "gmm-diag",
    "Gaussian mixture, 16 diagonal covariances, 100,000 × 20, 50 steps",
    clusters(100_000, 20, 16, 45),
    16,
    "diag",
  ),
  fit({
    id: "dbscan",
    title: "DBSCAN, 50,000 × 2 in 30 clusters",
    data: clusters(50_000, 2, 30, 46),
    ours: ["DBSCAN", { eps: 0.2, minSamples: 10 }],
    theirs: [["cluster.DBSCAN", { eps: 0.2, min_samples: 10 }]],
  }),
  fit({
    id: "ward",
    title: "agglomerative clustering (ward), 3,000 × 10",
    data: clusters(3000, 10, 12, 47),
    ours: ["AgglomerativeClustering", { nClusters: 12 }],
    theirs: [["cluster.AgglomerativeClustering", { n_clusters: 12 }]],
  }),
  fit({
    id: "pca-50",
    title: "PCA, all 50 components, 100,000 × 50",
    data: normals(100_000, 50, 48),
    ours: ["PCA", {}],
    theirs: [["decomposition.PCA", {}]],
  }),
  fit({
    id: "pca-images",
    title: "PCA, 50 components, images 5,000 × 784",
    data: { kind: "images", rows: 5000 },
    ours: ["PCA", { nComponents: 50 }],
    theirs: [
      ["decomposition.PCA", { n_components: 50, svd_solver: "full" }, "full"],
      ["decomposition.PCA", { n_components: 50, random_state: 0 }, "defaults"],
    ],
  }),
  fit({
    id: "svd-sparse",
    title: "TruncatedSVD, 100 components, 20,000 sparse documents × 50,000",
    data: { kind: "documents", rows: 20_000, cols: 50_000, nonZeros: 100, seed: 5 },
    ours: ["TruncatedSVD", { nComponents: 100 }],
    theirs: [["decomposition.TruncatedSVD", { n_components: 100, random_state: 0 }]],
  }),
];
