import { describe, expect, it } from "vitest";
import { DataError, ParameterError, ShapeError } from "../../core/errors.js";
import { KFold, StratifiedKFold } from "./k-fold.js";

const tests = (folds: readonly { test: Int32Array }[]) => folds.map((fold) => [...fold.test]);

describe("KFold", () => {
  it("cuts the rows in order, the first folds one longer (scikit-learn)", () => {
    const folds = new KFold({ nSplits: 3 }).split(new Float64Array(10));
    expect(tests(folds)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ]);
    expect([...folds[1]!.train]).toEqual([0, 1, 2, 3, 7, 8, 9]);
  });

  it("shuffled, still tests every row exactly once", () => {
    const folds = new KFold({ nSplits: 4, shuffle: true, randomState: 3 }).split(new Float64Array(11));
    expect(
      tests(folds)
        .flat()
        .sort((a, b) => a - b),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(folds[0]!.test).not.toEqual(Int32Array.of(0, 1, 2));
    expect(folds).toEqual(
      new KFold({ nSplits: 4, shuffle: true, randomState: 3 }).split(new Float64Array(11)),
    );
  });

  it("refuses more folds than rows and fewer than two", () => {
    expect(() => new KFold({ nSplits: 4 }).split([1, 2, 3])).toThrow(
      "KFold.split: nSplits must be at most the number of rows (3), got 4.",
    );
    expect(() => new KFold({ nSplits: 1 })).toThrow(ParameterError);
  });
});

describe("StratifiedKFold", () => {
  it("deals the classes out as scikit-learn does", () => {
    const y = ["b", "a", "b", "c", "a", "b", "c", "b", "a", "c", "b", "a"];
    expect(tests(new StratifiedKFold({ nSplits: 3 }).split(y, y))).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9, 10, 11],
    ]);
    const wine = [...new Array(59).fill(0), ...new Array(71).fill(1), ...new Array(48).fill(2)];
    const folds = tests(new StratifiedKFold().split(wine, wine));
    expect(folds.map((test) => test.length)).toEqual([36, 36, 36, 35, 35]);
    expect(folds.map((test) => test.reduce((sum, i) => sum + i, 0))).toEqual([2328, 2768, 3208, 3479, 3970]);
  });

  it("keeps the class proportions when shuffled", () => {
    const y = Array.from({ length: 60 }, (_, i) => i % 3 === 0);
    for (const { test } of new StratifiedKFold({ nSplits: 4, shuffle: true }).split(y, y)) {
      expect(test.filter((i) => y[i])).toHaveLength(5);
      expect(test).toHaveLength(15);
    }
  });

  it("refuses more folds than members of a class", () => {
    const y = ["a", "a", "a", "b", "b"];
    expect(() => new StratifiedKFold({ nSplits: 3 }).split(y, y)).toThrow(
      'StratifiedKFold.split: nSplits must be at most 2, the rows of the rarest class ("b"), got 3.',
    );
    expect(() => new StratifiedKFold({ nSplits: 2 }).split(y, ["a"])).toThrow(ShapeError);
    expect(() => new StratifiedKFold({ nSplits: 2 }).split(y)).toThrow(DataError);
  });
});
