import type { MatrixLike } from "../core/contract.js";
import type { Matrix } from "../data/matrix.js";

/** What models with probabilities have. */
export interface ProbabilityMethods<X = MatrixLike> {
  readonly predictProba: (x: X) => Matrix;
  readonly predictLogProba: (x: X) => Matrix;
}

/** What models with a decision function have. */
export interface DecisionMethod<X = MatrixLike> {
  readonly decisionFunction: (x: X) => Matrix;
}

/** The methods of scores that a wrapper has since the model M inside has them; those of an unknown model are optional. */
export type ScoresOf<M, X = MatrixLike> = ProbabilitiesOf<M, X> & DecisionsOf<M, X>;

export type ProbabilitiesOf<M, X = MatrixLike> = M extends { predictProba: unknown }
  ? ProbabilityMethods<X>
  : unknown;
export type DecisionsOf<M, X = MatrixLike> = M extends { decisionFunction: unknown }
  ? DecisionMethod<X>
  : unknown;
