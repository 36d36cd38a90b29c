interface ClusterSize {
  /** −1 for rows of no cluster. */
  readonly cluster: number;
  readonly rows: number;
}

/** Clusters by number with their rows, noise before them. */
export function clusterSizes(labels: ArrayLike<number>): ClusterSize[] {
  const sizes = new Map<number, number>();
  for (let i = 0; i < labels.length; i++) sizes.set(labels[i]!, (sizes.get(labels[i]!) ?? 0) + 1);
  return Array.from(sizes, ([cluster, rows]) => ({ cluster, rows })).sort((a, b) => a.cluster - b.cluster);
}
