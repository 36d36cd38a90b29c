import type { FittedModel } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { argmax } from "../core/scores.js";
import type { ModelState } from "../core/state.js";
import { type Predictor, type Source, tensorOf } from "./converter.js";
import type { Value } from "./graph.js";
import { classified } from "./members.js";
import { fromProbabilities, fromScores, lookup, sigmoids, softmax } from "./prediction.js";
import { type Classifier, hasTrees, type SplitTree, summed, treesOf } from "./trees.js";

/** Votes of all members as proportions of all votes; their softmax ranks rows. */
export const adaBoost: Predictor = (source) => {
  const { model, graph, state } = source;
  const { classes } = model as Classifier;
  const cols = classes.length === 2 ? 1 : classes.length;
  const decision = hasTrees(model)
    ? summed(source, treesOf(source).trees, treesOf(source).scale)
    : "leaves" in state.tensors
      ? summed(source, votingStumps(state, classes.length))
      : memberVotes(source, classes);
  const probabilities =
    cols === 1
      ? sigmoids(graph, decision)
      : softmax(graph, graph.op("Div", [decision, graph.number(cols - 1)]));
  return fromScores(graph, classes, decision, cols, probabilities);
};

/** One question: the class proportions of its two sides. */
export const stump: Predictor = (source) => {
  const { model, state, graph } = source;
  const { feature, threshold } = state.values as { readonly feature: number; readonly threshold: number };
  const { classes } = model as Classifier;
  const tree = stumpTree(feature, threshold, tensorOf(state, "leaves"), classes.length);
  return fromProbabilities(graph, classes, summed(source, [tree]));
};

/** A root and two leaves; without a question both sides are the first. */
function stumpTree(feature: number, threshold: number, leaves: Float64Array, width: number): SplitTree {
  const values = new Float64Array(3 * width);
  values.set(leaves, width);
  if (feature < 0) values.copyWithin(2 * width, width, 2 * width);
  return {
    features: Int32Array.of(Math.max(0, feature), -1, -1),
    thresholds: Float64Array.of(threshold, 0, 0),
    lefts: Int32Array.of(1, -1, -1),
    rights: Int32Array.of(2, -1, -1),
    missingLeft: Int32Array.of(0, 0, 0),
    values,
    width,
  };
}

/** Every stump votes for the most frequent class of the side; of two classes, the second less the first. */
function votingStumps(state: ModelState, K: number): readonly SplitTree[] {
  const [features, thresholds] = [tensorOf(state, "features"), tensorOf(state, "thresholds")];
  const [weights, leaves] = [tensorOf(state, "estimatorWeights"), tensorOf(state, "leaves")];
  const total = weights.reduce((sum, w) => sum + w, 0);
  const width = K === 2 ? 1 : K;
  return Array.from(weights, (weight, t) => {
    const votes = new Float64Array(2 * width);
    for (const side of [0, 1]) {
      const best = argmax(leaves, (2 * t + side) * K, K);
      if (K === 2) votes[side] = (best === 1 ? weight : -weight) / total;
      else votes[side * K + best] = weight / total;
    }
    return stumpTree(features[t]!, thresholds[t]!, votes, width);
  });
}

/** The same of members of any kind. */
function memberVotes(source: Source, classes: readonly Label[]): Value {
  const { model, graph } = source;
  const { members, estimatorWeights } = model as FittedModel & {
    readonly members: readonly FittedModel[];
    readonly estimatorWeights: Float64Array;
  };
  const total = estimatorWeights.reduce((sum, w) => sum + w, 0);
  const K = classes.length;
  const width = K === 2 ? 1 : K;
  const votes = members.map((member, m) => {
    const found = classified(source, member);
    const weight = estimatorWeights[m]! / total;
    const table = new Float64Array(found.classes.length * width);
    for (const [c, label] of found.classes.entries()) {
      const k = classes.indexOf(label);
      if (K === 2) table[c] = k === 1 ? weight : -weight;
      else table[c * K + k] = weight;
    }
    return lookup(graph, table, width, found.winner);
  });
  return votes.reduce((sum, vote) => graph.op("Add", [sum, vote]));
}
