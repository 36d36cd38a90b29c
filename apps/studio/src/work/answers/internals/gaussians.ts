import type { Panel } from "../../protocol.js";
import { type About, unitsOf } from "./about.js";
import { MOST, MOST_COLUMNS } from "./limits.js";
import { type Parts, part } from "./parts.js";

export function components(model: Parts, about: About): Panel[] {
  const { names, classes } = about;
  const [theta, clusterCenters] = [part(model, "theta"), part(model, "clusterCenters")];
  const variance = theta === undefined ? undefined : part(model, "var");
  const table = clusterCenters ?? part(model, "centroids") ?? part(model, "means") ?? theta;
  if (table === undefined || table.cols !== names.length) return [];
  const title = clusterCenters
    ? "Centres"
    : variance
      ? "Mean ± standard deviation"
      : classes.length > 0
        ? "Mean of every class"
        : "Means";
  const cell = (k: number, j: number): string | number => {
    const mean = Number(table.data[k * table.cols + j]!.toPrecision(4));
    return variance === undefined
      ? mean
      : `${mean} ± ${Number(Math.sqrt(variance.data[k * table.cols + j]!).toPrecision(3))}`;
  };
  const columns = Math.min(MOST_COLUMNS, table.cols);
  const lines = Array.from({ length: Math.min(MOST, table.rows) }, (_, k) => [
    clusterCenters === undefined && classes.length === table.rows ? classes[k]! : `cluster ${k}`,
    ...Array.from({ length: columns }, (_, j) => cell(k, j)),
  ]);
  const cut = [
    table.rows > MOST && ` The first ${MOST} of ${table.rows} are listed.`,
    table.cols > columns && ` The first ${columns} of ${table.cols} columns are listed.`,
  ];
  return [
    {
      kind: "table",
      title,
      note: unitsOf(about) + cut.filter(Boolean).join(""),
      head: ["", ...names.slice(0, columns)],
      rows: lines,
    },
  ];
}
