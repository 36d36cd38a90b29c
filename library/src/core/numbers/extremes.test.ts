import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxOf, minOf, pushAll } from "./extremes.js";

describe("maxOf, minOf and pushAll", () => {
  it("take more values than a call takes arguments", () => {
    const values = Float64Array.from({ length: 1_000_000 }, (_, i) => i);
    expect(maxOf(values)).toBe(999_999);
    expect(minOf(values)).toBe(0);
    const list: number[] = [];
    pushAll(list, values);
    expect(list.length).toBe(1_000_000);
  });

  it("are Math.max, Math.min and push", () => {
    fc.assert(
      fc.property(fc.array(fc.double()), fc.double(), (values, first) => {
        expect(maxOf(values)).toBe(Math.max(...values));
        expect(minOf(values)).toBe(Math.min(...values));
        expect(maxOf(values, first)).toBe(Math.max(first, ...values));
        expect(minOf(values, first)).toBe(Math.min(first, ...values));
      }),
    );
  });
});
