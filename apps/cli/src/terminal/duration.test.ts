import { expect, test } from "vitest";
import { showDuration } from "./duration.js";

test("a duration has two figures at most, in the units that people use", () => {
  const shown = [0.2, 45, 99.6, 800, 9949, 9950, 12_400, 59_600, 60_000, 200_000, 3_600_000, 3_900_000].map(
    showDuration,
  );
  expect(shown).toEqual([
    "1 ms",
    "45 ms",
    "0.1 s",
    "0.8 s",
    "9.9 s",
    "10 s",
    "12 s",
    "1 min",
    "1 min",
    "3 min 20 s",
    "1 h",
    "1 h 5 min",
  ]);
});
