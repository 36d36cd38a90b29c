import type { Panel } from "../../protocol.js";
import { type About, unitsOf } from "./about.js";
import { MOST_LINES } from "./limits.js";
import type { Parts } from "./parts.js";

/** The rows that vote on a row. */
export function neighbours(model: Parts, about: About): Panel[] {
  const { classes, row, rows, labels } = about;
  if (typeof model.kneighbors !== "function") return [];
  if (row === undefined)
    return [
      {
        kind: "table",
        title: "Neighbours",
        note: `The model keeps its ${rows.length} rows and asks the nearest ones. Choose a row above to see which of them vote.`,
        head: [],
        rows: [],
        ofRow: true,
      },
    ];
  const { indices, distances } = votersOf(model, row);
  const shown = indices.subarray(0, MOST_LINES);
  const cut = indices.length > MOST_LINES ? ` The first ${MOST_LINES} are listed.` : "";
  return [
    {
      kind: "table",
      title: "Neighbours",
      note: `The ${indices.length === 1 ? "row that votes" : `${indices.length} rows that vote`} on the selected one, the nearest first.${cut} ${unitsOf(about)}`.trim(),
      head: ["Row", classes.length > 0 ? "Class" : "Value", "Distance"],
      rows: Array.from(shown, (i, k) => [
        rows[i]! + 1,
        String(labels?.[i] ?? ""),
        Number(distances[k]!.toPrecision(4)),
      ]),
      about: Array.from(shown, (i) => rows[i]!),
      ofRow: true,
    },
  ];
}

/** As many as the model asks, or those within its radius; the nearest first. */
function votersOf(
  model: Parts,
  row: unknown,
): { readonly indices: Int32Array; readonly distances: Float64Array } {
  if (model.params?.["radius"] !== undefined) return model.radiusNeighbors!(row, { sortResults: true });
  const { indices, distances } = model.kneighbors!(row);
  return { indices, distances: distances.data };
}
