import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecimalScanner } from "./decimal.js";

let asked = 0;
function read(text: string, mark = "."): number {
  const bytes = new TextEncoder().encode(`${text}\n`);
  const textOf = (start: number, end: number) => {
    asked++;
    return text.slice(start, end);
  };
  const scanner = new DecimalScanner(bytes, textOf, mark.charCodeAt(0));
  const value = scanner.read(0);
  expect(scanner.end).toBe(Number.isNaN(value) ? 0 : text.length);
  return value;
}

function same(text: string): void {
  expect(Object.is(read(text), Number(text)), text).toBe(true);
}

describe("DecimalScanner", () => {
  it("reads doubles as they are printed, with the same bits", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => same(String(value))),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (value) => {
        for (const digits of [15, 16, 17, 18, 20, 21]) same(value.toPrecision(digits));
      }),
      { numRuns: 2000 },
    );
  });

  it("reads any digits with the same bits, and ordinary ones without help", () => {
    const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
    fc.assert(
      fc.property(digits(14), digits(14), (whole, part) => same(`${whole}.${part}`)),
      { numRuns: 5000 },
    );
    asked = 0;
    for (let i = 0; i < 1000; i++) read(String(Math.random()));
    // Only what needs more than 22 places behind the point, below 1e-4, say.
    expect(asked).toBeLessThan(10);
  });

  it("rounds halves to even, and what is next to them right", () => {
    // 2⁵³ + 1 lies between two doubles.
    for (const text of [
      "9007199254740993",
      "9007199254740993.0",
      "9007199254740993.00001",
      "9007199254740992.99999",
    ])
      same(text);
    for (const text of [
      "0.5",
      "-0",
      "+7",
      ".5",
      "5.",
      "1e5",
      "1E-5",
      "1e22",
      "1e23",
      "0.1",
      "123456789012345678901",
    ])
      same(text);
  });

  it("stops where the number does", () => {
    const bytes = new TextEncoder().encode("12.5e,3");
    const scanner = new DecimalScanner(bytes, () => "");
    expect(scanner.read(0)).toBe(12.5);
    expect(scanner.end).toBe(4);
    expect(scanner.read(5)).toBeNaN();
    expect(read("1,5", ",")).toBe(1.5);
    expect(read("x")).toBeNaN();
    expect(read("-")).toBeNaN();
  });
});
