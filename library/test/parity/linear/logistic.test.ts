import { LogisticRegression, SoftmaxRegression } from "argmax";
import { describe, expect, it } from "vitest";
import { centred, expectClose, expectMinimum, precise } from "../claims.js";
import { type Case, type ClassifierExpected, casesOf, dataOf, pick, type Target } from "../fixtures.js";
import { logistic, type Penalty, rowVector, withClassWeights } from "../objectives.js";

type Fixture = Case<ClassifierExpected>;

async function fitted(fixture: Fixture, precision: object) {
  const data = await dataOf<Target>(fixture);
  const estimator = new LogisticRegression({ ...fixture.params, ...precision } as never);
  const model = estimator.fit(data.X, data.y, data.fitOptions);
  const { classes } = fixture.expected;
  const weight = withClassWeights(data.y, data.weight, classes, fixture.params.classWeight);
  const objective = logistic(data.X, data.y, weight, model, fixture.params as unknown as Penalty);
  return { model, objective, ...data };
}

const cases: readonly Fixture[] = [
  ...casesOf<ClassifierExpected>("logistic"),
  ...casesOf<ClassifierExpected>("multinomial"),
];

describe("logistic regression is scikit-learn's, R's, glmnet's and LIBLINEAR's", () => {
  for (const fixture of cases) {
    const { name, expected, oracle, params } = fixture;
    const softmax = expected.coef.length > 1;

    it(`reaches the minimum as it comes: ${name}`, async () => {
      const { objective, model } = await fitted(fixture, {});
      expect(model.classes).toEqual(expected.classes);
      // The project's promise for default settings.
      expectMinimum(objective, expected.objective, 1e-6);
      expect(model.report.converged).toBe(true);
    });

    it(`asked for more digits, predicts and weighs the same: ${name} (${oracle})`, async () => {
      const { objective, model, X } = await fitted(fixture, precise);
      expectMinimum(objective, expected.objective, 1e-11);
      const Z = pick(X, expected.rows);
      expect(model.predict(Z)).toEqual(expected.predict);
      // An objective that is right to 1e-11 fixes probabilities and coefficients to its square root.
      expectClose(model.predictProba(Z).data as Float64Array, expected.predictProba!.flat(), 1e-5);
      const ours = Array.from({ length: model.coef.rows }, (_, k) => Array.from(rowVector(model.coef, k)));
      const free = softmax && params.penalty === "none"; // then only differences between classes are determined
      expectClose(
        (free ? centred(ours) : ours).flat(),
        (free ? centred(expected.coef) : expected.coef).flat(),
        1e-5,
      );
      const shift = (b: readonly number[]) => (softmax ? centred(b.map((v) => [v])).flat() : [...b]);
      expectClose(shift(Array.from(model.intercept)), shift(expected.intercept), 1e-5);
    });
  }
});

describe("l1 logistic regression keeps exactly the features that the minimum keeps", () => {
  for (const fixture of cases.filter(({ params }) => params.penalty === "l1")) {
    it(fixture.name, async () => {
      const { model } = await fitted(fixture, precise);
      const kept = Array.from(model.coef.data as Float64Array, (w) => w !== 0);
      expect(kept).toEqual(fixture.expected.coef.flat().map((w) => w !== 0));
    });
  }
});

describe("SoftmaxRegression has nnet::multinom's log-odds in both of its forms", () => {
  for (const fixture of casesOf<ClassifierExpected>("softmax")) {
    const { name, expected, params } = fixture;
    for (const form of ["symmetric", "reference"] as const) {
      // A penalty treats the two forms differently; scikit-learn's is the symmetric one.
      if (form === "reference" && params.penalty !== "none") continue;
      it(`${form} form: ${name}`, async () => {
        const { X, y, fitOptions } = await dataOf<Target>(fixture);
        const estimator = new SoftmaxRegression({ ...params, form, ...precise } as never);
        const model = estimator.fit(X, y, fitOptions);
        const Z = pick(X, expected.rows);
        // Square root of an objective right to 1e-11.
        expectClose(model.predictProba(Z).data as Float64Array, expected.predictProba!.flat(), 1e-5);
        expect(model.predict(Z)).toEqual(expected.predict);
      });
    }
  }
});
