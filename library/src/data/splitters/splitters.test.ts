import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError, ParameterError } from "../../core/errors.js";
import {
  GroupKFold,
  GroupShuffleSplit,
  LeavePOut,
  PredefinedSplit,
  RepeatedKFold,
  RepeatedStratifiedKFold,
  ShuffleSplit,
  StratifiedGroupKFold,
  StratifiedShuffleSplit,
  TimeSeriesSplit,
} from "./index.js";
import { splitterFromJson, splitters } from "./registry.js";
import type { Fold } from "./splitter.js";

const sorted = (rows: Iterable<number>) => [...rows].sort((a, b) => a - b);
const disjoint = ({ train, test }: Fold) => new Set([...train, ...test]).size === train.length + test.length;

describe("splitters", () => {
  const n = 60;
  const x = new Float64Array(n);
  const y = Array.from({ length: n }, (_, i) => (i % 3 === 0 ? "a" : "b"));
  const groups = Array.from({ length: n }, (_, i) => `g${i % 7}`);

  it.each(splitters.filter(({ id }) => id !== "LeavePOut").map((S) => [S.id, S] as const))(
    "%s: parts have no common row, and the JSON makes the same folds",
    (id, S) => {
      const params = id === "PredefinedSplit" ? { testFold: groups.map((_, i) => (i % 4) - 1) } : {};
      const splitter = new (S as new (params: unknown) => InstanceType<typeof S>)(params);
      const folds = splitter.split(x, y, groups);
      expect(folds.length).toBeGreaterThan(0);
      for (const fold of folds) {
        expect(disjoint(fold)).toBe(true);
        expect(Math.min(fold.train.length, fold.test.length)).toBeGreaterThan(0);
      }
      const copy = splitterFromJson(JSON.parse(JSON.stringify(splitter)))!;
      expect(copy.split(x, y, groups)).toEqual(folds);
      expect(String(splitter)).toMatch(new RegExp(`^${id}\\(`));
    },
  );

  it("never divide a group, where they are about groups", () => {
    for (const splitter of [
      new GroupKFold({ nSplits: 3 }),
      new StratifiedGroupKFold({ nSplits: 3, shuffle: true, randomState: 1 }),
      new GroupShuffleSplit({ nSplits: 4, randomState: 2 }),
    ])
      for (const { train, test } of splitter.split(x, y, groups)) {
        const learned = new Set(Array.from(train, (i) => groups[i]));
        expect([...test].some((i) => learned.has(groups[i]))).toBe(false);
      }
  });

  it("need groups, and enough of them", () => {
    expect(() => new GroupKFold().split(x, y)).toThrow(/groups must be given: the group of every row/);
    expect(() => new GroupKFold({ nSplits: 8 }).split(x, y, groups)).toThrow(
      /groups must be 8 different ones/,
    );
    expect(() => new GroupKFold().split(x, y, groups.slice(1))).toThrow(/groups must be as long as X/);
  });

  it("repeat folds in another order every time", () => {
    const folds = new RepeatedKFold({ nSplits: 3, nRepeats: 4, randomState: 5 }).split(x);
    expect(folds).toHaveLength(12);
    for (let r = 0; r < 4; r++) {
      const tested = folds.slice(3 * r, 3 * r + 3).flatMap(({ test }) => [...test]);
      expect(sorted(tested)).toEqual(sorted(x.keys()));
    }
    expect(folds[0]!.test).not.toEqual(folds[3]!.test);
    const stratified = new RepeatedStratifiedKFold({ nSplits: 4, nRepeats: 2 }).split(x, y);
    for (const { test } of stratified) expect([...test].filter((i) => y[i] === "a")).toHaveLength(5);
    expect(stratified[0]!.test).not.toEqual(stratified[4]!.test);
  });

  it("draw parts of the sizes of scikit-learn", () => {
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 80 }), fc.integer({ min: 1, max: 9 }), (rows, tenths) => {
        const testSize = tenths / 10;
        for (const { train, test } of new ShuffleSplit({ nSplits: 2, testSize }).split(
          new Float64Array(rows),
        )) {
          expect(test.length).toBe(Math.ceil(testSize * rows));
          expect(train.length).toBe(rows - test.length);
        }
      }),
    );
    const [{ train, test }] = new ShuffleSplit({ testSize: 5, trainSize: 0.5 }).split(x) as [Fold];
    expect([train.length, test.length]).toEqual([30, 5]);
    for (const fold of new StratifiedShuffleSplit({ testSize: 0.3 }).split(x, y))
      expect([...fold.test].filter((i) => y[i] === "a")).toHaveLength(6);
  });

  it("say what does not fit", () => {
    expect(() => new TimeSeriesSplit({ nSplits: 5 }).split([1, 2, 3, 4, 5])).toThrow(DataError);
    expect(() => new TimeSeriesSplit({ testSize: 12 }).split(x)).toThrow(/a gap of 0 and one row before/);
    expect(() => new LeavePOut({ p: 5 }).split(new Float64Array(1000))).toThrow(/ShuffleSplit draws some/);
    expect(() => new LeavePOut({ p: 5 }).split([1, 2])).toThrow(/more than 5 rows/);
    expect(() => new PredefinedSplit({ testFold: [] })).toThrow(ParameterError);
    expect(() => new PredefinedSplit({ testFold: [0, 1] }).split(x)).toThrow(/as long as X has rows/);
    expect(() => new ShuffleSplit({ testSize: 60 }).split(x)).toThrow(/one row or more each/);
  });
});
