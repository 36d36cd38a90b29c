import { expect, test } from "vitest";
import { winnersAt } from "./field.js";

test("points have the winner of their cell, the largest y first; none outside", () => {
  const view = { axes: ["a", "b"] as const, x: [0, 4] as const, y: [10, 14] as const, n: 2, row: null };
  const winner = Uint8Array.of(0, 1, 2, 3);
  const x = [1, 3, 1, 3, 5, Number.NaN];
  const y = [13, 13, 11, 11, 11, 11];
  expect([...winnersAt({ view, winner }, x, y)]).toEqual([0, 1, 2, 3, -1, -1]);
});
