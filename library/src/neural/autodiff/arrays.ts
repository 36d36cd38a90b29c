import type { NumericArray } from "../../core/contract.js";
import { DataError, ShapeError, show } from "../../core/errors.js";
import { isArrayLike, isTypedArray } from "../../core/numbers/typed-arrays.js";
import type { Dtype } from "../../numeric/tensors/space.js";
import { type Shape, showShape, sizeOf } from "./shape.js";

/** Numbers in nested arrays: number, number[], number[][], … */
export type NestedNumbers = number | readonly NestedNumbers[];

/** What enters a computation: a number, (nested) arrays, `{ data, shape }`, or a matrix. */
export type TensorLike =
  | NestedNumbers
  | NumericArray
  | { readonly data: NumericArray | readonly number[]; readonly shape: Shape }
  | { readonly data: NumericArray | readonly number[]; readonly rows: number; readonly cols: number };

/** Plain numbers with their shape, row-major: what leaves a computation. */
export interface NdArray<D extends Float32Array | Float64Array = Float64Array> {
  readonly data: D;
  readonly shape: Shape;
}

/** The numbers and the shape of `x`; ragged, empty, non-finite and non-numeric input is an error, as is what 32 bits cannot hold. */
export function readTensor(
  where: string,
  subject: string,
  x: unknown,
  dtype: Dtype = "float64",
): { data: ArrayLike<number>; shape: Shape } {
  const { data, shape } = read(where, subject, x);
  if (data.length === 0) throw new ShapeError(where, subject, "at least one number", showShape(shape));
  const fits = dtype === "float64" ? Number.isFinite : isSingle;
  for (let e = 0; e < data.length; e++) {
    const entry = data[e];
    if (typeof entry === "number" && fits(entry)) continue;
    const wide = typeof entry === "number" && Number.isFinite(entry);
    throw new DataError({
      where,
      subject: `${subject}, entry ${e}`,
      expected: wide ? "at most 3.4e38, as numbers of 32 bits are" : "a finite number",
      received: show(entry),
      ...(wide && { advice: 'Set dtype: "float64".' }),
    });
  }
  return { data, shape };
}

const isSingle = (entry: number): boolean => Number.isFinite(Math.fround(entry));

function read(where: string, subject: string, x: unknown): { data: ArrayLike<number>; shape: Shape } {
  if (typeof x === "number") return { data: [x], shape: [] };
  if (isTypedArray(x)) return { data: x as NumericArray, shape: [(x as NumericArray).length] };
  if (Array.isArray(x)) return fromNested(where, subject, x);
  if (x !== null && typeof x === "object" && "data" in x && isArrayLike(x.data)) {
    const shaped = x as { data: ArrayLike<number>; shape?: unknown; rows?: number; cols?: number };
    const shape = Array.isArray(shaped.shape) ? (shaped.shape as number[]) : [shaped.rows!, shaped.cols!];
    if (
      shape.every((size) => Number.isSafeInteger(size) && size >= 0) &&
      sizeOf(shape) === shaped.data.length
    )
      return { data: shaped.data, shape };
    throw new ShapeError(where, `${subject}.data`, `${show(shape)} numbers`, `${shaped.data.length}`);
  }
  const expected = "a number, nested arrays of numbers, a typed array, a Matrix or { data, shape }";
  throw new DataError(where, subject, expected, show(x));
}

function fromNested(where: string, subject: string, x: readonly unknown[]) {
  const shape: number[] = [];
  for (let level: unknown = x; isArrayLike(level); level = level[0]) shape.push(level.length);
  const data: number[] = [];
  const visit = (level: unknown, axis: number): void => {
    if (axis === shape.length) {
      data.push(level as number);
      return;
    }
    if (!isArrayLike(level) || level.length !== shape[axis]) {
      const expected = `${showShape(shape)}, as its first entries are`;
      const received = isArrayLike(level) ? `${level.length} entries along axis ${axis}` : show(level);
      throw new ShapeError(where, subject, expected, received);
    }
    for (let e = 0; e < level.length; e++) visit(level[e], axis + 1);
  };
  visit(x, 0);
  return { data, shape };
}
