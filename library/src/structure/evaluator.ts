import type { Label } from "../core/labels.js";
import type { Scores, Structure } from "../core/structure.js";
import type { Matrix } from "../data/matrix.js";
import type { Frame } from "./frame.js";

/** What a structure computes for rows. Which fields there are depends on its kind. */
export interface Answer {
  /** Labels of a classifier, places of clusters or components. */
  readonly labels?: readonly Label[];
  readonly scores?: Matrix;
  /** The decision function of a classifier that has one. */
  readonly margins?: Matrix;
  readonly probabilities?: Matrix;
  /** Predictions of a regressor, one column per target. */
  readonly values?: Matrix;
  /** log densities. */
  readonly densities?: Float64Array;
  /** What the model's `transform` returns. */
  readonly columns?: Matrix;
}

/** What parts of structures ask for the structures and scores inside them. */
export interface Evaluator {
  answer(structure: Structure, frame: Frame): Answer;
  scores(scores: Scores, frame: Frame, classes: readonly Label[]): Matrix;
}
