import type { ImputeTransform } from "../core/structure.js";
import type { Graph, Value } from "./graph.js";
import { indicator } from "./prediction.js";
import { type Column, computed, joined, Rows } from "./rows.js";

/** Gaps are NaN in a column of numbers, and the empty text in one of categories. */
export function imputed({ fill, indicators }: ImputeTransform, rows: Rows, graph: Graph): Rows {
  const kept = [...fill.keys()].filter((j) => fill[j] !== undefined);
  const isText = (j: number) => typeof fill[j] === "string";
  if (!fill.some((value) => typeof value === "string"))
    return filledMatrix(rows, graph, kept, fill, indicators);
  const gapsOf = (j: number): Value =>
    isText(j)
      ? graph.op("Equal", [rows.column(graph, j, "text"), graph.texts([""], [])])
      : graph.op("IsNaN", [rows.column(graph, j, "number")]);
  const filled = kept.map((j): Column => {
    const type = isText(j) ? "text" : "number";
    const value = isText(j) ? graph.texts([String(fill[j])], []) : graph.number(Number(fill[j]));
    return computed(
      nameOf(rows, j),
      type,
      graph.op("Where", [gapsOf(j), value, rows.column(graph, j, type)]),
    );
  });
  const flags = indicators.map((j) =>
    computed(`missingindicator_${nameOf(rows, j)}`, "number", indicator(graph, gapsOf(j))),
  );
  return Rows.table([...filled, ...flags]);
}

const nameOf = (rows: Rows, j: number): string => rows.columns[j]?.name ?? String(j);

function filledMatrix(
  rows: Rows,
  graph: Graph,
  kept: readonly number[],
  fill: ImputeTransform["fill"],
  indicators: readonly number[],
): Rows {
  const of = (columns: readonly number[]) => rows.select(graph, columns).matrix(graph);
  const isGap = (columns: readonly number[]) => graph.op("IsNaN", [of(columns)]);
  const fills = kept.map((j) => Number(fill[j]));
  const blocks = [
    ...(kept.length > 0
      ? [graph.op("Where", [isGap(kept), graph.numbers(fills, [1, kept.length]), of(kept)])]
      : []),
    ...(indicators.length > 0 ? [indicator(graph, isGap(indicators))] : []),
  ];
  if (blocks.length === 0) return Rows.table([]);
  return Rows.matrix(joined(graph, blocks), kept.length + indicators.length);
}
