import { describe, expect, test } from "vitest";
import { bestWithin, frontier, runCascade, type Stage } from "./cascade.js";

describe("by hand", () => {
  const isPositive = Uint8Array.of(1, 0, 1, 0, 1);
  const cheap: Stage = { position: Float64Array.of(0.95, 0.05, 0.5, 0.5, 0.1), low: 0.2, high: 0.8, cost: 1 };
  const costly: Stage = { position: Float64Array.of(0, 1, 0.9, 0.4, 1), low: 0, high: 1, cost: 10 };

  test("sure rows stay in the first stage; the others pay for both", () => {
    const { stageOf, decided, stages, error, cost, falseNegatives } = runCascade(
      [cheap, costly],
      0.5,
      isPositive,
    );
    expect(Array.from(stageOf)).toEqual([0, 0, 1, 1, 0]);
    expect(Array.from(decided)).toEqual([1, 0, 1, 0, 0]);
    expect(stages).toEqual([
      { rows: 3, wrong: 1 },
      { rows: 2, wrong: 0 },
    ]);
    expect([error, falseNegatives, cost]).toEqual([0.2, 1, (5 * 1 + 2 * 10) / 5]);
  });

  test("a band from 0 to above 1 passes all on, an empty band none", () => {
    const all = runCascade([{ ...cheap, low: 0, high: 1.01 }, costly], 0.5, isPositive);
    expect(all.stages[0]!.rows).toBe(0);
    expect(all.cost).toBe(11);
    const none = runCascade([{ ...cheap, low: 0.5, high: 0.5 }, costly], 0.5, isPositive);
    expect(none.stages[1]!.rows).toBe(0);
    expect(none.cost).toBe(1);
  });

  test("three stages", () => {
    const third: Stage = { position: Float64Array.of(1, 0, 1, 0, 1), low: 0, high: 1, cost: 100 };
    const middle = { ...costly, low: 0.1, high: 0.95 };
    const { stageOf, cost } = runCascade([cheap, middle, third], 0.5, isPositive);
    expect(Array.from(stageOf)).toEqual([0, 0, 2, 2, 0]);
    expect(cost).toBe((3 * 1 + 2 * 111) / 5);
  });
});

describe("thresholds of the first stage", () => {
  // A weak and a strong model of the same 400 rows.
  const n = 400;
  const isPositive = Uint8Array.from({ length: n }, (_, e) => (e * 7919) % 2);
  const noise = (e: number, k: number) => ((Math.sin(e * 12.9898 + k * 78.233) * 43758.5453) % 1) ** 2;
  const stage = (k: number, spread: number, cost: number): Stage => ({
    position: Float64Array.from({ length: n }, (_, e) => {
      const push = isPositive[e] === 1 ? 0.75 : 0.25;
      return Math.min(1, Math.max(0, push + spread * (noise(e, k) - 0.33)));
    }),
    low: 0.3,
    high: 0.7,
    cost,
  });
  const stages = [stage(1, 1.2, 1), stage(2, 0.6, 20)];

  test("the frontier falls as cost rises, and every point is what the cascade gives", () => {
    const line = frontier(stages, 0.5, isPositive);
    expect(line.length).toBeGreaterThan(2);
    for (const [k, { low, high, cost, error }] of line.entries()) {
      if (k > 0) expect(error).toBeLessThan(line[k - 1]!.error);
      const result = runCascade([{ ...stages[0]!, low, high }, stages[1]!], 0.5, isPositive);
      expect(result.cost).toBeCloseTo(cost, 9);
      expect(result.error).toBeCloseTo(error, 9);
    }
  });

  test("the best pair keeps to the budget; an impossible budget has none", () => {
    const best = bestWithin(stages, 0.5, isPositive, 8)!;
    expect(best.cost).toBeLessThanOrEqual(8);
    expect(best.error).toBeCloseTo(
      Math.min(
        ...frontier(stages, 0.5, isPositive)
          .filter(({ cost }) => cost <= 8)
          .map(({ error }) => error),
      ),
      12,
    );
    // Pairs for four fifths keep to the budget there, and about so on the last fifth.
    expect(best.honest.cost).toBeLessThan(8 * 1.1);
    expect(Math.abs(best.honest.error - best.error)).toBeLessThan(0.05);
    expect(bestWithin(stages, 0.5, isPositive, 0.5)).toBeUndefined();
  });
});
