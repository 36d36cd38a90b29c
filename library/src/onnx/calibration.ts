import type { Calibration, Member } from "../core/structure.js";
import type { Block, Converter } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { classifiedMember, outputOf } from "./members.js";
import { columnOf, complemented, difference, lookup, normalized, softmax } from "./prediction.js";
import { joined, type Rows } from "./rows.js";

/** The mean of the calibrated probabilities of all members. */
export function calibratedMean(
  members: readonly Member[],
  calibrations: readonly Calibration[],
  rows: Rows,
  converter: Converter,
  K: number,
): Value {
  const { graph } = converter;
  const all = members.map((member, m) => {
    const { output, curve } = calibrations[m]!;
    const given = outputOf(classifiedMember(member, rows, converter), graph, output, []);
    const { value, cols } = calibratorInput(graph, given, calibrations[m]!);
    if (curve.kind === "temperature") return tempered(graph, value, cols, curve.beta);
    const columns = Array.from({ length: cols }, (_, k) => columnOf(graph, value, k));
    const p = joined(
      graph,
      columns.map((f, k) => curved(graph, f, curve, k)),
    );
    return cols === 1 ? complemented(graph, p) : normalized(graph, p, K);
  });
  const sum = all.reduce((total, p) => graph.op("Add", [total, p]));
  return graph.op("Div", [sum, graph.numbers(new Float64Array(K).fill(all.length), [K])]);
}

/** Probabilities below this are read as this, as in the library. */
const SMALLEST = 2 ** -52;

/** Of two classes one column: of scores and logarithms the difference, of probabilities the second. */
function calibratorInput(graph: Graph, { value, cols }: Block, { output, curve }: Calibration): Block {
  const isLog = output !== "scores" && curve.kind === "temperature";
  const own = isLog ? graph.op("Log", [graph.op("Max", [value, graph.number(SMALLEST)])]) : value;
  if (cols !== 2) return { value: own, cols };
  return { value: output === "scores" || isLog ? difference(graph, own) : columnOf(graph, own, 1), cols: 1 };
}

/** The calibrated probability of a column. */
function curved(graph: Graph, f: Value, curve: Calibration["curve"], k: number): Value {
  if (curve.kind === "temperature") return f;
  if (curve.kind === "curves") return interpolated(graph, f, curve.curves[k]!.x, curve.curves[k]!.y);
  const [a, b] = [curve.sigmoids.data[2 * k]!, curve.sigmoids.data[2 * k + 1]!];
  return graph.op("Sigmoid", [graph.op("Sub", [graph.op("Mul", [f, graph.number(-a)]), graph.number(b)])]);
}

/** softmax(β z), where the first of two classes has z = 0. */
function tempered(graph: Graph, z: Value, cols: number, beta: number): Value {
  const both = cols > 1 ? z : graph.op("MatMul", [z, graph.numbers([0, 1], [1, 2])]);
  return softmax(graph, graph.op("Mul", [both, graph.number(beta)]));
}

/** Lines between points, constant outside them; of a column of numbers. */
export function interpolated(graph: Graph, f: Value, x: Float64Array, y: Float64Array): Value {
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
