import { show } from "../errors.js";
import { asBytes, asFloat32Array } from "../numbers/typed-arrays.js";
import type { StateReader } from "./state.js";

/** Tensors that few kinds of models have: functions, so that a bundle has only those that it needs. */

/** Finite, all above 0. */
export const readPositive = (reader: StateReader, name: string, shape: readonly number[]): Float64Array =>
  reader.checked(name, shape, "positive and finite", (value) => value > 0 && value < Infinity);

/** Finite, none below 0: sums of weights or of squares. */
export const readSums = (reader: StateReader, name: string, shape: readonly number[]): Float64Array =>
  reader.checked(name, shape, "finite and ≥ 0", (value) => value >= 0 && value < Infinity);

/** Weights of votes: finite, not negative, not all 0. */
export function readVoteWeights(reader: StateReader, name: string, shape: readonly number[]): Float64Array {
  const data = reader.finite(name, shape);
  if (data.some((w) => w < 0) || !data.some((w) => w > 0))
    reader.fail(name, "numbers ≥ 0, not all 0", `[${data.subarray(0, 5).join(", ")}]`);
  return data;
}

/** 32-bit floats. */
export function readSingles(reader: StateReader, name: string, shape: readonly number[]): Float32Array {
  const tensor = reader.tensor(name, shape);
  const data = asFloat32Array(tensor.data) ?? reader.fail(name, "32-bit floats", show(tensor.data));
  if (data.some(Number.isNaN)) reader.fail(name, "free of NaN", "NaN");
  return data;
}

export function readBytes(reader: StateReader, name: string, shape: readonly number[]): Uint8Array {
  const tensor = reader.tensor(name, shape);
  return asBytes(tensor.data) ?? reader.fail(name, "bytes", show(tensor.data));
}
