import { describe, expect, test } from "vitest";
import { meanInterval, rocAucInterval, wilsonInterval } from "./intervals.js";

describe("intervals", () => {
  test("the ends of wilsonInterval are the proportions p with |p̂ − p| = z √(p (1 − p) / n)", () => {
    for (const [successes, n] of [
      [8, 10],
      [180, 200],
      [1, 3],
    ] as const)
      for (const p of wilsonInterval(successes, n))
        expect(Math.abs(successes / n - p)).toBeCloseTo(1.959963984540054 * Math.sqrt((p * (1 - p)) / n), 12);
    expect(wilsonInterval(8, 10)).toEqual([expect.closeTo(0.4902, 4), expect.closeTo(0.9433, 4)]);
    expect(wilsonInterval(0, 10)[0]).toBe(0);
    expect(wilsonInterval(10, 10)).toEqual([expect.closeTo(0.7225, 4), 1]);
    expect(wilsonInterval(0, 0)).toEqual([0, 1]);
  });

  test("rocAucInterval has Hanley and McNeil's standard error: for 0.9 of 25 and 25 rows, by their formula", () => {
    const [q1, q2] = [0.9 / 1.1, 1.62 / 1.9];
    const error = Math.sqrt((0.09 + 24 * (q1 - 0.81) + 24 * (q2 - 0.81)) / 625);
    expect(rocAucInterval(0.9, 25, 25)[0]).toBeCloseTo(0.9 - 1.959964 * error, 5);
    expect(rocAucInterval(1, 5, 5)).toEqual([1, 1]);
  });

  test("meanInterval is mean ± z s/√n", () => {
    const [low, high] = meanInterval([1, 2, 3, 4, 5]);
    expect((low + high) / 2).toBeCloseTo(3, 12);
    expect((high - low) / 2).toBeCloseTo(1.959964 * Math.sqrt(2.5 / 5), 5);
    expect(meanInterval([7])).toEqual([7, 7]);
  });

  test("less confidence gives narrower intervals, and 1 is refused", () => {
    const width = (confidence: number) => {
      const [low, high] = wilsonInterval(8, 10, { confidence });
      return high - low;
    };
    expect(width(0.5)).toBeLessThan(width(0.95));
    expect(() => wilsonInterval(8, 10, { confidence: 1 })).toThrow("wilsonInterval: confidence must be");
  });
});
