import { writeFileSync } from "node:fs";
import {
  accuracyScore,
  averagePrecisionScore,
  balancedAccuracyScore,
  brierScoreLoss,
  confusionMatrix,
  DecisionTreeRegressor,
  f1Score,
  GaussianNB,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  KNeighborsClassifier,
  LinearSVC,
  LogisticRegression,
  logLoss,
  type Matrix,
  MLPClassifier,
  meanAbsoluteError,
  medianAbsoluteError,
  pipeline,
  RandomForestClassifier,
  RandomForestRegressor,
  Ridge,
  r2Score,
  rocAucScore,
  rootMeanSquaredError,
  StandardScaler,
  SVC,
  tableVectorizer,
} from "argmax";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand, runJson, saveFitted, testFolder } from "../../test/saved-models.js";
import type { Metric } from "../report/metric.js";

const folder = testFolder("figures");
afterAll(folder.remove);
const scaled = () => new StandardScaler();

const metricsOf = ({ all }: Awaited<ReturnType<typeof runJson>>): Record<string, number> =>
  Object.fromEntries(all("metric").map(({ name, value }) => [name as string, value as number]));

const column = (proba: Matrix, k: number) =>
  Float64Array.from({ length: proba.rows }, (_, i) => proba.at(i, k));

describe("classifiers of two classes", () => {
  const families = {
    logistic: pipeline(scaled(), new LogisticRegression()),
    boosting: new HistGradientBoostingClassifier({ maxIter: 10 }),
    bayes: new GaussianNB(),
    forest: new RandomForestClassifier({ nEstimators: 10 }),
  };

  async function evaluated(name: string, estimator: Parameters<typeof saveFitted>[2]) {
    const saved = await saveFitted(folder.at(`${name}.safetensors`), "breastCancer", estimator);
    const words = ["breastCancer", "--bootstrap", "0", "--positive", "malignant"];
    return { ...saved, result: await runJson("evaluate", saved.path, ...words) };
  }

  test.each(Object.entries(families))("%s: the figures are those of the library", async (name, estimator) => {
    const { result, model, X, y } = await evaluated(name, estimator);
    expect(result.code).toBe(0);
    const [predicted, proba] = [model.predict!(X) as string[], model.predictProba!(X)];
    const positiveLabel = model.classes![1]!;
    const p = column(proba, 1);
    expect(metricsOf(result)).toEqual({
      accuracy: accuracyScore(y, predicted),
      balancedAccuracy: balancedAccuracyScore(y, predicted),
      f1: f1Score(y, predicted, { positiveLabel }),
      rocAuc: rocAucScore(y, p, { positiveLabel }),
      averagePrecision: averagePrecisionScore(y, p, { positiveLabel }),
      logLoss: logLoss(y, proba),
      brier: brierScoreLoss(y, p, { positiveLabel }),
    });
    expect(result.one("confusion").matrix).toEqual(confusionMatrix(y, predicted).toArray());
    expect(result.all("curve").map(({ kind }) => kind)).toEqual(["roc", "precisionRecall", "calibration"]);
  });

  test.each([
    ["SVC", pipeline(scaled(), new SVC())],
    ["LinearSVC", pipeline(scaled(), new LinearSVC())],
  ])("%s has scores and no probabilities: curves, but no log loss", async (name, estimator) => {
    const { result, model, X, y } = await evaluated(name, estimator);
    const scores = model.decisionFunction!(X);
    const list = "data" in scores ? scores.data : scores;
    expect(metricsOf(result).rocAuc).toBe(rocAucScore(y, list, { positiveLabel: model.classes![1]! }));
    expect(metricsOf(result)).not.toHaveProperty("logLoss");
    expect(result.all("curve").map(({ kind }) => kind)).toEqual(["roc", "precisionRecall"]);
  });

  test("of labels that do not say which one is positive, both are shown, and a threshold asks for one", async () => {
    const { path, y } = await saveFitted(folder.at("unsaid.safetensors"), "breastCancer", families.bayes);
    const words = ["evaluate", path, "breastCancer", "--bootstrap", "0"];
    const result = await runJson(...words);
    expect(metricsOf(result)).toHaveProperty("f1Macro");
    expect(metricsOf(result)).not.toHaveProperty("f1");
    expect(new Set(result.all("curve").map((curve) => curve["label"]))).toEqual(new Set(y));
    const { printed } = await runCommand(...words);
    expect(printed.replaceAll("\n", " ")).toContain(
      'Neither "benign" nor "malignant" is known to be the positive class',
    );
    const refused = await runCommand(...words, "--threshold", "0.3");
    expect(refused.noted).toContain("--threshold needs --positive");
  });

  test("--positive and --threshold change what is predicted and measured", async () => {
    const saved = await saveFitted(folder.at("threshold.safetensors"), "breastCancer", families.bayes);
    const words = ["evaluate", saved.path, "breastCancer", "--bootstrap", "0", "--positive", "benign"];
    const p = column(saved.model.predictProba!(saved.X), 0);
    const cut = Array.from(p, (v) => (v >= 0.999 ? "benign" : "malignant"));
    const result = await runJson(...words, "--threshold", "0.999");
    expect(result.one("confusion")).toMatchObject({ positive: "benign", threshold: 0.999 });
    expect(metricsOf(result).f1).toBe(f1Score(saved.y, cut, { positiveLabel: "benign" }));
    expect(metricsOf(result).rocAuc).toBe(rocAucScore(saved.y, p, { positiveLabel: "benign" }));
    expect(metricsOf(await runJson(...words)).f1).not.toBe(metricsOf(result).f1);
  });
});

describe("classifiers of three classes", () => {
  const families = {
    knn: ["iris", new KNeighborsClassifier()],
    mlp: ["iris", pipeline(scaled(), new MLPClassifier({ maxIter: 20 }))],
    // Categories and missing values.
    penguins: ["penguins", pipeline(tableVectorizer(), new LogisticRegression())],
    trees: [
      "penguins",
      pipeline(tableVectorizer({ scale: false }), new RandomForestClassifier({ nEstimators: 10 })),
    ],
  } as const;

  test.each(Object.entries(families))(
    "%s: the figures are those of the library",
    async (name, [data, estimator]) => {
      const { path, model, X, y } = await saveFitted(folder.at(`${name}3.safetensors`), data, estimator);
      const result = await runJson("evaluate", path, data, "--bootstrap", "0");
      expect(result.code).toBe(0);
      const [predicted, proba] = [model.predict!(X) as string[], model.predictProba!(X)];
      const found = metricsOf(result);
      expect(found).toMatchObject({
        accuracy: accuracyScore(y, predicted),
        balancedAccuracy: balancedAccuracyScore(y, predicted),
        f1Macro: f1Score(y, predicted, { average: "macro" }),
        logLoss: logLoss(y, proba),
      });
      expect(found.rocAuc).toBeCloseTo(rocAucScore(y, proba, { multiClass: "ovr" }), 12);
      expect(found.averagePrecision).toBeCloseTo(averagePrecisionScore(y, proba), 12);
      let squares = 0;
      for (let i = 0; i < y.length; i++)
        for (const [k, label] of model.classes!.entries())
          squares += (proba.at(i, k) - (y[i] === label ? 1 : 0)) ** 2;
      expect(found.brier).toBeCloseTo(squares / y.length, 12);
      expect(result.all("class").map(({ label }) => label)).toEqual(model.classes);
      expect(result.all("curve")).toHaveLength(9);
    },
  );

  test("scores of pairs of classes rank no class: there are no curves", async () => {
    const pairs = await saveFitted(
      folder.at("pairs.safetensors"),
      "iris",
      new SVC({ decisionFunctionShape: "ovo" }),
    );
    expect((await runJson("evaluate", pairs.path, "iris", "--bootstrap", "0")).all("curve")).toEqual([]);
    const perClass = await saveFitted(folder.at("per-class.safetensors"), "iris", new SVC());
    const result = await runJson("evaluate", perClass.path, "iris", "--bootstrap", "0");
    expect(result.all("curve").map(({ kind }) => kind)).not.toContain("calibration");
    expect(metricsOf(result).rocAuc).toBeGreaterThan(0.95);
  });

  test("--class draws the curves of one class", async () => {
    const { path } = await saveFitted(folder.at("one.safetensors"), "penguins", families.penguins[1]);
    const { printed } = await runCommand(
      "evaluate",
      path,
      "penguins",
      "--class",
      "Gentoo",
      "--plots",
      "all",
      "--bootstrap",
      "0",
    );
    expect(printed).toContain('ROC curve of "Gentoo": AUC');
    expect(printed).toContain('Calibration of "Gentoo"');
    const all = await runCommand("evaluate", path, "penguins", "--plots", "all", "--bootstrap", "0");
    expect(all.printed).toMatch(/a Adelie \(AUC \S+\) {3}b Chinstrap \(AUC \S+\) {3}c Gentoo \(AUC/);
    const none = await runCommand("evaluate", path, "penguins", "--plots", "none", "--bootstrap", "0");
    expect(none.printed).not.toContain("Confusion matrix");
  });
});

describe("regressors", () => {
  test.each([
    ["ridge", new Ridge({ alpha: 0.1 })],
    ["forest", new RandomForestRegressor({ nEstimators: 10 })],
    ["boosting", new HistGradientBoostingRegressor({ maxIter: 10 })],
    ["tree", new DecisionTreeRegressor({ maxDepth: 3 })],
  ])("%s: the figures are those of the library", async (name, estimator) => {
    const { path, model, X, y } = await saveFitted(folder.at(`${name}-r.safetensors`), "diabetes", estimator);
    const result = await runJson("evaluate", path, "diabetes", "--bootstrap", "100");
    const truth = y as number[];
    const predicted = model.predict!(X) as Float64Array;
    expect(metricsOf(result)).toEqual({
      r2: r2Score(truth, predicted),
      rmse: rootMeanSquaredError(truth, predicted),
      mae: meanAbsoluteError(truth, predicted),
      medianAbsoluteError: medianAbsoluteError(truth, predicted),
    });
    for (const { value, interval } of result.all("metric") as unknown as Metric[]) {
      const { low, high } = interval!;
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
    }
    expect(result.one("predictions").predicted).toEqual([...predicted]);
  });

  test("draws predictions, residuals and their distribution", async () => {
    const { path } = await saveFitted(folder.at("drawn.safetensors"), "diabetes", new Ridge());
    const { printed } = await runCommand("evaluate", path, "diabetes", "--plots", "all", "--bootstrap", "0");
    for (const title of ["Predictions against the truth", "Residuals", "Distribution of the residuals"])
      expect(printed).toContain(title);
    expect(Math.max(...printed.split("\n").map((line) => [...line].length))).toBeLessThanOrEqual(80);
  });

  test("refuses what is for classes, and a target that is not a number", async () => {
    const { path } = await saveFitted(folder.at("number.safetensors"), "diabetes", new Ridge());
    expect(await runCommand("evaluate", path, "diabetes", "--threshold", "0.5")).toMatchObject({
      code: 2,
      noted: expect.stringContaining("--threshold is for classifiers") as string,
    });
    const words = ["age,sex,bmi,bp,s1,s2,s3,s4,s5,s6,progression", "1,1,1,1,1,1,1,1,1,1,high"];
    writeFileSync(folder.at("words.csv"), words.join("\n"));
    const { code, noted } = await runCommand("evaluate", path, folder.at("words.csv"));
    expect(code).toBe(1);
    expect(noted).toContain('The model predicts numbers, and "progression" holds "high".');
  });
});
