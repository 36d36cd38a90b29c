import type { Label } from "../core/labels.js";
import { Matrix } from "../data/matrix.js";
import { type Predictor, refuse, type Source, tensorOf } from "./converter.js";
import type { Value } from "./graph.js";
import { squaredDistances } from "./kernels.js";
import { flat, fromProbabilities, indicator } from "./prediction.js";

interface Nearest {
  /** rows × k, positions among the training rows. */
  readonly indices: Value;
  /** rows × k; undefined where all count alike. */
  readonly weights: Value | undefined;
  readonly k: number;
}

/** The k nearest training rows by the Euclidean distance, and their weights. */
function nearest(source: Source): Nearest {
  const { state, graph, rows } = source;
  const { nNeighbors, metric, p, weights } = state.params;
  const isEuclidean = metric === "euclidean" || (metric === "minkowski" && p === 2);
  if (!isEuclidean) refuse(`the metric of ${state.kind}`, "euclidean", String(metric));
  if (weights !== "uniform" && weights !== "distance")
    refuse(`the weights of ${state.kind}`, "uniform or distance", "a function");
  if (!("x" in state.tensors)) refuse(`the rows of ${state.kind}`, "dense", "sparse");
  const points = tensorOf(state, "x");
  const d = rows.cols;
  const m = points.length / d;
  const k = Math.min(Number(nNeighbors), m);
  // Of many columns by a product of matrices: equal distances may differ in the last digit.
  const apart =
    d <= MOST_COLUMNS
      ? exactSquares(source, points, m)
      : squaredDistances(graph, source.rows.matrix(graph), new Matrix(points, m, d));
  const [distances, indices] = graph.ops("TopK", [apart, graph.integers([k], [1])], 2, {
    largest: { int: 0 },
  }) as [Value, Value];
  return { indices, weights: weights === "uniform" ? undefined : inverses(source, distances), k };
}

/** Three nodes per column. */
const MOST_COLUMNS = 64;

/**
 * ‖x − p‖² with the same roundings as the library's: sums of columns 0, 1, 2 and 3 modulo 4, then what is left over. Of equally distant rows
 * the first ones are the neighbours, so that the last digit decides.
 */
function exactSquares(source: Source, points: Float64Array, m: number): Value {
  const { graph, rows } = source;
  const d = rows.cols;
  const x = source.rows.matrix(graph);
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
function inverses({ graph }: Source, squares: Value): Value {
  const isZero = indicator(graph, graph.op("Equal", [squares, graph.number(0)]));
  const anyZero = graph.op("Greater", [
    graph.op("ReduceMax", [isZero, graph.integers([1], [1])]),
    graph.number(0),
  ]);
  return graph.op("Where", [anyZero, isZero, graph.op("Reciprocal", [graph.op("Sqrt", [squares])])]);
}

/** Shares of the neighbours' weights. */
export const neighborsClassifier: Predictor = (source) => {
  const { state, graph } = source;
  const classes = state.values["classes"] as unknown as readonly Label[];
  const codes = tensorOf(state, "codes");
  const K = classes.length;
  const { indices, weights, k } = nearest(source);
  const ones = new Float64Array(codes.length * K);
  for (let s = 0; s < codes.length; s++) ones[s * K + codes[s]!] = 1;
  const votes = graph.op("Gather", [graph.numbers(ones, [codes.length, K]), indices], { axis: { int: 0 } });
  return fromProbabilities(graph, classes, weightedMean(source, votes, weights, k, K));
};

export const neighborsRegressor: Predictor = (source) => {
  const { state, graph } = source;
  const targets = tensorOf(state, "targets");
  if (state.tensors["targets"]!.shape.length > 1) refuse(`the targets of ${state.kind}`, "one", "several");
  const { indices, weights, k } = nearest(source);
  const values = graph.op("Gather", [graph.numbers(targets, [targets.length, 1]), indices], {
    axis: { int: 0 },
  });
  return { kind: "values", value: flat(graph, weightedMean(source, values, weights, k, 1)) };
};

/** Over the neighbours: from rows × k × width to rows × width. */
function weightedMean(
  { graph }: Source,
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
