import {
  Table as ArrowTable,
  makeVector,
  tableFromIPC,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import type { Column, NumericColumn, Samples, Table } from "argmax";
import { ArgmaxError, checkArrow, Matrix, tableFromArrow } from "argmax";
import type { Cell } from "../model/cells.js";
import { type Prediction, predict } from "../model/prediction.js";
import { InvalidRows } from "../model/row-reader.js";
import type { ServedModel } from "../model/served-model.js";
import { type Answer, ARROW_TYPE, type Call, JSON_TYPE } from "./call.js";
import { predictionTexts } from "./prediction-text.js";
import { checkRowCount, RequestProblem } from "./request-problem.js";

/** Predictions of the rows of an Arrow stream (or file). */
export function predictArrow(model: ServedModel, body: Uint8Array, call: Call): Answer {
  const table = readTable(body);
  checkRowCount(table.rows, call.maxRows);
  const prediction = predict(model.model, samplesOf(model, table), call);
  if (call.accept === "arrow")
    return { status: 200, type: ARROW_TYPE, body: arrowBytes(model, prediction), rows: table.rows };
  const text = `${model.opening}"predictions":[${predictionTexts(model, prediction).join(",")}]}`;
  return { status: 200, type: JSON_TYPE, body: text, rows: table.rows };
}

/** The decoder trusts every number of its input, so that the check comes first. */
function readTable(body: Uint8Array): Table {
  try {
    checkArrow(body);
    const table = tableFromIPC(body);
    if (table.numCols === 0) throw new RequestProblem(400, "The body is not an Arrow stream with columns.");
    return tableFromArrow(table);
  } catch (error) {
    if (error instanceof RequestProblem || (error instanceof ArgmaxError && error.code !== "format"))
      throw error;
    throw new RequestProblem(400, `The body is not an Arrow stream: ${(error as Error).message}`);
  }
}

/** The columns of the model in their order, checked as rows of JSON are. */
function samplesOf({ schema: { form, fields }, reader }: ServedModel, table: Table): Samples {
  const known = new Set(fields.map(({ name }) => name));
  const problems = table.columnNames
    .filter((name) => !known.has(name))
    .map((field) => ({ row: 0, field, message: "is not a field of this model" }));
  if (problems.length > 0) throw new InvalidRows(problems);
  const columns = fields.map(({ name }) =>
    table.columnNames.includes(name) ? table.column(name) : undefined,
  );
  if (form === "matrix" && columns.every(isFiniteColumn)) {
    const x = Matrix.zeros(table.rows, columns.length);
    for (const [j, { values }] of columns.entries())
      for (let i = 0; i < table.rows; i++) x.data[i * x.cols + j] = values[i]!;
    return x;
  }
  // An absent column is undefined in every row, where a gap is null.
  return reader.read(
    Array.from({ length: table.rows }, (_, i) => columns.map((column) => jsonCell(column?.at(i)))),
  );
}

const isFiniteColumn = (column: Column | undefined): column is NumericColumn =>
  column?.kind === "numeric" && column.values.every((value) => Number.isFinite(value));

const jsonCell = (cell: Cell | Date | null | undefined): Cell | undefined =>
  cell instanceof Date ? cell.getTime() : cell;

/** A column per output: `label` and `probability_<class>`, `prediction`, or one column per number. */
function arrowBytes(model: ServedModel, prediction: Prediction): Uint8Array {
  const columns: Record<string, Vector> = {};
  switch (prediction.kind) {
    case "labels": {
      columns["label"] = labelVector(prediction.labels);
      const { classes = [] } = model;
      const p = prediction.probabilities;
      if (p !== undefined)
        for (const [k, label] of classes.entries())
          columns[`probability_${label}`] = numbers(p, classes.length, k);
      break;
    }
    case "labelRows":
      for (const k of prediction.rows[0]?.keys() ?? [])
        columns[`label_${k}`] = labelVector(prediction.rows.map((row) => row[k]));
      break;
    case "numbers":
      columns["prediction"] = numbers(prediction.values, 1, 0);
      break;
    case "rows":
      for (let k = 0; k < prediction.cols; k++)
        columns[model.targetNames?.[k] ?? `output_${k}`] = numbers(prediction.values, prediction.cols, k);
  }
  return tableToIPC(new ArrowTable(columns), "stream");
}

const numbers = (values: ArrayLike<number>, cols: number, k: number): Vector =>
  makeVector(Float64Array.from({ length: values.length / cols }, (_, i) => values[i * cols + k]!));

const labelVector = (labels: readonly unknown[]): Vector =>
  typeof labels[0] === "string" ? vectorFromArray(labels, new Utf8()) : vectorFromArray(labels);
