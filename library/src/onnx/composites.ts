import type { Label } from "../core/labels.js";
import type { CombinationRule, CompositeScores, Member } from "../core/structure.js";
import { calibratedMean } from "./calibration.js";
import { type Block, type Converter, refuse } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { classifiedMember, margin, probabilities, valued } from "./members.js";
import { pairMatrix, pairVotes, squashed } from "./pairs.js";
import { columnOf, difference, indicator, lookup } from "./prediction.js";
import { joined, type Rows } from "./rows.js";

type Rule<K extends CombinationRule["kind"]> = Extract<CombinationRule, { kind: K }>;

/** What a rule has: its members, and the rows and classes that they share. */
interface Composite {
  readonly members: readonly Member[];
  readonly rows: Rows;
  readonly converter: Converter;
  readonly graph: Graph;
  readonly classes: readonly Label[];
}

/** Scores made of the answers of members. */
export function combined(
  scores: CompositeScores,
  rows: Rows,
  converter: Converter,
  classes: readonly Label[],
): Block {
  const { rule, members, outputs: cols } = scores;
  const own: Composite = { members, rows, converter, graph: converter.graph, classes };
  return { value: combinedValue(rule, own), cols };
}

function combinedValue(rule: CombinationRule, own: Composite): Value {
  const { graph, members } = own;
  switch (rule.kind) {
    case "probabilities":
      return votes(own, proportions(rule.weights), false);
    case "votes": {
      const all = votes(
        own,
        rule.weights.map((w) => w / rule.divisor),
        true,
      );
      return rule.difference ? difference(graph, all) : all;
    }
    case "mean":
      return weightedSum(graph, values(own), proportions(rule.weights));
    case "median":
      return weightedMedian(graph, values(own), rule.weights);
    case "sum": {
      const scores = members.map((member) => classifiedMember(member, own.rows, own.converter).raw);
      return graph.op("Add", [sum(graph, scores), graph.numbers(rule.constant, [rule.constant.length])]);
    }
    case "outputs":
      return joined(graph, values(own));
    case "positives":
      return joined(
        graph,
        members.map((member, m) => margin(member, own.rows, own.converter, rule.outputs[m]!)),
      );
    case "shift":
      return shifted(own, rule);
    case "pairs":
      return pairDecisions(own, rule);
    case "codes":
      return codeNearness(own, rule);
    case "calibrated":
      return calibratedMean(members, rule.calibrations, own.rows, own.converter, own.classes.length);
    case "chain":
    case "cascade":
      return refuse("the members of the model", "combined by standard operators", `a ${rule.kind}`);
  }
}

const sum = (graph: Graph, values: readonly Value[]): Value =>
  values.reduce((all, value) => graph.op("Add", [all, value]));

const proportions = (weights: Float64Array): Float64Array => {
  const total = weights.reduce((all, w) => all + w, 0);
  return weights.map((w) => w / total);
};

/** Predictions of the members, rows × 1 each. */
const values = ({ members, rows, converter, graph }: Composite): Value[] =>
  members.map((member) =>
    graph.op("Reshape", [valued(member, rows, converter).value, graph.integers([-1, 1], [2])]),
  );

const weightedSum = (graph: Graph, columns: readonly Value[], weights: Float64Array): Value =>
  sum(
    graph,
    columns.map((value, m) =>
      weights[m] === 1 ? value : graph.op("Mul", [value, graph.number(weights[m]!)]),
    ),
  );

/** Weights times probabilities, or for the predicted class, as columns of all classes, some of which a member may not have. */
function votes(
  { members, rows, converter, graph, classes }: Composite,
  weights: Float64Array,
  hard: boolean,
): Value {
  const K = classes.length;
  const all = members.map((member, m) => {
    const found = classifiedMember(member, rows, converter);
    const own = found.classes.length;
    const places = new Float64Array(own * K);
    for (let c = 0; c < own; c++) places[c * K + classes.indexOf(found.classes[c]!)] = weights[m]!;
    // Members without probabilities vote for the class that they predict.
    if (hard || !hasProbabilities(member)) return lookup(graph, places, K, found.winner);
    return graph.op("MatMul", [probabilities(found), graph.numbers(places, [own, K])]);
  });
  return sum(graph, all);
}

const hasProbabilities = ({ structure }: Member): boolean =>
  structure.kind === "classifier" && structure.link !== null;

/** The first value in ascending order at which half of the weights is reached. */
function weightedMedian(graph: Graph, columns: readonly Value[], weights: Float64Array): Value {
  const T = weights.length;
  const [ascending, order] = graph.ops("TopK", [joined(graph, columns), graph.integers([T], [1])], 2, {
    largest: { int: 0 },
  }) as [Value, Value];
  const own = graph.op("Gather", [graph.numbers(weights, [T]), order], { axis: { int: 0 } });
  const reached = graph.op("CumSum", [own, graph.integers([1], [])]);
  const half = 0.5 * weights.reduce((all, w) => all + w, 0);
  const isBelow = graph.op("Cast", [graph.op("Less", [reached, graph.number(half)])], { to: { int: 7 } });
  const place = graph.op("ReduceSum", [isBelow, graph.integers([1], [1])]);
  const last = graph.op("Min", [place, graph.integers([T - 1], [1])]);
  return graph.op("GatherElements", [ascending, last], { axis: { int: 1 } });
}

/** The score less the threshold, positive for the second class; a row on the threshold belongs to the positive class. */
function shifted(
  { members, rows, converter, graph }: Composite,
  { positive, threshold }: Rule<"shift">,
): Value {
  const score = margin(members[0]!, rows, converter, "scores");
  if (positive === 0) return graph.op("Add", [score, graph.number(threshold)]);
  const above = graph.op("Sub", [score, graph.number(threshold)]);
  const isOn = graph.op("Equal", [above, graph.number(0)]);
  return graph.op("Where", [isOn, graph.number(Number.MIN_VALUE), above]);
}

/** Votes of classifiers of pairs, with ties broken by the sum of the scores. */
function pairDecisions(
  { members, rows, converter, graph, classes }: Composite,
  { outputs }: Rule<"pairs">,
): Value {
  const K = classes.length;
  const isFirst = members.map((member) => {
    const { winner } = classifiedMember(member, rows, converter);
    const column = graph.op("Reshape", [winner, graph.integers([-1, 1], [2])]);
    return indicator(graph, graph.op("Equal", [column, graph.integers([0], [1])]));
  });
  const scores = joined(
    graph,
    members.map((member, m) => margin(member, rows, converter, outputs[m]!)),
  );
  const ties = squashed(graph, graph.op("MatMul", [scores, pairMatrix(graph, K, -1, 1)]));
  const decisions = graph.op("Add", [pairVotes(graph, joined(graph, isFirst), K), ties]);
  if (K > 2) return decisions;
  const usual = graph.number(outputs[0] === "scores" ? 0 : 0.5);
  return graph.op("Sub", [columnOf(graph, decisions, 1), usual]);
}

/** Σ f (2 c − 1) of decision values, Σ c (f − ½) of probabilities: the nearest row of the code book. */
function codeNearness(
  { members, rows, converter, graph }: Composite,
  { book, outputs }: Rule<"codes">,
): Value {
  const terms = members.map((member, b) => {
    const isScore = outputs[b] === "scores";
    const column = margin(member, rows, converter, outputs[b]!);
    const f = isScore ? column : graph.op("Sub", [column, graph.number(0.5)]);
    const bits = Float64Array.from({ length: book.rows }, (_, k) => book.data[k * book.cols + b]!);
    return graph.op("MatMul", [
      f,
      graph.numbers(isScore ? bits.map((c) => 2 * c - 1) : bits, [1, book.rows]),
    ]);
  });
  return sum(graph, terms);
}
