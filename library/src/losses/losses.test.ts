import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Matrix } from "../data/matrix.js";
import { openRowSum } from "../numeric/rows/open-row-sum.js";
import { dualLosses, type MarginLoss, piecewiseLinearLosses, smoothLosses } from "./loss.js";
import * as losses from "./losses.js";

const all: readonly MarginLoss[] = [
  losses.squared(),
  losses.logistic(),
  losses.hinge(),
  losses.squaredHinge(),
  losses.perceptron(),
  losses.exponential(),
  losses.poisson(),
  losses.huber(0.7),
  losses.absolute(),
  losses.quantile(0.3),
  losses.epsilonInsensitive(0.25),
  losses.squaredEpsilonInsensitive(0.25),
  losses.modifiedHuber(),
];
const targetsOf = ({ targets }: MarginLoss) =>
  ({
    signs: fc.constantFrom(-1, 1),
    counts: fc.nat(9),
    numbers: fc.double({ min: -4, max: 4, noNaN: true }),
  })[targets];
const margin = fc.double({ min: -4, max: 4, noNaN: true });
/** Distance from the points where a loss or its derivative has a kink. */
const kinks = (loss: MarginLoss, z: number, y: number): number => {
  const m = y * z;
  const r = z - y;
  const at: Record<string, number[]> = {
    hinge: [m - 1],
    squaredHinge: [m - 1],
    perceptron: [m],
    modifiedHuber: [m - 1, m + 1],
    huber: [Math.abs(r) - 0.7],
    absolute: [r],
    quantile: [r],
    epsilonInsensitive: [Math.abs(r) - 0.25, r],
    squaredEpsilonInsensitive: [Math.abs(r) - 0.25, r],
  };
  return Math.min(1, ...(at[loss.name] ?? []).map(Math.abs));
};

describe.each(all.map((loss) => [loss.name, loss] as const))("%s", (_, loss) => {
  it.each([
    ["derivative", "value"],
    ["curvature", "derivative"],
  ] as const)("has a %s that is the derivative of its %s", (slope, of) => {
    fc.assert(
      fc.property(margin, targetsOf(loss), (z, y) => {
        fc.pre(kinks(loss, z, y) > 1e-3);
        const h = 1e-5;
        const difference = (loss[of](z + h, y) - loss[of](z - h, y)) / (2 * h);
        // Central differences of step h err by h² times the third derivative, at most e⁴ here.
        expect(Math.abs(loss[slope](z, y) - difference)).toBeLessThan(
          1e-7 * Math.max(1, Math.abs(difference)),
        );
      }),
    );
  });

  it("is convex", () => {
    fc.assert(
      fc.property(
        margin,
        margin,
        targetsOf(loss),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b, y, t) => {
          const between = loss.value(t * a + (1 - t) * b, y);
          expect(between).toBeLessThanOrEqual(t * loss.value(a, y) + (1 - t) * loss.value(b, y) + 1e-9);
        },
      ),
    );
  });

  it("is the same function in the kernels: value and derivative of one row agree", () => {
    fc.assert(
      fc.property(margin, targetsOf(loss), (z, y) => {
        const sum = openRowSum("test", Matrix.zeros(1, 1), Float64Array.of(y), undefined, loss, 1);
        try {
          const gradient = new Float64Array(2);
          const value = sum.evaluate(Float64Array.of(0, z), gradient);
          // Products may be rounded in another order than in the formula above; never by more than a few ulps.
          expect(Math.abs(value - loss.value(z, y))).toBeLessThanOrEqual(
            1e-14 * Math.max(1, Math.abs(value)),
          );
          expect(Math.abs(gradient[1]! - loss.derivative(z, y))).toBeLessThanOrEqual(
            1e-14 * Math.max(1, Math.abs(gradient[1]!)),
          );
          const hessian = new Float64Array(4);
          sum.hessianInto(hessian);
          expect(Math.abs(hessian[3]! - loss.curvature(z, y))).toBeLessThanOrEqual(
            1e-14 * Math.max(1, hessian[3]!),
          );
        } finally {
          sum.close();
        }
      }),
      { numRuns: 50 },
    );
  });

  it("is the sum of hinges that it declares", () => {
    fc.assert(
      fc.property(margin, targetsOf(loss), (z, y) => {
        if (!loss.hinges) return;
        const { pieces, power, tilt } = loss.hinges;
        let sum = tilt * (z - y);
        for (const { sigma, c } of pieces) sum += Math.max(0, c(y) - sigma(y) * z) ** power;
        // Both round a few times at numbers of at most 10², the square of |z − y| + 1.
        expect(Math.abs(sum - loss.value(z, y))).toBeLessThanOrEqual(1e-13);
      }),
    );
  });

  it("has the shape that it declares", () => {
    fc.assert(
      fc.property(margin, margin, targetsOf(loss), (a, b, y) => {
        const curvatures = [loss.curvature(a, y), loss.curvature(b, y)];
        if (loss.shape === "piecewiseLinear") expect(curvatures).toEqual([0, 0]);
        if (loss.shape === "quadratic") expect(curvatures[0]).toBe(curvatures[1]);
        if (loss.shape === "curved") for (const h of curvatures) expect(h).toBeGreaterThan(0);
        if (loss.shape !== "piecewiseQuadratic") return;
        const most = Math.max(...curvatures);
        for (const h of curvatures) expect([0, most]).toContain(h);
      }),
    );
  });

  it("never falls below the infimum that it declares", () => {
    fc.assert(
      fc.property(margin, targetsOf(loss), (z, y) => {
        expect(loss.value(z, y)).toBeGreaterThanOrEqual(loss.infimum);
        if (loss.tube !== undefined && Math.abs(z - y) <= loss.tube) expect(loss.value(z, y)).toBe(0);
        // A tie is a margin of 0 between two classes.
        if (loss.tieCost !== undefined) expect(loss.value(0, y)).toBe(loss.tieCost);
      }),
    );
  });

  it("lies below the quadratic of its majorant", () => {
    fc.assert(
      fc.property(margin, margin, targetsOf(loss), (at, z, y) => {
        const h = loss.majorant?.(at, y);
        if (h === undefined) return;
        const quadratic = loss.value(at, y) + loss.derivative(at, y) * (z - at) + 0.5 * h * (z - at) ** 2;
        // Rounding of numbers of at most 10².
        expect(loss.value(z, y)).toBeLessThanOrEqual(quadratic + 1e-13);
      }),
    );
  });

  it("is the same in another unit of y, times that unit", () => {
    fc.assert(
      fc.property(margin, targetsOf(loss), fc.constantFrom(0.25, 2, 16), (z, y, unit) => {
        if (loss.hinges?.power !== 1 || loss.targets === "signs") return;
        const scaled = loss.inUnit?.(unit) ?? loss;
        expect(unit * scaled.value(z, y)).toBeCloseTo(loss.value(unit * z, unit * y), 12);
      }),
    );
  });

  it("describes itself in JSON with its parameter", () => {
    const json = loss.toJSON();
    expect(typeof json === "string" ? json : json.name).toBe(loss.name);
    if (loss.param !== 0) expect(Object.values(json)).toContain(loss.param);
  });
});

describe("the groups of losses", () => {
  it("calls smooth exactly those with a continuous derivative", () => {
    for (const loss of all) {
      const jumps = ["hinge", "perceptron", "absolute", "quantile", "epsilonInsensitive"].includes(loss.name);
      expect((smoothLosses as readonly string[]).includes(loss.name)).toBe(!jumps);
    }
  });

  it("are those of the facts that losses declare", () => {
    const named = (keep: (loss: MarginLoss) => boolean) =>
      all
        .filter(keep)
        .map(({ name }) => name)
        .sort();
    expect([...smoothLosses].sort()).toEqual(
      [...named(({ shape }) => shape !== "piecewiseLinear"), losses.softmax().name].sort(),
    );
    expect([...piecewiseLinearLosses].sort()).toEqual(named(({ hinges }) => hinges?.power === 1));
    expect([...dualLosses].sort()).toEqual(named(({ hinges }) => hinges?.tilt === 0));
  });

  it("refuses parameters outside their range, naming them", () => {
    expect(() => losses.huber(0)).toThrow("huber: delta must be a number > 0, got 0.");
    expect(() => losses.quantile(1)).toThrow("quantile: tau must be a number > 0 and < 1, got 1.");
    expect(() => losses.epsilonInsensitive(-1)).toThrow("epsilon must be a number ≥ 0, got -1");
  });
});
