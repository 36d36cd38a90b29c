import { invalid, type ParamSpec } from "../core/params/params.js";

/** A list of sizes of layers; a number is a list of one. */
export const layerSizes = (usual: readonly number[], doc: string): ParamSpec<readonly number[] | number> => ({
  kind: "numbers",
  default: Object.freeze([...usual]),
  doc,
  expected: "an integer ≥ 1, or an array of them",
  range: { atLeast: 1 },
  read: (value) => {
    const list = typeof value === "number" ? [value] : value;
    if (!Array.isArray(list) || !list.every((size) => Number.isSafeInteger(size) && size >= 1))
      return invalid;
    return Object.freeze([...(list as number[])]);
  },
});
