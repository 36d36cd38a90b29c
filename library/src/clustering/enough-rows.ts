import type { FitReport } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import type { Design } from "../data/input.js";
import type { KMeansResult } from "../numeric/clustering/k-means.js";
import type { GivenCenters } from "./params.js";

/** A cluster has at least one row. */
export function requireClusters(where: string, nClusters: number, rows: number): void {
  if (nClusters <= rows) return;
  throw new ParameterError(where, "nClusters", `at most the number of rows (${rows})`, `${nClusters}`);
}

/** There are as many rows as clusters, and given centres are nClusters rows, as wide as X. */
export function requireStart(
  where: string,
  { init, nClusters }: { readonly init: string | GivenCenters; readonly nClusters: number },
  { rows, cols }: Design,
): void {
  requireClusters(where, nClusters, rows);
  if (typeof init === "string") return;
  const fits = init.length === nClusters && init[0]!.length === cols;
  if (fits) return;
  const expected = `nClusters × columns of X = ${nClusters} × ${cols} numbers`;
  const received = `${init.length} × ${init[0]!.length}`;
  throw new ParameterError(where, "init", expected, received);
}

/** How a search for centres ended; `stopped` warns of one that was cut short, and another warning of clusters that share all of their rows. */
export function centersReport(
  { converged, iterations, inertia, gradientNorm, labels }: Omit<KMeansResult, "centers">,
  nClusters: number,
  solver: string,
  stopped: string,
): FitReport {
  const found = new Set(labels).size;
  const empty = `Only ${found} of ${nClusters} clusters have rows: X has fewer distinct rows than clusters. Use fewer clusters.`;
  const warnings = [...(converged ? [] : [stopped]), ...(found === nClusters ? [] : [empty])];
  return { converged, iterations, objective: inertia, gradientNorm, solver, warnings };
}
