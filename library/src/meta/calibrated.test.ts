import { describe, expect, it } from "vitest";
import { GaussianNB } from "../bayes/index.js";
import { ParameterError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { LinearSVC, LogisticRegression, Perceptron } from "../linear/index.js";
import { expectedCalibrationError, logLoss } from "../metrics/index.js";
import { NearestCentroid } from "../neighbors/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { crossValPredict, GridSearch, trainTestSplit } from "../selection/index.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import { CalibratedClassifier } from "./index.js";

const cancer = await loadDataset("breastCancer");
const methods = ["sigmoid", "isotonic", "temperature"] as const;

describe("CalibratedClassifier", () => {
  for (const method of methods)
    it(`${method}: naive Bayes is less sure of itself, and nearer to the truth`, () => {
      const { train, test } = trainTestSplit(cancer.X, cancer.y, { stratify: true, testSize: 0.4 });
      const plain = new GaussianNB().fit(train.X, train.y).predictProba(test.X);
      const model = new CalibratedClassifier({ estimator: new GaussianNB(), method }).fit(train.X, train.y);
      const better = model.predictProba(test.X);
      expect(logLoss(test.y, better)).toBeLessThan(logLoss(test.y, plain));
      // A sigmoid of probabilities near 0 and 1 has hardly more than two values: its error by bins is no smaller.
      const error = (p: typeof better) =>
        expectedCalibrationError(test.y, p.column(1), { positiveLabel: "malignant" });
      if (method !== "sigmoid") expect(error(better)).toBeLessThan(error(plain));
    });

  it("calibrates by rows that a model has not learned from", () => {
    // A full tree has probabilities 0 and 1 on its own rows; held out, it is right in about 92 of 100 cases.
    const estimator = new DecisionTreeClassifier();
    for (const ensemble of [true, false]) {
      const model = new CalibratedClassifier({ estimator, ensemble }).fit(cancer.X, cancer.y);
      expect(Math.max(...model.predictProba(cancer.X).data)).toBeLessThan(0.99);
      expect(model.estimators.length).toBe(ensemble ? 5 : 1);
    }
  });

  it("one model with the sigmoid keeps the order of the decision function", () => {
    const estimator = new LinearSVC({ C: 0.01 });
    const calibrated = new CalibratedClassifier({ estimator, ensemble: false }).fit(cancer.X, cancer.y);
    const p = calibrated.predictProba(cancer.X).column(1);
    const f = calibrated.estimators[0]!.decisionFunction!(cancer.X).column(0);
    const order = Array.from(f.keys()).sort((a, b) => f[a]! - f[b]!);
    for (let e = 1; e < order.length; e++) expect(p[order[e]!]!).toBeGreaterThanOrEqual(p[order[e - 1]!]!);
  });

  it("gives classifiers without probabilities some, of two and three classes, with weights", async () => {
    const iris = await loadDataset("iris");
    for (const y of [iris.y, iris.y.map((label) => label === "setosa")])
      for (const method of methods) {
        const calibrated = new CalibratedClassifier({ estimator: new Perceptron(), method });
        const sampleWeight = iris.y.map((_, i) => i % 3);
        const model = calibrated.fit<string | boolean>(iris.X, y, { sampleWeight });
        const P = model.predictProba(iris.X);
        for (let i = 0; i < P.rows; i++) expect(P.row(i).reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 12);
        expect(model.score(iris.X, y)).toBeGreaterThan(0.6);
        expect(loadModel(saveModel(model), CalibratedClassifier).predictProba(iris.X)).toEqual(P);
      }
  });

  it("takes sparse rows and tables with columns in another order", () => {
    const X = cancer.X.selectColumns([0, 1, 2]);
    const calibrated = new CalibratedClassifier({ estimator: new LogisticRegression({ tol: 1e-9 }) });
    const P = calibrated.fit(X, cancer.y).predictProba(X);
    calibrated
      .fit(CsrMatrix.fromDense(X), cancer.y)
      .predictProba(X)
      .data.forEach((p, e) => {
        expect(p).toBeCloseTo(P.data[e]!, 4);
      });
    const tableOf = (names: string) =>
      Table.fromColumns(Object.fromEntries([...names].map((name) => [name, X.column("abc".indexOf(name))])));
    expect(calibrated.fit(tableOf("abc"), cancer.y).predictProba(tableOf("cab"))).toEqual(P);
  });

  it("is searched and cross-validated, and refuses classifiers without scores", () => {
    const calibrated = new CalibratedClassifier({ estimator: new GaussianNB(), cv: 3 });
    const grid = { method: ["sigmoid", "isotonic"], "estimator.varSmoothing": [1e-9, 1e-3] } as const;
    const search = new GridSearch({
      estimator: calibrated,
      grid: grid as never,
      cv: 3,
      scoring: "negLogLoss",
    });
    expect(search.fit(cancer.X, cancer.y).results.length).toBe(4);
    const P = crossValPredict(calibrated, cancer.X, cancer.y, { method: "predictProba" });
    expect(expectedCalibrationError(cancer.y, P.column(1), { positiveLabel: "malignant" })).toBeLessThan(0.1);
    expect(() => new CalibratedClassifier({ estimator: new NearestCentroid() })).toThrow(ParameterError);
  });

  describe("of a model that is fitted already", () => {
    const { train, test } = trainTestSplit(cancer.X, cancer.y, { stratify: true, testSize: 0.4 });
    const prefit = new GaussianNB().fit(train.X, train.y);

    for (const method of methods)
      it(`${method}: keeps the model, and learns what its scores are worth`, () => {
        const model = new CalibratedClassifier({ method }).fit(test.X, test.y, { prefit });
        expect(model.estimators).toEqual([prefit]);
        expect(model.estimators[0]).toBe(prefit);
        expect(logLoss(test.y, model.predictProba(test.X))).toBeLessThan(
          logLoss(test.y, prefit.predictProba(test.X)),
        );
        const copy = loadModel(saveModel(model)) as typeof model;
        expect(copy.predictProba(test.X)).toEqual(model.predictProba(test.X));
      });

    it("counts weights, and rows of weight 0 not at all", () => {
      const estimator = new CalibratedClassifier({ method: "isotonic" });
      const sampleWeight = test.y.map((_, i) => i % 3);
      const rows = test.y.flatMap((_, i) => Array<number>(sampleWeight[i]!).fill(i));
      const weighted = estimator.fit(test.X, test.y, { prefit, sampleWeight });
      const repeated = estimator.fit(
        test.X.selectRows(rows),
        rows.map((i) => test.y[i]!),
        { prefit },
      );
      const [a, b] = [weighted.predictProba(test.X).data, repeated.predictProba(test.X).data];
      a.forEach((p, e) => {
        expect(p).toBeCloseTo(b[e]!, 12);
      });
    });

    it("takes pipelines, sparse rows, and tables with categories by name", () => {
      const piped = pipeline(new StandardScaler(), new LinearSVC()).fit(train.X, train.y);
      const model = new CalibratedClassifier().fit(test.X, test.y, { prefit: piped });
      expect(model.score(test.X, test.y)).toBeGreaterThan(0.9);
      const logistic = new LogisticRegression().fit(train.X, train.y);
      const sparse = new CalibratedClassifier().fit(CsrMatrix.fromDense(test.X), test.y, {
        prefit: logistic,
      });
      expect(sparse.predict(CsrMatrix.fromDense(test.X))).toEqual(sparse.predict(test.X));
      const y = ["a", "b", "a", "b", "a", "b"];
      const table = Table.fromColumns({ size: [1, 2, 3, 4, 5, 6], kind: ["x", "y", "x", "y", "y", "x"] });
      const turned = table.select(["kind", "size"]);
      const tree = new DecisionTreeClassifier().fit(table, y);
      const named = new CalibratedClassifier().fit(turned, y, { prefit: tree });
      expect(named.featureNamesIn).toEqual(["size", "kind"]);
      expect(named.predict(turned)).toEqual(named.predict(table));
    });

    it("says what is wrong with the model and with y", () => {
      const estimator = new CalibratedClassifier();
      const wrong = (given: unknown) => () => estimator.fit(test.X, test.y, { prefit: given as never });
      expect(wrong(new GaussianNB())).toThrow(
        "prefit must be a fitted classifier with a decision function or probabilities, got a GaussianNB.",
      );
      expect(wrong(new NearestCentroid().fit(train.X, train.y))).toThrow(ParameterError);
      const three = new GaussianNB().fit(
        train.X,
        train.y.map((_, i) => i % 3),
      );
      expect(() =>
        estimator.fit(
          test.X,
          test.y.map((_, i) => i % 2),
          { prefit: three },
        ),
      ).toThrow("y must be of the classes of the fitted model (0, 1, 2), each at least once, got 0, 1.");
      expect(() => estimator.fit([[1, 2]], ["benign"], { prefit: prefit as never })).toThrow(
        "30 columns wide",
      );
    });
  });
});
