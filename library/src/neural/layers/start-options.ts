import { oneOf } from "../../core/errors.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { invalid, type ParamSpec } from "../../core/params/params.js";
import type { Json } from "../../core/state/state.js";
import { type NestedNumbers, readTensor } from "../autodiff/arrays.js";
import { type Start, type WeightStart, weightStarts } from "../network/initialization.js";

/** The name of an initialisation, or the numbers themselves. */
export const startSpec = (doc: string): ParamSpec<WeightStart | NestedNumbers | undefined> => ({
  kind: "start",
  default: undefined,
  doc,
  expected: `${oneOf(weightStarts)}, or the numbers`,
  read: (value) => {
    const name = weightStarts.find((known) => known === value);
    if (name !== undefined) return name;
    return isArrayLike(value) ? (value as NestedNumbers) : invalid;
  },
});

/** The numbers themselves: biases have no initialisation by name. */
export const numbersSpec = (doc: string): ParamSpec<NestedNumbers | undefined> => ({
  kind: "start",
  default: undefined,
  doc,
  expected: "an array of numbers",
  read: (value) => (isArrayLike(value) ? (value as NestedNumbers) : invalid),
});

/** Given numbers as the start of a parameter; undefined if a name or nothing was given. */
export function givenStart(start: WeightStart | NestedNumbers | undefined): Start | undefined {
  if (start === undefined || typeof start === "string") return undefined;
  const { data, shape } = readTensor("start", "the numbers", start);
  return { kind: "given", values: data, shape };
}

/** For toJSON: typed arrays become plain ones. */
export function startJson(start: WeightStart | NestedNumbers): Json {
  if (typeof start === "string" || typeof start === "number") return start;
  return Array.from(start as readonly NestedNumbers[], startJson);
}
