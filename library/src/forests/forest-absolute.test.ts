import { describe, expect, it } from "vitest";
import { sameOnThreads } from "../../test/support/grown-on-threads.js";
import { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { controlsOf } from "../trees/growth.js";
import { treeTargetCriteria } from "../trees/impurities.js";
import { DecisionTreeRegressor } from "../trees/index.js";
import { growAbsoluteForest } from "./forest-absolute.js";
import { ExtraTreesRegressor, RandomForestRegressor } from "./index.js";

const criterion = "absoluteError";

/** y = 10 where x₀ > 0, else 0, and a little noise; x₁ is noise. */
function steps(n: number, seed: number) {
  const random = new Random(seed);
  const X = new Matrix(
    Float64Array.from({ length: n * 2 }, () => random.normal()),
    n,
    2,
  );
  const y = Float64Array.from({ length: n }, (_, i) => (X.at(i, 0) > 0 ? 10 : 0) + random.uniform());
  return { X, y };
}

describe("forests by absolute error", () => {
  it("count a row that was drawn twice as one of weight 2, and one that was not as gone", () => {
    const random = new Random(3);
    const n = 80;
    // One column: no ties between columns, which a forest draws.
    const x = new Matrix(
      Float64Array.from({ length: n }, () => random.normal()),
      n,
      1,
    );
    const y = Float64Array.from({ length: n }, () => random.normal());
    const counts = Int32Array.from({ length: n }, () => random.below(4));
    const weights = Float64Array.from({ length: n }, () => 1 + random.below(3));
    const { params } = new DecisionTreeRegressor({ criterion, minSamplesLeaf: 2 });
    const controls = controlsOf("test", params, treeTargetCriteria[criterion], x, n);
    for (const own of [undefined, weights]) {
      const rows = { x, categories: new Int32Array(1), y, weights: own };
      const [grown] = growAbsoluteForest(rows, controls, [{ counts, seed: 1 }]);
      const sampleWeight = Float64Array.from(counts, (count, i) => count * (own ? own[i]! : 1));
      const alone = new DecisionTreeRegressor(params).fit(x, y, { sampleWeight }).tree.grown;
      expect(grown!.counts[0]).toBe(counts.filter((count) => count > 0).length);
      expect(grown!.thresholds).toEqual(alone.thresholds);
      // Targets less their mean and the mean again: rounded twice.
      for (const [k, value] of alone.values.entries()) expect(grown!.values[k]).toBeCloseTo(value, 12);
    }
  });

  it.each([RandomForestRegressor, ExtraTreesRegressor])("are left cold by an outlier: %o", (Forest) => {
    const { X, y } = steps(200, 1);
    const wrong = y.with(7, 1e6);
    // A leaf of 15 rows has 14 others, and no row is drawn 14 times: every median is among the targets that are right.
    const params = { nEstimators: 20, minSamplesLeaf: 15 };
    const absolute = new Forest({ ...params, criterion }).fit(X, wrong);
    expect(Math.max(...absolute.predict(X))).toBeLessThanOrEqual(11);
    expect(absolute.score(X, y)).toBeGreaterThan(0.5);
    // A mean of at most 200 rows with the outlier in it is 1e6/200 or more: worse than the mean of all that is right.
    expect(new Forest(params).fit(X, wrong).score(X, y)).toBeLessThan(0);
  });

  it.each([RandomForestRegressor, ExtraTreesRegressor])(
    "are the same on one thread and on two, and differ by seed: %o",
    (Forest) => {
      const { X, y } = steps(150, 2);
      const [first, second] = sameOnThreads((randomState) =>
        new Forest({ criterion, nEstimators: 4, randomState }).fit(X, y).trees.map((tree) => tree.grown),
      );
      expect(second).not.toEqual(first);
    },
  );

  it.each([RandomForestRegressor, ExtraTreesRegressor])(
    "leave out rows of weight 0, and come back from a file: %o",
    (Forest) => {
      const { X, y } = steps(120, 4);
      const sampleWeight = Float64Array.from(y, (_, i) => i % 3);
      const rows = Int32Array.from(y.keys()).filter((i) => i % 3 > 0);
      const forest = new Forest({
        criterion,
        nEstimators: 5,
        bootstrap: true,
        oobScore: true,
        maxFeatures: 1,
      });
      const weighted = forest.fit(X, y, { sampleWeight });
      const some = forest.fit(
        X.selectRows(rows),
        Float64Array.from(rows, (i) => y[i]!),
        { sampleWeight: Float64Array.from(rows, (i) => sampleWeight[i]!) },
      );
      expect(weighted.toState()).toEqual(some.toState());
      expect(weighted.oobScore).toBeGreaterThan(0);
      const back = loadModel(saveModel(weighted), Forest);
      expect(back.predict(X)).toEqual(weighted.predict(X));
      expect(back.oobScore).toBe(weighted.oobScore);
    },
  );

  it("draw one of equally good columns", () => {
    const { X, y } = steps(60, 5);
    const twice = new Matrix(
      Float64Array.from({ length: 120 }, (_, e) => X.at(e >> 1, 0)),
      60,
      2,
    );
    const { trees } = new RandomForestRegressor({ criterion, nEstimators: 200, maxDepth: 1 }).fit(twice, y);
    const first = trees.filter(({ grown }) => grown.features[0] === 0).length;
    // 200 fair draws: four standard deviations.
    expect(Math.abs(first - 100)).toBeLessThan(4 * Math.sqrt(50));
  });
});
