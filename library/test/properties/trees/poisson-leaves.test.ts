import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../src/core/numbers/random.js";
import { ExtraTreesRegressor, RandomForestRegressor } from "../../../src/forests/index.js";
import { meanPoissonDeviance } from "../../../src/metrics/index.js";
import { DecisionTreeRegressor } from "../../../src/trees/index.js";

const kinds = {
  DecisionTreeRegressor: (own: object) => new DecisionTreeRegressor({ criterion: "poisson", ...own }),
  RandomForestRegressor: (own: object) =>
    new RandomForestRegressor({ criterion: "poisson", nEstimators: 3, ...own }),
  ExtraTreesRegressor: (own: object) =>
    new ExtraTreesRegressor({ criterion: "poisson", nEstimators: 3, ...own }),
};

/** Rates as insurers have them: many zeros, a number per exposure, weighted by it; a third of the rows without the first column. */
function rates(seed: number, n: number, unit: number) {
  const random = new Random(seed);
  const X: number[][] = [];
  const y: number[] = [];
  const exposure: number[] = [];
  for (let i = 0; i < n; i++) {
    const own = 0.1 + random.uniform();
    const claims = random.uniform() < 0.7 ? 0 : 1 + Math.floor(3 * random.uniform());
    X.push([
      random.uniform() < 0.3 ? Number.NaN : random.uniform(),
      Math.floor(6 * random.uniform()),
      Math.floor(4 * random.uniform()),
    ]);
    y.push((claims * unit) / own);
    exposure.push(own);
  }
  return { X, y, exposure };
}

describe("the poisson criterion", () => {
  for (const [name, make] of Object.entries(kinds))
    it(`${name} has no leaf that predicts 0: sums of zeros are 0 up to rounding, and the deviance is finite`, () => {
      fc.assert(
        fc.property(
          fc.integer(),
          fc.integer({ min: 20, max: 300 }),
          fc.constantFrom(1, 1e-9, 1e9),
          fc.constantFrom({}, { minSamplesLeaf: 3 }, { categoricalFeatures: [1, 2] }, { maxDepth: 4 }),
          fc.boolean(),
          (seed, n, unit, own, weighted) => {
            const { X, y, exposure } = rates(seed, n, unit);
            fc.pre(y.some((v) => v > 0));
            const options = weighted ? { sampleWeight: exposure } : {};
            const predictions = make(own).fit(X, y, options).predict(X);
            for (const p of predictions) expect(p / unit).toBeGreaterThan(1e-6);
            expect(meanPoissonDeviance(y, predictions, options)).toBeLessThan(Infinity);
          },
        ),
        { numRuns: 25 },
      );
    });
});
