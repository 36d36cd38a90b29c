import { describe, expect, it } from "vitest";
import { fc } from "../../test/support/properties.js";
import { clipped, coupled, fitSigmoid, stratifiedFolds } from "./sigmoid-calibration.js";

/** Margins, labels and weights; margins of one class tend to be larger. */
const scored = fc
  .array(
    fc.record({
      f: fc.integer({ min: -40, max: 40 }),
      sign: fc.constantFrom(1, -1),
      weight: fc.integer({ min: 1, max: 8 }).map((v) => v / 4),
    }),
    { minLength: 4, maxLength: 40 },
  )
  .map((rows) => ({
    f: Float64Array.from(rows, ({ f, sign }) => f / 16 + sign),
    y: Float64Array.from(rows, ({ sign }) => sign),
    weights: Float64Array.from(rows, ({ weight }) => weight),
  }));

/** Platt's targets: short of 1 and 0 by what one more row of each class would make of them. */
function targetsOf(y: Float64Array, weights: Float64Array): Float64Array {
  const count = (sign: number) => y.reduce((sum, v, i) => sum + (v === sign ? weights[i]! : 0), 0);
  const [positive, negative] = [count(1), count(-1)];
  return y.map((v) => (v > 0 ? (positive + 1) / (positive + 2) : 1 / (negative + 2)));
}

/** −Σ s [t log p + (1 − t) log(1 − p)], p = 1/(1 + e^(a f + b)). */
function costOf(a: number, b: number, f: Float64Array, targets: Float64Array, weights: Float64Array): number {
  return f.reduce((sum, v, i) => {
    const z = a * v + b;
    const [logP, logQ] = [-Math.log1p(Math.exp(z)), -Math.log1p(Math.exp(-z))];
    return sum - weights[i]! * (targets[i]! * logP + (1 - targets[i]!) * logQ);
  }, 0);
}

/** The minimum of a convex function of one number in [−50, 50]. */
function lowest(of: (v: number) => number): number {
  let [from, to] = [-50, 50];
  for (let step = 0; step < 80; step++) {
    const [left, right] = [from + (to - from) / 3, to - (to - from) / 3];
    if (of(left) < of(right)) to = right;
    else from = left;
  }
  return (from + to) / 2;
}

describe("fitSigmoid", () => {
  it("ends where both slopes of the log loss are 0", () => {
    fc.assert(
      fc.property(scored, ({ f, y, weights }) => {
        const { a, b } = fitSigmoid(f, y, weights);
        const targets = targetsOf(y, weights);
        const slope = (of: (i: number) => number) =>
          f.reduce((sum, v, i) => {
            const p = 1 / (1 + Math.exp(a * v + b));
            return sum + weights[i]! * (targets[i]! - p) * of(i);
          }, 0);
        // It stops at slopes of 1e-5.
        expect(Math.abs(slope(() => 1))).toBeLessThan(1.1e-5);
        expect(Math.abs(slope((i) => f[i]!))).toBeLessThan(1.1e-5);
      }),
    );
  });

  it("finds the minimum that a search in nested intervals finds", () => {
    fc.assert(
      fc.property(scored, ({ f, y, weights }) => {
        const targets = targetsOf(y, weights);
        const cost = (a: number, b: number) => costOf(a, b, f, targets, weights);
        const best = lowest((a) =>
          cost(
            a,
            lowest((b) => cost(a, b)),
          ),
        );
        const { a, b } = fitSigmoid(f, y, weights);
        const least = cost(
          best,
          lowest((c) => cost(best, c)),
        );
        expect(cost(a, b)).toBeLessThanOrEqual(least + 1e-8);
      }),
      { numRuns: 15 },
    );
  });

  it("takes a row of weight 2 for two rows", () => {
    const f = Float64Array.of(-1, -0.5, 0.3, 0.2, 1, 2);
    const y = Float64Array.of(-1, -1, -1, 1, 1, 1);
    const one = fitSigmoid(f, y, Float64Array.of(2, 1, 1, 1, 2, 1));
    const two = fitSigmoid(Float64Array.of(-1, ...f, 1), Float64Array.of(-1, ...y, 1));
    expect(one.a).toBeCloseTo(two.a, 5);
    expect(one.b).toBeCloseTo(two.b, 5);
  });

  it("stays finite, and short of certainty, where margins separate the classes or are all the same", () => {
    const far = fitSigmoid(Float64Array.of(-1e3, -999, 999, 1e3), Float64Array.of(-1, -1, 1, 1));
    const at = ({ a, b }: { a: number; b: number }, f: number) => 1 / (1 + Math.exp(a * f + b));
    // (N₊ + 1)/(N₊ + 2) of two rows.
    expect(at(far, 1e3)).toBeCloseTo(0.75, 2);
    expect(at(far, -1e3)).toBeCloseTo(0.25, 2);
    const same = fitSigmoid(Float64Array.of(2, 2, 2, 2), Float64Array.of(-1, 1, 1, 1));
    // The mean of the targets 1/3, and three times 4/5.
    expect(at(same, 2)).toBeCloseTo((1 / 3 + 3 * 0.8) / 4, 5);
    const single = fitSigmoid(Float64Array.of(1, 2, 3), Float64Array.of(1, 1, 1));
    expect(at(single, 2)).toBeCloseTo(0.8, 5);
  });
});

/** Probabilities of pairs, r[i][j] + r[j][i] = 1. */
const pairs = fc.integer({ min: 2, max: 8 }).chain((K) =>
  fc.array(fc.integer({ min: 1, max: 99 }), { minLength: K * K, maxLength: K * K }).map((draws) => {
    const r = new Float64Array(K * K);
    for (let i = 0; i < K; i++) {
      for (let j = i + 1; j < K; j++) {
        r[i * K + j] = draws[i * K + j]! / 100;
        r[j * K + i] = 1 - r[i * K + j]!;
      }
    }
    return { K, r };
  }),
);

describe("coupled", () => {
  it("gives probabilities that sum to 1 and meet the conditions of its problem", () => {
    fc.assert(
      fc.property(pairs, ({ K, r }) => {
        const p = coupled(r, K);
        expect(p.reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 12);
        // Slopes (Qp)_i of ½ Σ_ij (r_ji p_i − r_ij p_j)² are equal, since only Σ p = 1 binds.
        const slopes = Array.from(p, (own, i) =>
          p.reduce((sum, other, j) => {
            const [rij, rji] = [r[i * K + j]!, r[j * K + i]!];
            return i === j ? sum : sum + rji * (rji * own - rij * other);
          }, 0),
        );
        const mean = slopes.reduce((sum, slope, i) => sum + p[i]! * slope, 0);
        for (const [i, slope] of slopes.entries()) {
          expect(p[i]).toBeGreaterThanOrEqual(0);
          // LIBSVM's rule for stopping.
          expect(Math.abs(slope - mean)).toBeLessThanOrEqual((1 + 1e-9) * (0.005 / K));
        }
      }),
    );
  });

  it("of two classes is what the pair says", () => {
    for (const r of [0.001, 0.2, 0.5, 0.73, 0.999]) {
      const [p, q] = coupled(Float64Array.of(0, r, 1 - r, 0), 2);
      // Where it stops, slopes of at least (p − r)/2 are below 0.0025.
      expect(Math.abs(p! - r)).toBeLessThan(0.005);
      expect(p! + q!).toBeCloseTo(1, 12);
    }
  });

  it("finds the classes' probabilities where those of pairs agree with each other", () => {
    const truth = [0.4, 0.3, 0.15, 0.1, 0.05];
    const r = Float64Array.from({ length: 25 }, (_, e) => {
      const [i, j] = [Math.floor(e / 5), e % 5];
      return i === j ? 0 : truth[i]! / (truth[i]! + truth[j]!);
    });
    coupled(r, 5).forEach((v, k) => {
      expect(Math.abs(v - truth[k]!)).toBeLessThan(0.005);
    });
  });

  it("never meets certainty, which would leave it without a solution", () => {
    expect(clipped(0)).toBe(1e-7);
    expect(clipped(1)).toBe(1 - 1e-7);
    expect(clipped(0.3)).toBe(0.3);
  });
});

describe("stratifiedFolds", () => {
  it("gives every fold its proportion of both classes, the same for the same seed", () => {
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.nat({ max: 40 }), fc.nat(), (positive, negative, seed) => {
        const y = Float64Array.from({ length: positive + negative }, (_, i) => (i < positive ? 1 : -1));
        const folds = stratifiedFolds(y, seed);
        for (const sign of [1, -1]) {
          const counts = [0, 1, 2, 3, 4].map(
            (fold) => y.filter((v, i) => v === sign && folds[i] === fold).length,
          );
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
        expect(stratifiedFolds(y, seed)).toEqual(folds);
      }),
    );
    const y = Float64Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 1 : -1));
    expect(stratifiedFolds(y, 1)).not.toEqual(stratifiedFolds(y, 2));
  });
});
