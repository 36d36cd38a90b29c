import type { FittedModel } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { type FunctionName, functionNames, namedFunctions } from "../preprocessing/named-functions.js";
import { type Predictor, refuse, type Source, tensorOf } from "./converter.js";
import type { Value } from "./graph.js";
import { type Classified, fromProbabilities, normalized, type Valued } from "./prediction.js";
import { hasTrees, meanOfTrees } from "./trees.js";

const classesOf = ({ model }: Source) => (model as FittedModel & { classes: readonly Label[] }).classes;

function classified(source: Source, member: FittedModel, rows = source.rows): Classified {
  const found = source.convert(member, rows);
  if (found.kind !== "classes") refuse(`the members of ${source.state.kind}`, "classifiers", "others");
  return found;
}

function valued(source: Source, member: FittedModel, rows = source.rows): Valued {
  const found = source.convert(member, rows);
  if (found.kind !== "values") refuse(`the members of ${source.state.kind}`, "regressors", "others");
  return found;
}

/** Probabilities of a member times its weight, as columns of the ensemble's classes, some of which it may not know. */
function sharesOf(source: Source, member: Classified, weight: number, hard: boolean): Value {
  const { graph } = source;
  const classes = classesOf(source);
  const K = classes.length;
  const own = member.classes.length;
  const places = new Float64Array(own * K);
  for (let c = 0; c < own; c++) places[c * K + classes.indexOf(member.classes[c]!)] = weight;
  const table = graph.numbers(places, [own, K]);
  return hard || member.probabilities === undefined
    ? graph.op("Gather", [table, member.winner], { axis: { int: 0 } })
    : graph.op("MatMul", [member.probabilities, table]);
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
    sharesOf(source, classified(source, member), weights[m]!, hard),
  );
  return fromProbabilities(graph, classesOf(source), sum(source, votes));
};

export const votingRegressor: Predictor = (source) => {
  const members = Object.values((source.model as Members).members);
  const values = members.map((member) => valued(source, member).value);
  return { kind: "values", value: weightedSum(source, values, shares(tensorOf(source.state, "weights"))) };
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
    sharesOf(source, classified(source, member, rowsOf(m)), equal[m]!, false),
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
  const transformer = state.parts?.[1];
  if (transformer?.kind !== "StandardScaler")
    refuse(
      `the transformer of ${state.kind}`,
      "StandardScaler, or a function by name",
      transformer?.kind ?? "others",
    );
  const [scale] = transformer.params["withStd"] === false ? [1] : tensorOf(transformer, "scale");
  const [mean] = transformer.params["withMean"] === false ? [0] : tensorOf(transformer, "mean");
  const scaled = graph.op("Mul", [value, graph.number(scale!)]);
  return { kind: "values", value: graph.op("Add", [scaled, graph.number(mean!)]) };
};

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

/** One classifier per class; their probabilities are divided by the sum. */
export const oneVsRest: Predictor = (source) => {
  const { model, graph } = source;
  const { estimators } = model as FittedModel & { readonly estimators: readonly FittedModel[] };
  const classes = classesOf(source);
  if (classes.length === 2) return { ...classified(source, estimators[0]!), classes };
  const columns = estimators.map((member) => {
    const { probabilities } = classified(source, member);
    if (probabilities === undefined)
      refuse("the members of OneVsRestClassifier", "classifiers with probabilities", "others");
    return graph.op("Gather", [probabilities, graph.integers([1], [1])], { axis: { int: 1 } });
  });
  const joined = graph.op("Concat", columns, { axis: { int: 1 } });
  return fromProbabilities(graph, classes, normalized(graph, joined));
};
