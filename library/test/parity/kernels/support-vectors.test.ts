import { type FittedSVC, type FittedSVR, type Matrix, SVC, SVR } from "argmax";
import { describe, expect, it } from "vitest";
import { type Answers, casesOf, dataOf, pick } from "../fixtures.js";

interface Expected
  extends Pick<Answers, "rows" | "predict">,
    Partial<Pick<Answers, "objective" | "classes" | "decision">> {
  readonly gamma: number;
  readonly nSupport: number;
  readonly accuracy?: number;
  readonly nSupportPerClass?: readonly number[];
  readonly coef?: readonly (readonly number[])[];
  readonly intercept?: readonly number[];
}

// Both sides keep kernel values in 32 bits and stop at a violation of 1e-5: objectives agree to that, margins to its size
// relative to theirs, and a support vector more or less has a coefficient near 0.
const objective = 1e-6;
const margin = 2e-3;

const cases = casesOf<Expected>("support-vectors");

function expectNear(ours: ArrayLike<number>, expected: readonly number[]): void {
  const scale = Math.max(1, ...expected.map(Math.abs));
  const worst = Math.max(...expected.map((v, e) => Math.abs(v - ours[e]!)));
  expect(worst / scale, "largest difference").toBeLessThanOrEqual(margin);
}

function expectSameMachine(model: FittedSVC | FittedSVR, expected: Expected, kernel: unknown): void {
  expect(model.report.converged).toBe(true);
  if (kernel !== "linear") expect(model.gamma).toBeCloseTo(expected.gamma, 12);
  expect(Math.abs(model.support.length - expected.nSupport)).toBeLessThanOrEqual(
    0.02 * expected.nSupport + 1,
  );
  if (expected.objective === undefined) return;
  const excess = (model.report.objective - expected.objective) / Math.abs(expected.objective);
  expect(excess, "objective above scikit-learn's").toBeLessThanOrEqual(objective);
}

function expectSameCounts(ours: Int32Array, expected: readonly number[]): void {
  expect(ours.length).toBe(expected.length);
  for (const [k, count] of expected.entries())
    expect(Math.abs(ours[k]! - count)).toBeLessThanOrEqual(0.02 * count + 1);
}

describe("SVC is scikit-learn's", () => {
  for (const fixture of cases.filter(({ estimator }) => estimator === "SVC")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X, y, fitOptions } = await dataOf<string>(fixture);
      const model = new SVC(params as never).fit(X as Matrix, y, fitOptions);
      expectSameMachine(model, expected, params.kernel);
      expect(model.classes).toEqual(expected.classes);
      expectSameCounts(model.nSupport, expected.nSupportPerClass!);
      if (expected.coef) {
        expect([model.coef.rows, model.coef.cols]).toEqual([expected.coef.length, expected.coef[0]!.length]);
        expectNear(model.coef.data, expected.coef.flat());
        expectNear(model.intercept, expected.intercept!);
      }
      const rows = pick(X, expected.rows);
      expectNear(model.decisionFunction(rows).data, expected.decision!.flat());
      expect(model.predict(rows)).toEqual(expected.predict);
      expect(model.score(X as Matrix, y)).toBeCloseTo(expected.accuracy!, 2);
    });
  }
});

describe("SVC without slack is where scikit-learn's C → ∞ ends", () => {
  for (const fixture of cases.filter(({ estimator }) => estimator === "hard SVC")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X, y } = await dataOf<string>(fixture);
      const model = new SVC({ ...(params as object), C: Infinity }).fit(X as Matrix, y);
      expectSameMachine(model, expected, params.kernel);
      expectNear(model.decisionFunction(pick(X, expected.rows)).data, expected.decision!.flat());
      expect(model.score(X as Matrix, y)).toBe(1);
      expect(model.margins(X as Matrix, y).minFunctional).toBeGreaterThan(1 - margin);
    });
  }
});

/** e^(−γ‖x − z‖²) of all pairs, in doubles. */
function gaussian({ data, rows, cols }: Matrix, gamma: number): number[][] {
  const row = (i: number) => data.subarray(i * cols, (i + 1) * cols);
  return Array.from({ length: rows }, (_, s) =>
    Array.from({ length: rows }, (_, t) =>
      Math.exp(-gamma * row(s).reduce((sum, v, j) => sum + (v - row(t)[j]!) ** 2, 0)),
    ),
  );
}

describe("SVC with a precomputed kernel is scikit-learn's", () => {
  for (const fixture of cases.filter(({ estimator }) => estimator === "precomputed SVC")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X, y } = await dataOf<string>(fixture);
      const K = gaussian(X as Matrix, expected.gamma);
      const model = new SVC({ ...(params as object), kernel: "precomputed" }).fit(K, y);
      expect(model.report.converged).toBe(true);
      expect(Math.abs(model.support.length - expected.nSupport)).toBeLessThanOrEqual(1);
      const asked = expected.rows.map((i) => K[i]!);
      expectNear(model.decisionFunction(asked).data, expected.decision!.flat());
      expect(model.predict(asked)).toEqual(expected.predict);
      expect(model.score(K, y)).toBeCloseTo(expected.accuracy!, 2);
    });
  }
});

describe("SVR is scikit-learn's", () => {
  for (const fixture of cases.filter(({ estimator }) => estimator === "SVR")) {
    it(fixture.name, async () => {
      const { expected, params } = fixture;
      const { X, y } = await dataOf<number>(fixture);
      const model = new SVR(params as never).fit(X as Matrix, y);
      expectSameMachine(model, expected, params.kernel);
      expectNear(model.predict(pick(X, expected.rows)), expected.predict as number[]);
      if (expected.coef) {
        expectNear(model.coef, expected.coef[0]!);
        expectNear([model.intercept], expected.intercept!);
      }
    });
  }
});
