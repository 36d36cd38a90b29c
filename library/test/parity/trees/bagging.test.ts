import type { Matrix } from "argmax";
import { BaggingClassifier, BaggingRegressor, GaussianNB, LogisticRegression, Ridge } from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf, dataOf, type Target } from "../fixtures.js";

interface Expected {
  readonly score: number;
  readonly deviation: number;
  readonly seeds: number;
  readonly oobScore?: number;
  readonly oobDeviation?: number;
}

const members = { GaussianNB, LogisticRegression, Ridge };
const bags = { BaggingClassifier, BaggingRegressor };

interface AnyBag {
  fit(
    x: Matrix,
    y: unknown[],
  ): { readonly oobScore: number | undefined; score(x: Matrix, y: unknown[]): number };
}

const mean = (list: readonly number[]) => list.reduce((sum, v) => sum + v, 0) / list.length;
const variance = (list: readonly number[]) =>
  list.reduce((sum, v) => sum + (v - mean(list)) ** 2, 0) / (list.length - 1);

/** Means over seeds may differ by four standard errors of their difference: by chance one in 16,000 cases would. */
function expectSameMean(ours: readonly number[], theirs: number, deviation: number, seeds: number): void {
  const error = Math.sqrt(variance(ours) / ours.length + deviation ** 2 / seeds);
  expect(Math.abs(mean(ours) - theirs)).toBeLessThan(4 * error);
}

describe("held-out and out-of-bag scores over 40 seeds are those of scikit-learn", () => {
  it.each(casesOf<Expected>("bagging"))("$name", async (fixture) => {
    const { member, ...params } = fixture.params as {
      member: keyof typeof members | "tree";
      bootstrap?: boolean;
    };
    const { X, y } = await dataOf<Target>(fixture);
    const rows = y.map((_, i) => i);
    const held = rows.filter((i) => i % 3 === 0);
    const taught = rows.filter((i) => i % 3 !== 0);
    const part = (chosen: number[]) => [(X as Matrix).selectRows(chosen), chosen.map((i) => y[i]!)] as const;
    const Bag = bags[fixture.estimator as keyof typeof bags] as new (given: object) => AnyBag;
    const { expected } = fixture;
    const models = Array.from({ length: expected.seeds }, (_, randomState) => {
      const estimator = member === "tree" ? {} : { estimator: new members[member]() };
      const oobScore = params.bootstrap ?? true;
      const [x, targets] = part(taught);
      return new Bag({ ...params, ...estimator, oobScore, randomState }).fit(x, targets);
    });
    const [z, truth] = part(held);
    const scores = models.map((model) => model.score(z, truth));
    expectSameMean(scores, expected.score, expected.deviation, expected.seeds);
    if (expected.oobScore === undefined) return;
    const oob = models.map((model) => model.oobScore!);
    expectSameMean(oob, expected.oobScore, expected.oobDeviation!, expected.seeds);
  });
});
