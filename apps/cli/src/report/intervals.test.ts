import { accuracyScore } from "argmax";
import { describe, expect, test } from "vitest";
import { bootstrap, usualResamples, wilson } from "./intervals.js";

describe("wilson", () => {
  test("its ends are the proportions p that are 1.96 of their own standard errors away from the observed one", () => {
    for (const [right, rows] of [
      [8, 10],
      [340, 344],
      [1, 50],
    ] as const) {
      const { low, high } = wilson(right, rows);
      for (const p of [low, high])
        expect(Math.abs(right / rows - p) / Math.sqrt((p * (1 - p)) / rows)).toBeCloseTo(1.959964, 6);
      expect(low).toBeLessThan(right / rows);
      expect(high).toBeGreaterThan(right / rows);
    }
  });

  test("never leaves [0, 1]", () => {
    expect(wilson(0, 10).low).toBe(0);
    expect(wilson(10, 10).high).toBeLessThanOrEqual(1);
    expect(wilson(10, 10).high).toBeCloseTo(1, 12);
    expect(wilson(10, 10).low).toBeCloseTo(0.7225, 4);
  });
});

describe("bootstrap", () => {
  const truth = Array.from({ length: 200 }, (_, i) => i % 4);
  const predicted = truth.map((label, i) => (i % 10 === 0 ? 3 - label : label));
  const accuracy = (sampleWeight: Float64Array) => accuracyScore(truth, predicted, { sampleWeight });

  test("draws as many rows of each group as it has", async () => {
    const sums: number[][] = [];
    const look = (weights: Float64Array) => {
      sums.push([0, 1, 2, 3].map((k) => weights.filter((_, i) => truth[i] === k).reduce((a, b) => a + b, 0)));
      return 0;
    };
    await bootstrap([look], truth, 5, 0);
    expect(sums).toEqual(Array.from({ length: 5 }, () => [50, 50, 50, 50]));
  });

  test("is about as wide as the interval of a proportion, and the same for the same seed", async () => {
    const [interval] = await bootstrap([accuracy], new Uint8Array(200), 1000, 0);
    const { low, high } = wilson(180, 200);
    expect(interval!.low).toBeCloseTo(low, 1);
    expect(interval!.high).toBeCloseTo(high, 1);
    expect(interval!.high - interval!.low).toBeGreaterThan(0.05);
    expect((await bootstrap([accuracy], new Uint8Array(200), 1000, 0))[0]).toEqual(interval);
    expect((await bootstrap([accuracy], new Uint8Array(200), 1000, 1))[0]).not.toEqual(interval);
  });

  test("gives no interval without resamples", async () => {
    expect(await bootstrap([accuracy], truth, 0, 0)).toEqual([undefined]);
  });

  test("takes 1000 resamples of few rows and 100 of many", () => {
    expect([100, 10_000, 1e7].map(usualResamples)).toEqual([1000, 200, 100]);
  });
});
