import type { Label } from "../core/labels.js";
import { type Predictor, refuse, type Source, tensorOf } from "./converter.js";
import type { Value } from "./graph.js";
import { flat, fromLogPosteriors } from "./prediction.js";

const activations: Readonly<Record<string, string | null>> = {
  identity: null,
  relu: "Relu",
  tanh: "Tanh",
  logistic: "Sigmoid",
};

/** The scores of a multilayer perceptron: rows × outputs. */
function layers(source: Source): { readonly scores: Value; readonly outputs: number } {
  const { state, graph } = source;
  const { activation } = state.params;
  const op = activations[String(activation)];
  if (op === undefined)
    refuse(`the activation of ${state.kind}`, Object.keys(activations).join(", "), String(activation));
  let value = source.rows.matrix(graph);
  let outputs = 0;
  for (let layer = 0; `parameters.${layer}.weights` in state.tensors; layer++) {
    const { shape } = state.tensors[`parameters.${layer}.weights`]!;
    if (layer > 0 && op !== null) value = graph.op(op, [value]);
    outputs = shape[1]!;
    const weights = graph.numbers(tensorOf(state, `parameters.${layer}.weights`), shape);
    const bias = graph.numbers(tensorOf(state, `parameters.${layer}.bias`), [outputs]);
    value = graph.op("Add", [graph.op("MatMul", [value, weights]), bias]);
  }
  return { scores: value, outputs };
}

export const mlpClassifier: Predictor = (source) => {
  const { scores, outputs } = layers(source);
  const classes = source.state.values["classes"] as unknown as readonly Label[];
  return fromLogPosteriors(source.graph, classes, scores, outputs);
};

export const mlpRegressor: Predictor = (source) => {
  const { scores, outputs } = layers(source);
  if (outputs !== 1) refuse(`the targets of ${source.state.kind}`, "one", String(outputs));
  return { kind: "values", value: flat(source.graph, scores) };
};
