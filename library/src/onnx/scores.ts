import type { Label } from "../core/labels.js";
import type { CenterScores, GaussianScores, NetworkScores, Scores, TableScores } from "../core/structure.js";
import { affine } from "./affine.js";
import { interpolated } from "./calibration.js";
import { combined } from "./composites.js";
import { type Block, type Converter, refuse, refuseUndescribed } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { kernelScores } from "./kernels.js";
import { neighborMeans } from "./neighbors.js";
import { lookup } from "./prediction.js";
import { joined, type Rows } from "./rows.js";
import { treeSums } from "./trees.js";

/** The scores of rows. `classes` are those of the classifier that they belong to. */
export function scoresOf(scores: Scores, rows: Rows, converter: Converter, classes: readonly Label[]): Block {
  const { graph } = converter;
  switch (scores.kind) {
    case "linear":
      return affine(graph, rows.matrix(graph), scores);
    case "trees":
      return treeSums(graph, rows.matrix(graph), scores);
    case "kernel":
      return kernelScores(graph, rows.matrix(graph), scores);
    case "neighbors":
      return neighborMeans(graph, rows, scores);
    case "gaussians":
      return gaussianScores(graph, rows.matrix(graph), scores);
    case "tables":
      return tableScores(graph, rows, scores);
    case "network":
      return networkScores(graph, rows.matrix(graph), scores);
    case "centers":
      return nearness(graph, rows.matrix(graph), scores);
    case "curve":
      return { value: interpolated(graph, rows.matrix(graph), scores.x, scores.y), cols: 1 };
    case "constant":
      return repeated(graph, rows.matrix(graph), scores.values);
    case "composite":
      return combined(scores, rows, converter, classes);
    case "undescribed":
      return refuseUndescribed(scores.reason);
  }
}

/** constant − ½ ‖Wᵀ(x − μ)‖², summed as densities within groups of components. */
function gaussianScores(graph: Graph, x: Value, { components, groups }: GaussianScores): Block {
  const columns = components.map(({ mean, whitening, constant }) => {
    const d = mean.length;
    const centred = graph.op("Sub", [x, graph.numbers(mean, [d])]);
    const white =
      whitening.length === d
        ? graph.op("Mul", [centred, graph.numbers(whitening, [d])])
        : graph.op("MatMul", [centred, graph.numbers(whitening, [d, d])]);
    const square = graph.op("ReduceSumSquare", [white, graph.integers([1], [1])]);
    return graph.op("Sub", [graph.number(constant), graph.op("Mul", [square, graph.number(0.5)])]);
  });
  if (components.length === groups)
    return { value: graph.op("Concat", columns, { axis: { int: 1 } }), cols: groups };
  const sums = Array.from({ length: groups }, (_, g) => {
    const own = columns.filter((_, c) => components[c]!.group === g);
    return graph.op("ReduceLogSumExp", [joined(graph, own), graph.integers([1], [1])]);
  });
  return { value: joined(graph, sums), cols: groups };
}

/** constant + the row of every column's table, the last one for values beyond it. */
function tableScores(graph: Graph, rows: Rows, { constant, tables }: TableScores): Block {
  const K = constant.length;
  const terms = tables.map(({ data, rows: count }, j) => {
    const x = rows.column(graph, j, "number");
    const isKnown = graph.op("And", [
      graph.op("GreaterOrEqual", [x, graph.number(0)]),
      graph.op("Less", [x, graph.number(count - 1)]),
    ]);
    const place = graph.op("Where", [isKnown, graph.op("Floor", [x]), graph.number(count - 1)]);
    const places = graph.op("Reshape", [
      graph.op("Cast", [place], { to: { int: 7 } }),
      graph.integers([-1], [1]),
    ]);
    return lookup(graph, data, K, places);
  });
  const sum = terms.reduce((all, term) => graph.op("Add", [all, term]));
  return { value: graph.op("Add", [sum, graph.numbers(constant, [K])]), cols: K };
}

const activations: Readonly<Record<string, string>> = {
  relu: "Relu",
  tanh: "Tanh",
  logistic: "Sigmoid",
  sigmoid: "Sigmoid",
  softplus: "Softplus",
  gelu: "Gelu",
  sign: "Sign",
};

function networkScores(graph: Graph, x: Value, { layers, outputs }: NetworkScores): Block {
  const value = layers.reduce((own, layer) => {
    if (layer.kind === "dense") {
      const { data, rows, cols } = layer.weights;
      const product = graph.op("MatMul", [own, graph.numbers(data, [rows, cols])]);
      return graph.op("Add", [product, graph.numbers(layer.bias, [cols])]);
    }
    const { name, a = 1, c = 0 } = layer;
    if (name === "softmax") return graph.op("Softmax", [own], { axis: { int: 1 } });
    if (name === "linear" || name === "identity") return own;
    const op = activations[name];
    if (op === undefined || a !== 1 || c !== 0)
      refuse(
        "the activation",
        Object.keys(activations).join(", "),
        a !== 1 || c !== 0 ? `${name} with constants` : name,
      );
    return graph.op(op, [own]);
  }, x);
  return { value, cols: outputs };
}

/** −½ ‖x − c‖² up to a constant per row: x·c − ½ ‖c‖², around the mean of the centres. */
function nearness(graph: Graph, x: Value, { centers, metric }: CenterScores): Block {
  if (metric !== "euclidean") refuse("the metric of the centres", "euclidean", metric);
  const { data, rows: K, cols: d } = centers;
  const origin = new Float64Array(d);
  for (let e = 0; e < data.length; e++) origin[e % d]! += data[e]! / K;
  const own = data.map((v, e) => v - origin[e % d]!);
  const intercept = Float64Array.from(
    { length: K },
    (_, k) => -0.5 * own.subarray(k * d, (k + 1) * d).reduce((sum, v) => sum + v * v, 0),
  );
  return affine(graph, x, { coef: { data: own, rows: K, cols: d }, intercept, origin });
}

/** The same numbers for every row. */
function repeated(graph: Graph, x: Value, numbers: Float64Array): Block {
  const rows = graph.op("Shape", [x], { start: { int: 0 }, end: { int: 1 } });
  const shape = graph.op("Concat", [rows, graph.integers([numbers.length], [1])], { axis: { int: 0 } });
  return {
    value: graph.op("Expand", [graph.numbers(numbers, [1, numbers.length]), shape]),
    cols: numbers.length,
  };
}
