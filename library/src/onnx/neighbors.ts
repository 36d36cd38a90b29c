import type { NeighborScores } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { type Block, refuse } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { squaredDistances } from "./kernels.js";
import { indicator } from "./prediction.js";
import type { Rows } from "./rows.js";

/** Means over the k nearest training rows by the Euclidean distance. */
export function neighborMeans(graph: Graph, rows: Rows, scores: NeighborScores): Block {
  const { points, values, metric, within, weights } = scores;
  if (metric.name !== "euclidean") refuse("the metric of neighbours", "euclidean", metric.name);
  if ("indptr" in points) refuse("the rows of neighbours", "dense", "sparse");
  if (!("k" in within)) refuse("the neighbours", "a number of them", "those within a radius");
  const { data, rows: m, cols: d } = points;
  const k = Math.min(within.k, m);
  const x = rows.matrix(graph);
  // Of many columns by a product of matrices: equal distances may differ in the last digit.
  const apart =
    d <= MOST_COLUMNS
      ? exactSquares(graph, x, data, m, d)
      : squaredDistances(graph, x, new Matrix(data, m, d));
  const [distances, indices] = graph.ops("TopK", [apart, graph.integers([k], [1])], 2, {
    largest: { int: 0 },
  }) as [Value, Value];
  const found = graph.op("Gather", [graph.numbers(values.data, [values.rows, values.cols]), indices], {
    axis: { int: 0 },
  });
  const own = weights === "uniform" ? undefined : inverses(graph, distances);
  return { value: weightedMean(graph, found, own, k, values.cols), cols: values.cols };
}

/** Three nodes per column. */
const MOST_COLUMNS = 64;

/**
 * ‖x − p‖² with the same roundings as the library's: sums of columns 0, 1, 2 and 3 modulo 4, then what is left over. Of equally distant rows
 * the first ones are the neighbours, so that the last digit decides.
 */
function exactSquares(graph: Graph, x: Value, points: Float64Array, m: number, d: number): Value {
  const square = (j: number): Value => {
    const own = Float64Array.from({ length: m }, (_, s) => points[s * d + j]!);
    const column = graph.op("Gather", [x, graph.integers([j], [1])], { axis: { int: 1 } });
    const apart = graph.op("Sub", [column, graph.numbers(own, [1, m])]);
    return graph.op("Mul", [apart, apart]);
  };
  const add = (a: Value, b: Value): Value => graph.op("Add", [a, b]);
  const whole = d - (d % 4);
  const left = Array.from({ length: d - whole }, (_, k) => square(whole + k));
  if (whole === 0) return left.reduce(add);
  const lane = (from: number) =>
    Array.from({ length: whole / 4 }, (_, k) => square(4 * k + from)).reduce(add);
  return left.reduce(add, add(add(lane(0), lane(2)), add(lane(1), lane(3))));
}

/** 1 / distance; where some are 0, these count alone. */
function inverses(graph: Graph, squares: Value): Value {
  const isZero = indicator(graph, graph.op("Equal", [squares, graph.number(0)]));
  const anyZero = graph.op("Greater", [
    graph.op("ReduceMax", [isZero, graph.integers([1], [1])]),
    graph.number(0),
  ]);
  return graph.op("Where", [anyZero, isZero, graph.op("Reciprocal", [graph.op("Sqrt", [squares])])]);
}

/** Over the neighbours: from rows × k × width to rows × width. */
function weightedMean(
  graph: Graph,
  values: Value,
  weights: Value | undefined,
  k: number,
  width: number,
): Value {
  const over = graph.integers([1], [1]);
  const sum = (terms: Value) => graph.op("ReduceSum", [terms, over], { keepdims: { int: 0 } });
  if (weights === undefined)
    // A divisor per column: ONNX Runtime would keep a single one before a product in 32 bits.
    return graph.op("Div", [sum(values), graph.numbers(new Float64Array(width).fill(k), [width])]);
  const wide = graph.op("Unsqueeze", [weights, graph.integers([2], [1])]);
  return graph.op("Div", [sum(graph.op("Mul", [values, wide])), sum(wide)]);
}
