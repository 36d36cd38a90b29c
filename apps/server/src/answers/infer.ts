import type { Cell } from "../model/cells.js";
import type { Field } from "../model/input-schema.js";
import { predict } from "../model/prediction.js";
import { InvalidRows } from "../model/row-reader.js";
import type { ServedModel } from "../model/served-model.js";
import { type Answer, type Call, JSON_TYPE } from "./call.js";
import { outputNames, outputTensors } from "./infer-outputs.js";
import { jsonOf } from "./json-body.js";
import { checkRowCount, isObject, RequestProblem } from "./request-problem.js";
import { readTensor, type Tensor } from "./tensors.js";

/** An inference request of the Open Inference Protocol, version 2. */
export function infer(model: ServedModel, body: Uint8Array, { maxRows }: Call): Answer {
  const request = jsonOf(body, maxRows, 1 + model.schema.fields.length);
  if (!isObject(request)) throw new RequestProblem(400, "The request must be an object.");
  const { id, inputs, outputs } = request;
  if (id !== undefined && typeof id !== "string") throw new RequestProblem(400, "id must be text.");
  if (!Array.isArray(inputs) || inputs.length === 0)
    throw new RequestProblem(400, "inputs must be a list of tensors.");
  const wanted = wantedOutputs(model, outputs);
  const rows = rowsOfTensors(model, inputs.map(readTensor), maxRows);
  const prediction = predict(model.model, readRows(model, rows), {
    probabilities: wanted.includes("probabilities"),
  });
  const text = JSON.stringify({
    model_name: model.name,
    model_version: model.version,
    ...(id !== undefined && { id }),
    outputs: outputTensors(model, prediction).filter(({ name }) => wanted.includes(name)),
  });
  return { status: 200, type: JSON_TYPE, body: text, rows: rows.length };
}

/** The protocol has no status but 400 for tensors that do not fit. */
function readRows(model: ServedModel, rows: readonly (readonly Entry[])[]) {
  try {
    return model.reader.read(rows);
  } catch (error) {
    if (error instanceof InvalidRows) throw new RequestProblem(400, error.message, error.problems);
    throw error;
  }
}

/** The names of the outputs asked for; all of them if none is. */
function wantedOutputs(model: ServedModel, given: unknown): readonly string[] {
  const known = outputNames(model);
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return known;
  if (!Array.isArray(given)) throw new RequestProblem(400, "outputs must be a list.");
  return given.map((output: unknown, index) => {
    const name = isObject(output) ? output["name"] : undefined;
    if (typeof name !== "string") throw new RequestProblem(400, `outputs[${index}].name must be text.`);
    if (!known.includes(name))
      throw new RequestProblem(
        400,
        `The model has no output ${JSON.stringify(name)}. Its outputs are ${known.join(", ")}.`,
      );
    return name;
  });
}

/** Undefined where the request has no tensor for the column. */
type Entry = Cell | undefined;

/** Rows of cells in the order of the fields, from one tensor of all columns or from one tensor per column. */
function rowsOfTensors(
  { schema: { fields } }: ServedModel,
  tensors: readonly Tensor[],
  maxRows: number,
): Entry[][] {
  const [only] = tensors;
  const asMatrix = tensors.length === 1 && only!.shape.length === 2 && only!.name !== fields[0]!.name;
  return asMatrix ? rowsOfMatrix(fields, only!, maxRows) : rowsOfColumns(fields, tensors, maxRows);
}

function rowsOfMatrix(
  fields: readonly Field[],
  { name, shape, data, datatype }: Tensor,
  maxRows: number,
): Entry[][] {
  const [n, d] = shape as [number, number];
  if (d !== fields.length)
    throw new RequestProblem(
      400,
      `Input ${JSON.stringify(name)} must have ${fields.length} columns, got shape [${n}, ${d}].`,
    );
  checkTensorRows(n, maxRows);
  return Array.from({ length: n }, (_, i) =>
    fields.map((field, j) => cellOf(field, datatype, data[i * d + j]!)),
  );
}

function rowsOfColumns(fields: readonly Field[], tensors: readonly Tensor[], maxRows: number): Entry[][] {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  if (byName.size < tensors.length) throw new RequestProblem(400, "Two inputs have the same name.");
  const names = fields.map(({ name }) => name);
  const unknown = tensors.find(({ name }) => !names.includes(name));
  if (unknown !== undefined)
    throw new RequestProblem(
      400,
      `The model has no input ${JSON.stringify(unknown.name)}. Its inputs are ${names.join(", ")}.`,
    );
  const n = tensors[0]!.shape[0]!;
  for (const { name, shape } of tensors)
    if (shape[0] !== n || shape.slice(1).some((length) => length !== 1))
      throw new RequestProblem(400, `Input ${JSON.stringify(name)} must have the shape [${n}] or [${n}, 1].`);
  checkTensorRows(n, maxRows);
  const columns = fields.map(({ name }) => byName.get(name));
  const rows: Entry[][] = [];
  for (let i = 0; i < n; i++)
    rows.push(
      fields.map((field, j) => {
        const column = columns[j];
        return column === undefined ? undefined : cellOf(field, column.datatype, column.data[i]!);
      }),
    );
  return rows;
}

function checkTensorRows(count: number, maxRows: number): void {
  if (count === 0) throw new RequestProblem(400, "The inputs have no rows.");
  checkRowCount(count, maxRows);
}

/** Booleans may be sent as 0 and 1, and numbers as BOOL. */
function cellOf({ kind }: Field, datatype: Tensor["datatype"], value: number | string | boolean): Cell {
  if (kind === "boolean" && typeof value === "number" && (value === 0 || value === 1)) return value === 1;
  if (datatype === "BOOL" && kind === "numeric") return Number(value);
  if (datatype === "BOOL") return Boolean(value);
  return value;
}
