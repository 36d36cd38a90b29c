import { readFileSync } from "node:fs";
import {
  DecisionTreeRegressor,
  ElasticNet,
  ExtraTreesRegressor,
  KernelRidge,
  Lasso,
  LinearRegression,
  type Matrix,
  RandomForestRegressor,
  Ridge,
  RidgeCV,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Case, casesOf } from "../fixtures.js";

interface Expected {
  readonly rows: readonly number[];
  readonly predict: readonly (readonly number[])[];
  readonly score: number;
  readonly coef?: readonly (readonly number[])[];
  readonly intercept?: readonly number[];
  readonly dualCoef?: readonly (readonly number[])[];
  readonly importances?: readonly number[];
  readonly leaves?: number;
  readonly impurity?: number;
  readonly alphas?: readonly number[];
  readonly alpha?: readonly number[];
  readonly bestScore?: readonly number[];
  readonly cvValues?: readonly (readonly (readonly number[])[])[];
}

const data: Readonly<Record<string, { readonly X: number[][]; readonly Y: number[][] }>> = JSON.parse(
  readFileSync(new URL("../fixtures/several-targets-data.json", import.meta.url), "utf8"),
);

function partsOf(fixture: Case<Expected>) {
  const { X, Y } = data[fixture.data as string]!;
  const sampleWeight = fixture.weighted ? X.map((_, i) => (i % 3) + 1) : undefined;
  const rows = fixture.expected.rows.map((i) => X[i]!);
  return { X, Y, rows, options: { sampleWeight } };
}

const numbers = ({ data }: Matrix) => data;
const cases = casesOf<Expected>("several-targets");
const linear = { ElasticNet, Lasso, LinearRegression, Ridge };

describe("several targets are scikit-learn's", () => {
  for (const fixture of cases.filter(({ estimator }) => estimator in linear)) {
    it(fixture.name, () => {
      const { X, Y, rows, options } = partsOf(fixture);
      const Estimator = linear[fixture.estimator as keyof typeof linear];
      const model = new Estimator(fixture.params as never).fit(X, Y, options);
      const { expected } = fixture;
      // Closed forms, or minima within 1e-12 of the objective, whose coefficients have half as many digits.
      expectClose(numbers(model.predict(rows)), expected.predict.flat(), 1e-6);
      expectClose(numbers(model.coef), expected.coef!.flat(), 1e-5);
      expectClose(model.intercept, expected.intercept!, 1e-5);
      expect(model.score(X, Y, options)).toBeCloseTo(expected.score, 8);
    });
  }

  for (const fixture of cases.filter(({ estimator }) => estimator === "RidgeCV")) {
    it(fixture.name, () => {
      const { X, Y, rows, options } = partsOf(fixture);
      const { expected } = fixture;
      const storeCvValues = expected.cvValues !== undefined;
      const model = new RidgeCV({ ...fixture.params, storeCvValues } as never).fit(X, Y, options);
      expect([...model.alpha]).toEqual(expected.alpha);
      // Closed forms with α ≥ 0.1.
      expectClose(model.bestScore, expected.bestScore!, 1e-9);
      expectClose(numbers(model.predict(rows)), expected.predict.flat(), 1e-9);
      expectClose(numbers(model.coef), expected.coef!.flat(), 1e-8);
      expectClose(model.intercept, expected.intercept!, 1e-8);
      for (const [t, values] of (expected.cvValues ?? []).entries())
        expectClose(numbers(model.cvValues![t]!).subarray(0, values.flat().length), values.flat(), 1e-8);
    });
  }

  for (const fixture of cases.filter(({ estimator }) => estimator === "KernelRidge")) {
    it(fixture.name, () => {
      const { X, Y, rows, options } = partsOf(fixture);
      const model = new KernelRidge(fixture.params as never).fit(X, Y, options);
      const { expected } = fixture;
      // Linear systems with condition numbers below 1e6.
      expectClose(numbers(model.predict(rows)), expected.predict.flat(), 1e-9);
      expectClose(numbers(model.dualCoef), expected.dualCoef!.flat(), 1e-8);
      expect(model.score(X, Y, options)).toBeCloseTo(expected.score, 9);
    });
  }

  for (const fixture of cases.filter(({ estimator }) => estimator === "DecisionTreeRegressor")) {
    it(fixture.name, () => {
      const { X, Y, rows, options } = partsOf(fixture);
      const model = new DecisionTreeRegressor(fixture.params as never).fit(X, Y, options);
      const { expected } = fixture;
      // The same tree: its means and impurities differ by rounding only.
      expect(model.leafCount).toBe(expected.leaves);
      expectClose(numbers(model.predict(rows)), expected.predict.flat(), 1e-12);
      // Absent where equally good columns share the importance.
      if (expected.importances) expectClose(model.featureImportances, expected.importances, 1e-10);
      expect(model.tree.node(0).impurity).toBeCloseTo(expected.impurity!, 10);
      expect(model.score(X, Y, options)).toBeCloseTo(expected.score, 12);
      // scikit-learn's path is that of the tree before it is pruned.
      if (fixture.params.ccpAlpha !== undefined) return;
      expectClose(model.costComplexityPath().alphas, expected.alphas!, 1e-9);
    });
  }

  const forests = { ExtraTreesRegressor, RandomForestRegressor };
  for (const fixture of cases.filter(({ estimator }) => estimator in forests)) {
    it(fixture.name, () => {
      const { X, Y, options } = partsOf(fixture);
      const Forest = forests[fixture.estimator as keyof typeof forests];
      const model = new Forest(fixture.params as never).fit(X, Y, options);
      const { expected } = fixture;
      // Other random numbers: 200 trees of either differ by about 0.003 in R² and 0.02 in importances.
      expect(Math.abs(model.score(X, Y) - expected.score)).toBeLessThan(0.015);
      for (const [j, share] of model.featureImportances.entries())
        expect(Math.abs(share - expected.importances![j]!)).toBeLessThan(0.05);
    });
  }
});
