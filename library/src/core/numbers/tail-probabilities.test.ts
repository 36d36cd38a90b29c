import { describe, expect, it } from "vitest";
import { chi2Survival, fSurvival, incompleteBeta } from "./tail-probabilities.js";

describe("tail probabilities", () => {
  it("of F are scipy.stats.f.sf, far into the tail", () => {
    const known: [number, number, number, number][] = [
      [1, 1, 10, 0.34089313230205964],
      [3.5, 2, 147, 0.03273792297069829],
      [49.16, 2, 147, 4.492125043579799e-17],
      [0.2, 3, 20, 0.8951448878699745],
      [1000, 1, 567, 2.889325963834929e-127],
    ];
    for (const [f, d1, d2, tail] of known) expect(fSurvival(f, d1, d2) / tail).toBeCloseTo(1, 10);
    expect([fSurvival(0, 2, 3), fSurvival(Infinity, 2, 3), fSurvival(Number.NaN, 2, 3)]).toEqual([
      1,
      0,
      Number.NaN,
    ]);
  });

  it("of χ² are those of the exponential for two degrees of freedom, and scipy's for others", () => {
    for (const x of [1e-3, 0.5, 2, 9, 40, 300])
      expect(chi2Survival(x, 2) / Math.exp(-x / 2)).toBeCloseTo(1, 12);
    expect(chi2Survival(3.841458820694124, 1)).toBeCloseTo(0.05, 13);
    expect(chi2Survival(18.307038053275146, 10)).toBeCloseTo(0.05, 13);
    expect([chi2Survival(0, 3), chi2Survival(Infinity, 3), chi2Survival(Number.NaN, 3)]).toEqual([
      1,
      0,
      Number.NaN,
    ]);
  });

  it("of beta are symmetric: Iₓ(a, b) + I₁₋ₓ(b, a) = 1", () => {
    for (const [a, b, x] of [
      [0.5, 3, 0.25],
      [20, 4, 0.75],
      [7, 7, 0.5],
    ] as const)
      expect(incompleteBeta(a, b, x) + incompleteBeta(b, a, 1 - x)).toBeCloseTo(1, 14);
  });
});
