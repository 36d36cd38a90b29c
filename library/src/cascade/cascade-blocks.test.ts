import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { allowanceFor, cutBlocks, guaranteeFor } from "./cascade-blocks.js";

const ones = (n: number) => new Array<number>(n).fill(1);
const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;

describe("allowanceFor", () => {
  it("gives up B of P + 1 blocks on average, B ≤ (1 − s)(P + 1)", () => {
    for (const [P, s, B] of [
      [9, 0.9, 1],
      [8, 0.9, 0],
      [19, 0.9, 2],
      [44, 0.95, 2],
      [148, 0.95, 7],
      [999, 0.98, 20],
    ] as const) {
      const { blocks, positives, unit } = allowanceFor(ones(P), s, null);
      expect(Math.floor(blocks)).toBe(B);
      expect([positives, unit]).toEqual([P, 1]);
    }
  });

  it("has the sample sizes of Wilks with a confidence", () => {
    // The tables of one-sided tolerance limits [Wilks 1941]: 59, 93, 124 for 95 %/95 %, 299 for 99 %/95 %.
    const sizes: [number, number, number, number][] = [
      [0.95, 0.95, 59, 1],
      [0.95, 0.95, 93, 2],
      [0.95, 0.95, 124, 3],
      [0.99, 0.95, 299, 1],
      [0.9, 0.95, 29, 1],
    ];
    for (const [s, confidence, n, B] of sizes) {
      expect(allowanceFor(ones(n), s, confidence).blocks).toBe(B);
      expect(allowanceFor(ones(n - 1), s, confidence).blocks).toBe(B - 1);
    }
  });

  it("stays exact for many positives, whose first probabilities are below the smallest number", () => {
    const n = 200_000;
    const { blocks } = allowanceFor(ones(n), 0.9, 0.95);
    // The normal approximation: n q − 1.645 √(n q s); its error here is below 2.
    expect(Math.abs(blocks - (n * 0.1 - 1.6449 * Math.sqrt(n * 0.09)))).toBeLessThan(2);
  });

  it("counts weighted positives by their effective number", () => {
    expect(allowanceFor([1, 0.5, 0.5], 0.5, null).positives).toBeCloseTo(4 / 1.5, 12);
    expect(allowanceFor(ones(30).fill(7), 0.9, null)).toEqual({
      ...allowanceFor(ones(30), 0.9, null),
      unit: 7,
    });
    const uneven = allowanceFor([1, 1, 1, 1, 4], 0.5, null);
    expect(uneven.positives).toBeCloseTo(64 / 20, 12);
  });
});

describe("guaranteeFor", () => {
  it("has the mean and the tail of a beta distribution", () => {
    // P(Binomial(10, 0.2) ≥ 1) = 1 − 0.8¹⁰, P(… ≥ 2) = that − 10 × 0.2 × 0.8⁹
    expect(guaranteeFor(10, 1, 0.8).confidence).toBeCloseTo(1 - 0.8 ** 10, 14);
    expect(guaranteeFor(10, 2, 0.8).confidence).toBeCloseTo(1 - 0.8 ** 10 - 2 * 0.8 ** 9, 14);
    expect(guaranteeFor(10, 2, 0.8).expected).toBeCloseTo(9 / 11, 14);
    expect(guaranteeFor(10, 0, 0.8)).toEqual({ positives: 10, expected: 1, confidence: 1 });
    expect(guaranteeFor(10, 1, 1).confidence).toBe(0);
  });
});

describe("cut", () => {
  it("is the score of the last positive that may be given up, and leaves those above it", () => {
    const scores = Float64Array.of(5, 1, 4, 2, 3);
    const one = new Float64Array(5).fill(1);
    expect(cutBlocks(scores, [0, 1, 2, 3, 4], one, 2)).toEqual({ threshold: 2, left: [4, 2, 0], spent: 2 });
    expect(cutBlocks(scores, [0, 2], one, 1.9)).toEqual({ threshold: 4, left: [0], spent: 1 });
    expect(cutBlocks(scores, [0, 1], one, 0.5)).toEqual({ threshold: -Infinity, left: [1, 0], spent: 0 });
  });

  it("guarantees the sensitivity on new positives, for any allocation of blocks to stages", () => {
    const P = 30;
    const runs = 4000;
    // Stages whose scores have something to do with each other: z, z + noise, and a mixture of both.
    const scoresOf = (random: Random) => {
      const z = random.normal();
      const other = z + random.normal();
      return [z, other, Math.abs(z - other)];
    };
    for (const shares of [[4], [2, 2], [1, 1, 2], [0, 3, 1]]) {
      const random = new Random(11);
      const one = new Float64Array(P).fill(1);
      const passes = Array.from({ length: runs }, () => {
        const seen = Array.from({ length: P }, () => scoresOf(random));
        let left: readonly number[] = [...seen.keys()];
        const thresholds = shares.map((share, s) => {
          const made = cutBlocks(
            Float64Array.from(seen, (z) => z[s]!),
            left,
            one,
            share,
          );
          left = made.left;
          return made.threshold;
        });
        const next = scoresOf(random);
        return thresholds.every((t, s) => next[s]! >= t) ? 1 : 0;
      });
      const { expected } = guaranteeFor(P, 4, 0.9);
      // Exact but for the draw: three standard errors of a proportion among 4000.
      const error = Math.sqrt((expected * (1 - expected)) / runs);
      expect(Math.abs(mean(passes) - expected)).toBeLessThan(3 * error);
    }
  });

  it("has a higher sensitivity than guaranteed if scores tie", () => {
    const random = new Random(5);
    const runs = 2000;
    const draw = () => [random.below(4), random.below(4)];
    const one = new Float64Array(19).fill(1);
    const passes = Array.from({ length: runs }, () => {
      const seen = Array.from({ length: 19 }, draw);
      const first = cutBlocks(
        Float64Array.from(seen, ([a]) => a!),
        [...seen.keys()],
        one,
        2,
      );
      const second = cutBlocks(
        Float64Array.from(seen, ([, b]) => b!),
        first.left,
        one,
        2,
      );
      const [a, b] = draw();
      return a! >= first.threshold && b! >= second.threshold ? 1 : 0;
    });
    expect(mean(passes)).toBeGreaterThan(guaranteeFor(19, 4, 0.8).expected);
  });
});
