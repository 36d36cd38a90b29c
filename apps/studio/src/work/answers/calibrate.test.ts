import { expect, test } from "vitest";
import { calibrate } from "./calibrate.js";

const n = 1000;
/** P(positive | f) = 1/(1 + e^(−f/3)): three times less sure than the log-odds say. */
const score = Float64Array.from({ length: n }, (_, e) => 8 * (((e * 0.618034) % 1) - 0.5));
const isPositive = Uint8Array.from(score, (f, e) =>
  (e * 0.754877 + 0.3) % 1 < 1 / (1 + Math.exp(-f / 3)) ? 1 : 0,
);

test("both methods correct scores that are too sure", async () => {
  const { sigmoid, isotonic } = await calibrate({ score, isPositive, seed: 0 });
  const loss = (p: (e: number) => number) => isPositive.reduce((sum, y, e) => sum + (p(e) - y) ** 2, 0) / n;
  const before = loss((e) => 1 / (1 + Math.exp(-score[e]!)));
  const ideal = loss((e) => 1 / (1 + Math.exp(-score[e]! / 3)));
  expect(loss((e) => sigmoid![e]!)).toBeLessThan(before);
  expect(Math.abs(loss((e) => sigmoid![e]!) - ideal)).toBeLessThan(0.003);
  expect(loss((e) => isotonic![e]!)).toBeLessThan(before);
});

test("the calibrator of a row has not seen its label", async () => {
  const first = await calibrate({ score, isPositive, seed: 1 });
  // The most extreme row with the other label: a calibrator that had seen it would move at this very row.
  const flipped = Uint8Array.from(isPositive);
  const top = score.indexOf(Math.max(...score));
  const same = isPositive.findIndex((y, e) => y !== isPositive[top] && e !== top);
  [flipped[top], flipped[same]] = [flipped[same]!, flipped[top]!];
  const second = await calibrate({ score, isPositive: flipped, seed: 1 });
  expect(Math.abs(first.sigmoid![top]! - second.sigmoid![top]!)).toBeLessThan(0.02);
});

test("too few rows of a class give no curve", async () => {
  const few = Uint8Array.from({ length: 20 }, (_, e) => (e < 3 ? 1 : 0));
  expect(await calibrate({ score: score.slice(0, 20), isPositive: few, seed: 0 })).toEqual({
    sigmoid: null,
    isotonic: null,
  });
});
