import type { Label } from "../core/labels.js";
import { type Predictor, refuse, type Source, tensorOf, transposed } from "./converter.js";
import type { Value } from "./graph.js";
import { flat, fromScores, normalized, sigmoids, softmax } from "./prediction.js";

/** x W + b, where W has a column of d numbers per output. */
export function affine(source: Source, coef: Float64Array, intercept: ArrayLike<number>): Value {
  const { rows, graph } = source;
  const outputs = coef.length / rows.cols;
  const product = graph.op("MatMul", [
    source.rows.matrix(graph),
    graph.numbers(transposed(coef, outputs, rows.cols), [rows.cols, outputs]),
  ]);
  return graph.op("Add", [product, graph.numbers(intercept, [outputs])]);
}

/** Scores w·x + b and their link to probabilities. */
export const linearClassifier: Predictor = (source) => {
  const { state, graph } = source;
  const classes = state.values["classes"] as unknown as readonly Label[];
  const intercept = tensorOf(state, "intercept");
  const cols = intercept.length;
  const scores = affine(source, tensorOf(state, "coef"), intercept);
  return fromScores(graph, classes, scores, cols, probabilitiesOf(source, scores, cols));
};

function probabilitiesOf({ state, graph }: Source, scores: Value, cols: number): Value | undefined {
  const { link } = state.values;
  switch (link) {
    case null:
      return undefined;
    case "clip":
      return clipped(graph, scores, cols);
    case "softmax":
      return softmax(graph, scores);
  }
  const logOdds = link === "halfLogOdds" ? graph.op("Add", [scores, scores]) : scores;
  return cols === 1 ? sigmoids(graph, logOdds) : softmax(graph, logSigmoids(graph, logOdds));
}

/** log σ(z) = min(z, 0) − log(1 + e^−|z|): the softmax of these divides sigmoids by their sum, also where all are 0 in 64 bits. */
function logSigmoids(graph: Source["graph"], z: Value): Value {
  const tail = graph.op("Exp", [graph.op("Neg", [graph.op("Abs", [z])])]);
  const below = graph.op("Min", [z, graph.number(0)]);
  return graph.op("Sub", [below, graph.op("Log", [graph.op("Add", [tail, graph.number(1)])])]);
}

/** (z clipped to [−1, 1] + 1) / 2; of several classes divided by their sum, or equal shares where all are 0. */
function clipped(graph: Source["graph"], scores: Value, cols: number): Value {
  const share = (z: Value) => {
    const bounded = graph.op("Clip", [z, graph.number(-1), graph.number(1)]);
    return graph.op("Mul", [graph.op("Add", [bounded, graph.number(1)]), graph.number(0.5)]);
  };
  if (cols === 1)
    return graph.op("Concat", [share(graph.op("Neg", [scores])), share(scores)], { axis: { int: 1 } });
  return normalized(graph, share(scores), cols);
}

/** w·x + b, or its exponential. */
export const linearRegressor: Predictor = (source) => {
  const { state, graph } = source;
  const { intercept, link } = state.values;
  if (typeof intercept !== "number") refuse(`the targets of ${state.kind}`, "one", "several");
  const z = flat(graph, affine(source, tensorOf(state, "coef"), [intercept]));
  return { kind: "values", value: link === "log" ? graph.op("Exp", [z]) : z };
};
