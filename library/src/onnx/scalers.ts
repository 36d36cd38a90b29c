import type { AffineTransform, NormalizeTransform } from "../core/structure.js";
import type { Graph, Value } from "./graph.js";
import { Rows } from "./rows.js";

/** Every column times, or divided by, its own factor. ONNX Runtime would keep a single factor before a product in 32 bits. */
export const scaled = (graph: Graph, value: Value, op: "Mul" | "Div", factors: Float64Array): Value =>
  factors.length === 1
    ? graph.op("MatMul", [value, graph.numbers([op === "Mul" ? factors[0]! : 1 / factors[0]!], [1, 1])])
    : graph.op(op, [value, graph.numbers(factors, [factors.length])]);

/** (x − shift) / scale · factor + offset, column by column, then clipped. */
export function scaledRows(step: AffineTransform, rows: Rows, graph: Graph): Rows {
  const { cols } = rows;
  const { shift, scale, factor, offset, clip } = step;
  let value = rows.matrix(graph);
  if (shift !== null) value = graph.op("Sub", [value, graph.numbers(shift, [cols])]);
  if (scale !== null) value = scaled(graph, value, "Div", scale);
  if (factor !== 1) value = scaled(graph, value, "Mul", new Float64Array(cols).fill(factor));
  if (offset !== 0) value = graph.op("Add", [value, graph.number(offset)]);
  if (clip !== null) value = graph.op("Clip", [value, graph.number(clip[0]), graph.number(clip[1])]);
  return Rows.matrix(value, cols);
}

/** Bounds beyond which squares overflow or underflow: such rows are divided by their largest entry first, as in the library. */
const [TINY, HUGE] = [1e-140, 1e140];

/** Rows divided by their length; rows of zeros stay as they are. */
export function normalizer({ norm }: NormalizeTransform, rows: Rows, graph: Graph): Rows {
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
