import type { FittedModel } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import type { Predictor, Source } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { askedOf, classesOf, classified, has, valued } from "./members.js";
import { columnOf, lookup } from "./prediction.js";
import { joined, Rows } from "./rows.js";

type Stack = FittedModel & {
  readonly members: Readonly<Record<string, FittedModel>>;
  readonly finalModel: FittedModel;
};

interface Block {
  readonly value: Value;
  readonly cols: number;
}

/** The final model, of the members' columns side by side, followed by X where it is passed through. */
function stacked(source: Source, blocksOf: (member: FittedModel) => Block): ReturnType<Predictor> {
  const { graph, state, rows } = source;
  const { members, finalModel } = source.model as Stack;
  const blocks = Object.values(members).map(blocksOf);
  if (state.values["passthrough"] === true)
    blocks.push({ value: source.rows.matrix(graph), cols: rows.cols });
  const all = joined(
    graph,
    blocks.map(({ value }) => value),
  );
  const cols = blocks.reduce((sum, block) => sum + block.cols, 0);
  return source.convert(finalModel, Rows.matrix(all, cols));
}

const asColumn = (graph: Graph, values: Value): Value =>
  graph.op("Reshape", [values, graph.integers([-1, 1], [2])]);

export const stackingRegressor: Predictor = (source) =>
  stacked(source, (member) => ({ value: asColumn(source.graph, valued(source, member).value), cols: 1 }));

/** One column per class, of two classes the second's alone; predicted labels are the numbers of their classes. */
export const stackingClassifier: Predictor = (source) => {
  const { graph, state } = source;
  const classes = classesOf(source);
  const given = state.values["stackMethod"] as "auto" | "predictProba" | "decisionFunction" | "predict";
  const methods = ["predictProba", "decisionFunction"] as const;
  return stacked(source, (member) => {
    const found = classified(source, member);
    const method = given === "auto" ? methods.find((name) => has(member, name)) : given;
    if (method === undefined || method === "predict")
      return { value: codesOf(graph, found.classes, classes, found.winner), cols: 1 };
    const { value, cols } = askedOf(member, found, method);
    return cols === 2 ? { value: columnOf(graph, value, 1), cols: 1 } : { value, cols };
  });
};

const codesOf = (graph: Graph, own: readonly Label[], all: readonly Label[], winner: Value): Value =>
  lookup(
    graph,
    Float64Array.from(own, (label) => all.indexOf(label)),
    1,
    winner,
  );
