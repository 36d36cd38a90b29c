/**
 * Keys of what explanations ask of fitted models. Symbols, so that these members are in no list of completions and no family has to be
 * imported to explain a model of it.
 */
export const treeSum: unique symbol = Symbol("argmax.treeSum");
export const linearScores: unique symbol = Symbol("argmax.linearScores");

/** What a number that is explained is. */
export type ExplainedOutput = "prediction" | "probability" | "score";

/** Outputs that are linear in x: z_k = w_k·x + b_k. */
export interface LinearScores {
  /** One row of d coefficients per output. */
  readonly coef: Float64Array;
  readonly intercept: Float64Array;
  readonly output: ExplainedOutput;
}

/** A model whose outputs are linear. */
export interface LinearModel {
  readonly [linearScores]: LinearScores;
}

export const isLinearModel = (model: object): model is LinearModel => linearScores in model;
