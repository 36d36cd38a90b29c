import { describeParams, restoreParams } from "../estimator.js";
import type { ParamsTable, ParamValues } from "../params/params.js";
import { type Json, type ModelState, StateReader, type Tensor, type TensorData } from "./state.js";

/** Numbers with the shape of a matrix. */
interface MatrixData {
  readonly rows: number;
  readonly cols: number;
  readonly data: TensorData;
}

/** What a model has learned, by name: typed arrays, matrices and tensors are stored as tensors, all else as JSON; undefined is left out. */
export type Learned = Readonly<Record<string, Json | TensorData | MatrixData | Tensor | undefined>>;

function tensorOf(value: unknown): Tensor | undefined {
  if (ArrayBuffer.isView(value)) return { shape: [(value as TensorData).length], data: value as TensorData };
  const { data, shape, rows, cols } = (value ?? {}) as Partial<MatrixData & Tensor>;
  if (!ArrayBuffer.isView(data)) return undefined;
  return { shape: shape ?? [rows!, cols!], data };
}

interface Stored {
  readonly params: object;
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** The state of a fitted model: its parameters, the names of its columns, and what it has learned, or which of its properties that are. */
export function stateOf<M extends Stored>(
  kind: string,
  model: M,
  learned: Learned | readonly (keyof M & string)[],
  parts?: readonly ModelState[],
): ModelState {
  const values: Record<string, Json> = {};
  const tensors: Record<string, Tensor> = {};
  const entries = Array.isArray(learned)
    ? learned.map((name: keyof M & string) => [name, model[name]] as const)
    : Object.entries(learned);
  for (const [name, value] of entries) {
    const tensor = tensorOf(value);
    if (tensor) tensors[name] = tensor;
    else if (value !== undefined) values[name] = value as Json;
  }
  if (model.featureNamesIn) values["featureNamesIn"] = [...model.featureNamesIn];
  return { kind, params: describeParams(model.params), values, tensors, ...(parts && { parts }) };
}

/** The reader of a saved model's state, and the parameters that it was fitted with, checked. */
export function restoring<T extends ParamsTable>(
  table: T,
  state: ModelState,
): { readonly reader: StateReader; readonly where: string; readonly params: ParamValues<T> } {
  const reader = new StateReader(state);
  return { reader, where: reader.where, params: restoreParams(table, reader) };
}
