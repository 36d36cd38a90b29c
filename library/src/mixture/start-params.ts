import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { invalid, numbers, optional, type ParamSpec, type ParamValues } from "../core/params/params.js";

/** Numbers in lists of lists, as deep as the shape that fit requires; kept as frozen plain arrays, so that they are JSON. */
export type NestedNumbers = readonly (number | NestedNumbers)[];

function nestedNumbers(doc: string, expected: string): ParamSpec<NestedNumbers | null> {
  const read = (value: unknown): NestedNumbers | typeof invalid => {
    if (!isArrayLike(value) || value.length === 0) return invalid;
    const list: (number | NestedNumbers)[] = [];
    for (const entry of Array.from(value)) {
      const own = typeof entry === "number" ? (Number.isFinite(entry) ? entry : invalid) : read(entry);
      if (own === invalid) return invalid;
      list.push(own);
    }
    return Object.freeze(list);
  };
  return optional({ kind: "nested", default: [], doc, expected, read });
}

/** Where EM begins, instead of at `initParams`. */
export const startParams = {
  weightsInit: optional(
    numbers({ above: 0, atMost: 1, default: [], doc: "First mixing coefficients; they sum to 1." }),
  ),
  meansInit: nestedNumbers("First means, K rows.", "K rows of numbers"),
  precisionsInit: nestedNumbers(
    "First inverse covariances: K × d × d (full), d × d (tied), K × d (diag) or K (spherical).",
    "numbers in lists as deep as the covarianceType requires",
  ),
};
export type StartParams = ParamValues<typeof startParams>;
