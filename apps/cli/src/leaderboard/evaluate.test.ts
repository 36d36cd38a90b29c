import { expect, test } from "vitest";
import { type FoldResult, median, rank, type Standing, summarise } from "./evaluate.js";

const fold = (score: number, changes: Partial<FoldResult> = {}): FoldResult => ({
  score,
  logLoss: 0.2,
  predictMicrosecondsPerRow: 1,
  converged: true,
  ...changes,
});

test("a standing averages scores and takes the median of times", () => {
  const standing = summarise("Ridge", "…", [fold(0.8), fold(1), fold(0.9)], [90, 2, 3]);
  expect(standing.mean).toBeCloseTo(0.9, 15);
  expect(standing.spread).toBeCloseTo(Math.sqrt(0.02 / 3), 15);
  expect(standing.fitMilliseconds).toBe(3);
});

test("without probabilities in every fold there is no log loss", () => {
  expect(summarise("a", "…", [fold(1), fold(1)], [1, 1]).logLoss).toBeCloseTo(0.2, 15);
  expect(summarise("a", "…", [fold(1), fold(1, { logLoss: undefined })], [1, 1]).logLoss).toBeUndefined();
});

test("one fold that did not converge is mentioned", () => {
  expect(summarise("a", "…", [fold(1), fold(1, { converged: false })], [1, 1]).converged).toBe(false);
});

test("ties go to the better probabilities, then to the faster fit", () => {
  const standing = (
    model: string,
    mean: number,
    logLoss: number | undefined,
    fitMilliseconds: number,
  ): Standing => ({
    ...summarise(model, "…", [fold(mean)], [1]),
    logLoss,
    fitMilliseconds,
  });
  const ranked = rank([
    standing("slow", 0.9, 0.1, 9),
    standing("no probabilities", 0.9, undefined, 1),
    standing("best", 0.95, 0.5, 5),
    standing("fast", 0.9, 0.1, 2),
  ]);
  expect(ranked.map(({ model }) => model)).toEqual(["best", "fast", "slow", "no probabilities"]);
});

test("medians of odd and even counts", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
