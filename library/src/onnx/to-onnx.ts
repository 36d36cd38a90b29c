import type { FittedModel } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { type Inputs, type Structure, structureOf } from "../core/structure.js";
import { type Converter, refuse, refuseUndescribed } from "./converter.js";
import { linked } from "./functions.js";
import { type ElementType, Graph } from "./graph.js";
import { classified } from "./links.js";
import { flat, largest, type Prediction, softmax } from "./prediction.js";
import { inputColumn, Rows } from "./rows.js";
import { scoresOf } from "./scores.js";
import { transformed } from "./steps.js";

/**
 * A fitted model or pipeline as an ONNX file, for ONNX Runtime in any language: what it predicts, not how it was fitted.
 *
 * Inputs. A model of a matrix has one, `x`: rows × columns of 64-bit floats. A model of a table has one per column that it reads, with its
 * name: rows × 1 of 64-bit floats (true and false are 1 and 0, gaps are NaN), or of strings for categories, where the empty string is a gap.
 *
 * Outputs, plain tensors. Classifiers: `label` and `probabilities` (rows × classes, in the order of `classes`), or `scores` where the model
 * has no probabilities. Regressors: `value`. Clusterings: `label`, mixtures also `probabilities`. If a column has that name, an underscore
 * follows.
 *
 * Everything is computed in 64 bits, so answers differ from those of `predict` by rounding alone. The file needs ONNX Runtime 1.20 or later.
 *
 * ```ts
 * import { writeFileSync } from "node:fs";
 * import { DecisionTreeClassifier } from "argmax";
 * import { toOnnx } from "argmax/onnx";
 *
 * const model = new DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "a", "b"]);
 * writeFileSync("model.onnx", toOnnx(model));
 * ```
 */
export function toOnnx(model: FittedModel): Uint8Array {
  requireFitted(model);
  const structure = structureOf(model);
  if (structure.kind === "undescribed") return refuseUndescribed(structure.reason);
  const graph = new Graph();
  const converter: Converter = { graph, convert: (own, rows) => converted(own, rows, converter) };
  writeOutputs(graph, converter.convert(structure, inputsOf(structure.inputs, graph)));
  return graph.finish({ estimator: model.toState().kind });
}

function requireFitted(model: FittedModel): void {
  if (typeof (model as Partial<FittedModel> | null)?.toState === "function") return;
  const isEstimator = typeof (model as { fit?: unknown } | null)?.fit === "function";
  const received = model === null ? "null" : typeof model;
  throw new DataError("toOnnx", "model", "a fitted model", received, isEstimator ? "Call fit first." : "");
}

function converted(structure: Structure, given: Rows, converter: Converter): Prediction {
  if (structure.kind === "undescribed") return refuseUndescribed(structure.reason);
  if (structure.kind === "transformer") return refuse("the model", "one that predicts", "a transformer");
  const { graph } = converter;
  refuseCategories(structure.inputs);
  const rows = structure.steps.reduce((own, step) => transformed(step, own, converter), given);
  const scores = scoresOf(structure.scores, rows, converter, "classes" in structure ? structure.classes : []);
  const { value, cols } = scores;
  switch (structure.kind) {
    case "classifier":
      return classified(structure, scores, converter, rows);
    case "regressor":
      if (structure.targets !== null) refuse("the targets of the model", "one", "several");
      return { kind: "values", value: linked(graph, structure.link, flat(graph, value)) };
    case "clusterer":
      return { kind: "clusters", winner: largest(graph, value), clusters: cols };
    case "density":
      return {
        kind: "clusters",
        winner: largest(graph, value),
        clusters: cols,
        probabilities: softmax(graph, value),
      };
  }
}

/** Columns of categories that models read as they are. */
function refuseCategories({ columns = [] }: Inputs): void {
  for (const { name, kind } of columns)
    if (kind === "categorical")
      refuse(`the column ${show(name)}`, "numbers, or encoded in a pipeline", "categories");
}

/** A column per name, or one matrix. */
function inputsOf({ count, names }: Inputs, graph: Graph): Rows {
  if (names === undefined) return Rows.matrix(graph.input("x", "double", count), count);
  for (const name of names) requireInputName(name);
  graph.reserve(names);
  return Rows.table(names.map((name) => inputColumn(graph, name)));
}

/** ONNX reads an empty name as no input; a NUL ends a name, and half a surrogate pair has no UTF-8. */
function requireInputName(name: string): void {
  if (name !== "" && !name.includes("\0") && !/\p{Surrogate}/u.test(name)) return;
  const expected = "text of Unicode characters, not empty and without NUL";
  const advice = "Rename the column before fit.";
  throw new DataError("toOnnx", "the name of a column", expected, show(name), advice);
}

function writeOutputs(graph: Graph, prediction: Prediction): void {
  if (prediction.kind === "values") {
    graph.output("value", prediction.value, "double", null);
    return;
  }
  if (prediction.kind === "clusters") {
    graph.output("label", prediction.winner, "int64", null);
    if (prediction.probabilities !== undefined)
      graph.output("probabilities", prediction.probabilities, "double", prediction.clusters);
    return;
  }
  const { classes, winner, probabilities, scores, scoreCols } = prediction;
  const { type, labels } = labelTensor(graph, classes);
  graph.output("label", graph.op("Gather", [labels, winner], { axis: { int: 0 } }), type, null);
  if (probabilities !== undefined)
    graph.output("probabilities", probabilities, "double", Math.max(2, classes.length));
  else if (scores !== undefined) graph.output("scores", scores, "double", scoreCols!);
}

/** Classes as integers, other numbers, true and false, or strings. */
function labelTensor(graph: Graph, classes: readonly Label[]): { type: ElementType; labels: string } {
  const shape = [classes.length];
  if (classes.every((label) => Number.isSafeInteger(label)))
    return { type: "int64", labels: graph.integers(classes as readonly number[], shape) };
  if (classes.every((label) => typeof label === "number"))
    return { type: "double", labels: graph.numbers(classes as readonly number[], shape) };
  if (classes.every((label) => typeof label === "boolean"))
    return { type: "bool", labels: graph.flags(classes as readonly boolean[], shape) };
  return { type: "string", labels: graph.texts(classes.map(String), shape) };
}
