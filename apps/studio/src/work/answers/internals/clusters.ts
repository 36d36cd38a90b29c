import type { FittedAgglomerativeClustering, FittedDBSCAN } from "argmax/clustering";
import { structureOf } from "argmax/structure";
import type { Panel } from "../../protocol.js";
import { MOST, MOST_LINES } from "./limits.js";
import { viewAs } from "./view.js";

/** The clusters of a model that knows its own rows only, and the last merges of a hierarchy. */
export function clusters(model: object): Panel[] {
  const own = viewAs<FittedAgglomerativeClustering>(model, "labels");
  if (own === undefined || structureOf(model).kind !== "undescribed") return [];
  const { labels } = own;
  const density = viewAs<FittedDBSCAN>(model, "coreSampleIndices");
  const core = density && new Set(density.coreSampleIndices);
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

function merges(model: object): Panel[] {
  const hierarchy = viewAs<FittedAgglomerativeClustering>(model, "distances", "counts");
  if (hierarchy === undefined) return [];
  const { distances, counts } = hierarchy;
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
