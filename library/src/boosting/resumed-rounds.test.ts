import { describe, expect, it } from "vitest";
import { makeClassification } from "../data/generators/index.js";
import { Table } from "../data/table/table.js";
import { RandomForestRegressor } from "../forests/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { HistGradientBoostingClassifier, HistGradientBoostingRegressor } from "./index.js";

const { X, y } = makeClassification({
  nSamples: 301,
  nFeatures: 6,
  nClasses: 3,
  nInformative: 4,
  randomState: 3,
});
const numbers = X.column(0).map((value, i) => value + y[i]! + 5);
const sampleWeight = Float64Array.from(y, (_, i) => 1 + (i % 4));

describe("histogram boosting that is resumed", () => {
  it.each([
    ["three classes", {}],
    ["held-out rows", { earlyStopping: true, nIterNoChange: 50 }],
    ["held-out rows by a metric", { earlyStopping: true, nIterNoChange: 50, scoring: "accuracy" }],
  ] as const)("is the model of all rounds at once, bit for bit: %s", (_, params) => {
    const few = new HistGradientBoostingClassifier({ ...params, maxIter: 4 }).fit(X, y, { sampleWeight });
    const all = new HistGradientBoostingClassifier({ ...params, maxIter: 9 });
    const resume = loadModel(saveModel(few), HistGradientBoostingClassifier) as typeof few;
    const resumed = all.fit(X, y, { sampleWeight, resume });
    expect(resumed.nIter).toBe(9);
    expect(saveModel(resumed)).toEqual(saveModel(all.fit(X, y, { sampleWeight })));
  });

  it.each(["squaredError", "absoluteError", "poisson", "gamma", "quantile"] as const)(
    "is so with %s, with gaps and with categories",
    (loss) => {
      const table = Table.fromColumns({
        a: X.column(1).map((value, i) => (i % 7 === 0 ? Number.NaN : value)),
        b: Array.from(y, (_, i) => ["red", "green", "blue", "black"][(i * 5) % 4]!),
        c: X.column(2),
      });
      const params = { loss, quantile: 0.4, minSamplesLeaf: 5 };
      const few = new HistGradientBoostingRegressor({ ...params, maxIter: 3 }).fit(table, numbers);
      const all = new HistGradientBoostingRegressor({ ...params, maxIter: 8 });
      const resumed = all.fit(table, numbers, { resume: few });
      expect(saveModel(resumed)).toEqual(saveModel(all.fit(table, numbers)));
      expect([...all.steps(table, numbers, { resume: few })].map(({ iteration }) => iteration)).toEqual([
        4, 5, 6, 7, 8,
      ]);
    },
  );

  it("has nothing to add to a fit that has stopped", () => {
    const params = { earlyStopping: true, nIterNoChange: 3 };
    const stopped = new HistGradientBoostingClassifier({ ...params, maxIter: 200 }).fit(X, y);
    expect(stopped.nIter).toBeLessThan(200);
    const again = new HistGradientBoostingClassifier({ ...params, maxIter: 300 });
    expect(again.fit(X, y, { resume: stopped }).nIter).toBe(stopped.nIter);
    expect(again.fit(X, y).nIter).toBe(stopped.nIter);
  });

  it("refuses another loss, and other held-out rows", () => {
    const poisson = new HistGradientBoostingRegressor({ loss: "poisson", maxIter: 3 }).fit(X, numbers);
    expect(() =>
      new HistGradientBoostingRegressor({ maxIter: 5 }).fit(X, numbers, { resume: poisson }),
    ).toThrow(/loss must be "poisson", as in the model that is resumed, got "squaredError"/);
    const params = { earlyStopping: true, nIterNoChange: 50 };
    const held = new HistGradientBoostingClassifier({ ...params, maxIter: 3 }).fit(X, y);
    const other = new HistGradientBoostingClassifier({ ...params, maxIter: 5, randomState: 7 });
    expect(() => other.fit(X, y, { resume: held })).toThrow(/randomState must be 0, as in the model/);
    const back = loadModel(saveModel(held), HistGradientBoostingClassifier) as typeof held;
    expect(() => other.fit(X, y, { resume: back })).toThrow(/randomState must be 0/);
  });

  it("learns from new rows", () => {
    const half = Array.from({ length: 150 }, (_, i) => i);
    const rest = Array.from({ length: 151 }, (_, i) => 150 + i);
    const targets = (rows: readonly number[]) => rows.map((i) => numbers[i]!);
    const first = new HistGradientBoostingRegressor({ maxIter: 20 }).fit(X.selectRows(half), targets(half));
    const more = new HistGradientBoostingRegressor({ maxIter: 60 });
    const model = more.fit(X.selectRows(rest), targets(rest), { resume: first });
    const score = (one: typeof first) => one.score(X.selectRows(rest), targets(rest));
    expect(score(model)).toBeGreaterThan(score(first) + 0.02);
  });

  it("refuses a model of something else", () => {
    const boosting = new HistGradientBoostingClassifier({ maxIter: 3 });
    const model = boosting.fit(X, y);
    const refused = (resume: unknown, x = X, labels: ArrayLike<unknown> = y) =>
      expect(() => boosting.fit(x, labels as Int32Array, { resume: resume as never }));
    refused(new RandomForestRegressor({ nEstimators: 1 }).fit(X, numbers)).toThrow(
      /resume must be a fitted model of histogram boosting/,
    );
    refused(new HistGradientBoostingRegressor({ maxIter: 1 }).fit(X, numbers)).toThrow(
      /a model of HistGradientBoostingClassifier, got one of HistGradientBoostingRegressor/,
    );
    refused(new HistGradientBoostingClassifier({ maxIter: 4 }).fit(X, y)).toThrow(
      /at most maxIter rounds \(3\)/,
    );
    refused(model, X.selectColumns([0, 1])).toThrow(/the same columns/);
    refused(model, X, Array.from(y, String)).toThrow(/the classes of y/);
    const stopping = new HistGradientBoostingClassifier({ maxIter: 2, earlyStopping: true }).fit(X, y);
    refused(stopping).toThrow(/a model without held-out rows, got one with/);
  });
});
