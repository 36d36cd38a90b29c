import { describe, expect, it } from "vitest";
import {
  KFold,
  StratifiedKFold,
  trainTestSplit,
  trainValidationTestSplit,
} from "../../src/selection/index.js";
import { fc } from "../support/properties.js";

const labels = fc.array(fc.constantFrom("ant", "bee", "cow"), { minLength: 12, maxLength: 200 });
const counts = (y: readonly string[]) => {
  const found = new Map<string, number>();
  for (const label of y) found.set(label, (found.get(label) ?? 0) + 1);
  return found;
};
const sorted = (lists: readonly Int32Array[]) => lists.flatMap((list) => [...list]).sort((a, b) => a - b);

describe("splitting", () => {
  it("every row is tested exactly once, and never learned from in the same fold", () => {
    fc.assert(
      fc.property(
        labels,
        fc.integer({ min: 2, max: 12 }),
        fc.boolean(),
        fc.integer(),
        (y, nSplits, shuffle, randomState) => {
          const folds = new KFold({ nSplits, shuffle, randomState }).split(y);
          expect(sorted(folds.map(({ test }) => test))).toEqual([...y.keys()]);
          for (const { train, test } of folds) expect(sorted([train, test])).toEqual([...y.keys()]);
          const sizes = folds.map(({ test }) => test.length);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it("stratified folds differ by one at most, in every class", () => {
    fc.assert(
      fc.property(labels, fc.integer({ min: 2, max: 4 }), fc.boolean(), (y, nSplits, shuffle) => {
        fc.pre([...counts(y).values()].every((count) => count >= nSplits));
        const folds = new StratifiedKFold({ nSplits, shuffle }).split(y, y);
        expect(sorted(folds.map(({ test }) => test))).toEqual([...y.keys()]);
        for (const label of counts(y).keys()) {
          const members = folds.map(({ test }) => test.filter((i) => y[i] === label).length);
          expect(Math.max(...members) - Math.min(...members)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it("a stratified split keeps every class within one row of its share", () => {
    fc.assert(
      fc.property(
        labels,
        fc.double({ min: 0.25, max: 0.75, noNaN: true }),
        fc.integer(),
        (y, testSize, randomState) => {
          fc.pre([...counts(y).values()].every((count) => count >= 2));
          const { train, test } = trainTestSplit(y, y, { testSize, stratify: true, randomState });
          expect(sorted([train.indices, test.indices])).toEqual([...y.keys()]);
          for (const [label, count] of counts(y)) {
            const exact = (count * train.y.length) / y.length;
            expect(Math.abs((counts(train.y).get(label) ?? 0) - exact)).toBeLessThan(1);
          }
        },
      ),
    );
  });

  it("three parts have no row in common and leave none out", () => {
    fc.assert(
      fc.property(labels, fc.integer(), (y, randomState) => {
        const { train, validation, test } = trainValidationTestSplit(y, y, { randomState });
        expect(sorted([train.indices, validation.indices, test.indices])).toEqual([...y.keys()]);
        expect(test.y).toEqual(Array.from(test.indices, (i) => y[i]));
      }),
    );
  });
});
