import type { Trained } from "../../work/protocol.js";

/** "3 clusters, 12 % noise": what there is to say of clusters without a target. */
export function clustersText({ held }: Pick<Trained, "held">): string {
  if (held === null) return "";
  const rows = held.predicted;
  const found = new Set(rows);
  // Rows of no cluster have the number −1.
  const noise = found.delete(-1) ? rows.filter((cluster) => cluster === -1).length / rows.length : 0;
  const share = noise > 0 && noise < 0.005 ? "< 1" : String(Math.round(100 * noise));
  return `${found.size} ${found.size === 1 ? "cluster" : "clusters"}${noise > 0 ? `, ${share} % noise` : ""}`;
}
