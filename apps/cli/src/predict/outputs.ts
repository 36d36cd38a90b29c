import { type Column, type Label, type LoadedModel, Matrix, NumericColumn, Table } from "argmax";
import { Failure, UsageError } from "../command.js";

/** Columns of what a model says about rows. */
interface Outputs {
  readonly names: readonly string[];
  of(batch: Table): readonly (readonly [string, Column])[];
}

/** `prediction`, and with `proba` one column per class. */
export function outputsOf(path: string, model: LoadedModel, proba: boolean): Outputs {
  if (model.predict === undefined)
    throw new Failure(`${path} holds a ${model.toState().kind}, which does not predict.`);
  const probabilities = proba ? probabilitiesOf(path, model) : undefined;
  const predict = (batch: Table) => predictionColumns(model.predict!(batch));
  return {
    names: ["prediction", ...(probabilities?.names ?? [])],
    of: (batch) => [...predict(batch), ...(probabilities?.of(batch) ?? [])],
  };
}

function probabilitiesOf(path: string, model: LoadedModel): Outputs {
  const { classes } = model;
  if (classes === undefined)
    throw new UsageError(`--proba is for classifiers, and ${path} holds a regressor.`);
  if (model.predictProba === undefined)
    throw new UsageError(
      `--proba needs probabilities, and ${path} holds a ${model.toState().kind}, which has none. ` +
        "CalibratedClassifier adds them.",
    );
  const names = classes.map((label) => `proba_${label}`);
  return {
    names,
    of(batch) {
      const proba = model.predictProba!(batch);
      return names.map((name, k) => [name, new NumericColumn(columnOf(proba, k))] as const);
    },
  };
}

const columnOf = (matrix: Matrix, k: number): Float64Array => Float64Array.from(matrix.column(k));

function predictionColumns(predicted: readonly Label[] | Float64Array | Matrix): [string, Column][] {
  if (predicted instanceof Matrix)
    return Array.from({ length: predicted.cols }, (_, k) => [
      `prediction_${k + 1}`,
      new NumericColumn(columnOf(predicted, k)),
    ]);
  const values = predicted as ArrayLike<string>;
  return [
    ["prediction", Table.fromColumns(new Map([["prediction", values]])).column("prediction") as Column],
  ];
}
