import { recommend } from "argmax/compare";
import { describe, expect, test } from "vitest";
import type { ModelEntry } from "./document.js";
import { standings } from "./standings.js";
import type { Run } from "./training.js";

const entry = (id: string, estimator: string, params: ModelEntry["params"] = {}): ModelEntry => ({
  id,
  estimator,
  params,
});
const run = (scores: readonly number[] | undefined, fitMilliseconds = 1) =>
  ({ state: "done", trained: scores && { scores, fitMilliseconds } }) as unknown as Run;

describe("standings", () => {
  const scores = {
    boosting: [0.992, 0.993, 0.991, 0.992, 0.992],
    linear: [0.98, 0.985, 0.95, 0.85, 0.945],
  };

  test("the star is the library's recommendation: a fast model that is worse in every fold is not it", () => {
    const models = [entry("m1", "HistGradientBoostingRegressor"), entry("m2", "LinearRegression")];
    const runs = [run(scores.boosting, 900), run(scores.linear, 1)];
    const { rows, reason } = standings(models, runs, 0);
    expect(rows.map(({ model, tied, recommended }) => [model.id, tied, recommended])).toEqual([
      ["m1", true, true],
      ["m2", false, false],
    ]);
    const own = recommend(
      models.map(({ estimator }, k) => ({
        name: estimator,
        estimator: { id: estimator },
        scores: [scores.boosting, scores.linear][k]!,
      })),
      { baseline: 0 },
    );
    expect(reason).toBe(own.reason.replace("HistGradientBoostingRegressor", "Gradient boosting"));
  });

  test("of tied models the simplest has the star, however long it takes", () => {
    const same = [0.9, 0.91, 0.92];
    const models = [
      entry("m1", "SVC"),
      entry("m2", "CalibratedClassifier", { estimator: { model: "m3" } }),
      entry("m3", "LogisticRegression", { C: 2 }),
      entry("m4", "MLPClassifier"),
    ];
    const runs = [run(same, 1), run([0.91, 0.9, 0.92], 2), run([0.89, 0.92, 0.9], 3000), run(undefined)];
    const { rows, reason } = standings(models, runs, undefined);
    expect(rows.map(({ model, recommended }) => [model.id, recommended])).toEqual([
      ["m2", true],
      ["m1", false],
      ["m3", false],
      ["m4", false],
    ]);
    // A calibrated logistic regression is as simple as the regression inside.
    expect(reason).toContain("it is the best, and none of the 2 models that are tied with it is simpler");
    expect(rows[3]!.mean).toBeUndefined();
  });

  test("a model that is made of itself ends, and nothing is recommended without scores", () => {
    const models = [entry("m1", "CalibratedClassifier", { estimator: { model: "m1" } })];
    expect(standings(models, [run(undefined)], undefined)).toMatchObject({
      reason: "",
      rows: [{ tied: false }],
    });
    expect(standings(models, [run([0.5, 0.6])], undefined).rows[0]!.recommended).toBe(true);
  });
});
