import { CsrMatrix, ElasticNetCV, LassoCV, LogisticRegressionCV, type Matrix, RidgeCV } from "argmax";
import { describe, expect, it } from "vitest";
import { type Case, casesOf, dataOf, type Target } from "../fixtures.js";

interface Expected {
  readonly coef: readonly number[] | readonly (readonly number[])[];
  readonly intercept: number | readonly number[];
  readonly alpha?: number;
  readonly bestScore?: number;
  readonly cvValues?: readonly (readonly number[])[];
  readonly alphas?: readonly (readonly number[])[];
  readonly msePath?: readonly (readonly (readonly number[])[])[];
  readonly l1Ratio?: number;
  readonly classes?: readonly Target[];
  readonly Cs?: readonly number[];
  readonly C?: readonly number[];
  readonly scores?: readonly (readonly (readonly number[])[])[];
  /** Of the last fold, by class. */
  readonly coefsPaths?: readonly (readonly (readonly number[])[])[];
}

// Both sides solve to a gap of 1e-10 of the objective: coefficients agree to its square root, errors of held-out rows to that.
const solved = 2e-5;
// Direct solutions.
const direct = 1e-8;

const cases = casesOf<Expected>("linear-cv");
const of = (estimator: string) => cases.filter((fixture) => fixture.estimator === estimator);

function expectNear(
  ours: ArrayLike<number>,
  expected: readonly number[],
  within: number,
  what: string,
): void {
  expect(ours.length, what).toBe(expected.length);
  const scale = expected.reduce((most, v) => Math.max(most, Math.abs(v)), 1e-300);
  const worst = expected.reduce((most, v, e) => Math.max(most, Math.abs(v - ours[e]!)), 0);
  expect(worst / scale, what).toBeLessThanOrEqual(within);
}

/** Weights of the fixture: all above 0, so that no row is missing from the folds. */
async function given<Y extends Target>(fixture: Case<Expected>) {
  const { X, y, weight } = await dataOf<Y>(fixture);
  return { X, y, fitOptions: fixture.weighted ? { sampleWeight: weight.map((w) => w + 0.25) } : {} };
}

describe("RidgeCV is scikit-learn's", () => {
  for (const fixture of of("RidgeCV")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X, y, fitOptions } = await given<number>(fixture);
      const sparse = X instanceof CsrMatrix ? 1e-6 : direct;
      const model = new RidgeCV({ ...params, storeCvValues: expected.cvValues !== undefined }).fit(
        X as Matrix,
        y,
        fitOptions,
      );
      expect(model.alpha).toBeCloseTo(expected.alpha!, 12);
      expectNear([model.bestScore], [expected.bestScore!], direct, "bestScore");
      if (expected.cvValues) {
        const { cvValues } = model;
        const ours = expected.cvValues.flatMap((_, i) => [...cvValues!.row(i)]);
        expectNear(ours, expected.cvValues.flat(), direct, "cvValues");
      }
      expectNear(model.coef, expected.coef as number[], sparse, "coef");
      expectNear([model.intercept], [expected.intercept as number], sparse, "intercept");
    });
  }
});

describe("LassoCV and ElasticNetCV are scikit-learn's", () => {
  for (const fixture of [...of("LassoCV"), ...of("ElasticNetCV")]) {
    it(fixture.name, async () => {
      const { expected } = fixture;
      const params = { ...fixture.params, tol: 1e-10, maxIter: 100_000 };
      const { X, y, fitOptions } = await given<number>(fixture);
      const lasso = fixture.estimator === "LassoCV";
      const model = lasso
        ? new LassoCV(params).fit(X as Matrix, y, fitOptions)
        : new ElasticNetCV(params).fit(X as Matrix, y, fitOptions);
      const rows = "l1Ratio" in model ? model.alphas.data : model.alphas;
      // scikit-learn lists given alphas once.
      expectNear(rows.subarray(0, expected.alphas!.flat().length), expected.alphas!.flat(), direct, "alphas");
      expectNear([model.alpha], [expected.alpha!], direct, "alpha");
      if ("l1Ratio" in model) expect(model.l1Ratio).toBe(expected.l1Ratio);
      const errors = "l1Ratio" in model ? model.msePath : [model.msePath];
      const every = Math.max(1, Math.floor(errors[0]!.rows / 10));
      const sampled = errors.flatMap((m) =>
        Array.from({ length: m.rows }, (_, a) => a)
          .filter((a) => a % every === 0)
          .flatMap((a) => [...m.row(a)]),
      );
      expectNear(sampled, expected.msePath!.flat(2), solved, "msePath");
      expectNear(model.coef, expected.coef as number[], solved, "coef");
      expectNear([model.intercept], [expected.intercept as number], solved, "intercept");
      const variance = y.reduce((sum, v) => sum + v * v, 0) / y.length;
      expect(model.dualGap).toBeLessThan(1e-8 * variance);
    });
  }
});

describe("LogisticRegressionCV is scikit-learn's", () => {
  for (const fixture of of("LogisticRegressionCV")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X, y, fitOptions } = await given<string>(fixture);
      const model = new LogisticRegressionCV({ ...params, tol: 1e-7, maxIter: 10_000 } as never).fit(
        X as Matrix,
        y,
        fitOptions,
      );
      expect(model.classes).toEqual(expected.classes);
      expectNear(model.Cs, expected.Cs!, 1e-14, "Cs");
      const ours = [...model.scores.values()].flatMap((m) => [...m.data]);
      expectNear(ours, expected.scores!.flat(2), solved, "scores");
      expectNear(model.C, expected.C!, 1e-12, "C");
      // One class of iris is separable from the rest: at C = 10⁴ newton-cg ends where its line search fails, 2e-4 from the minimum.
      const separable = fixture.name.endsWith("one against the rest");
      for (const [k, folds] of [...model.coefsPaths.values()].entries())
        for (const [e, row] of expected.coefsPaths![k]!.entries())
          expectNear(
            folds.at(-1)!.row(e),
            row,
            separable ? 3e-4 : 1e-4,
            `coefficients of class ${k} and fit ${e}`,
          );
      // saga stops at changes of 1e-9; lbfgs at gradients of 1e-9.
      expectNear(model.coef.data, (expected.coef as number[][]).flat(), 1e-4, "coef");
      expectNear(model.intercept, expected.intercept as number[], 1e-4, "intercept");
    });
  }
});
