import { FormatError, show } from "../errors.js";
import { asFloat64Array, asInt32Array } from "../numbers/typed-arrays.js";

/** JSON without surprises: what a saved model's header may hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type TensorData = Float64Array | Float32Array | Int32Array | Uint8Array;

export interface Tensor {
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** A fitted model at rest: plain values and named tensors, nested for pipelines. */
export interface ModelState {
  /** The estimator's id. */
  readonly kind: string;
  /** The estimator's parameters, defaults included. */
  readonly params: Readonly<Record<string, Json>>;
  readonly values: Readonly<Record<string, Json>>;
  readonly tensors: Readonly<Record<string, Tensor>>;
  /** Fitted parts, e.g. the steps of a pipeline. */
  readonly parts?: readonly ModelState[];
}

/** Reads a state with checks, so that a damaged file is a FormatError and never a wrong prediction. */
export class StateReader {
  readonly where: string;
  constructor(readonly state: ModelState) {
    this.where = `loadModel(${state.kind})`;
  }

  /** A tensor of 64-bit floats with the given shape; −1 in the shape matches any size. */
  floats(name: string, shape: readonly number[]): Float64Array {
    return this.checked(name, shape, "free of NaN", (value) => !Number.isNaN(value));
  }

  /** The same without infinities. */
  finite(name: string, shape: readonly number[]): Float64Array {
    return this.checked(name, shape, "finite numbers", Number.isFinite);
  }

  integers(name: string, shape: readonly number[]): Int32Array {
    const tensor = this.tensor(name, shape);
    return asInt32Array(tensor.data) ?? this.fail(name, "32-bit integers", show(tensor.data));
  }

  number(name: string): number {
    const value = this.state.values[name];
    if (typeof value !== "number") this.fail(name, "a number", show(value));
    return value;
  }

  count(name: string): number {
    const value = this.number(name);
    if (!Number.isSafeInteger(value) || value < 0) this.fail(name, "a whole number", show(value));
    return value;
  }

  flag(name: string): boolean {
    return this.value(name, "true or false", (value): value is boolean => typeof value === "boolean");
  }

  text(name: string): string {
    const value = this.state.values[name];
    if (typeof value !== "string") this.fail(name, "a string", show(value));
    return value;
  }

  /** At least `least` distinct labels of one type. */
  labels(name: string, least = 1): readonly (string | number | boolean)[] {
    const value = this.state.values[name];
    if (!Array.isArray(value) || value.length < least)
      this.fail(name, `a list of ${least} or more labels`, show(value));
    const kinds = new Set(value.map((label) => typeof label));
    const plain = ["string", "number", "boolean"].includes([...kinds][0] ?? "");
    if (kinds.size !== 1 || !plain || new Set(value).size !== value.length) {
      this.fail(name, "distinct labels of one type", show(value));
    }
    return Object.freeze([...value]) as readonly (string | number | boolean)[];
  }

  /** Any plain value, checked by `accepts`. */
  value<T>(name: string, expected: string, accepts: (value: unknown) => value is T): T {
    const value: unknown = this.state.values[name];
    if (!accepts(value)) this.fail(name, expected, show(value));
    return value;
  }

  fail(subject: string, expected: string, received: string): never {
    throw new FormatError(this.where, subject, expected, received);
  }

  /** A tensor of 64-bit floats that are all accepted. */
  checked(
    name: string,
    shape: readonly number[],
    expected: string,
    accepts: (value: number) => boolean,
  ): Float64Array {
    const tensor = this.tensor(name, shape);
    const data = asFloat64Array(tensor.data) ?? this.fail(name, "64-bit floats", show(tensor.data));
    for (let e = 0; e < data.length; e++) if (!accepts(data[e]!)) this.fail(name, expected, `${data[e]}`);
    return data;
  }

  tensor(name: string, shape: readonly number[]): Tensor {
    const tensor = Object.hasOwn(this.state.tensors, name) ? this.state.tensors[name] : undefined;
    if (tensor === undefined) this.fail(`tensor ${show(name)}`, "present", "nothing");
    const fits =
      tensor.shape.length === shape.length &&
      shape.every((size, a) => size === -1 || size === tensor.shape[a]);
    if (!fits) this.fail(`tensor ${show(name)}`, `of shape [${shape}]`, `[${tensor.shape}]`);
    return tensor;
  }
}
