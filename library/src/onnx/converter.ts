import { DataError } from "../core/errors.js";
import type { Structure } from "../core/structure.js";
import type { Graph, Value } from "./graph.js";
import type { Prediction } from "./prediction.js";
import type { Rows } from "./rows.js";

/** Numbers per row: rows × cols. */
export interface Block {
  readonly value: Value;
  readonly cols: number;
}

/** What converters of parts of structures ask for: the graph, and the structures inside them. */
export interface Converter {
  readonly graph: Graph;
  convert(structure: Structure, rows: Rows): Prediction;
}

/** What ONNX, or this converter of it, does not have. */
export function refuse(subject: string, expected: string, received: string): never {
  const advice = "saveModel keeps every model; toOnnx those that ONNX operators can compute.";
  throw new DataError("toOnnx", subject, expected, received, advice);
}

/** A model or a part of one that no kind of structure describes. */
export const refuseUndescribed = (reason: string): never =>
  refuse("the model", "one that standard operators compute", `one that they do not, since ${reason}`);

/** cols × rows of a matrix of rows × cols. */
export function transposed(data: ArrayLike<number>, rows: number, cols: number): Float64Array {
  const out = new Float64Array(data.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) out[j * rows + i] = data[i * cols + j]!;
  return out;
}
