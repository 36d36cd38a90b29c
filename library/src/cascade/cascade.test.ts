import { describe, expect, expectTypeOf, it } from "vitest";
import { NearestMean } from "../../test/support/nearest-mean.js";
import { GaussianNB } from "../bayes/index.js";
import { AbortError, DataError, ParameterError, ShapeError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import { loadDataset } from "../datasets/index.js";
import { LogisticRegression } from "../linear/index.js";
import { binaryRates } from "../metrics/index.js";
import { estimatorFromJson, loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { trainTestSplit } from "../selection/index.js";
import { SVC } from "../svm/index.js";
import { Cascade, cascadeFromCosts } from "./index.js";

const logistic = () => pipeline(new StandardScaler(), new LogisticRegression());

/** A cheap column with little information, one with more, one with nearly all; and noise. */
function diagnoses(n: number, seed: number) {
  const random = new Random(seed);
  const y = Array.from({ length: n }, () => (random.uniform() < 0.2 ? "ill" : "well"));
  const rows = y.map((label) => {
    const shift = label === "ill" ? 1 : 0;
    return [1.5, 2.5, 4].map((d) => d * shift + random.normal()).concat(random.normal());
  });
  return { X: Matrix.fromRows(rows), y };
}

const stages = () => [
  { features: [0], cost: 1, estimator: logistic() },
  { features: [1], cost: 10, estimator: new GaussianNB() },
  { features: [2], cost: 100, estimator: logistic() },
];

describe("Cascade", () => {
  const data = diagnoses(3000, 1);
  const cascade = new Cascade({ stages: stages(), sensitivity: 0.95, positiveLabel: "ill" });
  const model = cascade.fit(data.X, data.y);
  const fresh = diagnoses(4000, 2);

  it("reaches the requested sensitivity on held-out rows, and costs less than one classifier", () => {
    const { sensitivity, costPerSample, specificity, single } = model.heldOut;
    expect(sensitivity).toBeGreaterThanOrEqual(0.95);
    expect(single.sensitivity).toBeGreaterThanOrEqual(0.95);
    expect(single.cost).toBe(111);
    expect(costPerSample).toBeLessThan(0.7 * single.cost);
    expect(specificity).toBeGreaterThan(0.95);
  });

  it("does about the same on rows it has never seen", () => {
    const report = model.evaluate(fresh.X, fresh.y as ("ill" | "well")[]);
    // Three standard errors of a proportion of 0.95 among 800 test positives and 600 that thresholds were chosen on: 0.035.
    expect(report.sensitivity).toBeGreaterThan(0.95 - 0.035);
    expect(Math.abs(report.costPerSample - model.heldOut.costPerSample)).toBeLessThan(6);
  });

  it("reports rates that belong to its predictions", () => {
    const { X, y } = fresh;
    const { sensitivity, specificity, costPerSample, stages: reports } = model.evaluate(X, y);
    const predictions = model.predictWithCost(X);
    const { tpr, tnr } = binaryRates(y, predictions.labels, { positiveLabel: "ill" });
    expect(sensitivity).toBeCloseTo(tpr, 12);
    expect(specificity).toBeCloseTo(tnr, 12);
    expect(costPerSample).toBeCloseTo(predictions.totalCost / y.length, 10);
    expect(reports.map(({ reached }) => Math.round(reached * y.length))).toEqual([...predictions.reached]);
    expect(reports.reduce((product, { tpr: own }) => product * own, 1)).toBeCloseTo(sensitivity, 12);
    expect(1 - reports.reduce((product, { fpr: own }) => product * own, 1)).toBeCloseTo(specificity, 12);
  });

  it("reports what counting the samples of every stage by hand gives, weights and the one classifier included", () => {
    const { X, y } = fresh;
    const sampleWeight = y.map((_, i) => 1 + (i % 3) / 7);
    const score = ({ columns, model: own }: (typeof model.stages)[number]) => {
      const seen = X.selectColumns(columns);
      const k = own.classes.indexOf("ill");
      if (!own.decisionFunction) return own.predictProba!(seen).column(k);
      return own.decisionFunction(seen).data.map((z) => (k === 1 ? z : -z));
    };
    const weigh = (keep: (i: number) => boolean) =>
      sampleWeight.reduce((sum, w, i) => sum + (keep(i) ? w : 0), 0);
    const isIll = (i: number) => y[i] === "ill";
    const report = model.evaluate(X, y, { sampleWeight });
    let here = y.map(() => true);
    let cost = 0;
    for (const [s, stage] of model.stages.entries()) {
      const scores = score(stage);
      const before = here;
      const after = before.map((stays, i) => stays && scores[i]! >= stage.threshold);
      const own = report.stages[s]!;
      const reached = weigh((i) => before[i]!) / weigh(() => true);
      cost += stage.cost * reached;
      const proportion = (part: (i: number) => boolean, whole: (i: number) => boolean) =>
        weigh(part) / weigh(whole);
      const ill = (rows: readonly boolean[]) => (i: number) => rows[i]! && isIll(i);
      const well = (rows: readonly boolean[]) => (i: number) => rows[i]! && !isIll(i);
      expect(own.reached).toBeCloseTo(reached, 12);
      expect(own.costPerSample).toBeCloseTo(stage.cost * reached, 10);
      expect(own.tpr).toBeCloseTo(proportion(ill(after), ill(before)), 12);
      expect(own.fpr).toBeCloseTo(proportion(well(after), well(before)), 12);
      expect(own.sensitivity).toBeCloseTo(proportion(ill(after), isIll), 12);
      expect(1 - own.specificity).toBeCloseTo(
        proportion(well(after), (i) => !isIll(i)),
        12,
      );
      here = after;
    }
    expect(report.costPerSample).toBeCloseTo(cost, 10);
    const passes = score(model.single).map((z) => (z >= model.single.threshold ? 1 : 0));
    const { single } = report;
    expect(single.sensitivity).toBeCloseTo(weigh((i) => isIll(i) && passes[i] === 1) / weigh(isIll), 12);
    expect(1 - single.specificity).toBeCloseTo(
      weigh((i) => !isIll(i) && passes[i] === 1) / weigh((i) => !isIll(i)),
      12,
    );
    expect(single.cost).toBe(111);
  });

  it("pays only for the stages that a sample reaches", () => {
    const { labels, stages: exits, costs } = model.predictWithCost(fresh.X);
    expect(new Set(exits)).toEqual(new Set([0, 1, 2]));
    for (const [i, s] of exits.entries()) {
      expect(costs[i]).toBe([1, 11, 111][s]);
      if (labels[i] === "ill") expect(s).toBe(2);
    }
  });

  it("calls a provider for the columns of a stage, for the samples that reach it and no others", async () => {
    const calls = [0, 0, 0];
    const requests = new Set<string>();
    const features = (row: number, stage: number, columns: readonly number[]) => {
      calls[stage]!++;
      requests.add(`${row} ${stage}`);
      expect(columns).toEqual([stage]);
      return columns.map((j) => fresh.X.at(row, j));
    };
    const lazy = model.predictWithCost({ rows: fresh.X.rows, features });
    expect(lazy).toEqual(model.predictWithCost(fresh.X));
    expect(calls).toEqual([...lazy.reached]);
    // No sample is requested twice, and those of a stage are the samples that reach it.
    expect(requests.size).toBe(calls.reduce((sum, count) => sum + count, 0));
    for (const request of requests) {
      const [row, stage] = request.split(" ").map(Number);
      expect(lazy.stages[row!]).toBeGreaterThanOrEqual(stage!);
    }
    expect(model.predict({ rows: 5, features })).toEqual(lazy.labels.slice(0, 5));
    const later = async (row: number, stage: number, columns: readonly number[]) => {
      await Promise.resolve();
      return Float64Array.from(columns, (j) => fresh.X.at(row, j) + 0 * stage);
    };
    expect(await model.predictWithCostAsync({ rows: fresh.X.rows, features: later })).toEqual(lazy);
    expect(await model.predictAsync({ rows: 0, features: later })).toEqual([]);
  });

  it("names what is wrong with a provider", async () => {
    const provider = (values: unknown) => ({ rows: 2, features: () => values as number[] });
    expect(() => model.predict(provider([]))).toThrow(
      "Cascade.predict: the provider's features for row 0 in stage 0 must be one number, got",
    );
    expect(() => model.predict(provider([1, 2]))).toThrow(ShapeError);
    expect(() => model.predict(provider(undefined))).toThrow(ShapeError);
    expect(() => model.predict(provider([Number.NaN]))).toThrow(
      "Cascade.predict: the provider's features for row 0 in stage 0 must be finite numbers, got NaN.",
    );
    expect(() => model.predict(provider([Infinity]))).toThrow(DataError);
    expect(() => model.predict({ rows: -1, features: () => [1] })).toThrow(ShapeError);
    await expect(model.predictAsync(provider(["1"]))).rejects.toThrow(DataError);
    await expect(model.predictAsync({ rows: 2, features: async () => [1, 2] })).rejects.toThrow(ShapeError);
  });

  it("passes on what a provider throws, as it is", async () => {
    const broken = new RangeError("the laboratory is closed");
    const features = (row: number, stage: number, columns: readonly number[]) => {
      if (stage === 1) throw broken;
      return columns.map((j) => fresh.X.at(row, j));
    };
    const thrown = (act: () => unknown) => {
      try {
        return act();
      } catch (error) {
        return error;
      }
    };
    expect(thrown(() => model.predict({ rows: 50, features }))).toBe(broken);
    await expect(model.predictAsync({ rows: 50, features })).rejects.toBe(broken);
    const refused = { rows: 50, features: () => Promise.reject(broken) };
    await expect(model.predictWithCostAsync(refused)).rejects.toBe(broken);
    // Nothing is left behind: the next call answers.
    expect(model.predict(fresh.X)).toHaveLength(fresh.X.rows);
  });

  it("has thresholds that nothing higher could replace", () => {
    const { X, y } = diagnoses(500, 3);
    const all = new Cascade({ stages: stages().slice(2), sensitivity: 0.9, positiveLabel: "ill" });
    const own = all.fit(X, y, { heldOut: { X, y } });
    const positives = y.filter((label) => label === "ill").length;
    const kept = own.predict(X).filter((label, i) => label === "ill" && y[i] === "ill").length;
    // Of the P + 1 blocks a tenth is given up; the positive on the threshold passes.
    expect(kept).toBe(positives + 1 - Math.floor(0.1 * (positives + 1)));
    // With one stage, the classifier on all columns is the stage.
    expect(own.heldOut.specificity).toBe(own.heldOut.single.specificity);
    expect(own.heldOut.costPerSample).toBe(own.heldOut.single.cost);
  });

  it("obeys the sensitivities of single stages, as far as the whole allows", () => {
    const own = stages().map((stage, s) => ({ ...stage, sensitivity: [1, 0.99, 0.97][s]! }));
    const strict = new Cascade({ stages: own, sensitivity: 0.95, positiveLabel: "ill" }).fit(data.X, data.y);
    expect(strict.heldOut.stages[0]!.tpr).toBe(1);
    expect(strict.heldOut.stages[1]!.tpr).toBeGreaterThanOrEqual(0.99);
    expect(strict.heldOut.sensitivity).toBeGreaterThanOrEqual(0.99 * 0.97);
    const loose = own.map((stage) => ({ ...stage, sensitivity: 0.5 }));
    const floor = new Cascade({ stages: loose, sensitivity: 0.95, positiveLabel: "ill" }).fit(data.X, data.y);
    expect(floor.heldOut.sensitivity).toBeGreaterThanOrEqual(0.95);
  });

  it("lets stages see what was paid for before, unless each is to have its own columns only", () => {
    expect(model.stages.map(({ columns }) => columns)).toEqual([[0], [0, 1], [0, 1, 2]]);
    const apart = new Cascade({ ...cascade.params, cumulative: false, survivors: false }).fit(data.X, data.y);
    expect(apart.stages.map(({ columns }) => columns)).toEqual([[0], [1], [2]]);
    expect(apart.heldOut.sensitivity).toBeGreaterThanOrEqual(0.95);
  });

  it("keeps the type of labels, and takes the second class for the positive one", () => {
    const truth = data.y.map((label) => label === "ill");
    const own = new Cascade({ stages: stages() }).fit(data.X, truth);
    expect(own.positive).toBe(true);
    expectTypeOf(own.predict(data.X)).toEqualTypeOf<boolean[]>();
    expect(own.heldOut.sensitivity).toBeGreaterThanOrEqual(0.98);
  });

  it("takes machines with decision values, and refuses classifiers that order nothing", () => {
    const machine = [{ features: [2], cost: 1, estimator: new SVC() }];
    expect(
      new Cascade({ stages: machine, positiveLabel: "ill" }).fit(data.X, data.y).heldOut.sensitivity,
    ).toBeGreaterThan(0.97);
    expect(() => new Cascade({ stages: [{ features: [0], cost: 1, estimator: new Silent() }] })).toThrow(
      "Cascade: stages[0].estimator must be a classifier with decision values or probabilities, got Silent.",
    );
  });

  it("refuses stages that share columns, have none, or list some that X lacks", () => {
    const [first] = stages();
    expect(() => new Cascade({ stages: [first!, first!] })).toThrow(
      /columns that no earlier stage has acquired, got 0/,
    );
    expect(() => new Cascade({ stages: [] })).toThrow(ParameterError);
    expect(() => new Cascade({ stages: [{ ...first!, cost: -1 }] })).toThrow(ParameterError);
    expect(() => new Cascade({ stages: [{ ...first!, features: [] }] })).toThrow(ParameterError);
    expect(() =>
      new Cascade({ stages: [{ ...first!, features: [9] }], positiveLabel: "ill" }).fit(data.X, data.y),
    ).toThrow("Cascade.fit: stages[0].features must be columns of X, which has 4, got 9.");
    expect(() => new Cascade({ stages: stages(), positiveLabel: "sick" }).fit(data.X, data.y)).toThrow(
      DataError,
    );
  });

  it("counts held-out rows as much as they weigh", () => {
    const sampleWeight = data.y.map((_, i) => 1 + (i % 4));
    const own = cascade.fit(data.X, data.y, { sampleWeight });
    expect(own.heldOut.sensitivity).toBeGreaterThanOrEqual(0.95);
    expect(own.heldOut).not.toEqual(model.heldOut);
  });

  it("comes back from JSON and from a file", () => {
    const again = estimatorFromJson(JSON.parse(JSON.stringify(cascade))) as Cascade;
    expect(again.fit(data.X, data.y).heldOut).toEqual(model.heldOut);
    const back = loadModel(saveModel(model), Cascade);
    expect(back.predictWithCost(fresh.X)).toEqual(model.predictWithCost(fresh.X));
    expect(back.heldOut).toEqual(model.heldOut);
  });

  it("stops at its signal", () => {
    expect(() => cascade.fit(data.X, data.y, { signal: AbortSignal.abort() })).toThrow(AbortError);
  });
});

describe("cascadeFromCosts", () => {
  it("uses cheap and informative columns first, and leaves out those independent of y", () => {
    const { X, y } = diagnoses(2000, 5);
    const proposed = cascadeFromCosts(X, y, {
      costs: [1, 10, 100, 1],
      estimator: logistic(),
      positiveLabel: "ill",
    });
    expect(proposed.params.stages.map(({ features, cost }) => ({ features, cost }))).toEqual([
      { features: [0], cost: 1 },
      { features: [1], cost: 10 },
      { features: [2], cost: 100 },
    ]);
    expect(proposed.fit(X, y).heldOut.sensitivity).toBeGreaterThanOrEqual(0.98);
  });

  it("puts a copy of a column last, and columns that cost nothing first", () => {
    const { X, y } = diagnoses(2000, 6);
    const rows = X.toArray().map(([a, b, c]) => [a!, b!, c!, c!]);
    const order = (costs: number[]) =>
      cascadeFromCosts(rows, y, { costs, estimator: logistic() }).params.stages.flatMap(
        ({ features }) => features,
      );
    expect(order([1, 1, 1, 1])).toEqual([2, 1, 0, 3]);
    expect(order([0, 1, 1, 1])[0]).toBe(0);
  });

  it("cuts equal costs into equal stages, gives free columns a stage of their own, and one column one stage", () => {
    const { X, y } = diagnoses(2000, 8);
    const three = X.selectColumns([0, 1, 2]);
    const cuts = (x: Matrix, costs: number[], stages = 3) =>
      cascadeFromCosts(x, y, { costs, estimator: logistic(), stages }).params.stages.map((stage) => [
        stage.features,
        stage.cost,
      ]);
    expect(cuts(three, [5, 5, 5])).toEqual([
      [[2], 5],
      [[1], 5],
      [[0], 5],
    ]);
    expect(cuts(three, [5, 5, 5], 1)).toEqual([[[2, 1, 0], 15]]);
    expect(cuts(three, [0, 0, 100])).toEqual([
      [[0, 1], 0],
      [[2], 100],
    ]);
    expect(cuts(three, [0, 1, 100])).toEqual([
      [[0], 0],
      [[1], 1],
      [[2], 100],
    ]);
    expect(cuts(three, [0, 1, 100], 1)).toEqual([[[0, 1, 2], 101]]);
    expect(cuts(three, [0, 0, 0])).toEqual([[[0, 1, 2], 0]]);
    expect(cuts(X.selectColumns([1]), [4])).toEqual([[[0], 4]]);
    expect(cuts(X.selectColumns([1]), [0])).toEqual([[[0], 0]]);
  });

  it("is cheaper than one classifier on real data, at the same sensitivity", async () => {
    const { X, y } = await loadDataset("breastCancer");
    // Invented costs: the mean of a measurement is cheap, its error dearer, its extreme the dearest.
    const costs = Array.from({ length: 30 }, (_, j) => [1, 3, 9][Math.floor(j / 10)]!);
    const { train, test } = trainTestSplit(X, y, { testSize: 0.3, stratify: true });
    const own = cascadeFromCosts(train.X, train.y, {
      costs,
      estimator: logistic(),
      positiveLabel: "malignant",
    });
    const { sensitivity, costPerSample, single } = own.fit(train.X, train.y).evaluate(test.X, test.y);
    expect(sensitivity).toBeGreaterThan(0.9);
    expect(costPerSample).toBeLessThan(0.8 * single.cost);
  });

  it("refuses costs that do not fit, and columns independent of y", () => {
    const { X, y } = diagnoses(300, 7);
    const estimator = logistic();
    expect(() => cascadeFromCosts(X, y, { costs: [1, 2], estimator })).toThrow(ParameterError);
    expect(() => cascadeFromCosts(X, y, { costs: [1, 2, -1, 0], estimator })).toThrow(/costs\[2\] must be/);
    expect(() => cascadeFromCosts(X, y, { costs: [1, 1, 1, 1], estimator, stages: 0 })).toThrow(
      ParameterError,
    );
    const noise = X.selectColumns([3]);
    expect(() => cascadeFromCosts(noise, y, { costs: [1], estimator })).toThrow(
      /more informative than chance/,
    );
  });
});

class Silent extends NearestMean {
  get capabilities() {
    return { ...NearestMean.capabilities, decisionFunction: false };
  }
}
