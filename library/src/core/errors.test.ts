import { describe, expect, it } from "vitest";
import { show } from "./errors.js";

describe("show", () => {
  it.each([
    [[1, 2], "[1, 2]"],
    [["a", null, undefined, true, Number.NaN, 1e-7], '["a", null, undefined, true, NaN, 1e-7]'],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what this shows
    [[1, , 3], "[1, undefined, 3]"],
    [[], "an empty array"],
    [[1, 2, 3, 4, 5, 6, 7], "an array of 7"],
    [["a word that is longer than twenty characters"], "an array of 1"],
    [[[1, 2]], "an array of 1"],
    [Float64Array.of(1, 2), "a Float64Array of 2"],
  ])("writes short arrays of scalars out, and counts others: %#", (value, text) => {
    expect(show(value)).toBe(text);
  });
});
