import type { ModelState } from "../core/state.js";
import { tensorOf } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { indicator } from "./prediction.js";
import { Rows } from "./rows.js";

/** Every column times, or divided by, its own factor. ONNX Runtime would keep a single factor before a product in 32 bits. */
export const scaled = (graph: Graph, value: Value, op: "Mul" | "Div", factors: Float64Array): Value =>
  factors.length === 1
    ? graph.op("MatMul", [value, graph.numbers([op === "Mul" ? factors[0]! : 1 / factors[0]!], [1, 1])])
    : graph.op(op, [value, graph.numbers(factors, [factors.length])]);

/** (x − shift) / scale, column by column. */
export function shifted(
  state: ModelState,
  rows: Rows,
  graph: Graph,
  shift: string | null,
  scale: string | null,
): Rows {
  const { cols } = rows;
  let value = rows.matrix(graph);
  if (shift !== null) value = graph.op("Sub", [value, graph.numbers(tensorOf(state, shift), [cols])]);
  if (scale !== null) value = scaled(graph, value, "Div", tensorOf(state, scale));
  return Rows.matrix(value, cols);
}

/** low + (x − least) / (most − least) · (high − low). */
export function minMaxScaler(state: ModelState, rows: Rows, graph: Graph): Rows {
  const { cols } = rows;
  const [low, high] = state.params["featureRange"] as unknown as readonly [number, number];
  const [least, most] = [tensorOf(state, "dataMin"), tensorOf(state, "dataMax")];
  // A constant column has no range to divide by.
  const ranges = most.map((v, j) => v - least[j]! || 1);
  const above = graph.op("Sub", [rows.matrix(graph), graph.numbers(least, [cols])]);
  let value = scaled(graph, above, "Div", ranges);
  if (high - low !== 1) value = scaled(graph, value, "Mul", new Float64Array(cols).fill(high - low));
  if (low !== 0) value = graph.op("Add", [value, graph.number(low)]);
  if (state.params["clip"] === true) value = graph.op("Clip", [value, graph.number(low), graph.number(high)]);
  return Rows.matrix(value, cols);
}

/** Bounds beyond which squares overflow or underflow: such rows are divided by their largest entry first, as in the library. */
const [TINY, HUGE] = [1e-140, 1e140];

/** Rows divided by their length; rows of zeros stay as they are. */
export function normalizer(state: ModelState, rows: Rows, graph: Graph): Rows {
  const { norm } = state.params;
  const overColumns = graph.integers([1], [1]);
  const one = graph.number(1);
  const lengthOf = (values: Value): Value => {
    if (norm === "l2") return graph.op("Sqrt", [graph.op("ReduceSumSquare", [values, overColumns])]);
    const sizes = graph.op("Abs", [values]);
    return graph.op(norm === "l1" ? "ReduceSum" : "ReduceMax", [sizes, overColumns]);
  };
  const positive = (length: Value): Value =>
    graph.op("Where", [graph.op("Equal", [length, graph.number(0)]), one, length]);
  let value = rows.matrix(graph);
  if (norm !== "max") {
    const largest = graph.op("ReduceMax", [graph.op("Abs", [value]), overColumns]);
    const isFar = graph.op("Or", [
      graph.op("Less", [largest, graph.number(TINY)]),
      graph.op("Greater", [largest, graph.number(HUGE)]),
    ]);
    value = graph.op("Div", [value, graph.op("Where", [isFar, positive(largest), one])]);
  }
  return Rows.matrix(graph.op("Div", [value, positive(lengthOf(value))]), rows.cols);
}

/** 1 above the threshold, else 0. */
export function binarizer(state: ModelState, rows: Rows, graph: Graph): Rows {
  const threshold = graph.number(Number(state.params["threshold"]));
  const isAbove = graph.op("Greater", [rows.matrix(graph), threshold]);
  return Rows.matrix(indicator(graph, isAbove), rows.cols);
}
