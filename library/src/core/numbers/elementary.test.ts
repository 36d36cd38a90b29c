import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exp, expm1, log, log1p, log1pExp, pow, sigmoid, tanh } from "./elementary.js";

const ulps = (a: number, b: number) =>
  a === b ? 0 : Math.abs(a - b) / (Number.EPSILON * Math.abs(b) || Number.MIN_VALUE);

describe("elementary functions are within two ulps of the platform's", () => {
  const near = fc.double({ min: -30, max: 30, noNaN: true });
  it("exp", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -700, max: 709, noNaN: true }),
        (x) => void expect(ulps(exp(x), Math.exp(x))).toBeLessThan(2),
      ),
    );
  });
  it("log", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-320, max: 1e308, noNaN: true }),
        (x) => void expect(ulps(log(x), Math.log(x))).toBeLessThan(2),
      ),
    );
  });
  it("log1p, expm1 and tanh, also next to 0", () => {
    fc.assert(
      fc.property(fc.oneof(near, fc.double({ min: -1e-9, max: 1e-9, noNaN: true })), (x) => {
        if (x > -1) expect(ulps(log1p(x), Math.log1p(x))).toBeLessThan(4);
        expect(ulps(expm1(x), Math.expm1(x))).toBeLessThan(4);
        expect(ulps(tanh(x), Math.tanh(x))).toBeLessThan(6);
      }),
    );
  });
  it("pow, by squaring where the exponent is whole", () => {
    expect(pow(3, 5)).toBe(243);
    expect(pow(2, -2)).toBe(0.25);
    expect(pow(0, 0.5)).toBe(0);
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (x, y) => {
          // exp(y log x) multiplies the rounding of y log x, at most 14 here.
          expect(ulps(pow(x, y), x ** y)).toBeLessThan(40);
        },
      ),
    );
  });
});

describe("the ends of the range", () => {
  it("exp overflows to Infinity and underflows to 0", () => {
    expect(exp(710)).toBe(Infinity);
    expect(exp(-707.1)).toBe(0);
    expect(exp(-707)).toBeGreaterThan(2.2250738585072014e-308);
    expect(exp(-Infinity)).toBe(0);
    expect(exp(Number.NaN)).toBeNaN();
  });
  it("log of 0, of negatives and of infinity", () => {
    expect(log(0)).toBe(-Infinity);
    expect(log(-1)).toBeNaN();
    expect(log(Infinity)).toBe(Infinity);
  });
  it("log1pExp and sigmoid are exact in both tails", () => {
    expect(log1pExp(1000)).toBe(1000);
    expect(log1pExp(-1000)).toBe(0);
    expect(log1pExp(-50)).toBe(exp(-50));
    expect(sigmoid(1000)).toBe(1);
    expect(sigmoid(-700)).toBe(exp(-700));
    expect(sigmoid(0)).toBe(0.5);
  });
});
