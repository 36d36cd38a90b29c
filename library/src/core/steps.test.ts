import { describe, expect, it } from "vitest";
import { mapSteps, runToEnd } from "./steps.js";

function* count(to: number, closed: string[]): Generator<number, string, void> {
  try {
    for (let k = 1; k <= to; k++) yield k;
    return "counted";
  } finally {
    closed.push("closed");
  }
}

describe("mapSteps", () => {
  it("maps every step and returns what the inner generator returns", () => {
    const closed: string[] = [];
    const steps = mapSteps(count(3, closed), (k) => 10 * k);
    expect([steps.next(), steps.next(), steps.next()].map(({ value }) => value)).toEqual([10, 20, 30]);
    expect(steps.next()).toEqual({ done: true, value: "counted" });
    expect(closed).toEqual(["closed"]);
  });

  it("closes the inner generator when the caller stops early, or the map throws", () => {
    const closed: string[] = [];
    for (const k of mapSteps(count(3, closed), (value) => value)) if (k === 1) break;
    expect(closed).toEqual(["closed"]);
    const failing = mapSteps(count(3, closed), () => {
      throw new Error("no");
    });
    expect(() => failing.next()).toThrow("no");
    expect(closed).toEqual(["closed", "closed"]);
  });

  it("runToEnd returns the last word", () => {
    expect(runToEnd(count(5, []))).toBe("counted");
  });
});
