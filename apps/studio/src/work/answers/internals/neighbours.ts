import type { Panel } from "../../protocol.js";
import { type About, unitsOf } from "./about.js";
import type { Parts } from "./parts.js";

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
  const { indices, distances } = model.kneighbors(row);
  return [
    {
      kind: "table",
      title: "Neighbours",
      note: `The ${indices.length === 1 ? "row that votes" : `${indices.length} rows that vote`} on the selected one, the nearest first. ${unitsOf(about)}`,
      head: ["Row", classes.length > 0 ? "Class" : "Value", "Distance"],
      rows: Array.from(indices, (i, k) => [
        rows[i]! + 1,
        String(labels?.[i] ?? ""),
        Number(distances.data[k]!.toPrecision(4)),
      ]),
      about: Array.from(indices, (i) => rows[i]!),
      ofRow: true,
    },
  ];
}
