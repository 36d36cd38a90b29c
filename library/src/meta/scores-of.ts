import type { MatrixLike } from "../core/contract.js";
import type { Matrix } from "../data/matrix.js";

/** What models with probabilities have. */
export interface ProbabilityMethods {
  readonly predictProba: (x: MatrixLike) => Matrix;
  readonly predictLogProba: (x: MatrixLike) => Matrix;
}

/** What models with a decision function have. */
export interface DecisionMethod {
  readonly decisionFunction: (x: MatrixLike) => Matrix;
}

/** The methods of scores that a wrapper has since the model M inside has them; those of an unknown model are optional. */
export type ScoresOf<M> = ProbabilitiesOf<M> & DecisionsOf<M>;

export type ProbabilitiesOf<M> = M extends { predictProba: unknown } ? ProbabilityMethods : unknown;
export type DecisionsOf<M> = M extends { decisionFunction: unknown } ? DecisionMethod : unknown;
