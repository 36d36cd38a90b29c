import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elasticNet, gaussianPrior, l1, l1Ball, l2, laplacePrior, none } from "./penalties.js";
import { projectL1BallInto, projectL2BallInto, softThreshold } from "./projections.js";

const vector = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 8 });
const norm1 = (w: ArrayLike<number>) => Array.from(w).reduce((sum, v) => sum + Math.abs(v), 0);
const norm2 = (w: ArrayLike<number>) => Math.sqrt(Array.from(w).reduce((sum, v) => sum + v * v, 0));

describe("penalties", () => {
  it("an elastic net is the weighted sum of l1 and l2", () => {
    expect(elasticNet(2, 0.25)).toMatchObject({ l1: 0.5, l2: 1.5, per: "mean" });
    expect(elasticNet(2, 1)).toMatchObject({ l1: l1(2).l1, l2: 0 });
    expect(elasticNet(2, 0)).toMatchObject({ l1: 0, l2: l2(2).l2 });
    expect(none()).toMatchObject({ l1: 0, l2: 0 });
  });

  it("a prior is a penalty of the summed loss", () => {
    expect(gaussianPrior(2)).toMatchObject({ name: "l2", per: "sum", l2: 0.25 });
    expect(laplacePrior(4)).toMatchObject({ name: "l1", per: "sum", l1: 0.25 });
  });

  it("refuses strengths that mean nothing", () => {
    expect(() => l1(-1)).toThrow("l1: alpha must be a number ≥ 0, got -1.");
    expect(() => elasticNet(1, 2)).toThrow("elasticNet: l1Ratio must be a number ≥ 0 and ≤ 1, got 2.");
    expect(() => l1Ball(0)).toThrow("l1Ball: radius must be a number > 0, got 0.");
    expect(() => gaussianPrior(Number.NaN)).toThrow("sigma must be a number > 0, got NaN");
  });
});

describe("projections", () => {
  it("land inside the ball, and leave points inside alone", () => {
    fc.assert(
      fc.property(vector, fc.double({ min: 0.1, max: 10, noNaN: true }), (w, radius) => {
        for (const [project, norm] of [
          [projectL1BallInto, norm1],
          [projectL2BallInto, norm2],
        ] as const) {
          const out = Float64Array.from(w);
          project(radius, out);
          expect(norm(out)).toBeLessThanOrEqual(radius * (1 + 1e-12));
          if (norm(w) <= radius) expect(Array.from(out)).toEqual(w);
        }
      }),
    );
  });

  it("are nearest points: no other point of the ball is closer", () => {
    fc.assert(
      fc.property(vector, vector, fc.double({ min: 0.1, max: 3, noNaN: true }), (w, other, radius) => {
        fc.pre(w.length === other.length);
        for (const project of [projectL1BallInto, projectL2BallInto]) {
          const out = Float64Array.from(w);
          project(radius, out);
          const rival = Float64Array.from(other);
          project(radius, rival);
          const distance = (p: Float64Array) => norm2(p.map((v, j) => v - w[j]!));
          expect(distance(out)).toBeLessThanOrEqual(distance(rival) + 1e-9);
        }
      }),
    );
  });

  it("soft thresholding gives exact zeros", () => {
    expect(softThreshold(0.5, 0.5)).toBe(0);
    expect(softThreshold(-2, 0.5)).toBe(-1.5);
  });
});
