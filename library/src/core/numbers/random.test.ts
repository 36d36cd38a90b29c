import { describe, expect, it } from "vitest";
import { Random } from "./random.js";

describe("Random", () => {
  it("draws these numbers from seed 42, on every platform and for ever", () => {
    const random = new Random(42);
    const drawn = Array.from({ length: 5 }, () => random.uint32());
    expect(drawn).toEqual([2837322924, 544945897, 479756282, 3500138142, 339756180]);
  });

  it("gives different streams for seeds that differ only above 2³²", () => {
    expect(new Random(1).uint32()).not.toBe(new Random(1 + 2 ** 32).uint32());
  });

  it("is uniform: mean ½ and variance 1/12", () => {
    const random = new Random(7);
    const draws = Array.from({ length: 20_000 }, () => random.uniform());
    const mean = draws.reduce((a, b) => a + b, 0) / draws.length;
    const variance = draws.reduce((a, b) => a + (b - mean) ** 2, 0) / draws.length;
    // Standard errors 0.002 and 0.0005; five of them.
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.01);
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(0.0027);
  });

  it("is normal: mean 0, variance 1, kurtosis 3", () => {
    const random = new Random(8);
    const draws = Array.from({ length: 20_000 }, () => random.normal());
    const moment = (p: number) => draws.reduce((a, b) => a + b ** p, 0) / draws.length;
    expect(Math.abs(moment(1))).toBeLessThan(0.035);
    expect(Math.abs(moment(2) - 1)).toBeLessThan(0.05);
    expect(Math.abs(moment(4) - 3)).toBeLessThan(0.35);
  });

  it("below(n) reaches every number and nothing else", () => {
    const random = new Random(9);
    const seen = new Set(Array.from({ length: 500 }, () => random.below(7)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("a permutation has every index once", () => {
    expect(Array.from(new Random(3).permutation(50)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => i),
    );
  });

  it("refuses a seed that is not an integer", () => {
    expect(() => new Random(0.5)).toThrow("Random: the seed must be an integer, got 0.5.");
  });
});
