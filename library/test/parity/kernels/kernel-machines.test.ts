import { type FittedSVC, type FittedSVR, type Matrix, SVC, SVR } from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf, dataOf, pick } from "../fixtures.js";

interface Expected {
  readonly rows: readonly number[];
  readonly decision: readonly number[];
  readonly objective: number;
  readonly nSupport: number;
  readonly classes?: readonly string[];
}

/** Kernel values in 32 bits on both sides: the dual agrees to six digits, margins to some less, times their size. */
const objective = 1e-6;
const margin = 2e-5;

const cases = casesOf<Expected>("kernel-machines");

function expectSameMachine(model: FittedSVC | FittedSVR, ours: Float64Array, expected: Expected): void {
  expect(model.report.converged).toBe(true);
  const relative = model.report.objective / expected.objective - 1;
  expect(Math.abs(relative), "relative difference of the dual").toBeLessThanOrEqual(objective);
  const { rows, decision } = expected;
  const scale = Math.max(1, ...decision.map(Math.abs));
  const worst = Math.max(...rows.map((_, e) => Math.abs(ours[e]! - decision[e]!)));
  expect(worst / scale, "largest difference of decisions").toBeLessThanOrEqual(margin);
  // A row on the edge may have a coefficient of nearly 0.
  expect(Math.abs(model.support.length - expected.nSupport)).toBeLessThanOrEqual(2);
}

describe("kernels that LIBSVM lacks are kernlab's", () => {
  for (const fixture of cases) {
    it(`${fixture.estimator}: ${fixture.name}`, async () => {
      const { expected, params } = fixture;
      if (fixture.estimator === "SVC") {
        const { X, y } = await dataOf<string>(fixture);
        const model = new SVC(params as never).fit(X as Matrix, y);
        expect(model.classes).toEqual(expected.classes);
        expectSameMachine(model, model.decisionFunction(pick(X, expected.rows)).data, expected);
      } else {
        const { X, y } = await dataOf<number>(fixture);
        const model = new SVR(params as never).fit(X as Matrix, y);
        expectSameMachine(model, model.predict(pick(X, expected.rows)), expected);
      }
    });
  }
});
