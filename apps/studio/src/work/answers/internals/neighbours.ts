import type { MatrixLike } from "argmax/core";
import type { FittedRadiusNeighborsClassifier } from "argmax/neighbors";
import type { NeighborScores } from "argmax/structure";
import type { Panel } from "../../protocol.js";
import { type About, unitsOf } from "./about.js";
import { MOST_LINES } from "./limits.js";
import { scoresOf } from "./scores.js";
import { viewAs } from "./view.js";

/** The rows that vote on a row. */
export function neighbours(model: object, about: About): Panel[] {
  const { classes, row, rows, labels } = about;
  const scores = scoresOf(model, "neighbors");
  const voting = viewAs<FittedRadiusNeighborsClassifier>(model, "kneighbors", "radiusNeighbors");
  if (scores === undefined || voting === undefined) return [];
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
  const { indices, distances } = votersOf(voting, scores, row);
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
  model: FittedRadiusNeighborsClassifier,
  { within }: NeighborScores,
  row: MatrixLike,
): { readonly indices: Int32Array; readonly distances: Float64Array } {
  if ("radius" in within) return model.radiusNeighbors(row, { sortResults: true });
  const { indices, distances } = model.kneighbors(row);
  return { indices, distances: distances.data };
}
