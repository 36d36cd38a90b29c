import { describe, expect, expectTypeOf, it } from "vitest";
import { MeanRegressor, NearestMean } from "../../test/support/nearest-mean.js";
import { GaussianNB } from "../bayes/index.js";
import { AbortError, DataError, ParameterError } from "../core/errors.js";
import { CsrMatrix, Matrix, makeClassification, makeMoons } from "../data/index.js";
import { loadDataset } from "../datasets/index.js";
import { RandomForestRegressor } from "../forests/index.js";
import { LinearRegression, LinearSVC, LogisticRegression, Ridge, SGDClassifier } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { trainTestSplit } from "../selection/index.js";
import { SVC } from "../svm/index.js";
import type { FittedDecisionTreeClassifier } from "../trees/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";
import { BaggingClassifier, BaggingRegressor } from "./index.js";

const moons = makeMoons({ nSamples: 300, noise: 0.3, randomState: 1 });

/** A classifier of labels only, without weights. */
class Voter extends NearestMean {
  get capabilities() {
    return { ...NearestMean.capabilities, sampleWeight: false };
  }
}

describe("BaggingClassifier", () => {
  it("bags trees by default, and keeps the type of labels", async () => {
    const { X, y } = await loadDataset("wine");
    const model = new BaggingClassifier().fit(X, y);
    expect(model.members).toHaveLength(10);
    expectTypeOf(model.members[0]!.model).toExtend<FittedDecisionTreeClassifier>();
    expectTypeOf(model.predict(X)).toEqualTypeOf<(typeof y)[number][]>();
    expect(model.score(X, y)).toBeGreaterThan(0.97);
  });

  it("averages the probabilities of its members", () => {
    const { X, y } = moons;
    const model = new BaggingClassifier({ estimator: new GaussianNB(), nEstimators: 4 }).fit(X, y);
    const mean = Matrix.zeros(X.rows, 2);
    for (const { model: member } of model.members) {
      const { data } = member.predictProba(X);
      for (let e = 0; e < data.length; e++) mean.data[e]! += data[e]!;
    }
    expect(model.predictProba(X).data).toEqual(mean.data.map((p) => p / 4));
    const logs = model.predictLogProba(X);
    for (const [e, p] of mean.data.entries()) expect(logs.data[e]).toBeCloseTo(Math.log(p / 4), 12);
  });

  it("counts votes where members have no probabilities", () => {
    const { X, y } = moons;
    const model = new BaggingClassifier({ estimator: new LinearSVC(), nEstimators: 5 }).fit(X, y);
    for (const p of model.predictProba(X).data) expect((5 * p) % 1).toBeCloseTo(0, 12);
    const votes = X.toArray().map(
      (row) => model.members.filter(({ model: own }) => own.predict([row])[0] === 1).length,
    );
    expect(model.predict(X)).toEqual(votes.map((count) => (count > 2 ? 1 : 0)));
    const alone = votes.indexOf(5);
    expect([...model.predictLogProba([X.row(alone)]).data]).toEqual([-Infinity, 0]);
  });

  it("fits each member to the rows it drew, by weight where it takes weights, else row by row", () => {
    const { X, y } = moons;
    const estimator = new GaussianNB();
    const [first, second] = new BaggingClassifier({ estimator, nEstimators: 2 }).fit(X, y).members;
    expect(first!.rows).toHaveLength(300);
    expect(new Set(first!.rows).size).toBeLessThan(220); // 1 − 1/e of 300 are 190
    expect(first!.rows).not.toEqual(second!.rows);
    const again = estimator.fit(
      X.selectRows(first!.rows),
      Array.from(first!.rows, (i) => y[i]!),
    );
    for (const [e, p] of again.predictProba(X).data.entries())
      expect(first!.model.predictProba(X).data[e]).toBeCloseTo(p, 10);
    const voter = new BaggingClassifier({ estimator: new Voter(), nEstimators: 2 }).fit(X, y).members[0]!;
    const own = new NearestMean().fit(
      X.selectRows(voter.rows),
      Array.from(voter.rows, (i) => y[i]!),
    );
    expect((voter.model as typeof own).means).toEqual(own.means);
  });

  it("draws columns, with and without replacement", () => {
    const { X, y } = makeClassification({ nSamples: 200, nFeatures: 10, randomState: 2 });
    const estimator = new LogisticRegression();
    const half = new BaggingClassifier({ estimator, maxFeatures: 0.5, nEstimators: 20 }).fit(X, y);
    for (const { features, model } of half.members) {
      expect(new Set(features).size).toBe(5);
      expect(model.nFeatures).toBe(5);
    }
    expect(new Set(half.members.flatMap(({ features }) => [...features])).size).toBe(10);
    const { members } = new BaggingClassifier({ estimator, bootstrapFeatures: true, maxFeatures: 8 }).fit(
      X,
      y,
    );
    expect(members.some(({ features }) => new Set(features).size < 8)).toBe(true);
    expect(half.score(X, y)).toBeGreaterThan(0.8);
  });

  it("draws rows without replacement if bootstrap is false", () => {
    const { X, y } = moons;
    const { members } = new BaggingClassifier({ bootstrap: false, maxSamples: 50 }).fit(X, y);
    for (const { rows } of members) expect(new Set(rows).size).toBe(50);
  });

  it("grows trees together as it would one by one", async () => {
    const { X, y } = await loadDataset("wine");
    const tree = new DecisionTreeClassifier({ maxFeatures: 3, minSamplesLeaf: 2 });
    const sampleWeight = y.map((_, i) => 1 + (i % 3));
    const bag = { nEstimators: 7, oobScore: true } as const;
    const fast = new BaggingClassifier({ estimator: tree, ...bag }).fit(X, y, { sampleWeight });
    const alone = fast.members.map(({ rows, model }) => {
      const counts = new Float64Array(y.length);
      for (const i of rows) counts[i]!++;
      const seed = model.toState().params["randomState"] as number;
      const own = new DecisionTreeClassifier({ ...tree.params, randomState: seed });
      return own.fit(X, y, { sampleWeight: counts.map((count, i) => count * sampleWeight[i]!) });
    });
    for (const [t, own] of alone.entries())
      expect(fast.members[t]!.model.predictProba(X)).toEqual(own.predictProba(X));
    const sums = alone.map((own) => own.predictProba(X).data).reduce((a, b) => a.map((v, e) => v + b[e]!));
    expect(fast.predictProba(X).data).toEqual(sums.map((sum) => sum / 7));
    // Trees on some of the columns predict as one forest too.
    const some = new BaggingClassifier({ maxFeatures: 0.5 }).fit(X, y);
    const asked = some.members.map(
      ({ model, features }) => model.predictProba(X.selectColumns(features)).data,
    );
    const total = asked.reduce((a, b) => a.map((v, e) => v + b[e]!));
    expect(some.predictProba(X).data).toEqual(total.map((sum) => sum / 10));
  });

  it("gives every member random numbers of its own", () => {
    const { X, y } = moons;
    const estimator = pipeline(new StandardScaler(), new SGDClassifier({ maxIter: 2 }));
    const bag = { estimator, nEstimators: 2, bootstrap: false } as const;
    const [a, b] = new BaggingClassifier(bag).fit(X, y).members;
    expect(a!.rows).toEqual(b!.rows);
    expect(a!.model.last.coef.data).not.toEqual(b!.model.last.coef.data);
    expect(saveModel(new BaggingClassifier(bag).fit(X, y))).toEqual(
      saveModel(new BaggingClassifier(bag).fit(X, y)),
    );
  });

  it("judges rows by the members that have not drawn them", () => {
    const { X, y } = moons;
    const model = new BaggingClassifier({ nEstimators: 30, oobScore: true }).fit(X, y);
    const { rows, probabilities, score } = model.outOfBag!;
    expect(model.oobScore).toBe(score);
    expect(rows).toHaveLength(300);
    for (const r of [0, 17, 299]) {
      const own = model.members.filter((member) => !member.rows.includes(rows[r]!));
      const mean = own.reduce(
        (sum, { model: tree }) => sum + tree.predictProba([X.row(rows[r]!)]).at(0, 1),
        0,
      );
      expect(probabilities.at(r, 1)).toBeCloseTo(mean / own.length, 12);
    }
    const right = [...rows].filter((i, r) => (probabilities.at(r, 1) > 0.5 ? 1 : 0) === y[i]).length;
    expect(score).toBeCloseTo(right / 300, 12);
    expect(score).toBeLessThan(model.score(X, y));
    const unasked = new BaggingClassifier().fit(X, y);
    expectTypeOf(unasked.oobScore).toEqualTypeOf<number | undefined>();
    expect(unasked.oobScore).toBeUndefined();
    expect(unasked.outOfBag).toBeUndefined();
    expect(() => new BaggingClassifier({ oobScore: true, bootstrap: false })).toThrow(ParameterError);
  });

  it("has an out-of-bag score near that of fresh rows", async () => {
    const { X, y } = await loadDataset("breastCancer");
    const { train, test } = trainTestSplit(X, y, { testSize: 0.4, stratify: true });
    const model = new BaggingClassifier({ nEstimators: 40, oobScore: true }).fit(train.X, train.y);
    // 341 and 228 rows: the standard error of the difference of two proportions near 0.95 is 0.019.
    expect(Math.abs(model.oobScore! - model.score(test.X, test.y))).toBeLessThan(0.04);
  });

  it("draws rows in proportion to their weights for members that cannot be given them", () => {
    const { X, y } = moons;
    const sampleWeight = y.map((_, i) => (i < 150 ? 3 : 1));
    const bag = { estimator: new Voter(), nEstimators: 20 };
    const { members } = new BaggingClassifier(bag).fit(X, y, { sampleWeight });
    const early = members.flatMap(({ rows }) => [...rows]).filter((i) => i < 150).length;
    // 6000 draws: the standard error of a proportion of 3/4 is 0.0056.
    expect(Math.abs(early / 6000 - 0.75)).toBeLessThan(0.017);
    expect(() => new BaggingClassifier({ ...bag, bootstrap: false }).fit(X, y, { sampleWeight })).toThrow(
      "BaggingClassifier.fit: sampleWeight must be absent without bootstrap, since Voter does not take weights, got weights.",
    );
  });

  it("has no out-of-bag score where every row was drawn, and not of one row", () => {
    const X = [[1], [2]];
    // Both classes must be in the draw of two rows: none is left out.
    const none = new BaggingClassifier({ oobScore: true, nEstimators: 3 }).fit(X, ["a", "b"]);
    expect(none.oobScore).toBeUndefined();
    expect(loadModel(saveModel(none), BaggingClassifier).outOfBag).toBeUndefined();
    // A draw of two rows leaves out one row at the most.
    const one = new BaggingRegressor({ oobScore: true, nEstimators: 1 }).fit(X, [1, 2]);
    expect(one.oobScore).toBeUndefined();
    expect(
      new RandomForestRegressor({ oobScore: true, nEstimators: 1 }).fit(X, [1, 2]).oobScore,
    ).toBeUndefined();
  });

  it("numbers drawn rows and rows out of the bag among all that were given, also where some weigh 0", () => {
    const { X, y } = moons;
    const sampleWeight = y.map((_, i) => (i < 100 ? 0 : 1));
    const params = { oobScore: true, nEstimators: 1 };
    for (const { members, outOfBag } of [
      new BaggingClassifier(params).fit(X, y, { sampleWeight }),
      new BaggingRegressor(params).fit(X, y, { sampleWeight }),
    ]) {
      // Of one member: every row of weight 1 was either drawn or left out.
      const either = [...new Set(members[0]!.rows), ...outOfBag!.rows].sort((a, b) => a - b);
      expect(either).toEqual(Array.from({ length: 200 }, (_, r) => 100 + r));
    }
  });

  it("repeats a draw with a single class, and throws if that does not help", () => {
    const X = Array.from({ length: 40 }, (_, i) => [i]);
    const rare = X.map((_, i) => (i === 0 ? "a" : "b"));
    const { members } = new BaggingClassifier({ maxSamples: 10, nEstimators: 30 }).fit(X, rare);
    for (const { rows } of members) expect(rows).toContain(0);
    expect(() => new BaggingClassifier({ maxSamples: 0.01 }).fit(X, rare)).toThrow(
      /a draw of 1 of the rows must be of two classes/,
    );
    expect(() => new BaggingClassifier({ maxSamples: 41 }).fit(X, rare)).toThrow(DataError);
  });

  it("takes machines, pipelines and sparse rows", () => {
    const { X, y } = moons;
    for (const estimator of [new SVC(), pipeline(new StandardScaler(), new LogisticRegression())])
      expect(new BaggingClassifier({ estimator, nEstimators: 3 }).fit(X, y).score(X, y)).toBeGreaterThan(0.8);
    const sparse = CsrMatrix.fromDense(X);
    const bag = new BaggingClassifier({ estimator: new LogisticRegression(), nEstimators: 3 });
    expect(bag.capabilities.sparse).toBe(true);
    expect(bag.fit(sparse, y).predict(sparse)).toEqual(bag.fit(X, y).predict(X));
    expect(() => new BaggingClassifier({ ...bag.params, maxFeatures: 0.5 }).fit(sparse, y)).toThrow(
      DataError,
    );
  });

  it("refuses to draw columns for members that list them, and names of columns of a matrix", () => {
    const estimator = new DecisionTreeClassifier({ categoricalFeatures: [0] });
    const X = [
      [0, 1],
      [1, 2],
      [0, 3],
      [1, 4],
    ];
    const y = [0, 1, 0, 1];
    expect(new BaggingClassifier({ estimator }).fit(X, y).predict(X)).toHaveLength(4);
    expect(() => new BaggingClassifier({ estimator, maxFeatures: 0.5 }).fit(X, y)).toThrow(/lists columns/);
    const byName = new DecisionTreeClassifier({ categoricalFeatures: ["town"] });
    expect(() => new BaggingClassifier({ estimator: byName }).fit(X, y)).toThrow(
      /categoricalFeatures\[0\] must be .* got "town"\. Only the columns of a Table have names\./,
    );
  });

  it("comes back from a file with its members, their draws and its out-of-bag score", () => {
    const { X, y } = moons;
    const model = new BaggingClassifier({ oobScore: true, maxFeatures: 0.5 }).fit(X, y);
    const back = loadModel(saveModel(model), BaggingClassifier);
    expect(back.predictProba(X)).toEqual(model.predictProba(X));
    expect(back.outOfBag).toEqual(model.outOfBag);
    expect(back.members.map(({ rows }) => rows)).toEqual(model.members.map(({ rows }) => rows));
  });

  it("refuses regressors, and stops at its signal", () => {
    const { X, y } = moons;
    expect(() => new BaggingClassifier({ estimator: new Ridge() as never })).toThrow(ParameterError);
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    expect(() => new BaggingClassifier().fit(X, y, { signal: controller.signal, onProgress })).toThrow(
      AbortError,
    );
  });
});

describe("BaggingRegressor", () => {
  it("averages its members, and beats one tree on fresh rows", async () => {
    const { X, y } = await loadDataset("diabetes");
    const { train, test } = trainTestSplit(X, Array.from(y), { testSize: 0.3 });
    const model = new BaggingRegressor({ nEstimators: 30 }).fit(train.X, train.y);
    const sums = new Float64Array(test.X.rows);
    for (const { model: tree } of model.members)
      for (const [i, v] of tree.predict(test.X).entries()) sums[i]! += v;
    expect(model.predict(test.X)).toEqual(sums.map((sum) => sum / 30));
    const tree = new DecisionTreeRegressor().fit(train.X, train.y);
    expect(model.score(test.X, test.y)).toBeGreaterThan(tree.score(test.X, test.y) + 0.2);
  });

  it("judges rows by the members that have not drawn them", async () => {
    const { X, y } = await loadDataset("diabetes");
    const model = new BaggingRegressor({
      estimator: new LinearRegression(),
      oobScore: true,
      nEstimators: 25,
    }).fit(X, y);
    const { rows, predictions } = model.outOfBag!;
    expect(rows).toHaveLength(442);
    const own = model.members.filter((member) => !member.rows.includes(7));
    const mean = own.reduce((sum, { model: line }) => sum + line.predict([X.row(7)])[0]!, 0) / own.length;
    expect(predictions[7]).toBeCloseTo(mean, 9);
    // R² of the linear model by cross-validation is 0.48.
    expect(model.oobScore).toBeGreaterThan(0.44);
    expect(model.oobScore).toBeLessThan(0.52);
  });

  it("takes members without weights, and comes back from a file", () => {
    const X = [[1], [2], [3], [4]];
    const y = [1, 2, 3, 4];
    const bag = new BaggingRegressor({ estimator: new MeanRegressor(), nEstimators: 50 });
    expect(bag.fit(X, y, { sampleWeight: [0, 0, 0, 1] }).predict(X)).toEqual(new Float64Array(4).fill(4));
    const model = new BaggingRegressor({ oobScore: true }).fit(X, y);
    const back = loadModel(saveModel(model), BaggingRegressor);
    expect(back.predict(X)).toEqual(model.predict(X));
    expect(back.outOfBag).toEqual(model.outOfBag);
  });
});
