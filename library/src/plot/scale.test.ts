import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extent, linearScale, linePath, stepPath, tickLabels, ticks } from "./index.js";

const finite = fc.double({ min: -1e9, max: 1e9, noNaN: true });

describe("ticks(low, high, most)", () => {
  it("are round numbers within the range", () => {
    expect(ticks(0, 1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticks(-3, 12)).toEqual([-2, 0, 2, 4, 6, 8, 10, 12]);
    expect(ticks(0.001, 0.0035)).toEqual([0.001, 0.0015, 0.002, 0.0025, 0.003, 0.0035]);
    expect(ticks(0, 1, 3)).toEqual([0, 0.5, 1]);
    expect(ticks(3, 3)).toEqual([3]);
    expect(ticks(-1e308, 1e308)).toEqual([-1e308]);
  });

  it("are no more than `most` steps of 1, 2 or 5 times a power of ten apart, and not half as many", () => {
    const span = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(finite, span, fc.integer({ min: 2, max: 12 }), (low, width, most) => {
        const high = low + width;
        const found = ticks(low, high, most);
        expect(found.length).toBeLessThanOrEqual(most + 1);
        expect(found.length).toBeGreaterThanOrEqual(Math.floor(most / 2.5));
        for (const value of found) {
          expect(value).toBeGreaterThanOrEqual(low - 1e-6 * width - 1e-11 * Math.abs(low));
          expect(value).toBeLessThanOrEqual(high + 1e-6 * width + 1e-11 * Math.abs(low));
        }
        const step = (found.at(-1)! - found[0]!) / (found.length - 1);
        if (found.length > 1 && Math.abs(low) < 1e3 * width)
          expect(["1", "2", "5"]).toContain(step.toExponential(5)[0]);
      }),
    );
  });

  it("refuse what is not a number", () => {
    expect(() => ticks("0" as never, 1)).toThrow('ticks: low must be a number, got "0".');
    expect(() => ticks(0, Number.NaN)).toThrow("ticks: high must be a number, got NaN.");
    expect(() => ticks(0, 1, 0)).toThrow("ticks: most must be a number ≥ 1, got 0.");
  });
});

describe("tickLabels", () => {
  it("have the same number of decimals, as few as tell them apart", () => {
    expect(tickLabels([0, 0.5, 1])).toEqual(["0.0", "0.5", "1.0"]);
    expect(tickLabels([-2, 0])).toEqual(["−2", "0"]);
    expect(tickLabels([])).toEqual([]);
  });

  it("are powers of ten where numbers are large or small", () => {
    expect(tickLabels([0, 2e6])).toEqual(["0", "2e+6"]);
    expect(tickLabels([1e6, 1.5e6, 2e6])).toEqual(["1.0e+6", "1.5e+6", "2.0e+6"]);
    expect(tickLabels([-2e-4, 0])).toEqual(["−2e−4", "0"]);
  });

  it("of ticks are all different", () => {
    const width = fc.double({ min: 1e-3, max: 1e7, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: -1e4, max: 1e4, noNaN: true }), width, (low, span) => {
        const labels = tickLabels(ticks(low, low + span));
        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });

  it("refuse what are not numbers", () => {
    expect(() => tickLabels(["a"] as never)).toThrow("tickLabels: values must be an array of numbers");
  });
});

describe("linearScale", () => {
  it("is linear, also from high to low, and has a way back", () => {
    expect(linearScale([0, 10], 100, 0)(2.5)).toBe(75);
    fc.assert(
      fc.property(finite, fc.double({ min: 1, max: 1e6, noNaN: true }), finite, (low, width, value) => {
        const scale = linearScale([low, low + width], -20, 300);
        expect(scale.invert(scale(value))).toBeCloseTo(value, -3);
        expect([scale(low), scale.invert(300)].map(Math.round)).toEqual([-20, Math.round(low + width)]);
      }),
    );
  });

  it("of an empty range is finite", () => {
    expect(linearScale([3, 3], 0, 100)(3)).toBe(0);
  });

  it("refuses what is not a range", () => {
    expect(() => linearScale([1] as never, 0, 1)).toThrow("linearScale: range must be two numbers, got [1].");
    expect(() => linearScale([0, 1], 0, undefined as never)).toThrow("linearScale: to must be a number");
  });
});

describe("extent", () => {
  it("leaves out what is not a number, and is never empty", () => {
    expect(extent([3, Number.NaN, -1, Infinity])).toEqual([-1, 3]);
    expect(extent([])).toEqual([0, 1]);
    expect(extent([2])).toEqual([1.8, 2.2]);
    expect(extent(Float32Array.of(0))).toEqual([-0.5, 0.5]);
    const [low, high] = extent([1e20]);
    expect(low).toBeLessThan(high);
  });

  it("has a margin on both sides if asked for", () => {
    expect(extent([0, 10], 0.1)).toEqual([-1, 11]);
  });

  it("refuses what has no values", () => {
    expect(() => extent(5 as never)).toThrow("extent: values must be numbers, got 5.");
    expect(() => extent([], "x" as never)).toThrow("extent: margin must be a number");
  });
});

describe("paths", () => {
  it("go straight from point to point, or at the height of the next point", () => {
    const [x, y] = [linearScale([0, 1], 0, 100), linearScale([0, 1], 50, 0)];
    expect(linePath([0, 0.5, 1], [0, 1, 0.5], x, y)).toBe("M0 50L50 0L100 25");
    expect(stepPath([0, 0.5, 1], [0, 1, 0.5], x, y)).toBe("M0 50V0H50V25H100");
    expect(linePath(Float64Array.of(1 / 3), [2])).toBe("M0.33 2");
    expect(linePath([], [])).toBe("");
  });

  it("begin anew after a point that has no place", () => {
    expect(linePath([0, 1, 2, 3], [0, Number.NaN, 1, 2])).toBe("M0 0M2 1L3 2");
    expect(stepPath([0, Infinity, 2, 3], [0, 1, 1, 2])).toBe("M0 0M2 1V2H3");
  });

  it("refuse what are not points", () => {
    expect(() => linePath([1], [])).toThrow("linePath: x and y must be equally long, got 1 and 0.");
    expect(() => stepPath(3 as never, [])).toThrow("stepPath: x must be an array of numbers, got 3.");
    expect(() => linePath([1], [1], {} as never)).toThrow("linePath: placeX must be a function");
  });
});
