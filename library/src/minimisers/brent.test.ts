import { describe, expect, it } from "vitest";
import { minimiseOnInterval } from "./brent.js";

describe("minimiseOnInterval", () => {
  it("finds minima of smooth functions to the square root of their rounding", () => {
    expect(minimiseOnInterval((x) => (x - 2) * (x - 2) + 3, -5, 7)).toMatchObject({ value: 3 });
    expect(minimiseOnInterval((x) => (x - 2) * (x - 2) + 3, -5, 7).x).toBeCloseTo(2, 7);
    expect(minimiseOnInterval((x) => x * x * x * x - x, 0, 3).x).toBeCloseTo(0.6299605249474366, 7);
  });

  it("finds minima at a kink, and at the border", () => {
    expect(minimiseOnInterval((x) => Math.abs(x - 0.3), -1, 1).x).toBeCloseTo(0.3, 8);
    expect(minimiseOnInterval((x) => x, 2, 5).x).toBeCloseTo(2, 7);
  });

  it("walks away from where a function is infinite", () => {
    const f = (x: number) => (x < 1 ? Infinity : (x - 3) * (x - 3));
    expect(minimiseOnInterval(f, 0, 10).x).toBeCloseTo(3, 7);
  });
});
