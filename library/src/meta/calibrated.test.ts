import { describe, expect, it } from "vitest";
import { GaussianNB } from "../bayes/index.js";
import { ParameterError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Table } from "../data/table.js";
import { loadDataset } from "../datasets/index.js";
import { LinearSVC, LogisticRegression, Perceptron } from "../linear/index.js";
import { expectedCalibrationError, logLoss } from "../metrics/index.js";
import { NearestCentroid } from "../neighbors/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
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
      const error = (p: typeof better) => expectedCalibrationError(test.y, p.column(1));
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
    expect(expectedCalibrationError(cancer.y, P.column(1))).toBeLessThan(0.1);
    expect(() => new CalibratedClassifier({ estimator: new NearestCentroid() })).toThrow(ParameterError);
  });
});
