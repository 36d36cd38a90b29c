import { HistGradientBoostingClassifier, HistGradientBoostingRegressor } from "argmax";
import { describe, expect, it } from "vitest";
import { type Case, casesOf, dataOf, type Target } from "../fixtures.js";

interface Node {
  readonly rows: number;
  readonly value?: number;
  readonly feature?: number;
  readonly gain?: number;
  /** null: missing values against all others, or categories. */
  readonly threshold?: number | null;
  readonly missingLeft?: boolean;
  readonly left?: number;
  readonly right?: number;
}

interface Grown extends Case<Expected> {
  readonly rows: string;
  readonly y: readonly number[];
  readonly weight: readonly number[] | null;
}
interface Expected {
  readonly losses: readonly number[];
  readonly tree: readonly Node[];
  readonly baseline: readonly number[];
  readonly raw: readonly (readonly number[])[];
}

const sets = casesOf("hist-boosting-rows") as unknown as readonly {
  name: string;
  X: (number | null)[][];
}[];
const rowsOf = (name: string) =>
  sets.find((set) => set.name === name)!.X.map((row) => row.map((value) => value ?? Number.NaN));

// scikit-learn keeps gradients in 32-bit floats, whose rounding is 6e-8 of each.
const single = 1e-6;
/**
 * Cases with splits of exactly equal gain, between which rounding chooses: gradients of ±1, children that share one bound, and rows of
 * one gradient, which scikit-learn splits for a gain of 1e-16. Losses differ by what such a split is worth later.
 */
const tied = ["absolute error", "quantile", "quantile with weights", "monotone columns"];
const choice = 3e-2;

const close = (received: number, expected: number, what: string, within = single) =>
  expect(Math.abs(received - expected), `${what}: ${received} for ${expected}`).toBeLessThanOrEqual(
    within * Math.max(1, Math.abs(expected)),
  );

/** The same splits from node v and w on, whatever the numbers of nodes. */
function expectSameTree(own: readonly Node[], theirs: readonly Node[], v = 0, w = 0): void {
  const [a, b] = [own[v]!, theirs[w]!];
  expect(a.rows, `rows of node ${w}`).toBe(b.rows);
  // Rows of one class: their gain is 0, and what rounding makes of it is no reason for us to split them.
  if (a.feature === undefined && b.gain !== undefined && b.gain < 1e-12) {
    for (const leaf of [b.left!, b.right!]) close(theirs[leaf]!.value!, a.value!, `value of node ${leaf}`);
    return;
  }
  expect(a.feature, `column of node ${w}`).toBe(b.feature);
  if (b.feature === undefined) {
    close(a.value!, b.value!, `value of node ${w}`);
    return;
  }
  if (typeof b.threshold === "number") close(a.threshold!, b.threshold, `threshold of node ${w}`);
  expect(a.missingLeft, `way of missing values in node ${w}`).toBe(b.missingLeft);
  // scikit-learn counts the gain of its root from 0, we from what one leaf would be worth.
  if (w > 0) close(a.gain!, b.gain!, `gain of node ${w}`);
  expectSameTree(own, theirs, a.left, b.left);
  expectSameTree(own, theirs, a.right, b.right);
}

interface Boosted {
  readonly estimator: string;
  readonly params: object;
  readonly y: readonly number[];
  readonly weight: readonly number[] | null;
}

function fitted({ estimator, params, y, weight }: Boosted, X: number[][]) {
  const options = weight ? { sampleWeight: weight } : {};
  return estimator === "HistGradientBoostingRegressor"
    ? new HistGradientBoostingRegressor(params as never).fit(X, y, options)
    : new HistGradientBoostingClassifier(params as never).fit(X, y, options);
}

describe("trees are those of scikit-learn", () => {
  for (const fixture of casesOf<Expected>("hist-boosting") as readonly Grown[]) {
    it(`${fixture.estimator}: ${fixture.name}`, () => {
      const { expected } = fixture;
      const within = tied.includes(fixture.name) ? choice : single;
      const X = rowsOf(fixture.rows);
      const model = fitted(fixture, X);
      for (const [k, value] of expected.baseline.entries()) close(model.baseline[k]!, value, "baseline");
      for (const [t, loss] of expected.losses.entries())
        close(-model.trainScore[t + 1]!, loss, `loss after round ${t + 1}`, within);
      if (tied.includes(fixture.name)) return;
      expectSameTree(model.tree(0), expected.tree);
      const raw = rawOf(model, X.slice(0, expected.raw.length));
      for (const [i, row] of expected.raw.entries())
        for (const [k, value] of row.entries()) close(raw[i * row.length + k]!, value, `row ${i}`);
    });
  }
});

interface Stopped extends Case<{ readonly rounds: number; readonly trainScore: readonly number[] }> {
  readonly rows: string;
  readonly y: readonly number[];
  readonly weight: readonly number[] | null;
}

describe("early stopping by a score stops in the round of scikit-learn, with its scores", () => {
  for (const fixture of casesOf("hist-boosting-scoring") as unknown as readonly Stopped[]) {
    it(`${fixture.estimator}: ${fixture.name}`, () => {
      const { expected } = fixture;
      const X = rowsOf(fixture.rows);
      const model = fitted(fixture, X);
      expect(model.nIter).toBe(expected.rounds);
      expect(model.report.converged).toBe(true);
      expect(model.trainScore.length).toBe(expected.trainScore.length);
      for (const [t, score] of expected.trainScore.entries())
        close(model.trainScore[t]!, score, `score after round ${t}`);
    });
  }
});

function rawOf(
  model: ReturnType<HistGradientBoostingRegressor["fit"]> | ReturnType<HistGradientBoostingClassifier["fit"]>,
  X: number[][],
): Float64Array {
  if ("decisionFunction" in model) return model.decisionFunction(X).data;
  const predicted = model.predict(X);
  return model.toState().values["loss"] === "poisson" ? predicted.map(Math.log) : predicted;
}

describe("held-out scores are those of scikit-learn", () => {
  for (const fixture of casesOf<{ score: number }>("hist-boosting-held-out")) {
    it(fixture.name, async () => {
      const { X, y } = await dataOf<Target>(fixture);
      const all = Array.from({ length: X.rows }, (_, i) => i);
      const [train, test] = [all.filter((i) => i % 4 !== 0), all.filter((i) => i % 4 === 0)];
      const labels = (rows: number[]) => rows.map((i) => y[i]!);
      const score =
        fixture.estimator === "HistGradientBoostingRegressor"
          ? new HistGradientBoostingRegressor(fixture.params as never)
              .fit(X.selectRows(train), labels(train) as number[])
              .score(X.selectRows(test), labels(test) as number[])
          : new HistGradientBoostingClassifier(fixture.params as never)
              .fit(X.selectRows(train), labels(train))
              .score(X.selectRows(test), labels(test));
      // Columns of few values have splits of equal gain, between which rounding chooses: two rows of digits, or 0.02 of R².
      expect(Math.abs(score - fixture.expected.score)).toBeLessThanOrEqual(0.02);
    });
  }
});
