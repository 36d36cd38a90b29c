import type { FittedModel } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import type { ModelState } from "../core/state.js";
import { adaBoost, stump } from "./adaboost.js";
import { calibratedClassifier } from "./calibration.js";
import { type Predictor, refuse, type Source } from "./converter.js";
import { dummyClassifier, dummyRegressor } from "./dummies.js";
import {
  adaBoostRegressor,
  bagging,
  transformedTarget,
  votingClassifier,
  votingRegressor,
} from "./ensembles.js";
import {
  bernoulliNB,
  gaussianNB,
  kMeans,
  linearDiscriminant,
  multinomialNB,
  nearestCentroid,
  quadraticDiscriminant,
} from "./gaussians.js";
import { type ElementType, Graph } from "./graph.js";
import { kernelLogistic, kernelRegressor, svc } from "./kernels.js";
import { linearClassifier, linearRegressor } from "./linear.js";
import { gaussianMixture, gaussianMixtureClassifier } from "./mixtures.js";
import { oneVsOne, oneVsRest, thresholdClassifier } from "./multiclass.js";
import { neighborsClassifier, neighborsRegressor } from "./neighbors.js";
import { mlpClassifier, mlpRegressor } from "./networks.js";
import type { Prediction } from "./prediction.js";
import { transformed } from "./preprocessing.js";
import { inputColumn, Rows } from "./rows.js";
import { stackingClassifier, stackingRegressor } from "./stacking.js";
import { boostedTrees, meanOfTrees } from "./trees.js";

/** Converters by the id of the estimator. */
const predictors: Readonly<Record<string, Predictor>> = {
  LogisticRegression: linearClassifier,
  LogisticRegressionCV: linearClassifier,
  SoftmaxRegression: linearClassifier,
  LinearClassifier: linearClassifier,
  LinearSVC: linearClassifier,
  Perceptron: linearClassifier,
  SGDClassifier: linearClassifier,
  LinearRegression: linearRegressor,
  LinearRegressor: linearRegressor,
  Ridge: linearRegressor,
  RidgeCV: linearRegressor,
  Lasso: linearRegressor,
  LassoCV: linearRegressor,
  ElasticNet: linearRegressor,
  ElasticNetCV: linearRegressor,
  ConstrainedLasso: linearRegressor,
  ConstrainedRidge: linearRegressor,
  HuberRegressor: linearRegressor,
  PoissonRegressor: linearRegressor,
  SGDRegressor: linearRegressor,
  LinearSVR: linearRegressor,
  DecisionStump: stump,
  DecisionTreeClassifier: meanOfTrees,
  DecisionTreeRegressor: meanOfTrees,
  RandomForestClassifier: meanOfTrees,
  RandomForestRegressor: meanOfTrees,
  ExtraTreesClassifier: meanOfTrees,
  ExtraTreesRegressor: meanOfTrees,
  HistGradientBoostingClassifier: boostedTrees,
  HistGradientBoostingRegressor: boostedTrees,
  AdaBoostClassifier: adaBoost,
  AdaBoostRegressor: adaBoostRegressor,
  BaggingClassifier: bagging,
  BaggingRegressor: bagging,
  SVC: svc,
  SVR: kernelRegressor,
  KernelRidge: kernelRegressor,
  KernelLogisticRegression: kernelLogistic,
  KNeighborsClassifier: neighborsClassifier,
  KNeighborsRegressor: neighborsRegressor,
  NearestCentroid: nearestCentroid,
  GaussianNB: gaussianNB,
  MultinomialNB: multinomialNB,
  ComplementNB: multinomialNB,
  BernoulliNB: bernoulliNB,
  LinearDiscriminantAnalysis: linearDiscriminant,
  QuadraticDiscriminantAnalysis: quadraticDiscriminant,
  MLPClassifier: mlpClassifier,
  MLPRegressor: mlpRegressor,
  KMeans: kMeans,
  MiniBatchKMeans: kMeans,
  GaussianMixture: gaussianMixture,
  GaussianMixtureClassifier: gaussianMixtureClassifier,
  DummyClassifier: dummyClassifier,
  DummyRegressor: dummyRegressor,
  VotingClassifier: votingClassifier,
  VotingRegressor: votingRegressor,
  StackingClassifier: stackingClassifier,
  StackingRegressor: stackingRegressor,
  CalibratedClassifier: calibratedClassifier,
  ThresholdClassifier: thresholdClassifier,
  OneVsRestClassifier: oneVsRest,
  OneVsOneClassifier: oneVsOne,
  TransformedTargetRegressor: transformedTarget,
};

/** Ids of the estimators whose models `toOnnx` takes, besides pipelines of them. */
export const onnxEstimators: readonly string[] = Object.freeze(Object.keys(predictors));

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
  const state = stateOf(model);
  const graph = new Graph();
  const rows = inputsOf(model, graph);
  writeOutputs(graph, converted(model, rows, graph));
  return graph.finish({ estimator: lastOf(state).kind });
}

function stateOf(model: FittedModel): ModelState {
  if (typeof (model as Partial<FittedModel> | null)?.toState !== "function") {
    const received = model === null ? "null" : typeof model;
    throw new DataError({
      where: "toOnnx",
      subject: "model",
      expected: "a fitted model",
      received,
      ...(typeof (model as { fit?: unknown } | null)?.fit === "function" && {
        advice: "Call fit first.",
      }),
    });
  }
  return model.toState();
}

const lastOf = (state: ModelState): ModelState =>
  state.kind === "Pipeline" ? lastOf(state.parts!.at(-1)!) : state;

/** The prediction of a model or of the last step of a pipeline. */
function converted(model: FittedModel, rows: Rows, graph: Graph): Prediction {
  const state = model.toState();
  if (state.kind === "Pipeline") {
    const { steps } = model as FittedModel & { readonly steps: readonly FittedModel[] };
    const before = state.parts!.slice(0, -1).reduce((given, step) => transformed(step, given, graph), rows);
    return converted(steps.at(-1)!, before, graph);
  }
  const predictor = Object.hasOwn(predictors, state.kind) ? predictors[state.kind] : undefined;
  if (predictor === undefined)
    refuse("the model", "one of onnxEstimators, or a pipeline of them", state.kind);
  const source: Source = {
    model,
    state,
    graph,
    rows,
    convert: (member, given = rows) => converted(member, given, graph),
  };
  return predictor(source);
}

/** A column per name, or one matrix. */
function inputsOf(model: FittedModel, graph: Graph): Rows {
  const names = model.featureNamesIn;
  if (names === undefined) return Rows.matrix(graph.input("x", "double", model.nFeatures), model.nFeatures);
  for (const name of names) requireInputName(name);
  graph.reserve(names);
  return Rows.table(names.map((name) => inputColumn(graph, name)));
}

/** ONNX reads an empty name as no input; a NUL ends a name, and half a surrogate pair has no UTF-8. */
function requireInputName(name: string): void {
  if (name !== "" && !name.includes("\0") && !/\p{Surrogate}/u.test(name)) return;
  throw new DataError({
    where: "toOnnx",
    subject: "the name of a column",
    expected: "text of Unicode characters, not empty and without NUL",
    received: show(name),
    advice: "Rename the column before fit.",
  });
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
