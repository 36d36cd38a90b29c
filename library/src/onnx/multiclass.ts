import type { FittedModel } from "../core/contract.js";
import type { Predictor, Source } from "./converter.js";
import type { Value } from "./graph.js";
import { pairMatrix, pairVotes, squashed } from "./kernels.js";
import { askedOf, classesOf, classified, has, type Method } from "./members.js";
import {
  type Classified,
  columnOf,
  difference,
  flat,
  fromScores,
  indicator,
  largest,
  normalized,
} from "./prediction.js";
import { joined } from "./rows.js";

/** Scores of the second of two classes: the decision function or, without one, the probabilities. */
function binaryScore({ graph }: Source, member: FittedModel, found: Classified): Value {
  if (!has(member, "decisionFunction"))
    return columnOf(graph, askedOf(member, found, "predictProba").value, 1);
  const { value, cols } = askedOf(member, found, "decisionFunction");
  return cols === 1 ? value : difference(graph, value);
}

type Estimators = FittedModel & { readonly estimators: readonly FittedModel[] };

/** One classifier per class, of two classes that of the second: the largest decision value or, without one, probability. */
export const oneVsRest: Predictor = (source) => {
  const { graph } = source;
  const { estimators } = source.model as Estimators;
  const classes = classesOf(source);
  const found = estimators.map((member) => classified(source, member));
  if (classes.length === 2) return { ...found[0]!, classes };
  const K = classes.length;
  const everyone = (method: Method) => estimators.every((member) => has(member, method));
  const probabilities = everyone("predictProba")
    ? normalized(
        graph,
        joined(
          graph,
          estimators.map((member, k) => columnOf(graph, askedOf(member, found[k]!, "predictProba").value, 1)),
        ),
        K,
      )
    : undefined;
  if (!everyone("decisionFunction"))
    return { kind: "classes", classes, winner: largest(graph, probabilities!), probabilities };
  const scores = joined(
    graph,
    estimators.map((member, k) => binaryScore(source, member, found[k]!)),
  );
  return fromScores(graph, classes, scores, K, probabilities);
};

/** One classifier per pair of classes: votes, with ties broken by the sum of the scores. */
export const oneVsOne: Predictor = (source) => {
  const { graph } = source;
  const { estimators } = source.model as Estimators;
  const classes = classesOf(source);
  const K = classes.length;
  const found = estimators.map((member) => classified(source, member));
  const overPairs = (columnOfPair: (m: number) => Value) =>
    joined(
      graph,
      estimators.map((_, m) => columnOfPair(m)),
    );
  const isFirst = overPairs((m) => {
    const winner = graph.op("Reshape", [found[m]!.winner, graph.integers([-1, 1], [2])]);
    return indicator(graph, graph.op("Equal", [winner, graph.integers([0], [1])]));
  });
  const scores = overPairs((m) => binaryScore(source, estimators[m]!, found[m]!));
  const sums = graph.op("MatMul", [scores, pairMatrix(graph, K, -1, 1)]);
  const decisions = graph.op("Add", [pairVotes(graph, isFirst, K), squashed(graph, sums)]);
  if (K > 2) return fromScores(graph, classes, decisions, K);
  const usual = graph.number(has(estimators[0]!, "decisionFunction") ? 0 : 0.5);
  return fromScores(graph, classes, graph.op("Sub", [columnOf(graph, decisions, 1), usual]), 1);
};

interface ThresholdRule {
  readonly threshold: number;
  readonly response: Method;
  /** Which of the two classes a score on the threshold belongs to. */
  readonly positive: 0 | 1;
}

/** The positive one of two classes from the threshold on. */
export const thresholdClassifier: Predictor = (source) => {
  const { graph, state } = source;
  const { model: member } = source.model as FittedModel & { readonly model: FittedModel };
  const { threshold, response, positive } = state.values as unknown as ThresholdRule;
  const classes = classesOf(source);
  const found = classified(source, member);
  const limit = graph.number(threshold);
  const winnerIf = (isReached: Value): Value => {
    const [yes, no] = [graph.integers([positive], [1]), graph.integers([1 - positive], [1])];
    return flat(graph, graph.op("Where", [isReached, yes, no]));
  };
  if (response === "predictProba") {
    const { value: probabilities } = askedOf(member, found, "predictProba");
    const isReached = graph.op("GreaterOrEqual", [columnOf(graph, probabilities, positive), limit]);
    return { kind: "classes", classes, winner: winnerIf(isReached), probabilities };
  }
  const score = binaryScore(source, member, found);
  if (positive === 0) return fromScores(graph, classes, graph.op("Add", [score, limit]), 1);
  const margin = graph.op("Sub", [score, limit]);
  // A row on the threshold has a positive margin.
  const isOn = graph.op("Equal", [margin, graph.number(0)]);
  return fromScores(graph, classes, graph.op("Where", [isOn, graph.number(Number.MIN_VALUE), margin]), 1);
};
