import { CategoricalColumn, type Column, type Table } from "argmax";
import { columnsOf, tableOf } from "../data/columns.js";
import { requireNames } from "../data/names.js";
import type { OpenedModel } from "../model-file.js";
import { inputsOf, refusedRows } from "./inputs.js";
import { outputsOf } from "./outputs.js";

/** What to predict with, and what to write: plain values, which another thread can be sent. */
export interface PredictPlan {
  /** The model file. */
  readonly model: string;
  /** The data, for errors. */
  readonly source: string;
  readonly proba: boolean;
  /** The columns of a model that knows no names, in the order of its training. */
  readonly columns: readonly string[] | undefined;
  /** Columns to copy; undefined for all. */
  readonly keep: readonly string[] | undefined;
  /** Whether every row has a column `type`, as lines of --json have. */
  readonly typed: boolean;
}

/** Makes the table of the output from a batch of the input. */
export type Predictor = (batch: Table, rowsBefore: number) => Table;

export function predictorOf(plan: PredictPlan, opened: OpenedModel): Predictor {
  const { source, keep, typed } = plan;
  const inputs = inputsOf(plan.model, opened, plan.columns);
  const outputs = outputsOf(plan.model, opened.model, plan.proba);
  return (batch, rowsBefore) => {
    requireNames(source, [...(inputs.names ?? []), ...(keep ?? [])], batch.columnNames);
    const X = inputs.of(batch);
    let made: readonly (readonly [string, Column])[];
    try {
      made = outputs.of(X);
    } catch (error) {
      throw refusedRows(source, error, X, rowsBefore);
    }
    const copied = columnsOf(batch).filter(([name]) => keep === undefined || keep.includes(name));
    const taken = new Set(copied.map(([name]) => name));
    const type: [string, Column][] = typed
      ? [["type", new CategoricalColumn(new Int32Array(batch.rows), ["prediction"])]]
      : [];
    return tableOf([
      ...type,
      ...copied,
      ...made.map(([name, column]) => [freeName(name, taken), column] as const),
    ]);
  };
}

/** `prediction.1` where the data has a column `prediction` already. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let k = 1; taken.has(free); k++) free = `${name}.${k}`;
  return free;
}
