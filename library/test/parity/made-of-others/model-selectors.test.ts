import {
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  Lasso,
  LogisticRegression,
  RFE,
  RFECV,
  Ridge,
  SelectFromModel,
  SequentialFeatureSelector,
} from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf, dataOf } from "../fixtures.js";

interface Expected {
  readonly inner: string;
  readonly innerParams: object;
  readonly selected: readonly number[];
  readonly threshold?: number;
  readonly ranking?: readonly number[];
  readonly mean?: readonly number[];
  readonly std?: readonly number[];
}

const selectors = { SelectFromModel, RFE, RFECV, SequentialFeatureSelector } as const;
const estimators = {
  LogisticRegression,
  Lasso,
  Ridge,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
} as const;
const tight: Readonly<Record<string, object>> = {
  LogisticRegression: { tol: 1e-10, maxIter: 100_000 },
  Lasso: { tol: 1e-10, maxIter: 100_000 },
};

describe("selectors around a model are scikit-learn's: columns, ranks and scores", () => {
  for (const fixture of casesOf<Expected>("model-selectors")) {
    const { name, estimator: kind, params, expected } = fixture;
    it(name, async () => {
      const { X, y } = await dataOf<never>(fixture);
      const { inner, innerParams } = expected;
      const Inner = estimators[inner as keyof typeof estimators] as new (params: object) => Ridge;
      const own = { ...params, ...(params.normOrder === "Infinity" && { normOrder: Infinity }) };
      const Selector = selectors[kind as keyof typeof selectors] as new (params: object) => RFE<Ridge>;
      const selector = new Selector({ ...own, estimator: new Inner({ ...innerParams, ...tight[inner] }) });
      const model = selector.fit(X, y);
      expect(model.selected).toEqual(expected.selected);
      if (expected.ranking) expect([...model.ranking]).toEqual(expected.ranking);
      const { threshold, results } = model as unknown as {
        readonly threshold: number;
        readonly results: readonly { readonly meanScore: number; readonly stdScore: number }[];
      };
      // Of three classes scikit-learn's L-BFGS stops at the rounding of its objective, which leaves five digits of the coefficients.
      const digits = inner === "LogisticRegression" && new Set(y).size > 2 ? 4 : 8;
      if (expected.threshold) expect(threshold / expected.threshold).toBeCloseTo(1, digits);
      expected.mean?.forEach((mean, step) => {
        expect(results[step]!.meanScore, `step ${step}`).toBeCloseTo(mean, 8);
        expect(results[step]!.stdScore, `step ${step}`).toBeCloseTo(expected.std![step]!, 8);
      });
    });
  }
});
