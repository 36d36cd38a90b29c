import { AdaBoostRegressor } from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";
import {
  type RegressionLossName,
  regressionRound,
  updateRegressionWeightsInto,
  weightedMedians,
} from "../../../src/adaboost/regression-rounds.js";
import { casesOf } from "../fixtures.js";

interface Replay {
  readonly name: string;
  readonly loss: RegressionLossName;
  readonly learningRate: number;
  readonly y: readonly number[];
  readonly weights: readonly number[];
  readonly members: readonly (readonly number[])[];
  readonly estimatorWeights: readonly number[];
  readonly estimatorErrors: readonly number[];
  readonly predict: readonly number[];
}
interface Scores {
  readonly name: string;
  readonly loss: RegressionLossName;
  readonly mean: number;
  readonly deviation: number;
}
const cases = casesOf("ada-boost-regressor") as unknown as readonly (Replay | Scores)[];

describe.each(cases.filter((entry): entry is Replay => "members" in entry))("$name", (replay) => {
  const y = Float64Array.from(replay.y);
  const members = replay.members.map((predictions) => Float64Array.from(predictions));

  it("makes the same errors, weights and medians of the members' predictions", () => {
    const weights = Float64Array.from(replay.weights);
    for (const [t, predicted] of members.entries()) {
      const round = regressionRound(replay.loss, replay.learningRate, y, predicted, weights);
      // The fixture's predictions have nine places.
      expect(round.error).toBeCloseTo(replay.estimatorErrors[t]!, 8);
      expect(round.weight).toBeCloseTo(replay.estimatorWeights[t]!, 7);
      updateRegressionWeightsInto(round, replay.learningRate, weights);
    }
    const medians = weightedMedians(members, Float64Array.from(replay.estimatorWeights), y.length);
    expect(Array.from(medians)).toEqual(replay.predict);
  });
});

describe.each(cases.filter((entry): entry is Scores => "mean" in entry))(
  "$name",
  ({ loss, mean, deviation }) => {
    it("reaches the mean R² of scikit-learn over as many seeds", async () => {
      const { X, y } = await loadDataset("diabetes");
      const rows = Array.from(y.keys());
      const [train, held] = [rows.filter((i) => i % 4 !== 3), rows.filter((i) => i % 4 === 3)];
      const of = (chosen: readonly number[]) => ({ X: X.selectRows(chosen), y: chosen.map((i) => y[i]!) });
      const [a, b] = [of(train), of(held)];
      const scores = Array.from({ length: 20 }, (_, randomState) =>
        new AdaBoostRegressor({ nEstimators: 30, loss, randomState }).fit(a.X, a.y).score(b.X, b.y),
      );
      const own = scores.reduce((sum, score) => sum + score, 0) / scores.length;
      // Two means of twenty differ by less than three of their standard errors.
      expect(Math.abs(own - mean)).toBeLessThan(3 * deviation * Math.sqrt(2 / 20));
    });
  },
);
