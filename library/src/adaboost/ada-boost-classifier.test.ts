import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { corners, xor } from "../../test/support/corners.js";
import { NearestMean } from "../../test/support/nearest-mean.js";
import { GaussianNB } from "../bayes/index.js";
import { DataError, ParameterError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { makeClassification, makeMoons } from "../data/index.js";
import { loadDataset } from "../datasets/index.js";
import { LinearRegression, LogisticRegression, SGDClassifier } from "../linear/index.js";
import { setThreads, threads } from "../numeric/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { SVC } from "../svm/index.js";
import { DecisionStump, DecisionTreeClassifier, type FittedDecisionStump } from "../trees/index.js";
import { AdaBoostClassifier } from "./index.js";

const cores = threads();
afterEach(() => setThreads(cores));

const cancer = () => loadDataset("breastCancer");

describe("AdaBoostClassifier", () => {
  it("fits stumps by default, and keeps the type of labels", async () => {
    const { X, y } = await cancer();
    const model = new AdaBoostClassifier({ nEstimators: 20 }).fit(X, y);
    expectTypeOf(model.predict(X)).toEqualTypeOf<("benign" | "malignant")[]>();
    expectTypeOf(model.members[0]!).toExtend<FittedDecisionStump>();
    expectTypeOf(model.members[0]!.predict(X)).toEqualTypeOf<("benign" | "malignant")[]>();
    expect(model.members).toHaveLength(20);
    expect(model.score(X, y)).toBeGreaterThan(0.97);
  });

  it("takes any classifier that takes weights: naive Bayes, machines, pipelines", async () => {
    const { X, y } = await cancer();
    for (const estimator of [
      new GaussianNB(),
      new SVC({ kernel: "linear" }),
      pipeline(new StandardScaler(), new LogisticRegression({ C: 100 })),
    ]) {
      const model = new AdaBoostClassifier({ estimator, nEstimators: 3 }).fit(X, y);
      expect(model.score(X, y)).toBeGreaterThan(0.9);
      expect(model.featureImportances).toBeNull();
    }
  });

  it("refuses members without weights, and members that do not classify", () => {
    expect(() => new AdaBoostClassifier({ estimator: new Unweighted() })).toThrow(
      "AdaBoostClassifier: estimator must be a classifier that takes sampleWeight, got Unweighted.",
    );
    expect(() => new AdaBoostClassifier({ estimator: new LinearRegression() as never })).toThrow(
      ParameterError,
    );
    expect(() => new AdaBoostClassifier({ estimator: 3 as never })).toThrow(ParameterError);
  });

  it("stops at a perfect member, with a vote of 1", () => {
    const model = new AdaBoostClassifier().fit([[1], [2], [3], [4]], ["a", "a", "b", "b"]);
    expect(model.members).toHaveLength(1);
    expect([...model.estimatorWeights]).toEqual([1]);
    expect([...model.estimatorErrors]).toEqual([0]);
    expect(model.report.warnings[0]).toMatch(/without errors/);
  });

  it("stops before a member that is no better than chance, and refuses if that is the first", () => {
    expect(() => new AdaBoostClassifier().fit(corners, xor)).toThrow(DataError);
    expect(() => new AdaBoostClassifier().fit([[5], [5]], ["a", "b"])).toThrow(
      "AdaBoostClassifier.fit: the error of the first member must be below that of random guessing, 0.5, got 0.5.",
    );
    // Constant columns, but one class is heavier: the first member is of use, the second is not.
    const model = new AdaBoostClassifier().fit([[5], [5], [5]], ["a", "b", "b"]);
    expect(model.members).toHaveLength(1);
    expect(model.members[0]!.feature).toBe(-1);
    expect(model.predict([[0], [9]])).toEqual(["b", "b"]);
    expect(model.report.warnings[0]).toMatch(/no better than random guessing/);
  });

  it("returns its row weights round by round, in steps and afterwards", async () => {
    const { X, y } = await cancer();
    const estimator = new AdaBoostClassifier({ nEstimators: 12 });
    const seen: Float64Array[] = [];
    const steps = estimator.steps(X, y);
    let last = steps.next();
    for (; !last.done; last = steps.next()) {
      expect(last.value.model().members).toHaveLength(last.value.iteration);
      expect(last.value.rowWeights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      seen.push(last.value.rowWeights);
    }
    expect([...last.value.stagedRowWeights(X, y)]).toEqual(seen);
    const sampleWeight = y.map((_, i) => i % 3);
    const weighted = estimator.fit(X, y, { sampleWeight });
    for (const weights of weighted.stagedRowWeights(X, y, { sampleWeight })) {
      for (const [i, w] of weights.entries()) expect(w > 0).toBe(i % 3 > 0);
    }
    expect(saveModel(last.value)).toEqual(saveModel(estimator.fit(X, y)));
  });

  it("has stages that end in the model", async () => {
    const { X, y } = await loadDataset("wine");
    const model = new AdaBoostClassifier({ nEstimators: 10 }).fit(X, y);
    const last = <T>(all: Iterable<T>) => [...all].at(-1)!;
    expect([...model.stagedScore(X, y)]).toHaveLength(10);
    expect(last(model.stagedScore(X, y))).toBe(model.score(X, y));
    expect(last(model.stagedPredict(X))).toEqual(model.predict(X));
    expect(last(model.stagedDecisionFunction(X)).data).toEqual(model.decisionFunction(X).data);
    expect(last(model.stagedPredictProba(X)).data).toEqual(model.predictProba(X).data);
    const third = [...model.stagedPredict(X)][2];
    expect(third).toEqual(new AdaBoostClassifier({ nEstimators: 3 }).fit(X, y).predict(X));
  });

  it("lowers the exponential error every round, by the product of 2√(e(1 − e)) for two classes", async () => {
    const { X, y } = await cancer();
    const model = new AdaBoostClassifier({ nEstimators: 40 }).fit(X, y);
    let product = 1;
    for (const [t, e] of model.estimatorErrors.entries()) {
      product *= 2 * Math.sqrt(e * (1 - e));
      expect(model.exponentialErrors[t]! / product).toBeCloseTo(1, 10);
      expect(product).toBeLessThan(model.exponentialErrors[t - 1] ?? 1);
    }
    expect(model.report.gradientNorm).toBeLessThan(1e-12);
    const { X: Z, y: k } = await loadDataset("wine");
    const many = new AdaBoostClassifier({ nEstimators: 40, learningRate: 0.5 }).fit(Z, k).exponentialErrors;
    for (let t = 1; t < many.length; t++) expect(many[t]!).toBeLessThan(many[t - 1]!);
  });

  it("gives finite probabilities at any learning rate, and says when the exponential error rises", () => {
    const X = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(2.3 * i)]);
    const y = X.map(([a, b], i) => (a! + b! + 0.5 * Math.sin(7 * i) > 0 ? 1 : 0));
    const three = X.map(([a, b], i) => Math.floor(1.5 + a! * 0.8 + b! * 0.4 + 0.3 * Math.sin(7 * i)));
    for (const estimator of [undefined, new DecisionTreeClassifier({ maxDepth: 2 }), new GaussianNB()])
      for (const labels of [y, three])
        for (const learningRate of [0.5, 2, 20, 100, 1e6, 1e300, Number.MAX_VALUE]) {
          const model = new AdaBoostClassifier({ learningRate, ...(estimator && { estimator }) }).fit(
            X,
            labels,
          );
          const probabilities = model.predictProba(X);
          for (let i = 0; i < X.length; i++)
            expect(probabilities.row(i).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
          expect(model.report.objective).toBeLessThan(Infinity);
          expect(model.report.gradientNorm).toBeLessThan(Infinity);
          expect(loadModel(saveModel(model), AdaBoostClassifier).predictProba(X).data).toEqual(
            probabilities.data,
          );
        }
    const warnings = (learningRate: number) =>
      new AdaBoostClassifier({ learningRate }).fit(X, y).report.warnings;
    expect(warnings(1)).toEqual([]);
    expect(warnings(100).at(-1)).toBe(
      "The exponential error rose above that before the first round. Lower learningRate.",
    );
  });

  it("learns the same by the fast way for stumps as from any other estimator", async () => {
    const { X, y } = await loadDataset("wine");
    const sampleWeight = y.map((_, i) => 1 + (i % 3));
    for (const criterion of ["gini", "error"] as const) {
      const stump = new DecisionStump({ criterion });
      const other = {
        id: "other",
        params: {},
        capabilities: DecisionStump.capabilities,
        fit: stump.fit.bind(stump),
      };
      const fast = new AdaBoostClassifier({ estimator: stump, nEstimators: 15 }).fit(X, y, { sampleWeight });
      const slow = new AdaBoostClassifier({ estimator: other as never, nEstimators: 15 }).fit(X, y, {
        sampleWeight,
      });
      expect(fast.estimatorErrors).toEqual(slow.estimatorErrors);
      expect(fast.predictProba(X)).toEqual(slow.predictProba(X));
    }
  });

  it("learns the same from trees on columns sorted once as from their own fits", async () => {
    const { X, y } = await cancer();
    const wine = await loadDataset("wine");
    const gaps = X.toArray().map((row, i) => row.map((v, j) => (j === 20 && i % 5 === 0 ? Number.NaN : v)));
    const codes = X.toArray().map((row) => row.map((v, j) => (j === 20 ? Math.floor(v) % 7 : v)));
    const sampleWeight = y.map((_, i) => i % 4);
    const cases = [
      { X, y, params: { maxDepth: 1 }, options: {} },
      { X: wine.X, y: wine.y, params: { maxDepth: 2, criterion: "entropy" as const }, options: {} },
      { X, y, params: { maxDepth: 3, maxFeatures: 4, randomState: 5 }, options: { sampleWeight } },
      { X, y, params: { maxLeafNodes: 5, splitter: "random" as const, ccpAlpha: 0.01 }, options: {} },
      { X: gaps, y, params: { maxDepth: 2, minWeightFractionLeaf: 0.05 }, options: {} },
      { X: codes, y, params: { maxDepth: 2, categoricalFeatures: [20] }, options: { sampleWeight } },
    ];
    for (const { X: x, y: labels, params, options } of cases) {
      const learn = (estimator: DecisionTreeClassifier) =>
        new AdaBoostClassifier({ estimator, nEstimators: 8 }).fit<Label>(x, labels, options);
      const fast = learn(new DecisionTreeClassifier(params));
      const slow = learn(new OwnTree(params));
      expect(fast.members.map((member) => member.toState())).toEqual(slow.members.map((m) => m.toState()));
      expect(fast.estimatorWeights).toEqual(slow.estimatorWeights);
      const last = [...fast.stagedDecisionFunction(x)].at(-1)!;
      expect(fast.decisionFunction(x)).toEqual(last);
      expect(fast.predict(x)).toEqual([...slow.stagedPredict(x)].at(-1));
      expect(loadModel(saveModel(fast)).predict!(x)).toEqual(fast.predict(x));
    }
  });

  it("lets trees weigh classes anew every round", async () => {
    const { X, y } = await cancer();
    const estimator = new DecisionTreeClassifier({ maxDepth: 1, classWeight: "balanced" });
    const model = new AdaBoostClassifier({ estimator, nEstimators: 4 }).fit(X, y);
    const other = new OwnTree(estimator.params);
    const same = new AdaBoostClassifier({ estimator: other, nEstimators: 4 }).fit(X, y);
    expect(model.estimatorErrors).toEqual(same.estimatorErrors);
    const plain = new DecisionTreeClassifier({ maxDepth: 1 });
    const unlike = new AdaBoostClassifier({ estimator: plain, nEstimators: 4 }).fit(X, y);
    expect(model.estimatorErrors).not.toEqual(unlike.estimatorErrors);
  });

  it("learns the same bits with one thread and with many", () => {
    const { X, y } = makeClassification({ nSamples: 20_000, nFeatures: 9, randomState: 3 });
    setThreads(1);
    const alone = saveModel(new AdaBoostClassifier({ nEstimators: 10 }).fit(X, y));
    setThreads(Math.max(2, cores));
    expect(saveModel(new AdaBoostClassifier({ nEstimators: 10 }).fit(X, y))).toEqual(alone);
  });

  it("gives every member random numbers of its own, drawn from randomState", () => {
    const { X, y } = makeMoons({ nSamples: 200, noise: 0.3, randomState: 1 });
    const estimator = new SGDClassifier({ loss: "logLoss", maxIter: 3 });
    const fit = (randomState: number) =>
      new AdaBoostClassifier({ estimator, nEstimators: 3, randomState }).fit(X, y);
    expect(saveModel(fit(1))).toEqual(saveModel(fit(1)));
    expect(fit(1).members[0]!.coef.data).not.toEqual(fit(2).members[0]!.coef.data);
  });

  it("weighs classes as repeated rows would", () => {
    const { X, y } = makeMoons({ nSamples: 100, noise: 0.3, randomState: 1 });
    const weighted = new AdaBoostClassifier({ nEstimators: 8, classWeight: { 0: 1, 1: 3 } }).fit(X, y);
    const same = new AdaBoostClassifier({ nEstimators: 8 }).fit(X, y, {
      sampleWeight: y.map((k) => (k === 1 ? 3 : 1)),
    });
    expect(weighted.predictProba(X)).toEqual(same.predictProba(X));
  });

  it("has importances by the votes of stumps on each column", async () => {
    const { X, y } = await cancer();
    const { featureImportances } = new AdaBoostClassifier().fit(X, y);
    expect(featureImportances!.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    expect(featureImportances).toHaveLength(30);
  });

  it("comes back from a file with its members", async () => {
    const { X, y } = await cancer();
    const members = pipeline(new StandardScaler(), new GaussianNB());
    for (const estimator of [new DecisionStump(), members]) {
      const model = new AdaBoostClassifier({ estimator, nEstimators: 4 }).fit(X, y);
      const back = loadModel(saveModel(model), AdaBoostClassifier);
      expect(back.predictProba(X)).toEqual(model.predictProba(X));
      expect(back.estimatorErrors).toEqual(model.estimatorErrors);
      expect(saveModel(back)).toEqual(saveModel(model));
    }
  });
});

describe("DecisionStump", () => {
  it("is the decision tree of depth 1, alone and boosted", async () => {
    for (const { X, y } of [await cancer(), await loadDataset("wine")]) {
      const tree = new DecisionTreeClassifier({ maxDepth: 1 });
      const labels = y as readonly string[];
      const sampleWeight = labels.map((_, i) => 1 + (i % 5));
      const one = new DecisionStump().fit(X, labels, { sampleWeight });
      const other = tree.fit(X, labels, { sampleWeight });
      expect(one.predict(X)).toEqual(other.predict(X));
      for (const [e, p] of other.predictProba(X).data.entries())
        expect(one.predictProba(X).data[e]).toBeCloseTo(p, 12);
      const boosted = new AdaBoostClassifier({ estimator: tree, nEstimators: 10 }).fit(X, labels);
      const stumps = new AdaBoostClassifier({ nEstimators: 10 }).fit(X, labels);
      for (const [t, vote] of boosted.estimatorWeights.entries())
        expect(stumps.estimatorWeights[t]).toBeCloseTo(vote, 10);
    }
  });

  it("has one split, and predicts the heaviest class of each side", () => {
    const model = new DecisionStump().fit([[1], [2], [3], [9]], ["x", "y", "x", "z"], {
      sampleWeight: [3, 1, 1, 2],
    });
    expect(model.feature).toBe(0);
    expect(model.threshold).toBe(6);
    expect(model.predict([[-5], [6], [7]])).toEqual(["x", "x", "z"]);
    expect(model.predictProba([[0]]).row(0)).toEqual(Float64Array.of(0.8, 0.2, 0));
  });

  it("learns the same whatever the classes are called", async () => {
    const { X, y } = await loadDataset("iris");
    const names = ["setosa", "versicolor", "virginica"] as const;
    const words = new DecisionStump().fit(X, y).predict(X);
    const numbers = new DecisionStump()
      .fit(
        X,
        y.map((label) => 7 * names.indexOf(label)),
      )
      .predict(X);
    expect(words.map((label) => 7 * names.indexOf(label))).toEqual(numbers);
  });

  it("may split where the error does not fall, by gini, since purer sides are worth it", () => {
    const x = Array.from({ length: 10 }, (_, i) => [i]);
    const y = x.map((_, i) => (i < 5 ? "a" : i < 8 ? "b" : "a")).map((k, i) => (i === 5 ? "a" : k));
    const gini = new DecisionStump().fit(x, y);
    expect(gini.feature).toBe(0);
    expect(gini.leaves.at(0, 0)).toBe(1);
  });
});

class Unweighted extends NearestMean {
  get capabilities() {
    return { ...NearestMean.capabilities, sampleWeight: false };
  }
}

/** A tree that boosting does not know: it is fitted like any classifier. */
class OwnTree extends DecisionTreeClassifier {}
