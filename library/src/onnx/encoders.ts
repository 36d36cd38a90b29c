import { show } from "../core/errors.js";
import type { BinTransform, CategoryCell, EncodedColumn, EncodeTransform } from "../core/structure.js";
import { refuse } from "./converter.js";
import { type Graph, ML, type Value } from "./graph.js";
import { flat, indicator, lookup } from "./prediction.js";
import { Rows, sideBySide } from "./rows.js";

/** The place of every row's category in the list, one per row; C, the number of categories, for what is not in it. */
function placesIn(list: readonly CategoryCell[], rows: Rows, j: number, graph: Graph): Value {
  const C = list.length;
  if (list.some((category) => typeof category === "string")) {
    // A gap is the empty text.
    const keys = list.map((category) => (category === null ? "" : String(category)));
    if (new Set(keys).size < C)
      refuse(
        `the categories of the column ${show(rows.columns[j]?.name ?? j)}`,
        "without the empty text, which is a gap in ONNX",
        "both it and gaps",
      );
    const places = {
      keys_strings: { texts: keys },
      values_int64s: { ints: list.map((_, c) => c) },
      default_int64: { int: C },
    };
    return flat(graph, graph.op("LabelEncoder", [rows.column(graph, j, "text")], places, ML));
  }
  // Gaps are NaN, which equals nothing; false and true are 0 and 1.
  const given = rows.column(graph, j, "number");
  const keys = list.map((category) => (category === null ? Number.NaN : Number(category)));
  const isKnown = graph.op("Equal", [given, graph.numbers(keys, [1, C])]);
  const steps = graph.numbers(
    list.map((_, c) => c - C),
    [C, 1],
  );
  const place = graph.op("Add", [graph.op("MatMul", [indicator(graph, isKnown), steps]), graph.number(C)]);
  const gap = list.indexOf(null);
  const all = gap < 0 ? place : graph.op("Where", [graph.op("IsNaN", [given]), graph.number(gap), place]);
  return flat(graph, graph.op("Cast", [all], { to: { int: 7 } }));
}

/** Rows of tables by category: one-hot, ordinal and target encoders. */
export function encoded({ columns }: EncodeTransform, rows: Rows, graph: Graph): Rows {
  return sideBySide(
    columns.flatMap((column, j) => {
      const { cols } = column.table;
      if (cols === 0) return [];
      return [Rows.matrix(encodedColumn(column, rows, j, graph), cols)];
    }),
    graph,
  );
}

/** A row per category, then that of gaps if they have one of their own, then that of unknown categories: zeros if they are errors. */
function encodedColumn(column: EncodedColumn, rows: Rows, j: number, graph: Graph): Value {
  const { categories, table, unknown, missing } = column;
  const listed = missing ? [...categories, null] : categories;
  const all = new Float64Array((listed.length + 1) * table.cols);
  all.set(table.data);
  if (missing) all.set(missing, categories.length * table.cols);
  all.set(unknown ?? new Float64Array(table.cols).fill(missing ? Number.NaN : 0), listed.length * table.cols);
  return lookup(graph, all, table.cols, placesIn(listed, rows, j, graph));
}

/** The number of inner edges that are ≤ x, or a column of zeros and ones per bin. */
export function binned({ edges, encode }: BinTransform, rows: Rows, graph: Graph): Rows {
  return sideBySide(
    edges.map((cuts, j) => {
      const isReached = graph.op("GreaterOrEqual", [
        rows.column(graph, j, "number"),
        graph.numbers(cuts.length === 0 ? [Infinity] : cuts, [1, Math.max(1, cuts.length)]),
      ]);
      const code = graph.op("ReduceSum", [indicator(graph, isReached), graph.integers([1], [1])]);
      if (encode === "ordinal") return Rows.matrix(code, 1);
      const bins = cuts.length + 1;
      const table = new Float64Array(bins * bins);
      for (let b = 0; b < bins; b++) table[b * bins + b] = 1;
      const place = flat(graph, graph.op("Cast", [code], { to: { int: 7 } }));
      return Rows.matrix(lookup(graph, table, bins, place), bins);
    }),
    graph,
  );
}
