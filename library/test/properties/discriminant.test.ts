import { describe, expect, it } from "vitest";
import { LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis } from "../../src/discriminant/index.js";
import { fc } from "../support/properties.js";

/** Rows of three classes with an answer: noise keeps covariances regular, so that answers can be compared. */
const problem = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 30, max: 60 }))
  .chain(([cols, rows]) =>
    fc.record({
      X: fc.array(
        fc.array(
          fc.integer({ min: -4000, max: 4000 }).map((v) => v / 64),
          { minLength: cols, maxLength: cols },
        ),
        { minLength: rows, maxLength: rows },
      ),
      weights: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: rows, maxLength: rows }),
    }),
  );

const estimators = [
  new LinearDiscriminantAnalysis(),
  new LinearDiscriminantAnalysis({ solver: "eigen", shrinkage: "auto" }),
  new LinearDiscriminantAnalysis({ solver: "lsqr", shrinkage: 0.3 }),
  new QuadraticDiscriminantAnalysis({ regParam: 0.1 }),
];

function expectNear(ours: Float64Array, expected: Float64Array, within: number): void {
  const worst = expected.reduce((most, p, e) => Math.max(most, Math.abs(p - ours[e]!)), 0);
  expect(worst).toBeLessThan(within);
}

describe("discriminants", () => {
  it("count a row of weight w like w rows, whatever the solver", () => {
    fc.assert(
      fc.property(problem, ({ X, weights }) => {
        const y = X.map((_, i) => i % 3);
        const often = X.flatMap((row, i) =>
          Array.from({ length: weights[i]! }, () => ({ row, label: y[i]! })),
        );
        for (const estimator of estimators) {
          const one = estimator.fit(X, y, { sampleWeight: weights }).predictProba(X).data;
          const many = estimator.fit(
            often.map(({ row }) => row),
            often.map(({ label }) => label),
          );
          // Condition numbers of a few thousand at most: regular noise, or shrunk.
          expectNear(many.predictProba(X).data, one, 1e-8);
        }
      }),
    );
  });

  it("do not care about the units of the columns, without shrinkage", () => {
    fc.assert(
      fc.property(problem, fc.integer({ min: -20, max: 20 }), ({ X }, power) => {
        const y = X.map((_, i) => i % 3);
        const scaled = X.map((row) => row.map((v, j) => (j === 0 ? v * 2 ** power : v)));
        for (const estimator of [estimators[0]!, new QuadraticDiscriminantAnalysis()]) {
          const one = estimator.fit(X, y).predictProba(X).data;
          const other = estimator.fit(scaled, y).predictProba(scaled).data;
          expectNear(other, one, 1e-8);
        }
      }),
    );
  });

  it("give posteriors that sum to 1 and whose logarithms are theirs, anywhere", () => {
    fc.assert(
      fc.property(problem, fc.double({ min: -1e300, max: 1e300, noNaN: true }), ({ X }, far) => {
        const y = X.map((_, i) => i % 3);
        const asked = [...X.slice(0, 5), X[0]!.map(() => far), X[0]!.map((_, j) => (j === 0 ? far : -far))];
        for (const estimator of estimators) {
          const model = estimator.fit(X, y);
          const [p, logs] = [model.predictProba(asked), model.predictLogProba(asked)];
          for (let i = 0; i < asked.length; i++) {
            expect(p.row(i).reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 12);
            expectNear(logs.row(i).map(Math.exp), p.row(i), 1e-12);
          }
        }
      }),
    );
  });
});
