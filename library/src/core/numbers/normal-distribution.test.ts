import { describe, expect, it } from "vitest";
import { normalCdf, normalQuantile } from "./normal-distribution.js";

describe("the normal distribution", () => {
  it("has its known quantiles in the centre, the shoulders and the tails", () => {
    // scipy.stats.norm.ppf; the function is rational, with an error of a few units in the last place.
    const known: [number, number][] = [
      [0.5, 0],
      [0.75, 0.6744897501960817],
      [0.975, 1.959963984540054],
      [1e-3, -3.090232306167813],
      [1e-10, -6.361340902404056],
      [1e-300, -37.0470962993612],
    ];
    for (const [p, x] of known)
      expect(Math.abs(normalQuantile(p) - x)).toBeLessThanOrEqual(1e-15 * Math.abs(x));
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
    expect(normalQuantile(1.5)).toBeNaN();
  });

  it("has probabilities that are the inverse of its quantiles", () => {
    for (let p = 1e-6; p < 1; p += 0.0173)
      expect(Math.abs(normalCdf(normalQuantile(p)) - p)).toBeLessThan(1e-15);
    expect([normalCdf(-40), normalCdf(0), normalCdf(40)]).toEqual([0, 0.5, 1]);
    expect(normalCdf(Number.NaN)).toBeNaN();
  });
});
