import { oneOf, ParameterError, show } from "../../core/errors.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import {
  choice,
  either,
  integer,
  invalid,
  type ParamSpec,
  type ParamsTable,
} from "../../core/params/params.js";
import type { Json } from "../../core/state/state.js";
import { type NestedNumbers, readTensor } from "../autodiff/arrays.js";
import type { Padding } from "../autodiff/ops/images.js";
import { type Start, type WeightStart, weightStarts } from "../network/initialization.js";

/** An option that the layer reads itself. */
export const any = (doc: string): ParamSpec<unknown> => ({
  kind: "part",
  default: undefined,
  doc,
  expected: "a value",
  read: (value) => value,
});

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

/** A positional argument, checked by the row of a table. */
export function readPositive(
  where: string,
  subject: string,
  value: unknown,
  spec: ParamSpec<number>,
): number {
  const own = spec.read(value);
  if (own !== invalid) return own;
  throw new ParameterError({ where, subject, expected: spec.expected, received: show(value) });
}

/** A positional argument that is a whole number ≥ 1: units, filters, heads, the size of a window. */
export const readCount = (where: string, subject: string, value: unknown): number =>
  readPositive(where, subject, value, integer({ atLeast: 1, default: 1, doc: "" }));

/** For toJSON: the options that are not at their default. */
export function optionsJson(
  table: ParamsTable,
  values: Readonly<Record<string, Json | undefined>>,
): Readonly<Record<string, Json>> {
  const changed = Object.entries(values).filter(
    ([name, value]) => value !== undefined && value !== table[name]?.default,
  );
  return Object.fromEntries(changed) as Record<string, Json>;
}

/** "valid", "same", or the number of zeros on every side. */
export const paddingSpec = (doc: string): ParamSpec<Padding> =>
  either(
    choice(["valid", "same"], { default: "valid", doc }) as ParamSpec<Padding>,
    integer({ atLeast: 0, default: 0, doc }),
  );
