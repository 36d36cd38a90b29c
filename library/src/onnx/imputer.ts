import type { Json, ModelState } from "../core/state.js";
import type { Graph } from "./graph.js";
import { indicator } from "./prediction.js";
import { type Column, computed, joined, Rows } from "./rows.js";

/** Gaps are NaN in a column of numbers, and the empty text in one of categories. A column without any value is dropped, or filled with 0. */
export function simpleImputer(state: ModelState, rows: Rows, graph: Graph): Rows {
  const statistics = state.values["statistics"] as unknown as readonly Json[];
  const kinds = state.values["kinds"] as unknown as readonly string[];
  const withGaps = state.values["withGaps"] as unknown as readonly number[];
  const all = [...statistics.keys()];
  const kept = state.params["keepEmptyFeatures"] === true ? all : all.filter((j) => statistics[j] !== null);
  const indicators = state.params["addIndicator"] === true ? withGaps : [];
  if (!kinds.includes("categorical")) return filledMatrix(rows, graph, kept, statistics, indicators);
  const isText = (j: number) => kinds[j] === "categorical";
  const gapsOf = (j: number) =>
    isText(j)
      ? graph.op("Equal", [rows.column(graph, j, "text"), graph.texts([""], [])])
      : graph.op("IsNaN", [rows.column(graph, j, "number")]);
  const filled = kept.map((j): Column => {
    const type = isText(j) ? "text" : "number";
    const fill = isText(j) ? graph.texts([String(statistics[j])], []) : graph.number(Number(statistics[j]));
    return computed(nameOf(rows, j), type, graph.op("Where", [gapsOf(j), fill, rows.column(graph, j, type)]));
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
  statistics: readonly Json[],
  indicators: readonly number[],
): Rows {
  const of = (columns: readonly number[]) => rows.select(graph, columns).matrix(graph);
  const isGap = (columns: readonly number[]) => graph.op("IsNaN", [of(columns)]);
  const fills = kept.map((j) => Number(statistics[j]));
  const blocks = [
    ...(kept.length > 0
      ? [graph.op("Where", [isGap(kept), graph.numbers(fills, [1, kept.length]), of(kept)])]
      : []),
    ...(indicators.length > 0 ? [indicator(graph, isGap(indicators))] : []),
  ];
  if (blocks.length === 0) return Rows.table([]);
  return Rows.matrix(joined(graph, blocks), kept.length + indicators.length);
}
