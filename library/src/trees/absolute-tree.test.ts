import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import { Deviations, weightedMedian } from "./absolute-error.js";
import { DecisionTreeRegressor } from "./index.js";

const criterion = "absoluteError";

describe("absolute errors", () => {
  it("are summed around the weighted median, row after row", () => {
    const random = new Random(1);
    for (const n of [1, 2, 3, 7, 8, 9, 64, 100]) {
      const y = Float64Array.from({ length: n }, () => Math.round(4 * random.normal())).sort();
      const weights = Float64Array.from({ length: n }, () => 1 + Math.floor(3 * random.uniform()));
      const deviations = new Deviations(y);
      const added: number[] = [];
      for (const rank of random.permutation(n)) {
        deviations.add(rank, weights[rank]!);
        added.push(rank);
        const around = (m: number) => added.reduce((sum, i) => sum + weights[i]! * Math.abs(y[i]! - m), 0);
        // The least is reached at one of the targets.
        const least = Math.min(...added.map((i) => around(y[i]!)));
        expect(deviations.total()).toBeCloseTo(least, 10);
        const sorted = added.toSorted((a, b) => a - b);
        expect(around(weightedMedian(sorted, y, (i) => weights[i]!))).toBeCloseTo(least, 10);
      }
    }
  });

  it("make leaves of medians, which outliers do not move", () => {
    const X = [[0], [0], [0], [1], [1], [1], [1]];
    const y = [1, 2, 1e6, 10, 11, 12, 13];
    const model = new DecisionTreeRegressor({ criterion, maxDepth: 1 }).fit(X, y);
    // The mean is taken off and added again.
    expect(model.predict([[0], [1]])[0]).toBeCloseTo(2, 8);
    expect(model.predict([[0], [1]])[1]).toBeCloseTo(11.5, 8);
    const weighted = new DecisionTreeRegressor({ criterion, maxDepth: 1 });
    const heavy = weighted.fit(X, y, { sampleWeight: [1, 1, 1, 5, 1, 1, 1] });
    expect(heavy.predict([[1]])[0]).toBeCloseTo(10, 8);
  });

  it("grow within all controls, from thresholds that are drawn and from some of the columns", () => {
    const random = new Random(4);
    const n = 300;
    const X = new Matrix(
      Float64Array.from({ length: 4 * n }, (_, e) =>
        random.uniform() < 0.05 ? Number.NaN : (e * 7919) % 101,
      ),
      n,
      4,
    );
    const y = Float64Array.from({ length: n }, (_, i) => Math.abs((X.at(i, 1) || 30) - 50) + random.normal());
    const own = [
      { splitter: "random", minSamplesLeaf: 4 },
      { maxFeatures: 2, maxDepth: 5 },
      { maxLeafNodes: 9, minSamplesSplit: 20 },
      { minImpurityDecrease: 0.05 },
      { minWeightFractionLeaf: 0.1 },
    ] as const;
    for (const params of own) {
      const model = new DecisionTreeRegressor({ criterion, ...params }).fit(X, y);
      expect(model.leafCount).toBeGreaterThan(2);
      if ("maxLeafNodes" in params) expect(model.leafCount).toBe(9);
      if ("maxDepth" in params) expect(model.depth).toBeLessThanOrEqual(5);
      for (const { split, count, weight } of model.tree.nodes()) {
        if ("minSamplesLeaf" in params) expect(count).toBeGreaterThanOrEqual(4);
        if ("minWeightFractionLeaf" in params) expect(weight).toBeGreaterThanOrEqual(30);
        if ("minSamplesSplit" in params && split) expect(count).toBeGreaterThanOrEqual(20);
      }
      expect(model.predict(X)).toEqual(
        new DecisionTreeRegressor({ criterion, ...params }).fit(X, y).predict(X),
      );
    }
    const seeds = [0, 1].map((randomState) =>
      new DecisionTreeRegressor({ criterion, maxFeatures: 1, maxDepth: 2, randomState }).fit(X, y).predict(X),
    );
    expect(seeds[0]).not.toEqual(seeds[1]);
  });

  it("part categories by their medians", () => {
    const X = [[0], [1], [2], [3], [0], [1], [2], [3]];
    const y = [1, 9, 2, 8, 1, 9, 2, 8];
    const tree = new DecisionTreeRegressor({ criterion, categoricalFeatures: [0], maxDepth: 1 });
    const { split } = tree.fit(X, y).tree.node(0);
    expect([...split!.categories!]).toEqual([0, 2]);
  });

  it("stop at leaves whose targets are equal", () => {
    const X = Array.from({ length: 90 }, (_, i) => [i % 3, i]);
    const y = X.map(([k]) => [0.1, 0.7, 1.3][k!]!);
    expect(new DecisionTreeRegressor({ criterion }).fit(X, y).leafCount).toBe(3);
  });
});
