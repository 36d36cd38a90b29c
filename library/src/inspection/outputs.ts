import type { DenseLike, FittedModel, MatrixLike } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";

/** What a number that is explained is. */
export type ExplainedOutput = "prediction" | "probability" | "score";

/** What inspections may find in a model. */
export interface AnyModel extends FittedModel {
  readonly classes?: readonly Label[];
  readonly nTargets?: number;
  readonly targetNames?: readonly string[] | undefined;
  predict?(x: MatrixLike): ArrayLike<Label> | DenseLike;
  predictProba?(x: MatrixLike): DenseLike;
  predictJointLogProba?(x: MatrixLike): DenseLike;
  decisionFunction?(x: MatrixLike): DenseLike;
}

/** The numbers that a model computes for a row: probabilities, scores or predictions. */
export interface ModelOutputs {
  readonly output: ExplainedOutput;
  /** Classes, names of targets, or "prediction". */
  readonly names: readonly Label[];
  /** One row per row of X, one column per output. */
  evaluate(x: MatrixLike): Matrix;
}

/** Probabilities of a classifier (its decision function, if it has none), or the predictions of a regressor. */
export function outputsOf(where: string, model: FittedModel): ModelOutputs {
  const own = (model ?? {}) as AnyModel;
  const { classes } = own;
  const read = (y: DenseLike) => readMatrix(where, y, { missing: true });
  if (classes && own.predictProba)
    return { output: "probability", names: classes, evaluate: (x) => read(own.predictProba!(x)) };
  if (classes && own.decisionFunction) return scoresOf(where, own);
  if (own.predict && !classes) {
    return {
      output: "prediction",
      names: targetNames(own),
      evaluate: (x) => {
        const y = own.predict!(x);
        return read("rows" in y ? y : { data: y as ArrayLike<number> as number[], rows: y.length, cols: 1 });
      },
    };
  }
  const expected = "a fitted regressor, or a fitted classifier with predictProba or decisionFunction";
  throw new ParameterError(where, "the model", expected, show(model));
}

/** The decision function, one column for the second of two classes. */
export function scoresOf(where: string, model: AnyModel): ModelOutputs {
  return {
    output: "score",
    names: scoreNames(model.classes!),
    evaluate: (x) => readMatrix(where, model.decisionFunction!(x), { missing: true }),
  };
}

/** Two classes have one score, that of the second. */
export const scoreNames = (classes: readonly Label[]): readonly Label[] =>
  classes.length === 2 ? classes.slice(1) : classes;

export const targetNames = ({ nTargets, targetNames }: AnyModel): readonly Label[] =>
  nTargets === undefined
    ? ["prediction"]
    : (targetNames ?? Array.from({ length: nTargets }, (_, k) => `target ${k}`));
