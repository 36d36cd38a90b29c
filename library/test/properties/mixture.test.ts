import { describe, expect, it } from "vitest";
import { GaussianMixture } from "../../src/mixture/index.js";
import { fc } from "../support/properties.js";

const types = ["full", "tied", "diag", "spherical", "identity"] as const;

/** Rows of sixteenths, and which of them are the first means. */
const problem = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 12, max: 150 }))
  .chain(([cols, k, rows]) =>
    fc.record({
      X: fc.array(
        fc.array(
          fc.integer({ min: -160, max: 160 }).map((v) => v / 16),
          { minLength: cols, maxLength: cols },
        ),
        { minLength: rows, maxLength: rows },
      ),
      nComponents: fc.constant(k),
      covarianceType: fc.constantFrom(...types),
    }),
  );

describe("mixtures", () => {
  it("the log-likelihood never decreases, and responsibilities sum to 1", () => {
    fc.assert(
      fc.property(problem, ({ X, nComponents, covarianceType }) => {
        const model = new GaussianMixture({ nComponents, covarianceType, tol: 0, maxIter: 30 }).fit(X);
        // regCovar is not a part of the likelihood: near a singular covariance it may cost what it adds.
        const slack = covarianceType === "identity" ? 1e-12 : 1e-3;
        for (let t = 1; t < model.lowerBounds.length; t++)
          expect(model.lowerBounds[t]! - model.lowerBounds[t - 1]!).toBeGreaterThan(-slack);
        const r = model.predictProba(X);
        for (let i = 0; i < r.rows; i++) expect(r.row(i).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 13);
      }),
    );
  });

  it("neither the order of rows nor their place matters, from the same start", () => {
    fc.assert(
      fc.property(problem, ({ X, nComponents, covarianceType }) => {
        const meansInit = X.slice(0, nComponents);
        const mixtureOf = (means: number[][]) =>
          new GaussianMixture({
            nComponents,
            covarianceType,
            weightsInit: means.map(() => 1 / nComponents),
            meansInit: means,
            precisionsInit: unitPrecisions(covarianceType, nComponents, X[0]!.length),
            regCovar: 0.1,
            maxIter: 3,
            tol: 0,
          });
        const shift = (row: number[]) => row.map((v) => v + 1024);
        const given = mixtureOf(meansInit).fit(X);
        const turned = mixtureOf(meansInit).fit([...X].reverse());
        const moved = mixtureOf(meansInit.map(shift)).fit(X.map(shift));
        given.means.data.forEach((value, e) => {
          // A component of little weight amplifies rounding: its mean is a ratio of small sums.
          expect(turned.means.data[e]).toBeCloseTo(value, 6);
          expect(moved.means.data[e]! - 1024).toBeCloseTo(value, 6);
        });
        expect(turned.lowerBound).toBeCloseTo(given.lowerBound, 9);
        expect(moved.lowerBound).toBeCloseTo(given.lowerBound, 9);
      }),
    );
  });
});

function unitPrecisions(type: (typeof types)[number], k: number, d: number) {
  const eye = Array.from({ length: d }, (_, i) => Array.from({ length: d }, (_, j) => (i === j ? 1 : 0)));
  if (type === "identity") return null;
  if (type === "tied") return eye;
  const own = type === "full" ? eye : type === "diag" ? eye.map(() => 1) : 1;
  return Array.from({ length: k }, () => own);
}
