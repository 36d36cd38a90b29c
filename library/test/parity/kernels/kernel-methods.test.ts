import { KernelFisherDiscriminant, KernelLogisticRegression, KernelMap, KernelRidge, Matrix } from "argmax";
import { describe, expect, it } from "vitest";
import { type Answers, casesOf, dataOf, pick } from "../fixtures.js";

interface Expected
  extends Pick<Answers, "rows" | "predict" | "objective" | "classes" | "predictProba" | "decision"> {
  readonly components: readonly number[];
  readonly products: readonly (readonly number[])[];
}

const cases = casesOf<Expected>("kernel-methods");
const of = (name: string) => cases.filter(({ estimator }) => estimator === name);

function expectNear(ours: ArrayLike<number>, expected: readonly number[], within: number): void {
  expect(ours.length).toBe(expected.length);
  const scale = Math.max(1, ...expected.map(Math.abs));
  const worst = Math.max(...expected.map((v, e) => Math.abs(v - ours[e]!)));
  expect(worst / scale, "largest difference").toBeLessThanOrEqual(within);
}

describe("KernelRidge is scikit-learn's", () => {
  // Both solve the system, with a condition of at most 1e6.
  const within = 1e-8;
  for (const fixture of of("KernelRidge")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X, y, fitOptions } = await dataOf<number>(fixture);
      const model = new KernelRidge(params as never).fit(X, y, fitOptions);
      expect(Math.abs(model.report.objective / expected.objective - 1)).toBeLessThan(within);
      expectNear(model.predict(pick(X, expected.rows)), expected.predict as number[], within);
    });
  }
});

describe("Nystroem has scikit-learn's products", () => {
  for (const fixture of of("Nystroem")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X } = await dataOf<number>(fixture);
      // The map of the rows that scikit-learn drew is what Nystroem makes of a sample.
      const map = new KernelMap(params as never).fit(pick(X, expected.components));
      const features = map.transform(pick(X, expected.rows));
      const count = expected.rows.length;
      const products = Matrix.zeros(count, count);
      for (let s = 0; s < count; s++) {
        for (let t = 0; t < count; t++)
          products.data[s * count + t] = features
            .row(s)
            .reduce((sum, v, k) => sum + v * features.at(t, k), 0);
      }
      // scikit-learn cuts eigenvalues off at 1e-12: a square root of that is left of features.
      expectNear(products.data, expected.products.flat(), 1e-6);
    });
  }
});

describe("KernelLogisticRegression is scikit-learn's on the eigenvectors of the kernel", () => {
  for (const fixture of of("KernelLogisticRegression")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X, y, fitOptions } = await dataOf<string>(fixture);
      const precisely = { ...params, tol: 1e-8, maxIter: 10_000 };
      const model = new KernelLogisticRegression(precisely as never).fit(X, y, fitOptions);
      expect(model.classes).toEqual(expected.classes);
      // Its L-BFGS stops where the objective no longer falls: half of the digits in probabilities.
      expect(model.report.objective / expected.objective - 1).toBeLessThan(1e-9);
      expect(model.report.objective / expected.objective - 1).toBeGreaterThan(-1e-6);
      const rows = pick(X, expected.rows);
      expectNear(model.predictProba(rows).data, expected.predictProba.flat(), 1e-4);
      expect(model.predict(rows)).toEqual(expected.predict);
    });
  }
});

describe("KernelFisherDiscriminant is scikit-learn's LDA on the eigenvectors of the kernel", () => {
  // Margins divide by variances of 1e-8 and less.
  const within = 1e-6;
  for (const fixture of of("KernelFisherDiscriminant")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X, y } = await dataOf<string>(fixture);
      const model = new KernelFisherDiscriminant(params as never).fit(X, y);
      expect(model.classes).toEqual(expected.classes);
      const rows = pick(X, expected.rows);
      expectNear(model.decisionFunction(rows).data, expected.decision.flat(), within);
      expectNear(model.predictProba(rows).data, expected.predictProba.flat(), within);
      expect(model.predict(rows)).toEqual(expected.predict);
    });
  }
});
