import type { Label } from "../core/labels.js";
import { argmax } from "../core/scores.js";
import { type Predictor, refuse, type Source, tensorOf } from "./converter.js";
import type { Value } from "./graph.js";
import { flat, fromProbabilities } from "./prediction.js";

/** The same numbers for every row. */
function repeated(source: Source, numbers: Float64Array): Value {
  const { graph } = source;
  const rows = graph.op("Shape", [source.rows.matrix(graph)], { start: { int: 0 }, end: { int: 1 } });
  const shape = graph.op("Concat", [rows, graph.integers([numbers.length], [1])], { axis: { int: 0 } });
  return graph.op("Expand", [graph.numbers(numbers, [1, numbers.length]), shape]);
}

export const dummyRegressor: Predictor = (source) => ({
  kind: "values",
  value: flat(source.graph, repeated(source, Float64Array.of(Number(source.state.values["prediction"])))),
});

/** Class proportions, or all of them for one class. */
export const dummyClassifier: Predictor = (source) => {
  const { graph, state } = source;
  const classes = state.values["classes"] as unknown as readonly Label[];
  const priors = tensorOf(state, "priors");
  const { strategy, constant } = state.params;
  if (strategy === "uniform" || strategy === "stratified")
    refuse("the strategy of DummyClassifier", "prior, mostFrequent or constant", `${strategy}, which draws`);
  const winner =
    strategy === "constant" ? classes.indexOf(constant as Label) : argmax(priors, 0, priors.length);
  const p = strategy === "prior" ? priors : priors.map((_, k) => (k === winner ? 1 : 0));
  return fromProbabilities(graph, classes, repeated(source, p));
};
