import type { FunctionName } from "../core/params/named-functions.js";
import type { RegressorLink, Transform } from "../core/structure.js";
import { refuse } from "./converter.js";
import type { Graph, Value } from "./graph.js";

const one = (graph: Graph): Value => graph.number(1);

/** Functions of every entry, by name. */
const functions: Readonly<Partial<Record<FunctionName, (graph: Graph, x: Value) => Value>>> = {
  abs: (graph, x) => graph.op("Abs", [x]),
  cos: (graph, x) => graph.op("Cos", [x]),
  cube: (graph, x) => graph.op("Mul", [graph.op("Mul", [x, x]), x]),
  exp: (graph, x) => graph.op("Exp", [x]),
  expit: (graph, x) => graph.op("Sigmoid", [x]),
  expm1: (graph, x) => graph.op("Sub", [graph.op("Exp", [x]), one(graph)]),
  log: (graph, x) => graph.op("Log", [x]),
  log1p: (graph, x) => graph.op("Log", [graph.op("Add", [x, one(graph)])]),
  logit: (graph, x) =>
    graph.op("Sub", [graph.op("Log", [x]), graph.op("Log", [graph.op("Sub", [one(graph), x])])]),
  negative: (graph, x) => graph.op("Neg", [x]),
  reciprocal: (graph, x) => graph.op("Reciprocal", [x]),
  sign: (graph, x) => graph.op("Sign", [x]),
  sin: (graph, x) => graph.op("Sin", [x]),
  sqrt: (graph, x) => graph.op("Sqrt", [x]),
  square: (graph, x) => graph.op("Mul", [x, x]),
  tanh: (graph, x) => graph.op("Tanh", [x]),
};

export function applied(graph: Graph, name: FunctionName, x: Value): Value {
  const own = functions[name];
  if (own === undefined) refuse("the function", "one of those that ONNX has operators for", name);
  return own(graph, x);
}

/** Predictions from scores. */
export function linked(graph: Graph, link: RegressorLink, scores: Value): Value {
  if (link === "identity") return scores;
  if (typeof link === "string") return applied(graph, link, scores);
  return link.inverseOf.reduceRight((value, step) => undone(graph, step, value), scores);
}

/** The inverse of an affine transform of one column. */
function undone(graph: Graph, step: Transform, value: Value): Value {
  if (step.kind !== "affine")
    refuse("the transformer of the target", "one that shifts and scales, or a function by name", step.kind);
  const factor = (step.scale?.[0] ?? 1) / step.factor;
  const term = (step.shift?.[0] ?? 0) - step.offset * factor;
  return graph.op("Add", [graph.op("Mul", [value, graph.number(factor)]), graph.number(term)]);
}
