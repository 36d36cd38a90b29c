import { describe, expect, it } from "vitest";
import { DataError, show } from "./errors.js";

describe("ArgmaxError", () => {
  const details = { where: "Ridge.fit", subject: "y", expected: "finite", received: "NaN" };

  it.each([undefined, "Leave the row out."])(
    "takes its details by name or in the order of the message: %s",
    (advice) => {
      const named = new DataError({ ...details, ...(advice !== undefined && { advice }) });
      const ordered = new DataError("Ridge.fit", "y", "finite", "NaN", advice);
      expect(ordered.message).toBe(`Ridge.fit: y must be finite, got NaN.${advice ? ` ${advice}` : ""}`);
      expect({ ...ordered }).toEqual({ ...named });
      expect(named.message).toBe(ordered.message);
    },
  );
});

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
