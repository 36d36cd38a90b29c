import type { ClassifierStructure, ClassLink } from "../core/structure.js";
import { type Block, type Converter, refuse } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { pairMatrix, pairVotes, squashed } from "./pairs.js";
import {
  type Classified,
  columnOf,
  complemented,
  difference,
  flat,
  indicator,
  largest,
  normalized,
  sigmoids,
  sign,
  softmax,
} from "./prediction.js";
import type { Rows } from "./rows.js";
import { scoresOf } from "./scores.js";

/** Label, probabilities and decision function of a classifier. */
export function classified(
  structure: ClassifierStructure,
  scores: Block,
  converter: Converter,
  rows: Rows,
): Classified {
  const { graph } = converter;
  const { classes, link, decision, margins } = structure;
  const K = classes.length;
  const probabilities = link === null ? undefined : probabilitiesOf(link, scores, converter, rows, structure);
  // Only classifiers of pairs have votes; both the label and the decision function may need them.
  const needsVotes = decision.kind === "pairs" || margins === "pairVotes";
  const votes = needsVotes ? pairVotesOf(graph, scores.value, K) : scores.value;
  const needsRanks = margins === "pairVotes" || (decision.kind === "pairs" && decision.breakTies);
  const ranks = needsRanks ? pairRanks(graph, votes, scores.value, K) : votes;
  const own = margins && marginsOf(graph, margins, scores, ranks);
  const winner = (): Value => {
    switch (decision.kind) {
      case "scores":
        return scores.cols === 1 ? sign(graph, scores.value) : largest(graph, scores.value);
      case "probabilities":
        return largest(graph, probabilities!);
      case "threshold":
        return reached(graph, probabilities!, decision.positive, decision.threshold);
      case "pairs":
        if (decision.order !== null) refuse("the classes", "in ascending order", "those of a LIBSVM file");
        return largest(graph, decision.breakTies ? ranks : votes);
    }
  };
  return {
    kind: "classes",
    classes,
    winner: winner(),
    probabilities,
    raw: scores.value,
    ...(own && { scores: own.value, scoreCols: own.cols }),
  };
}

/** Probabilities of the classes; undefined where they need iterations. */
function probabilitiesOf(
  link: ClassLink,
  { value: z, cols }: Block,
  converter: Converter,
  rows: Rows,
  structure: ClassifierStructure,
): Value | undefined {
  const { graph } = converter;
  const K = structure.classes.length;
  const times = (factor: number) => (factor === 1 ? z : graph.op("Mul", [z, graph.number(factor)]));
  switch (link.kind) {
    case "identity":
      return z;
    case "sigmoid":
      return sigmoids(graph, times(link.factor));
    case "softmax":
      return softmax(graph, times(link.factor));
    case "oneVsRest":
      return softmax(graph, logSigmoids(graph, times(link.factor)));
    case "clip":
      return clipped(graph, z, cols);
    case "normalize":
      return cols === 1 ? complemented(graph, z) : normalized(graph, z, K);
    case "separate":
      return probabilitiesOf(
        link.link,
        scoresOf(link.scores, rows, converter, structure.classes),
        converter,
        rows,
        structure,
      );
    case "platt":
      return link.pairs || cols > 1 ? undefined : platt(graph, z, link.sigmoids.data);
  }
}

/** log σ(z) = min(z, 0) − log(1 + e^−|z|): the softmax of these divides sigmoids by their sum, also where all are 0 in 64 bits. */
function logSigmoids(graph: Graph, z: Value): Value {
  const tail = graph.op("Exp", [graph.op("Neg", [graph.op("Abs", [z])])]);
  const below = graph.op("Min", [z, graph.number(0)]);
  return graph.op("Sub", [below, graph.op("Log", [graph.op("Add", [tail, graph.number(1)])])]);
}

/** (z clipped to [−1, 1] + 1) / 2; of several classes divided by their sum, or equal proportions where all are 0. */
function clipped(graph: Graph, scores: Value, cols: number): Value {
  const proportion = (z: Value) => {
    const bounded = graph.op("Clip", [z, graph.number(-1), graph.number(1)]);
    return graph.op("Mul", [graph.op("Add", [bounded, graph.number(1)]), graph.number(0.5)]);
  };
  if (cols > 1) return normalized(graph, proportion(scores), cols);
  return graph.op("Concat", [proportion(graph.op("Neg", [scores])), proportion(scores)], {
    axis: { int: 1 },
  });
}

/** 1 / (1 + e^(a f + b)) of the second class. */
function platt(graph: Graph, score: Value, [a, b]: Float64Array): Value {
  const z = graph.op("Add", [graph.op("Mul", [score, graph.number(a!)]), graph.number(b!)]);
  return graph.op("Concat", [graph.op("Sigmoid", [z]), graph.op("Sigmoid", [graph.op("Neg", [z])])], {
    axis: { int: 1 },
  });
}

/** The positive one of two classes from the threshold on. */
function reached(graph: Graph, probabilities: Value, positive: number, threshold: number): Value {
  const isReached = graph.op("GreaterOrEqual", [
    columnOf(graph, probabilities, positive),
    graph.number(threshold),
  ]);
  const [yes, no] = [graph.integers([positive], [1]), graph.integers([1 - positive], [1])];
  return flat(graph, graph.op("Where", [isReached, yes, no]));
}

function pairVotesOf(graph: Graph, scores: Value, K: number): Value {
  return pairVotes(graph, indicator(graph, graph.op("Greater", [scores, graph.number(0)])), K);
}

/** Votes, and sums of the scores of a class's pairs, squashed to less than 1/3. */
function pairRanks(graph: Graph, votes: Value, scores: Value, K: number): Value {
  const ties = squashed(graph, graph.op("MatMul", [scores, pairMatrix(graph, K, 1, -1)]));
  return graph.op("Add", [votes, ties]);
}

function marginsOf(
  graph: Graph,
  kind: NonNullable<ClassifierStructure["margins"]>,
  scores: Block,
  ranks: Value,
): Block {
  if (kind === "scores") return scores;
  if (kind === "difference") return { value: difference(graph, scores.value), cols: 1 };
  // K classes have K (K − 1)/2 pairs.
  return { value: ranks, cols: (1 + Math.sqrt(1 + 8 * scores.cols)) / 2 };
}
