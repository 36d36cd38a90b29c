import {
  AdaBoostClassifier,
  DecisionStump,
  FittedDecisionStump,
  GaussianNB,
  LogisticRegression,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose, precise } from "../claims.js";
import { type Answers, casesOf, dataOf, pick, type Target } from "../fixtures.js";

interface Expected
  extends Pick<Answers, "classes" | "score" | "rows" | "predict" | "predictProba" | "decision"> {
  readonly estimatorWeights: readonly number[];
  readonly estimatorErrors: readonly number[];
  readonly features?: readonly number[];
  readonly thresholds?: readonly number[];
}

const members = {
  DecisionStump: { make: () => new DecisionStump(), within: 1e-11 }, // sums of weights in another order, over the rounds
  GaussianNB: { make: () => new GaussianNB({ varSmoothing: 0 }), within: 1e-9 }, // weighted moments round differently
  LogisticRegression: { make: () => new LogisticRegression(precise), within: 1e-9 }, // errors are sums of weights, not of margins
};

describe.each(casesOf<Expected>("ada-boost"))("$name", (fixture) => {
  const { member, ...params } = fixture.params as { member: keyof typeof members; nEstimators: number };
  const { make, within } = members[member];
  const { expected } = fixture;
  const fit = async () => {
    const { X, y, fitOptions } = await dataOf<Target>(fixture);
    return { X, y, model: new AdaBoostClassifier({ estimator: make(), ...params }).fit(X, y, fitOptions) };
  };

  it("has the same votes and errors in every round", async () => {
    const { model } = await fit();
    expectClose(model.estimatorWeights, expected.estimatorWeights, within);
    expectClose(model.estimatorErrors, expected.estimatorErrors, within);
  });

  if (expected.features)
    it("asks the same questions", async () => {
      const { model } = await fit();
      const stumps = model.members.filter((own) => own instanceof FittedDecisionStump);
      expect(stumps.map(({ feature }) => feature)).toEqual(expected.features);
      for (const [t, { threshold }] of stumps.entries()) {
        // scikit-learn rounds X to 32 bits: 6e-8, relative.
        const theirs = expected.thresholds![t]!;
        expect(Math.abs(threshold - theirs)).toBeLessThanOrEqual(1e-7 * Math.abs(theirs));
      }
    });

  it("answers the same", async () => {
    const { X, y, model } = await fit();
    const asked = pick(X, expected.rows);
    expect(model.classes).toEqual(expected.classes);
    expect(model.predict(asked)).toEqual(expected.predict);
    expect(model.score(X, y)).toBeCloseTo(expected.score, 12);
    expectClose(model.decisionFunction(asked).data, expected.decision.flat(), within);
    expectClose(model.predictProba(asked).data, expected.predictProba.flat(), within);
  });
});
