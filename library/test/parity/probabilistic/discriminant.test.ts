import type { FittedLinearDiscriminantAnalysis, Matrix } from "argmax";
import { LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Answers, type Case, casesOf, dataOf, pick } from "../fixtures.js";

interface Expected
  extends Pick<Answers, "classes" | "rows" | "predict" | "predictProba" | "decision">,
    Partial<Pick<Answers, "transform">> {
  readonly priors: readonly number[];
  readonly accuracy: number;
  readonly ratio?: readonly number[];
  readonly covariance?: readonly (readonly number[])[];
  readonly covariances?: readonly (readonly (readonly number[])[])[];
  /** Posteriors of MASS. */
  readonly mass?: readonly (readonly number[])[];
  readonly linear?: number;
  readonly quadratic?: number;
}

// Closed form: both sides are right to many more digits than this, whatever the conditioning of these sets.
const posterior = 1e-8;
// Margins of hundreds lose what the covariance's condition number takes from both sides.
const margin = 1e-8;

const cases = casesOf<Expected>("discriminant");
const fits = cases.filter(({ estimator }) => estimator !== "both");

function expectPosteriors(ours: Matrix, expected: readonly (readonly number[])[]): void {
  const worst = Math.max(...expected.flat().map((p, e) => Math.abs(ours.data[e]! - p)));
  expect(worst).toBeLessThanOrEqual(posterior);
}

describe("discriminants are scikit-learn's, and MASS's", () => {
  for (const fixture of fits) {
    it(`posteriors, margins and predictions: ${fixture.name}`, async () => {
      const { expected } = fixture;
      const { X, y } = await dataOf<string>(fixture);
      const model = fitted(fixture, X as Matrix, y);
      expect(model.classes).toEqual(expected.classes);
      expectClose(model.priors, expected.priors, 1e-15);
      const rows = pick(X, expected.rows);
      const proba = model.predictProba(rows);
      expectPosteriors(proba, expected.predictProba);
      if (expected.mass) expectPosteriors(proba, expected.mass);
      expectClose(model.decisionFunction(rows).data, expected.decision.flat(), margin);
      expect(model.predict(rows)).toEqual(expected.predict);
      expect(model.score(X, y)).toBeCloseTo(expected.accuracy, 12);
    });
  }

  for (const fixture of fits.filter(({ expected }) => expected.transform)) {
    it(`axes up to their sign: ${fixture.name}`, async () => {
      const { expected } = fixture;
      const { X, y } = await dataOf<string>(fixture);
      const model = fitted(fixture, X as Matrix, y) as FittedLinearDiscriminantAnalysis<string>;
      // An axis turns by the rounding of its eigenvalue over the gap to the next one, which is small for 26 classes.
      expectClose(model.explainedVarianceRatio, expected.ratio!, 1e-9);
      const z = model.transform(pick(X, expected.rows)).data.map(Math.abs);
      expectClose(z, expected.transform!.flat(), 1e-7);
    });
  }

  for (const fixture of fits.filter(({ expected }) => expected.covariance ?? expected.covariances)) {
    it(`covariances: ${fixture.name}`, async () => {
      const { covariance, covariances, classes } = fixture.expected;
      const { X, y } = await dataOf<string>(fixture);
      const model = fitted(fixture, X as Matrix, y);
      // Sums of a few hundred products: only the order of summation differs.
      if (covariance)
        expectClose((model as FittedLinearDiscriminantAnalysis).covariance!.data, covariance.flat(), 1e-12);
      covariances?.forEach((expected, k) => {
        if (!(model instanceof Object && "precision" in model)) throw new Error("a QDA");
        expectClose(model.covariance(classes[k] as string).data, expected.flat(), 1e-12);
      });
    });
  }

  for (const fixture of cases.filter(({ estimator }) => estimator === "both")) {
    it(`as many right as there: ${fixture.name}`, async () => {
      const { X, y } = await dataOf<string>(fixture);
      const all = Array.from(y.keys());
      const right = (estimator: LinearDiscriminantAnalysis | QuadraticDiscriminantAnalysis) =>
        all.filter((i) => {
          const rest = all.filter((other) => other !== i);
          const model = estimator.fit(
            X.selectRows(rest),
            rest.map((other) => y[other]!),
          );
          return model.predict(X.selectRows([i]))[0] === y[i];
        }).length;
      expect(right(new LinearDiscriminantAnalysis())).toBe(fixture.expected.linear);
      expect(right(new QuadraticDiscriminantAnalysis())).toBe(fixture.expected.quadratic);
    });
  }
});

function fitted({ estimator, params }: Case<Expected>, X: Matrix, y: readonly string[]) {
  return estimator === "LinearDiscriminantAnalysis"
    ? new LinearDiscriminantAnalysis(params as never).fit(X, y)
    : new QuadraticDiscriminantAnalysis(params as never).fit(X, y);
}
