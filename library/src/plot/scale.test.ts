import { describe, expect, it } from "vitest";
import { extent, scale, tickLabels, ticks } from "./scale.js";

describe("ticks", () => {
  it("are round numbers within the range", () => {
    expect(ticks(0, 1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticks(-3, 12)).toEqual([-2, 0, 2, 4, 6, 8, 10, 12]);
    expect(ticks(0.001, 0.0035)).toEqual([0.001, 0.0015, 0.002, 0.0025, 0.003, 0.0035]);
    expect(ticks(3, 3)).toEqual([3]);
  });

  it("have labels with the same number of decimals", () => {
    expect(tickLabels([0, 0.5, 1])).toEqual(["0.0", "0.5", "1.0"]);
    expect(tickLabels([-2, 0])).toEqual(["−2", "0"]);
    expect(tickLabels([0, 2e6])).toEqual(["0.0e+0", "2.0e+6"]);
  });
});

describe("scale", () => {
  it("is linear, also from high to low", () => {
    expect(scale([0, 10], 100, 0)(2.5)).toBe(75);
  });
});

describe("extent", () => {
  it("leaves out what is no number, and is never empty", () => {
    expect(extent([3, Number.NaN, -1, Infinity])).toEqual([-1, 3]);
    expect(extent([])).toEqual([0, 1]);
    expect(extent([2])).toEqual([1.5, 2.5]);
  });
});
