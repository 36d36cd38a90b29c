import type { DataSpec } from "../data/spec.js";
import type { Workload } from "../workload.js";
import { argmax, npmPackage, sklearn } from "./contestants.js";

const normals = (rows: number, cols: number): DataSpec => ({ kind: "normals", rows, cols, seed: 31 });

const both = (params: object, theirs: object) => [
  argmax("NearestNeighbors", params),
  sklearn("neighbors.NearestNeighbors", theirs),
];

const five = both({ nNeighbors: 5 }, { n_neighbors: 5 });

/** The same neighbours: their mean distances agree to rounding, which in scikit-learn's brute force leaves half of the digits. */
const same = { ratio: 1, objective: 1e-6 } as const;

const search = (id: string, title: string, data: DataSpec, queries: number): Workload => ({
  id,
  title,
  group: "neighbours",
  action: "search",
  data,
  queries,
  contestants: five,
  pledge: same,
});

/** An npm package beside the two, once: it is slow. */
const withPackage = (workload: Workload, call: string, params: object): Workload => ({
  ...workload,
  contestants: [...workload.contestants, npmPackage(call, params)],
});

/** Index and search together, as a user calls them, against scikit-learn's choice of a method. */
export const neighbors: readonly Workload[] = [
  search("knn-50", "5 neighbours, 20,000 × 50, 10,000 queries", normals(30_000, 50), 10_000),
  search(
    "knn-images",
    "5 neighbours, images 10,000 × 784, 10,000 queries",
    { kind: "images", rows: 20_000 },
    10_000,
  ),
  search(
    "knn-16",
    "5 neighbours, 15,000 × 16 in 26 clusters, 5,000 queries",
    { kind: "clusters", rows: 20_000, cols: 16, centres: 26, seed: 32 },
    5000,
  ),
  search("knn-tree", "5 neighbours, 100,000 × 4, 10,000 queries (kd-tree)", normals(110_000, 4), 10_000),
  withPackage(
    search("knn-small", "5 neighbours, 2,000 × 4, 500 queries", normals(2500, 4), 500),
    "ml-knn",
    {},
  ),
  {
    id: "radius-tree",
    title: "neighbours within 0.02, 100,000 × 2, 10,000 queries (kd-tree)",
    group: "neighbours",
    action: "within",
    data: normals(110_000, 2),
    queries: 10_000,
    contestants: [...both({ radius: 0.02 }, { radius: 0.02 }), npmPackage("kdbush", { radius: 0.02 })],
    pledge: { ratio: 1, objective: 0 },
  },
  {
    id: "knn-sparse",
    title: "5 neighbours by cosine, 18,000 sparse documents × 50,000, 2,000 queries",
    group: "neighbours",
    action: "search",
    data: { kind: "documents", rows: 20_000, cols: 50_000, nonZeros: 100, seed: 5 },
    queries: 2000,
    contestants: both({ nNeighbors: 5, metric: "cosine" }, { n_neighbors: 5, metric: "cosine" }),
    pledge: same,
  },
  {
    id: "knn-one",
    title: "5 neighbours of one row, 100,000 × 4",
    group: "latency",
    action: "searchOne",
    data: normals(110_000, 4),
    queries: 10_000,
    contestants: five,
    pledge: { ratio: 20 },
  },
  {
    id: "knn-one-50",
    title: "5 neighbours of one row, 20,000 × 50",
    group: "latency",
    action: "searchOne",
    data: normals(30_000, 50),
    queries: 10_000,
    contestants: five,
    pledge: { ratio: 1 },
  },
];
