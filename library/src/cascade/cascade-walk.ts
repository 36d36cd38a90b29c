import type { Label } from "../core/labels.js";
import { Matrix } from "../data/matrix.js";
import { type ScoredClassifier, scoresOf } from "./cascade-stage.js";

export interface FittedStage {
  /** Columns acquired for the samples that reach the stage. */
  readonly features: readonly number[];
  readonly cost: number;
  /** Columns that the model uses: its own, and those of earlier stages if the cascade is cumulative. */
  readonly columns: readonly number[];
  /** Samples with a score below it are classified as negative. */
  readonly threshold: number;
  readonly model: ScoredClassifier;
}

/** A request for the columns of a stage, for the rows that reach it. */
export interface Request {
  readonly stage: number;
  readonly rows: Int32Array;
  readonly features: readonly number[];
}

/**
 * Runs samples through the stages. Yields requests for values, each answered with a matrix of the requested rows and columns; returns
 * the stage at which each sample left, or the number of stages.
 */
export function* walk(
  stages: readonly FittedStage[],
  rows: number,
  positive: Label,
): Generator<Request, Int32Array, Matrix> {
  const exits = new Int32Array(rows).fill(stages.length);
  const place = new Map(stages.flatMap(({ features }) => features).map((j, at) => [j, at]));
  const known = new Float64Array(rows * place.size);
  let remaining = Int32Array.from(exits.keys());
  for (const [s, { features, columns, threshold, model }] of stages.entries()) {
    if (remaining.length === 0) break;
    const values = yield { stage: s, rows: remaining, features };
    for (const [r, i] of remaining.entries()) {
      for (const [f, j] of features.entries())
        known[i * place.size + place.get(j)!] = values.data[r * features.length + f]!;
    }
    const seen = Matrix.zeros(remaining.length, columns.length);
    for (const [r, i] of remaining.entries()) {
      for (const [c, j] of columns.entries())
        seen.data[r * columns.length + c] = known[i * place.size + place.get(j)!]!;
    }
    const scores = scoresOf(model, seen, positive);
    for (const [r, i] of remaining.entries()) if (scores[r]! < threshold) exits[i] = s;
    remaining = remaining.filter((i) => exits[i] === stages.length);
  }
  return exits;
}

/** `walk` with the values of a matrix of all columns. */
export function walkMatrix(stages: readonly FittedStage[], x: Matrix, positive: Label): Int32Array {
  const steps = walk(stages, x.rows, positive);
  let step = steps.next();
  while (!step.done) {
    const { rows, features } = step.value;
    const values = Matrix.zeros(rows.length, features.length);
    for (const [r, i] of rows.entries()) {
      for (const [f, j] of features.entries()) values.data[r * features.length + f] = x.data[i * x.cols + j]!;
    }
    step = steps.next(values);
  }
  return step.value;
}
