import { show } from "../core/errors.js";
import type { ModelState } from "../core/state.js";
import type { Category } from "../preprocessing/categories.js";
import { blockOf } from "../preprocessing/one-hot-block.js";
import { refuse, tensorOf } from "./converter.js";
import { type Graph, ML, type Value } from "./graph.js";
import { flat, indicator, lookup } from "./prediction.js";
import { joined, Rows } from "./rows.js";

/** Columns of all blocks side by side; without any, a table of no column. */
function side(graph: Graph, blocks: readonly { readonly value: Value; readonly cols: number }[]): Rows {
  if (blocks.length === 0) return Rows.table([]);
  return Rows.matrix(
    joined(
      graph,
      blocks.map(({ value }) => value),
    ),
    blocks.reduce((sum, { cols }) => sum + cols, 0),
  );
}

const categoriesOf = (state: ModelState) =>
  state.values["categories"] as unknown as readonly (readonly Category[])[];

/** The place of every row's category in the list, one per row; C, the number of categories, for what is not in it. */
function placesIn(list: readonly Category[], rows: Rows, j: number, graph: Graph): Value {
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

/** A column of zeros and ones per category; unknown categories are all zeros, or the infrequent one. */
export function oneHotEncoder(state: ModelState, rows: Rows, graph: Graph): Rows {
  const categories = categoriesOf(state);
  const infrequent = state.values["infrequent"] as unknown as readonly (readonly number[])[];
  const { drop, handleUnknown } = state.params;
  const blocks = categories.flatMap((list, j) => {
    const { kept, outputs, rare } = blockOf(
      "toOnnx",
      list,
      infrequent[j]!,
      drop as never,
      j,
      categories.length,
    );
    const cols = kept.length;
    if (cols === 0) return [];
    const table = new Float64Array((list.length + 1) * cols);
    for (const [c, output] of outputs.entries()) if (output >= 0) table[c * cols + output] = 1;
    if (handleUnknown === "infrequentIfExist" && rare >= 0) table[list.length * cols + rare] = 1;
    return [{ value: lookup(graph, table, cols, placesIn(list, rows, j, graph)), cols }];
  });
  return side(graph, blocks);
}

/** The place of the category, with numbers of their own for gaps and unknown categories. */
export function ordinalEncoder(state: ModelState, rows: Rows, graph: Graph): Rows {
  const { unknownValue, encodedMissingValue } = state.params;
  const unknown = unknownValue === null ? Number.NaN : Number(unknownValue);
  const missing = encodedMissingValue === null ? Number.NaN : Number(encodedMissingValue);
  const blocks = categoriesOf(state).map((list, j) => {
    const all = [...list, null];
    const table = Float64Array.from([...list.keys(), missing, unknown]);
    return { value: lookup(graph, table, 1, placesIn(all, rows, j, graph)), cols: 1 };
  });
  return side(graph, blocks);
}

/** Means of the targets of each category; those of all rows for unknown ones. */
export function targetEncoder(state: ModelState, rows: Rows, graph: Graph): Rows {
  const means = tensorOf(state, "means");
  const encodings = tensorOf(state, "encodings");
  const T = means.length;
  let at = 0;
  const blocks = categoriesOf(state).map((list, j) => {
    const C = list.length;
    const table = new Float64Array((C + 1) * T);
    for (let t = 0; t < T; t++, at += C) for (let c = 0; c < C; c++) table[c * T + t] = encodings[at + c]!;
    table.set(means, C * T);
    return { value: lookup(graph, table, T, placesIn(list, rows, j, graph)), cols: T };
  });
  return side(graph, blocks);
}

/** The number of inner edges that are ≤ x, or a column of zeros and ones per bin. */
export function kBinsDiscretizer(state: ModelState, rows: Rows, graph: Graph): Rows {
  const edges = tensorOf(state, "edges");
  let at = 0;
  const blocks = Array.from(tensorOf(state, "counts"), (count, j) => {
    const cuts = edges.subarray(at + 1, at + count - 1);
    at += count;
    const bins = count - 1;
    const isReached = graph.op("GreaterOrEqual", [
      rows.column(graph, j, "number"),
      graph.numbers(cuts.length === 0 ? [Infinity] : cuts, [1, Math.max(1, cuts.length)]),
    ]);
    const code = graph.op("ReduceSum", [indicator(graph, isReached), graph.integers([1], [1])]);
    if (state.params["encode"] === "ordinal") return { value: code, cols: 1 };
    const table = new Float64Array(bins * bins);
    for (let b = 0; b < bins; b++) table[b * bins + b] = 1;
    const place = flat(graph, graph.op("Cast", [code], { to: { int: 7 } }));
    return { value: lookup(graph, table, bins, place), cols: bins };
  });
  return side(graph, blocks);
}
