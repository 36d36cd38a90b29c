import type { Panel } from "../../protocol.js";
import { MOST, MOST_LINES } from "./limits.js";
import { type Parts, part } from "./parts.js";

/** The clusters of a model that knows its own rows only, and the last merges of a hierarchy. */
export function clusters(model: Parts): Panel[] {
  const { labels } = model;
  if (labels === undefined || part(model, "clusterCenters") !== undefined) return [];
  const core = model.coreSampleIndices === undefined ? undefined : new Set(model.coreSampleIndices);
  const sizes = new Map<number, { rows: number; core: number }>();
  for (const [i, label] of Array.from(labels).entries()) {
    const size = sizes.get(label) ?? { rows: 0, core: 0 };
    size.rows++;
    if (core?.has(i)) size.core++;
    sizes.set(label, size);
  }
  const ordered = [...sizes].sort(([a], [b]) => a - b);
  const found = ordered.filter(([label]) => label >= 0).length;
  const cut = ordered.length > MOST_LINES ? ` The first ${MOST_LINES} are listed.` : "";
  const what = `${found} ${found === 1 ? "cluster" : "clusters"}.`;
  return [
    {
      kind: "table",
      title: "Clusters",
      note:
        core === undefined
          ? what + cut
          : `${what} Core rows have enough others near them; noise has not.${cut}`,
      head: ["Cluster", "Rows", ...(core === undefined ? [] : ["Core rows"])],
      rows: ordered
        .slice(0, MOST_LINES)
        .map(([label, size]) => [
          label < 0 ? "noise" : label,
          size.rows,
          ...(core === undefined ? [] : [size.core]),
        ]),
    },
    ...merges(model),
  ];
}

function merges({ distances, counts }: Parts): Panel[] {
  if (!(distances instanceof Float64Array) || !(counts instanceof Int32Array)) return [];
  const { length } = distances;
  const last = Array.from({ length: Math.min(MOST, length) }, (_, k) => length - 1 - k);
  return [
    {
      kind: "table",
      title: "Last merges",
      note: "The hierarchy from its top: how far apart the two clusters were that became one, and its rows.",
      head: ["Clusters left", "Distance", "Rows"],
      rows: last.map((m) => [length - m, Number(distances[m]!.toPrecision(4)), counts[m]!]),
    },
  ];
}
