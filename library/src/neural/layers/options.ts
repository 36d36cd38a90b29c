import { ParameterError, show } from "../../core/errors.js";
import type { ParamSpec, ParamsTable } from "../../core/params/params.js";
import { choice, either, integer, invalid } from "../../core/params/params.js";
import type { Json } from "../../core/state/state.js";
import type { Padding } from "../autodiff/ops/images.js";

/** An option that the layer reads itself. */
export const any = (doc: string): ParamSpec<unknown> => ({
  kind: "part",
  default: undefined,
  doc,
  expected: "a value",
  read: (value) => value,
});

/** A positional argument, checked by the row of a table. */
export function readPositive(
  where: string,
  subject: string,
  value: unknown,
  spec: ParamSpec<number>,
): number {
  const own = spec.read(value);
  if (own !== invalid) return own;
  throw new ParameterError(where, subject, spec.expected, show(value));
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
