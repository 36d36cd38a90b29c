import type { FittedModel } from "../core/contract.js";
import { type FunctionName, functionNames, namedFunctions } from "../core/named-functions.js";
import type { ModelState } from "../core/state.js";
import { type Predictor, refuse, type Source, tensorOf } from "./converter.js";
import type { Value } from "./graph.js";
import { askedOf, classesOf, classified, has, valued } from "./members.js";
import { type Classified, flat, fromProbabilities, lookup } from "./prediction.js";
import { joined } from "./rows.js";
import { hasTrees, meanOfTrees } from "./trees.js";

/** Probabilities of a member times its weight, as columns of the ensemble's classes, some of which it may not have. */
function sharesOf(
  source: Source,
  member: FittedModel,
  found: Classified,
  weight: number,
  hard: boolean,
): Value {
  const { graph } = source;
  const classes = classesOf(source);
  const K = classes.length;
  const own = found.classes.length;
  const places = new Float64Array(own * K);
  for (let c = 0; c < own; c++) places[c * K + classes.indexOf(found.classes[c]!)] = weight;
  // Members without probabilities vote for the class that they predict.
  if (hard || !has(member, "predictProba")) return lookup(graph, places, K, found.winner);
  return graph.op("MatMul", [askedOf(member, found, "predictProba").value, graph.numbers(places, [own, K])]);
}

const sum = ({ graph }: Source, values: readonly Value[]): Value =>
  values.reduce((all, value) => graph.op("Add", [all, value]));

/** Σ weight · value. */
const weightedSum = (source: Source, values: readonly Value[], weights: ArrayLike<number>): Value =>
  sum(
    source,
    values.map((value, m) => source.graph.op("Mul", [value, source.graph.number(weights[m]!)])),
  );

const shares = (weights: Float64Array): Float64Array => {
  const total = weights.reduce((sum, w) => sum + w, 0);
  return weights.map((w) => w / total);
};

type Members = FittedModel & { readonly members: Readonly<Record<string, FittedModel>> };

export const votingClassifier: Predictor = (source) => {
  const { state, graph } = source;
  const hard = state.values["voting"] === "hard";
  const weights = shares(tensorOf(state, "weights"));
  const votes = Object.values((source.model as Members).members).map((member, m) =>
    sharesOf(source, member, classified(source, member), weights[m]!, hard),
  );
  return fromProbabilities(graph, classesOf(source), sum(source, votes));
};

export const votingRegressor: Predictor = (source) => {
  const members = Object.values((source.model as Members).members);
  const values = members.map((member) => valued(source, member).value);
  return { kind: "values", value: weightedSum(source, values, shares(tensorOf(source.state, "weights"))) };
};

/** The weighted median of the members: the first in ascending order at which half of the weights is reached. */
export const adaBoostRegressor: Predictor = (source) => {
  const { graph, state } = source;
  const { members } = source.model as FittedModel & { readonly members: readonly FittedModel[] };
  const weights = tensorOf(state, "estimatorWeights");
  const T = weights.length;
  const columns = members.map((member) =>
    graph.op("Reshape", [valued(source, member).value, graph.integers([-1, 1], [2])]),
  );
  const [ascending, order] = graph.ops("TopK", [joined(graph, columns), graph.integers([T], [1])], 2, {
    largest: { int: 0 },
  }) as [Value, Value];
  const own = graph.op("Gather", [graph.numbers(weights, [T]), order], { axis: { int: 0 } });
  const reached = graph.op("CumSum", [own, graph.integers([1], [])]);
  const half = 0.5 * weights.reduce((sum, w) => sum + w, 0);
  const isBelow = graph.op("Cast", [graph.op("Less", [reached, graph.number(half)])], { to: { int: 7 } });
  const place = graph.op("ReduceSum", [isBelow, graph.integers([1], [1])]);
  const last = graph.op("Min", [place, graph.integers([T - 1], [1])]);
  const median = graph.op("GatherElements", [ascending, last], { axis: { int: 1 } });
  return { kind: "values", value: flat(graph, median) };
};

interface Bagged {
  readonly model: FittedModel;
  readonly features: Int32Array;
}

/** Means of members that read columns of their own. */
export const bagging: Predictor = (source) => {
  if (hasTrees(source.model)) return meanOfTrees(source);
  const { model, graph, rows } = source;
  const bagged = (model as FittedModel & { readonly members: readonly Bagged[] }).members;
  const members = bagged.map((one) => one.model);
  const rowsOf = (m: number) => rows.select(graph, Array.from(bagged[m]!.features));
  const equal = new Float64Array(members.length).fill(1 / members.length);
  if (!("classes" in model)) {
    const values = members.map((member, m) => valued(source, member, rowsOf(m)).value);
    return { kind: "values", value: weightedSum(source, values, equal) };
  }
  const votes = members.map((member, m) =>
    sharesOf(source, member, classified(source, member, rowsOf(m)), equal[m]!, false),
  );
  return fromProbabilities(graph, classesOf(source), sum(source, votes));
};

/** The regressor's answer, as the transformer had the targets before. */
export const transformedTarget: Predictor = (source) => {
  const { model, state, graph } = source;
  const { regressor } = model as FittedModel & { readonly regressor: FittedModel };
  const { value } = valued(source, regressor);
  const { func, inverseFunc } = state.values;
  if (func !== null || inverseFunc !== null)
    return { kind: "values", value: undone(source, value, func, inverseFunc) };
  const [scale, shift] = unscaling(source, state.parts?.[1]);
  const scaled = graph.op("Mul", [value, graph.number(scale)]);
  return { kind: "values", value: graph.op("Add", [scaled, graph.number(shift)]) };
};

/** Factor and term that undo a scaler of one column. */
function unscaling({ state }: Source, scaler: ModelState | undefined): readonly [number, number] {
  const params = scaler?.params ?? ({} as ModelState["params"]);
  const first = (name: string): number => tensorOf(scaler!, name)[0]!;
  switch (scaler?.kind) {
    case "StandardScaler":
      return [params["withStd"] ? first("scale") : 1, params["withMean"] ? first("mean") : 0];
    case "RobustScaler":
      return [params["withScaling"] ? first("scale") : 1, params["withCentering"] ? first("center") : 0];
    case "MaxAbsScaler":
      return [first("scale"), 0];
    case "MinMaxScaler": {
      const [low, high] = params["featureRange"] as unknown as readonly [number, number];
      const factor = (first("dataMax") - first("dataMin") || 1) / (high - low);
      return [factor, first("dataMin") - low * factor];
    }
  }
  return refuse(
    `the transformer of ${state.kind}`,
    "StandardScaler, MinMaxScaler, RobustScaler, MaxAbsScaler, or a function by name",
    scaler?.kind ?? "none",
  );
}

/** The function that undoes the one of the targets. */
function undone({ state, graph }: Source, value: Value, func: unknown, inverse: unknown): Value {
  const name =
    typeof inverse === "string"
      ? inverse
      : functionNames.includes(func as FunctionName)
        ? namedFunctions[func as FunctionName].inverse
        : undefined;
  const one = () => graph.number(1);
  switch (name) {
    case "exp":
      return graph.op("Exp", [value]);
    case "expm1":
      return graph.op("Sub", [graph.op("Exp", [value]), one()]);
    case "log":
      return graph.op("Log", [value]);
    case "log1p":
      return graph.op("Log", [graph.op("Add", [value, one()])]);
    case "square":
      return graph.op("Mul", [value, value]);
    case "sqrt":
      return graph.op("Sqrt", [value]);
    case "logit":
      return graph.op("Sub", [graph.op("Log", [value]), graph.op("Log", [graph.op("Sub", [one(), value])])]);
    case "expit":
      return graph.op("Sigmoid", [value]);
    case "negative":
      return graph.op("Neg", [value]);
    case "reciprocal":
      return graph.op("Reciprocal", [value]);
    case "tanh":
      return graph.op("Tanh", [value]);
  }
  return refuse(`the function of ${state.kind}`, "one that ONNX operators undo", String(func));
}
