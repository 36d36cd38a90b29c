import { describe, expect, it } from "vitest";
import { gaussLegendre } from "./gauss-legendre.js";

describe("gaussLegendre", () => {
  it.each([1, 2, 3, 7, 16, 40])("with %i points integrates powers up to 2n − 1 exactly", (n) => {
    const { points, weights } = gaussLegendre(n);
    expect(points.every((t) => t > 0 && t < 1)).toBe(true);
    for (let power = 0; power < 2 * n; power++) {
      const sum = points.reduce((total, t, q) => total + weights[q]! * t ** power, 0);
      // Weights of n points are known to about n roundings.
      expect(Math.abs(sum * (power + 1) - 1)).toBeLessThan(1e-12);
    }
  });
});
