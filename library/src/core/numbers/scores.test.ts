import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  argmax,
  logAddExp,
  logOneVsRest,
  logPosteriors,
  logProbabilities,
  logSumExp,
  normalizeInto,
  oneVsRest,
  posteriors,
  predictedClasses,
} from "./scores.js";

const relative = (a: number, b: number) => (a === b ? 0 : Math.abs(a - b) / Math.abs(b));
const scores = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 2, maxLength: 6 });

describe("argmax and predictedClasses", () => {
  it("take the first of equal scores, and no NaN", () => {
    expect(argmax([1, 3, 3])).toBe(1);
    expect(argmax([9, 1, 3, 3, 7], 1, 3)).toBe(1);
    expect(argmax([-Infinity, -Infinity])).toBe(0);
    expect(predictedClasses(["a", "b"], Float64Array.of(0, 1e-300, -1), 1)).toEqual(["a", "b", "a"]);
    expect(predictedClasses(["a", "b"], Float64Array.of(2, 2, 1, 3), 2)).toEqual(["a", "b"]);
  });
});

describe("posteriors", () => {
  it("of log-odds have both tails", () => {
    const p = posteriors(Float64Array.of(-700, 700, 0), 1);
    expect(relative(p[1]!, Math.exp(-700))).toBeLessThan(1e-14);
    expect([...p]).toEqual([1, p[1], p[1], 1, 0.5, 0.5]);
  });
  it("of more classes are the softmax, whatever is added to a row", () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: -1000, max: 1000 }), (z, c) => {
        // Halves are exact, so that adding c changes no difference of two scores.
        const rounded = z.map((v) => Math.round(2 * v) / 2);
        const p = posteriors(Float64Array.from(rounded), z.length);
        expect(p).toEqual(
          posteriors(
            Float64Array.from(rounded, (v) => v + c),
            z.length,
          ),
        );
        expect(p.reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 14);
        expect(argmax(p)).toBe(argmax(rounded));
      }),
    );
  });
});

describe("logPosteriors", () => {
  it("are finite where probabilities underflow", () => {
    expect([...logPosteriors(Float64Array.of(1e300, -1e300), 1)]).toEqual([-1e300, 0, 0, -1e300]);
    expect([...logPosteriors(Float64Array.of(1000, -1000, 0), 3)]).toEqual([0, -2000, -1000]);
  });
  it("are not 0 where the probability rounds to 1", () => {
    // log p = −log(1 + e^−40) = −e^−40 (1 − e^−40/2 + …)
    expect(relative(logPosteriors(Float64Array.of(40), 1)[1]!, -Math.exp(-40))).toBeLessThan(1e-15);
    const three = logPosteriors(Float64Array.of(0, -40, -41), 3);
    expect(relative(three[0]!, -(Math.exp(-40) + Math.exp(-41)))).toBeLessThan(1e-15);
  });
  it("are logarithms of the posteriors", () => {
    fc.assert(
      fc.property(scores, (z) => {
        const cols = z.length === 2 ? 1 : z.length;
        const given = Float64Array.from(z);
        const logs = logPosteriors(given, cols);
        for (const [e, p] of posteriors(given, cols).entries())
          if (p < 0.9) expect(relative(logs[e]!, Math.log(p))).toBeLessThan(1e-13);
      }),
    );
  });
});

describe("one class against the rest", () => {
  it("divides sigmoids by their sum", () => {
    const p = oneVsRest(Float64Array.of(0, 0, 1000), 3);
    expect([...p]).toEqual([0.25, 0.25, 0.5]);
  });
  it("has probabilities also where all sigmoids underflow", () => {
    // σ(z) = e^z far below 0, so that this is the softmax.
    const z = Float64Array.of(-1000, -1001, -1002);
    for (const [k, p] of posteriors(z, 3).entries()) {
      expect(relative(oneVsRest(z, 3)[k]!, p)).toBeLessThan(1e-15);
      expect(relative(logOneVsRest(z, 3)[k]!, logPosteriors(z, 3)[k]!)).toBeLessThan(1e-12);
    }
  });
  it("has logarithms where one of them underflows", () => {
    const logs = logOneVsRest(Float64Array.of(-2000, 50, 40), 3);
    const sum = 1 / (1 + Math.exp(-50)) + 1 / (1 + Math.exp(-40));
    expect(logs[0]).toBeCloseTo(-2000 - Math.log(sum), 11);
    expect(logs[1]).toBeCloseTo(-Math.log(sum), 14);
  });
});

describe("sums of exponentials", () => {
  it("logSumExp neither overflows nor loses the small ones", () => {
    expect(logSumExp(Float64Array.of(1000, 1000))).toBeCloseTo(1000 + Math.LN2, 12);
    expect(logSumExp(Float64Array.of(-Infinity, -Infinity))).toBe(-Infinity);
    expect(logSumExp(Float64Array.of(0, -40))).toBeCloseTo(Math.exp(-40), 30);
    expect(logAddExp(-2000, -Infinity)).toBe(-2000);
    expect(logAddExp(-Infinity, -Infinity)).toBe(-Infinity);
    expect(logAddExp(-1000, -1000)).toBeCloseTo(Math.LN2 - 1000, 12);
  });
});

describe("logProbabilities", () => {
  it("are −∞ for 0, and of a p near 1 come from the others", () => {
    const logs = logProbabilities(Float64Array.of(1, 0, 1, 1e-20, 0.25, 0.75), 2);
    expect([...logs]).toEqual([0, -Infinity, -1e-20, Math.log(1e-20), Math.log(0.25), Math.log(0.75)]);
  });
});

describe("normalizeInto", () => {
  it("makes all equal where all are 0", () => {
    const list = Float64Array.of(7, 1, 3, 0, 0);
    normalizeInto(1, 2, list);
    normalizeInto(3, 2, list);
    expect([...list]).toEqual([7, 0.25, 0.75, 0.5, 0.5]);
  });
});
