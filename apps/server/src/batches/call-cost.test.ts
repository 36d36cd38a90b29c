import { expect, test } from "vitest";
import { CallCost } from "./call-cost.js";

test("the estimate follows the usual time, and a stall does not move it", () => {
  const cost = new CallCost();
  for (let r = 0; r < 200; r++) cost.measured(100, 0.02);
  expect(cost.estimate(100)).toBeGreaterThan(0.015);
  expect(cost.estimate(100)).toBeLessThan(0.025);
  cost.measured(100, 5000);
  expect(cost.estimate(100)).toBeLessThan(0.03);
});

test("a slow model is noticed, and forgotten when it is no longer measured", () => {
  const cost = new CallCost();
  for (let r = 0; r < 200; r++) cost.measured(100, 50);
  expect(cost.estimate(100)).toBeGreaterThan(40);
  for (let r = 0; r < 2000; r++) cost.notMeasured();
  expect(cost.estimate(100)).toBeLessThan(5);
});
