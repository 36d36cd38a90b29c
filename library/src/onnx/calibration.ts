import type { FittedModel } from "../core/contract.js";
import { type Predictor, type Source, tensorOf } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { askedOf, classesOf, classified, has } from "./members.js";
import {
  columnOf,
  complemented,
  difference,
  fromProbabilities,
  lookup,
  normalized,
  softmax,
} from "./prediction.js";
import { joined } from "./rows.js";

interface Scores {
  readonly value: Value;
  readonly cols: number;
}

type Calibrated = FittedModel & { readonly estimators: readonly FittedModel[] };

/** The mean of the calibrated probabilities of all models. */
export const calibratedClassifier: Predictor = (source) => {
  const { graph, state } = source;
  const classes = classesOf(source);
  const K = classes.length;
  const [numbers, lengths] = [tensorOf(state, "calibrators"), tensorOf(state, "calibratorLengths")];
  let at = 0;
  const all = (source.model as Calibrated).estimators.map((member, m) => {
    const own = numbers.subarray(at, at + lengths[m]!);
    at += lengths[m]!;
    const { value, cols } = calibratorInput(source, member);
    if (state.values["method"] === "temperature") return tempered(graph, value, cols, own[0]!);
    const columns = Array.from({ length: cols }, (_, k) => columnOf(graph, value, k));
    const p =
      state.values["method"] === "sigmoid" ? sigmoid(graph, columns, own) : isotonic(graph, columns, own);
    return cols === 1 ? complemented(graph, p) : normalized(graph, p, K);
  });
  const sum = all.reduce((total, p) => graph.op("Add", [total, p]));
  const mean = graph.op("Div", [sum, graph.numbers(new Float64Array(K).fill(all.length), [K])]);
  return fromProbabilities(graph, classes, mean);
};

/** Probabilities below this are read as this, as in the library. */
const SMALLEST = 2 ** -52;

/** Decision values or, without a decision function, probabilities (their logarithms for a temperature); of two classes one column. */
function calibratorInput(source: Source, member: FittedModel): Scores {
  const { graph, state } = source;
  const found = classified(source, member);
  if (has(member, "decisionFunction")) {
    const { value, cols } = askedOf(member, found, "decisionFunction");
    return cols === 2 ? { value: difference(graph, value), cols: 1 } : { value, cols };
  }
  const { value, cols } = askedOf(member, found, "predictProba");
  if (state.values["method"] !== "temperature")
    return cols === 2 ? { value: columnOf(graph, value, 1), cols: 1 } : { value, cols };
  const logs = graph.op("Log", [graph.op("Max", [value, graph.number(SMALLEST)])]);
  return cols === 2 ? { value: difference(graph, logs), cols: 1 } : { value: logs, cols };
}

/** softmax(β z), where the first of two classes has z = 0. */
function tempered(graph: Graph, z: Value, cols: number, beta: number): Value {
  const both = cols > 1 ? z : graph.op("MatMul", [z, graph.numbers([0, 1], [1, 2])]);
  return softmax(graph, graph.op("Mul", [both, graph.number(beta)]));
}

/** 1 / (1 + e^(a f + b)) per column. */
const sigmoid = (graph: Graph, columns: readonly Value[], numbers: Float64Array): Value =>
  joined(
    graph,
    columns.map((f, k) => {
      const z = graph.op("Mul", [f, graph.number(-numbers[2 * k]!)]);
      return graph.op("Sigmoid", [graph.op("Sub", [z, graph.number(numbers[2 * k + 1]!)])]);
    }),
  );

/** Lines between knots, constant outside them: per column their number, then their x, then their y. */
function isotonic(graph: Graph, columns: readonly Value[], numbers: Float64Array): Value {
  let at = 0;
  const made = columns.map((f) => {
    const count = numbers[at]!;
    const x = numbers.subarray(at + 1, at + 1 + count);
    const y = numbers.subarray(at + 1 + count, at + 1 + 2 * count);
    at += 1 + 2 * count;
    return interpolated(graph, f, x, y);
  });
  return joined(graph, made);
}

function interpolated(graph: Graph, f: Value, x: Float64Array, y: Float64Array): Value {
  // One knot is a line of no slope.
  const [xs, ys] = x.length > 1 ? [x, y] : [Float64Array.of(x[0]!, x[0]! + 1), Float64Array.of(y[0]!, y[0]!)];
  const segments = xs.length - 1;
  const inside = graph.op("Clip", [f, graph.number(xs[0]!), graph.number(xs[segments]!)]);
  // The segment is the number of inner knots that are ≤ f.
  const inner = segments > 1 ? xs.subarray(1, segments) : Float64Array.of(Infinity);
  const isReached = graph.op("GreaterOrEqual", [inside, graph.numbers(inner, [1, inner.length])]);
  const segment = graph.op(
    "ReduceSum",
    [graph.op("Cast", [isReached], { to: { int: 7 } }), graph.integers([1], [1])],
    { keepdims: { int: 0 } },
  );
  const from = (values: Float64Array) => lookup(graph, values.slice(0, segments), 1, segment);
  const slopes = Float64Array.from({ length: segments }, (_, e) => ys[e + 1]! - ys[e]!);
  const widths = Float64Array.from({ length: segments }, (_, e) => xs[e + 1]! - xs[e]!);
  const share = graph.op("Div", [graph.op("Sub", [inside, from(xs)]), from(widths)]);
  return graph.op("Add", [from(ys), graph.op("Mul", [share, from(slopes)])]);
}
