import { describe, expect, it } from "vitest";
import { AdaBoostClassifier } from "../../src/adaboost/index.js";
import { HistGradientBoostingClassifier, HistGradientBoostingRegressor } from "../../src/boosting/index.js";
import {
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
} from "../../src/forests/index.js";
import { DecisionTreeClassifier } from "../../src/trees/index.js";
import { fc } from "../support/properties.js";

const few = { nEstimators: 5 };
const rounds = { maxIter: 6, minSamplesLeaf: 2 };
const estimators = {
  "AdaBoostClassifier of stumps": new AdaBoostClassifier(few),
  "AdaBoostClassifier of trees": new AdaBoostClassifier({
    ...few,
    estimator: new DecisionTreeClassifier({ maxDepth: 2 }),
  }),
  HistGradientBoostingClassifier: new HistGradientBoostingClassifier(rounds),
  "HistGradientBoostingClassifier with early stopping": new HistGradientBoostingClassifier({
    ...rounds,
    earlyStopping: true,
    nIterNoChange: 2,
  }),
  HistGradientBoostingRegressor: new HistGradientBoostingRegressor(rounds),
  "HistGradientBoostingRegressor by absolute error": new HistGradientBoostingRegressor({
    ...rounds,
    loss: "absoluteError",
  }),
  RandomForestClassifier: new RandomForestClassifier({ ...few, oobScore: true, bootstrap: true }),
  RandomForestRegressor: new RandomForestRegressor(few),
  ExtraTreesClassifier: new ExtraTreesClassifier(few),
  ExtraTreesRegressor: new ExtraTreesRegressor(few),
};

/** Everything about a model that can be saved, and what it says. */
const told = (model: { toState(): unknown; predict(x: number[][]): unknown }, X: number[][]) => ({
  state: model.toState(),
  predictions: model.predict(X),
});

describe("the model of a step is that of the step, whenever it is asked for", () => {
  const row = fc.tuple(
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 0, max: 2 }),
  );

  it.each(Object.entries(estimators))("%s", (_, estimator) => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 30, maxLength: 50 }), (rows) => {
        const X = rows.map(([a, b]) => [a, b]);
        // Classes that a column mostly tells, so that boosting finds something.
        const y = rows.map(([a, , noise], i) =>
          i < 4 ? i % 2 : a > 4 !== (noise === 2 && i % 3 === 0) ? 1 : 0,
        );
        const meant = X.map(([a, b], i) => (i < 4 ? [i % 2 === 1 ? 9 : 0, b!] : [a!, b!]));
        const atTheTime: unknown[] = [];
        const steps = [];
        for (const step of estimator.steps(meant, y)) {
          atTheTime.push({
            ...told(step.model(), X),
            objective: "objective" in step ? step.objective : undefined,
            weights: "rowWeights" in step ? step.rowWeights : undefined,
          });
          steps.push(step);
        }
        const later = steps.map((step) => ({
          ...told(step.model(), X),
          objective: "objective" in step ? step.objective : undefined,
          weights: "rowWeights" in step ? step.rowWeights : undefined,
        }));
        expect(later).toEqual(atTheTime);
      }),
      { numRuns: 10 },
    );
  });
});
