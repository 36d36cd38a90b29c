import type { FittedModel } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import type { ModelState } from "../core/state.js";
import type { Graph } from "./graph.js";
import type { Prediction } from "./prediction.js";
import type { Rows } from "./rows.js";

/** What a converter is given: the model, and what it has learned as plain data. */
export interface Source {
  readonly model: FittedModel;
  readonly state: ModelState;
  readonly graph: Graph;
  readonly rows: Rows;
  /** The prediction of a member, from the same rows or others. */
  convert(member: FittedModel, rows?: Rows): Prediction;
}

/** Adds the nodes that compute a model's answers. */
export type Predictor = (source: Source) => Prediction;

/** Adds the nodes that compute the columns of a transformer, from its state. */
export type Transformer = (state: ModelState, rows: Rows, graph: Graph) => Rows;

/** What ONNX, or this converter of it, does not have. */
export function refuse(subject: string, expected: string, received: string): never {
  throw new DataError({
    where: "toOnnx",
    subject,
    expected,
    received,
    advice: "saveModel keeps every model; toOnnx those that ONNX operators can compute.",
  });
}

/** Entries of a tensor of the state, as numbers. */
export const tensorOf = ({ tensors, kind }: ModelState, name: string): Float64Array => {
  const tensor = tensors[name];
  if (tensor === undefined) refuse(`what ${kind} has learned`, `with ${name}`, "a model without it");
  return Float64Array.from(tensor.data);
};

/** cols × rows of a matrix of rows × cols. */
export function transposed(data: ArrayLike<number>, rows: number, cols: number): Float64Array {
  const out = new Float64Array(data.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) out[j * rows + i] = data[i * cols + j]!;
  return out;
}
