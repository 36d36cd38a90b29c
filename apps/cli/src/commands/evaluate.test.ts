import { readFileSync, writeFileSync } from "node:fs";
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
  modelCard,
  pipeline,
  RandomForestClassifier,
  RandomForestRegressor,
  Ridge,
  r2Score,
  rocAucScore,
  rootMeanSquaredError,
  StandardScaler,
  SVC,
  saveModel,
  Table,
  tableVectorizer,
} from "argmax";
import { afterAll, describe, expect, test } from "vitest";
import { runAt, runCommand, runJson, saveFitted, testFolder } from "../../test/saved-models.js";
import type { Metric } from "../report/metric.js";

const folder = testFolder("evaluate");
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

  test.each(Object.entries(families))("%s: the figures are those of the library", async (name, estimator) => {
    const { path, model, X, y } = await saveFitted(
      folder.at(`${name}.safetensors`),
      "breastCancer",
      estimator,
    );
    const result = await runJson("evaluate", path, "breastCancer", "--bootstrap", "0");
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
    const { path, model, X, y } = await saveFitted(
      folder.at(`${name}.safetensors`),
      "breastCancer",
      estimator,
    );
    const result = await runJson("evaluate", path, "breastCancer", "--bootstrap", "0");
    const scores = model.decisionFunction!(X);
    const list = "data" in scores ? scores.data : scores;
    expect(metricsOf(result).rocAuc).toBe(rocAucScore(y, list, { positiveLabel: model.classes![1]! }));
    expect(metricsOf(result)).not.toHaveProperty("logLoss");
    expect(result.all("curve").map(({ kind }) => kind)).toEqual(["roc", "precisionRecall"]);
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

  test("refuses what is for classes, and a target that is no number", async () => {
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

describe("labels", () => {
  const rows = (labels: readonly string[]) =>
    ["x,kind", ...labels.map((label, i) => `${label === "a" ? i % 3 : 5 + (i % 3)},${label}`)].join("\n");
  const save = (labels: readonly (string | number)[], kind = "kind") => {
    const x = labels.map((_, i) => (i % 2 === 0 ? i % 3 : 5 + (i % 3)));
    const table = Table.fromColumns({ x });
    const path = folder.at(`labels-${labels[0]}.safetensors`);
    const model = new LogisticRegression().fit(table, labels as string[]);
    writeFileSync(
      path,
      saveModel(model, { card: modelCard(table, { target: kind, task: "classification" }) }),
    );
    return path;
  };
  const ab = () => save(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "a" : "b")));

  test("rows with a label that the model has never seen are left out, with a remark", async () => {
    writeFileSync(folder.at("c.csv"), rows(["a", "b", "a", "b", "c", "c"]));
    const result = await runJson("evaluate", ab(), folder.at("c.csv"));
    expect(result.one("remark").text).toContain(
      '2 of 6 rows have a label that the model has never seen ("c")',
    );
    expect(metricsOf(result).accuracy).toBe(1);
    expect(result.one("confusion").matrix).toEqual([
      [2, 0],
      [0, 2],
    ]);
  });

  test("a target without any known label is an error that names both", async () => {
    writeFileSync(folder.at("z.csv"), rows(["y", "z", "y", "z"]));
    const { code, noted } = await runCommand("evaluate", ab(), folder.at("z.csv"));
    expect(code).toBe(1);
    expect(noted).toContain(
      'No label of "kind" is a class of the model: the data has "y", "z", the model "a", "b".',
    );
  });

  test("labels that are equal as text are equal: 0 and 1 in the file, “0” and “1” in the model", async () => {
    const path = save(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "0" : "1")));
    writeFileSync(folder.at("numbers.csv"), "x,kind\n0,0\n1,0\n6,1\n7,1\n");
    expect(metricsOf(await runJson("evaluate", path, folder.at("numbers.csv"))).accuracy).toBe(1);
  });

  test("columns that the model does not read are named and left out", async () => {
    writeFileSync(folder.at("more.csv"), "id,x,kind\n1,0,a\n2,6,b\n3,1,a\n4,7,b\n");
    const result = await runJson("evaluate", ab(), folder.at("more.csv"));
    expect(result.one("remark").text).toBe('Not used by the model: "id".');
    expect(metricsOf(result).accuracy).toBe(1);
  });

  test("data of one class has an accuracy and no curves", async () => {
    writeFileSync(folder.at("a.csv"), rows(["a", "a", "a"]));
    const result = await runJson("evaluate", ab(), folder.at("a.csv"));
    expect(result.code).toBe(0);
    expect(metricsOf(result)).toMatchObject({ accuracy: 1 });
    expect(result.all("curve")).toEqual([]);
    expect(
      result
        .all("remark")
        .map(({ text }) => text)
        .join(),
    ).toContain("No curves");
  });
});

describe("the command line", () => {
  test("finds the columns of the model by name, by its card, or by their number", async () => {
    const { path } = await saveFitted(folder.at("some.safetensors"), "iris", new GaussianNB());
    const { path: card } = await saveFitted(folder.at("matrix.safetensors"), "iris", new GaussianNB(), {
      matrix: true,
    });
    expect((await runCommand("evaluate", path, "penguins", "--target", "species")).noted).toContain(
      "which some was trained on",
    );
    expect(metricsOf(await runJson("evaluate", card, "iris", "--bootstrap", "0"))).toEqual(
      metricsOf(await runJson("evaluate", path, "iris", "--bootstrap", "0")),
    );
    const { path: bare } = await saveFitted(folder.at("bare.safetensors"), "iris", new GaussianNB(), {
      matrix: true,
      card: false,
    });
    expect(metricsOf(await runJson("evaluate", bare, "iris", "--bootstrap", "0"))).toEqual(
      metricsOf(await runJson("evaluate", path, "iris", "--bootstrap", "0")),
    );
    expect((await runCommand("evaluate", bare, "breastCancer")).noted).toContain(
      "bare reads 4 columns without names",
    );
  });

  test("warns of the rows that the model was trained on, and of no others", async () => {
    const { path, X, y, target } = await saveFitted(folder.at("seen.safetensors"), "iris", new GaussianNB());
    const remarks = async (parity: number) => {
      const rows = [...y.keys()].filter((i) => i % 2 === parity);
      const cells = X.selectRows(rows).toMatrix().toArray();
      const lines = cells.map((row, r) => [...row, y[rows[r]!]].join(","));
      writeFileSync(folder.at("half.csv"), [[...X.columnNames, target].join(","), ...lines].join("\n"));
      return (await runJson("evaluate", path, folder.at("half.csv"), "--bootstrap", "0")).all("remark");
    };
    expect((await remarks(0)).map(({ text }) => text)).toEqual([
      "These are the rows that the model was trained on, by all appearances: such figures are too good.",
    ]);
    expect(await remarks(1)).toEqual([]);
  });

  test("a wrong option ends with code 2 and a sentence", async () => {
    const { path } = await saveFitted(folder.at("options.safetensors"), "iris", new GaussianNB());
    for (const [words, sentence] of [
      [["--class", "rose"], "--class must be a class of the model"],
      [["--positive", "setosa"], "--positive is for models of two classes"],
      [["--threshold", "0.5"], "--threshold is for models of two classes"],
      [["--threshold", "high"], '--threshold must be a number, got "high".'],
      [["--plots", "few"], "--plots must be none, some, all"],
      [["--bootstrap", "-1"], "--bootstrap"],
    ] as const) {
      const { code, noted } = await runCommand("evaluate", path, "iris", ...words);
      expect({ words, code }).toEqual({ words, code: 2 });
      expect(noted).toContain(sentence);
    }
  });

  test("fits in 40 columns", async () => {
    const { path } = await saveFitted(
      folder.at("narrow.safetensors"),
      "penguins",
      pipeline(tableVectorizer(), new LogisticRegression()),
    );
    const ridge = await saveFitted(folder.at("narrow-r.safetensors"), "diabetes", new Ridge());
    for (const words of [
      [path, "penguins"],
      [path, "penguins", "--class", "Chinstrap"],
      [ridge.path, "diabetes"],
    ])
      for (const width of [40, 60]) {
        const { printed } = await runAt(width, "evaluate", ...words, "--plots", "all", "--bootstrap", "0");
        const wide = printed.split("\n").filter((line) => [...line].length > width);
        expect({ words, width, wide }).toEqual({ words, width, wide: [] });
      }
  });

  test("a transformer predicts nothing", async () => {
    const { path } = await saveFitted(folder.at("scaler.safetensors"), "iris", new StandardScaler() as never);
    const { code, noted } = await runCommand("evaluate", path, "iris");
    expect(code).toBe(1);
    expect(noted).toContain("scaler is a StandardScaler, which transforms columns and predicts nothing.");
  });
});

describe("--html", () => {
  test("a file that cannot be written is one sentence", async () => {
    const { path } = await saveFitted(folder.at("unwritten.safetensors"), "iris", new GaussianNB());
    const words = ["evaluate", path, "iris", "--bootstrap", "0", "--html", folder.at("none/report.html")];
    const { code, noted } = await runCommand(...words);
    expect(code).toBe(1);
    expect(noted).toMatch(/none\/report\.html" cannot be written: ENOENT/);
  });

  test("writes one page that needs nothing else, with every figure of the text", async () => {
    const { path } = await saveFitted(
      folder.at("page.safetensors"),
      "penguins",
      pipeline(tableVectorizer(), new LogisticRegression()),
    );
    const file = folder.at("page.html");
    const { printed } = await runCommand("evaluate", path, "penguins", "--html", file, "--bootstrap", "100");
    const page = readFileSync(file, "utf8");
    expect(page).not.toMatch(/<script|<link|<img|\ssrc=|url\(|@import/);
    expect(page.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:/);
    expect(page.match(/<svg /g)).toHaveLength(4);
    expect(page).toContain("prefers-color-scheme:dark");
    for (const number of printed.match(/\b\d\.\d{3}\b/g)!) expect(page).toContain(number);
  });

  test("escapes names of classes, columns and files", async () => {
    const evil = "<img src=x onerror=alert(1)>";
    const table = Table.fromColumns(new Map([["x & y", [0, 1, 2, 3, 4, 5]]]));
    const model = new LogisticRegression().fit(table, ["a", "a", "a", evil, evil, evil]);
    const path = folder.at("evil.safetensors");
    writeFileSync(
      path,
      saveModel(model, { card: modelCard(table, { target: "t<i>", task: "classification" }) }),
    );
    writeFileSync(folder.at("evil.csv"), `x & y,t<i>\n0,a\n1,a\n4,${evil}\n5,${evil}\n`);
    const file = folder.at("evil.html");
    expect(
      (await runCommand("evaluate", path, folder.at("evil.csv"), "--html", file, "--bootstrap", "100")).code,
    ).toBe(0);
    const page = readFileSync(file, "utf8");
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(page).not.toMatch(/<img|<i>/);
  });

  test("a regression has its three plots", async () => {
    const { path } = await saveFitted(folder.at("regression.safetensors"), "diabetes", new Ridge());
    const file = folder.at("regression.html");
    await runCommand("evaluate", path, "diabetes", "--html", file, "--bootstrap", "100");
    const page = readFileSync(file, "utf8");
    expect(page.match(/<svg /g)).toHaveLength(3);
    expect(page.match(/<circle /g)).toHaveLength(2 * 442);
  });
});
