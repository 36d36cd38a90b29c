import type { Label } from "../core/labels.js";
import type { Member, MemberOutput } from "../core/structure.js";
import { type Block, type Converter, refuse } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { type Classified, columnOf, difference, lookup, type Valued } from "./prediction.js";
import type { Rows } from "./rows.js";

/** The columns that a member reads. */
export const rowsFor = ({ columns }: Member, rows: Rows, graph: Graph): Rows =>
  columns ? rows.select(graph, Array.from(columns)) : rows;

export function classifiedMember(member: Member, rows: Rows, converter: Converter): Classified {
  const found = converter.convert(member.structure, rowsFor(member, rows, converter.graph));
  return found.kind === "classes" ? found : refuse("the members of the model", "classifiers", "others");
}

export function valued(member: Member, rows: Rows, converter: Converter): Valued {
  const found = converter.convert(member.structure, rowsFor(member, rows, converter.graph));
  return found.kind === "values" ? found : refuse("the members of the model", "regressors", "others");
}

/** Probabilities that a member has, which operators may not compute. */
export const probabilities = (found: Classified): Value =>
  found.probabilities ??
  refuse("the probabilities of a member", "what standard operators compute", "those that need iterations");

/** Scores or probabilities of a member; of labels, their places among the classes. */
export function outputOf(
  found: Classified,
  graph: Graph,
  output: MemberOutput,
  classes: readonly Label[],
): Block {
  if (output === "probabilities") return { value: probabilities(found), cols: found.classes.length };
  if (output === "scores")
    return {
      value: found.scores ?? refuse("the members of the model", "with scores", "others"),
      cols: found.scoreCols!,
    };
  const places = Float64Array.from(found.classes, (label) => classes.indexOf(label));
  return { value: lookup(graph, places, 1, found.winner), cols: 1 };
}

/** One number per row for the second of two classes: rows × 1. */
export function margin(member: Member, rows: Rows, converter: Converter, output: MemberOutput): Value {
  const { graph } = converter;
  const { value, cols } = outputOf(classifiedMember(member, rows, converter), graph, output, []);
  if (cols === 1) return value;
  return output === "scores" ? difference(graph, value) : columnOf(graph, value, 1);
}
