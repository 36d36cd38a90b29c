import { describe, expect, it } from "vitest";
import {
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
} from "../../../src/boosting/index.js";
import { fc } from "../../support/properties.js";
import { bestScore, type SplitScore, thresholdSides } from "../../support/split-candidates.js";

const { NaN: MISSING } = Number;
const list = <T>(of: fc.Arbitrary<T>, length: number) =>
  fc.array(of, { minLength: length, maxLength: length });

/** Numbers and categories, some missing; answers 0 … 3 or of two classes; whole weights. */
const problem = fc.integer({ min: 40, max: 90 }).chain((rows) => {
  const gaps = (of: fc.Arbitrary<number>) =>
    fc.oneof({ weight: 5, arbitrary: of }, { weight: 1, arbitrary: fc.constant(MISSING) });
  const number = fc.integer({ min: -6, max: 6 }).map((v) => v / 4);
  const category = fc.integer({ min: 0, max: 3 });
  return fc.record({
    X: list(fc.tuple(number, gaps(number), category, gaps(category)) as fc.Arbitrary<number[]>, rows),
    y: list(fc.integer({ min: 0, max: 3 }), rows),
    weights: fc.oneof(fc.constant(undefined), list(fc.integer({ min: 1, max: 3 }), rows)),
    l2Regularization: fc.constantFrom(0, 1, 20),
    minSamplesLeaf: fc.integer({ min: 1, max: 12 }),
  });
});

const CATEGORICAL = [2, 3];
/** Rows (or hessian in their place) of a category that has a say, and what is added to its hessian in the order of categories. */
const SUPPORT = 10;

/** The splits of categories that boosting promises: the first or the last ones by gradient over hessian, every cut of the order once. */
function* categorySides(column: readonly number[], g: readonly number[], h: readonly number[]) {
  const all = column.map((_, i) => i);
  const sum = (rows: readonly number[], of: readonly number[]) => rows.reduce((s, i) => s + of[i]!, 0);
  const factor = all.length / sum(all, h);
  const groups = [0, 1, 2, 3, MISSING]
    .map((code) => all.filter((i) => Object.is(column[i], code)))
    .filter((rows) => rows.length > 0 && sum(rows, h) * factor >= SUPPORT * (1 - 1e-6))
    .map((rows) => ({ rows, key: sum(rows, g) / (sum(rows, h) + SUPPORT) }))
    .sort((a, b) => a.key - b.key);
  if (groups.length < 2) return;
  const half = (groups.length + 1) >> 1;
  for (const [order, most] of [
    [groups, half],
    [groups.toReversed(), half - 1],
  ] as const) {
    for (let count = 1; count <= most; count++) {
      const left = order.slice(0, count).flatMap(({ rows }) => rows);
      yield { left, right: all.filter((i) => !left.includes(i)) };
    }
  }
}

interface Root {
  readonly gain?: number;
}

/** The root's gain is the largest of all promised splits, or there is none that gains. */
function expectBest(
  root: Root,
  X: readonly (readonly number[])[],
  g: readonly number[],
  h: readonly number[],
  { l2Regularization: l2, minSamplesLeaf }: { l2Regularization: number; minSamplesLeaf: number },
): void {
  const term = (rows: readonly number[]) => {
    const [G, H] = [rows.reduce((s, i) => s + g[i]!, 0), rows.reduce((s, i) => s + h[i]!, 0)];
    return (G * G) / (H + l2);
  };
  const whole = term(X.map((_, i) => i));
  const score: SplitScore = (left, right) => term(left) + term(right) - whole;
  const best = Math.max(
    ...X[0]!.map((_, j) => {
      const column = X.map((row) => row[j]!);
      const sides = CATEGORICAL.includes(j) ? categorySides(column, g, h) : thresholdSides(column);
      return bestScore(sides, score, minSamplesLeaf);
    }),
  );
  // Gradients are rounded to whole numbers of 2⁻²⁰ of the steepest and finer.
  const tolerance = 1e-6 * Math.max(1, Math.abs(best));
  if (root.gain === undefined) expect(best).toBeLessThanOrEqual(tolerance);
  else expect(Math.abs(root.gain - best)).toBeLessThanOrEqual(tolerance);
}

describe("the root of boosted trees on numbers, categories and gaps", () => {
  const params = { categoricalFeatures: CATEGORICAL, maxIter: 1, maxLeafNodes: 2, earlyStopping: false };

  it("has the largest gain of all promised splits of squared errors", () => {
    fc.assert(
      fc.property(problem, ({ X, y, weights, ...own }) => {
        const model = new HistGradientBoostingRegressor({ ...params, ...own }).fit(X, y, {
          sampleWeight: weights,
        });
        const w = weights ?? y.map(() => 1);
        const mean = y.reduce((s, v, i) => s + w[i]! * v, 0) / w.reduce((s, v) => s + v, 0);
        const g = y.map((v, i) => w[i]! * (mean - v));
        expectBest(model.tree(0)[0]!, X, g, w, own);
      }),
    );
  });

  it("has the largest gain of all promised splits of the log loss", () => {
    fc.assert(
      fc.property(problem, ({ X, y: answers, weights, ...own }) => {
        const y = answers.map((v, i) => (i < 2 ? i : v > 1 ? 1 : 0));
        const model = new HistGradientBoostingClassifier({ ...params, ...own }).fit(X, y, {
          sampleWeight: weights,
        });
        const w = weights ?? y.map(() => 1);
        const p = y.reduce((s, v, i) => s + w[i]! * v, 0) / w.reduce((s, v) => s + v, 0);
        const g = y.map((v, i) => w[i]! * (p - v));
        expectBest(
          model.tree(0)[0]!,
          X,
          g,
          w.map((v) => v * p * (1 - p)),
          own,
        );
      }),
    );
  });
});
