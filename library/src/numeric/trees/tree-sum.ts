import type { TreeNodes, TreeScores } from "../../core/structure.js";

/** A tree whose nodes know the weight of their training rows. */
export interface CoveredTree extends TreeNodes {
  readonly covers: ArrayLike<number>;
}

/** Scores of such trees. */
export interface CoveredScores extends TreeScores {
  readonly trees: readonly CoveredTree[];
}

export const isCovered = (scores: TreeScores): scores is CoveredScores =>
  scores.trees.every(({ covers }) => covers !== undefined);
