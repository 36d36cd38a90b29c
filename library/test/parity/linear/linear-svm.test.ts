import { LinearSVC, LinearSVR } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose, expectMinimum, precise } from "../claims.js";
import type { Case, ClassifierExpected, RegressorExpected, Target } from "../fixtures.js";
import { casesOf, dataOf, pick } from "../fixtures.js";
import { supportVector, supportVectorRegression, withClassWeights } from "../objectives.js";

async function fittedClassifier(fixture: Case<ClassifierExpected>, precision: object) {
  const data = await dataOf<Target>(fixture);
  const { C, loss, penalty, classWeight } = fixture.params as {
    C: number;
    loss: string;
    penalty?: string;
    classWeight?: unknown;
  };
  const estimator = new LinearSVC({ ...fixture.params, ...precision } as never);
  const model = estimator.fit(data.X, data.y, data.fitOptions);
  const weight = withClassWeights(data.y, data.weight, fixture.expected.classes, classWeight);
  const parts = { C, squared: loss === "squaredHinge", l1: penalty === "l1" };
  return { model, objective: supportVector(data.X, data.y, weight, model, parts), ...data };
}

describe("LinearSVC is LIBSVM's linear kernel and LIBLINEAR without a penalised intercept", () => {
  for (const fixture of casesOf<ClassifierExpected>("linear-svc")) {
    const { name, expected, oracle } = fixture;

    it(`reaches the minimum as it comes: ${name}`, async () => {
      const { objective, model } = await fittedClassifier(fixture, {});
      expect(model.classes).toEqual(expected.classes);
      // The project's promise for default settings.
      expectMinimum(objective, expected.objective, 1e-6);
      expect(model.report.converged).toBe(true);
    });

    it(`asked for more digits, separates with the same planes: ${name} (${oracle})`, async () => {
      const { objective, model, X } = await fittedClassifier(fixture, precise);
      expectMinimum(objective, expected.objective, 1e-9);
      const Z = pick(X, expected.rows);
      expect(model.predict(Z)).toEqual(expected.predict);
      // ½‖w‖² makes the objective strongly convex: right to 1e-9 of it, w is right to some 1e-5 of its length. The l1
      // cases are not strongly convex, but their minimum is unique.
      expectClose(model.decisionFunction(Z).data as Float64Array, expected.decision!.flat(), 1e-5);
      expectClose(model.coef.data as Float64Array, expected.coef.flat(), 1e-5);
    });
  }
});

async function fittedRegressor(fixture: Case<RegressorExpected>, precision: object) {
  const data = await dataOf<number>(fixture);
  const model = new LinearSVR({ ...fixture.params, ...precision } as never).fit(
    data.X,
    data.y,
    data.fitOptions,
  );
  const { C, epsilon, loss } = fixture.params as { C: number; epsilon: number; loss: string };
  const parts = { C, epsilon, squared: loss === "squaredEpsilonInsensitive" };
  const objective = supportVectorRegression(data.X, data.y, data.weight, model.coef, model.intercept, parts);
  return { model, objective, ...data };
}

describe("LinearSVR is LIBSVM's linear kernel and LIBLINEAR without a penalised intercept", () => {
  for (const fixture of casesOf<RegressorExpected>("linear-svr")) {
    const { name, expected, oracle } = fixture;

    it(`reaches the minimum as it comes: ${name}`, async () => {
      const { objective, model } = await fittedRegressor(fixture, {});
      expectMinimum(objective, expected.objective, 1e-6);
      expect(model.report.converged).toBe(true);
    });

    it(`asked for more digits, has the same coefficients: ${name} (${oracle})`, async () => {
      const { objective, model, X } = await fittedRegressor(fixture, precise);
      expectMinimum(objective, expected.objective, 1e-9);
      // As for LinearSVC: the square root of the objective's accuracy.
      expectClose(model.predict(pick(X, expected.rows)), expected.predict, 1e-5);
      expectClose(model.coef, expected.coef!, 1e-5);
    });
  }
});
