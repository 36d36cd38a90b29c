import { describe, expect, it } from "vitest";
import { classWeights, codeLabels, encodeLabels, readTargets, readWeights } from "./labels.js";

describe("labels", () => {
  it("are sorted: numbers by size, strings by code unit, false before true", () => {
    expect(encodeLabels("f", [10, 9, 1], 3).classes).toEqual([1, 9, 10]);
    expect(encodeLabels("f", ["b", "a", "B"], 3).classes).toEqual(["B", "a", "b"]);
    expect(encodeLabels("f", [true, false], 2).classes).toEqual([false, true]);
    expect(encodeLabels("f", Int32Array.of(3, 1), 2).classes).toEqual([1, 3]);
  });

  it("are coded by their place, and counted", () => {
    const { codes, counts } = encodeLabels("f", ["x", "a", "x"], 3);
    expect(Array.from(codes)).toEqual([1, 0, 1]);
    expect(Array.from(counts)).toEqual([1, 2]);
  });

  it("of mixed types, missing or of another length are refused", () => {
    expect(() => encodeLabels("f", [1, "1"], 2)).toThrow(
      "f: y must be labels of one type, got a mixture of number and string.",
    );
    expect(() => encodeLabels("f", [1, undefined] as never, 2)).toThrow(
      "f: y[1] must be a string, a number or a boolean, got undefined.",
    );
    expect(() => encodeLabels("f", [1, Number.NaN], 2)).toThrow("y[1] must be");
    expect(() => encodeLabels("f", [1], 2)).toThrow("f: y must be as long as X has rows (2), got 1 entries.");
    expect(() => encodeLabels("f", "ab" as never, 2)).toThrow("f: y must be an array or a typed array");
  });

  it("that were never seen are named", () => {
    expect(() => codeLabels("f", ["c"], 1, ["a", "b"])).toThrow(
      'f: y[0] must be one of the classes ("a", "b"), got "c".',
    );
  });
});

describe("weights", () => {
  it("balanced classes have n / (classes × count)", () => {
    expect(Array.from(classWeights("f", "balanced", ["a", "b"], Float64Array.of(1, 3)))).toEqual([2, 2 / 3]);
  });
  it("a map may leave classes out, but not name strangers", () => {
    expect(Array.from(classWeights("f", { b: 3 }, ["a", "b"], new Float64Array(2)))).toEqual([1, 3]);
    expect(() => classWeights("f", { z: 3 }, ["a", "b"], new Float64Array(2))).toThrow(
      'a label of y (a, b), got "z"',
    );
  });
  it("must be finite, not negative and not all zero", () => {
    expect(() => readWeights("f", [1, -1], 2)).toThrow(
      "f: sampleWeight[1] must be a finite number ≥ 0, got -1.",
    );
    expect(() => readWeights("f", [0, 0], 2)).toThrow(
      "f: sampleWeight must be positive somewhere, got all zeros.",
    );
    expect(readWeights("f", undefined, 2)).toBeUndefined();
  });
  it("targets must be finite", () => {
    expect(() => readTargets("f", [1, Infinity], 2)).toThrow(
      "f: y[1] must be a finite number, got Infinity.",
    );
  });
});
