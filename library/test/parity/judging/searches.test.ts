import { GridSearch, LogisticRegression, type ScorerName, SVC } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { casesOf, dataOf } from "../fixtures.js";

type PerScorer = Readonly<Record<string, readonly number[]>>;

interface Expected {
  readonly params: readonly Readonly<Record<string, number>>[];
  readonly mean: PerScorer;
  readonly std: PerScorer;
  readonly rank: PerScorer;
  readonly bestIndex: number;
  readonly bestParams: Readonly<Record<string, number>>;
  readonly bestScore: number;
}

interface Given {
  readonly grid: { readonly C: readonly number[]; readonly gamma?: readonly number[] };
  readonly scoring: readonly ScorerName[];
  readonly refit: ScorerName;
}

const estimators = {
  LogisticRegression: new LogisticRegression({ tol: 1e-10, maxIter: 1000 }),
  SVC: new SVC({ tol: 1e-8 }),
};

describe("a grid with several scorers has the means, ranks and best of scikit-learn's GridSearchCV", () => {
  for (const fixture of casesOf<Expected>("searches"))
    it(fixture.name, async () => {
      const { X, y } = await dataOf<string>(fixture);
      const { grid, scoring, refit } = fixture.params as unknown as Given;
      const estimator = estimators[fixture.estimator as keyof typeof estimators] as SVC;
      const found = new GridSearch({ estimator, grid, cv: 4, scoring, refit }).fit(X, y);
      const { candidates } = found.results;
      const { expected } = fixture;
      expect(candidates.map(({ params }) => params)).toEqual(expected.params);
      for (const name of scoring) {
        expect(candidates.map(({ rank }) => rank[name])).toEqual(expected.rank[name]);
        // Labels and rankings are the same; scikit-learn's Newton-CG stops at a gradient of 1e-7.
        const means = candidates.map(({ meanScore }) => meanScore[name]);
        expectClose(means, expected.mean[name]!, name.startsWith("neg") ? 1e-8 : 1e-12);
        const deviations = candidates.map(({ stdScore }) => stdScore[name]);
        expectClose(deviations, expected.std[name]!, name.startsWith("neg") ? 1e-8 : 1e-12);
      }
      expect(found.bestIndex).toBe(expected.bestIndex);
      expect(found.bestParams).toEqual(expected.bestParams);
      expectClose([found.bestScore], [expected.bestScore], 1e-8);
    });
});
