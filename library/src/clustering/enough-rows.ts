import { ParameterError } from "../core/errors.js";
import type { GivenCenters } from "./params.js";

/** A cluster has at least one row. */
export function requireClusters(where: string, nClusters: number, rows: number): void {
  if (nClusters <= rows) return;
  throw new ParameterError({
    where,
    subject: "nClusters",
    expected: `at most the number of rows (${rows})`,
    received: `${nClusters}`,
  });
}

/** Given centres are nClusters rows, as wide as X. */
export function requireCenters(
  where: string,
  init: string | GivenCenters,
  nClusters: number,
  cols: number,
): void {
  if (typeof init === "string") return;
  const fits = init.length === nClusters && init[0]!.length === cols;
  if (fits) return;
  throw new ParameterError({
    where,
    subject: "init",
    expected: `nClusters × columns of X = ${nClusters} × ${cols} numbers`,
    received: `${init.length} × ${init[0]!.length}`,
  });
}

/** What a fit should tell about clusters that share all of their rows with another one. */
export function warnOfEmpty(labels: Int32Array, nClusters: number): string[] {
  const found = new Set(labels).size;
  if (found === nClusters) return [];
  return [
    `Only ${found} of ${nClusters} clusters have rows: X has fewer distinct rows than clusters. Use fewer clusters.`,
  ];
}
