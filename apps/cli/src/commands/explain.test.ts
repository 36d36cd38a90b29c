import { readFileSync } from "node:fs";
import {
  CalibratedClassifier,
  DecisionTreeClassifier,
  explain,
  GaussianNB,
  HistGradientBoostingClassifier,
  KNeighborsClassifier,
  LogisticRegression,
  type Matrix,
  MLPClassifier,
  PCA,
  partialDependence,
  permutationImportance,
  pipeline,
  RandomForestClassifier,
  RandomForestRegressor,
  Ridge,
  StandardScaler,
  SVC,
  tableVectorizer,
} from "argmax";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SavedModel } from "../../test/saved-models.js";
import { runAt, runCommand, runJson, saveFitted, testFolder } from "../../test/saved-models.js";

const folder = testFolder("explain");
afterAll(folder.remove);

let penguins: SavedModel;
let forest: SavedModel;
let ridge: SavedModel;
beforeAll(async () => {
  const logistic = pipeline(tableVectorizer(), new LogisticRegression());
  const trees = pipeline(tableVectorizer({ scale: false }), new RandomForestClassifier({ nEstimators: 10 }));
  penguins = await saveFitted(folder.at("penguins.safetensors"), "penguins", logistic);
  forest = await saveFitted(folder.at("forest.safetensors"), "penguins", trees);
  ridge = await saveFitted(folder.at("ridge.safetensors"), "diabetes", new Ridge({ alpha: 0.1 }));
});

describe("explain MODEL", () => {
  test("coefficients of each class, with readable names of categories", async () => {
    const { all } = await runJson("explain", penguins.path);
    const { steps } = penguins.model as unknown as {
      steps: [{ featureNames(): string[] }, { coef: Matrix }];
    };
    const [vectorizer, logistic] = steps;
    const found = all("coefficient").filter(({ output }) => output === "Gentoo");
    expect(found.map(({ feature }) => feature)).toEqual(vectorizer.featureNames());
    expect(found.map(({ value }) => value)).toEqual([...logistic.coef.row(2)]);
    expect(all("intercept")).toHaveLength(3);
    const { printed } = await runCommand("explain", penguins.path);
    expect(printed).toContain("Coefficients for Chinstrap");
    expect(printed).toMatch(/^island = Dream +\+\d/m);
    expect(printed).toMatch(/^sex +OneHotEncoder: 2 categories/m);
    expect(printed).toContain("scale, so that coefficients are comparable.");
    const one = await runCommand("explain", penguins.path, "--class", "Adelie", "--top", "2");
    expect(one.printed).not.toContain("Coefficients for Chinstrap");
    expect(one.printed).toContain("and 8 more; --top shows them");
  });

  test("a linear regression is one list, the largest coefficient first", async () => {
    const { printed } = await runCommand("explain", ridge.path, "--top", "3");
    const { coef } = ridge.model as unknown as { coef: Float64Array };
    const names = ridge.model.featureNamesIn!;
    const order = [...coef.keys()]
      .sort((a, b) => Math.abs(coef[b]!) - Math.abs(coef[a]!))
      .map((j) => names[j]);
    const shown = printed
      .split("\n")
      .filter((line) => /█/.test(line))
      .map((line) => line.split(" ")[0]);
    expect(shown).toEqual(order.slice(0, 3));
    expect(printed).toContain("of the same scale are comparable");
  });

  test("importances of forests and boosted trees are those of the model", async () => {
    const steps = (forest.model as unknown as { steps: [unknown, { featureImportances: Float64Array }] })
      .steps;
    const found = (await runJson("explain", forest.path)).all("importance");
    expect(found.map(({ value }) => value)).toEqual([...steps[1].featureImportances]);
    const boosted = await saveFitted(
      folder.at("hist.safetensors"),
      "breastCancer",
      new HistGradientBoostingClassifier({ maxIter: 5 }),
    );
    expect((await runJson("explain", boosted.path)).all("importance")).toHaveLength(30);
  });

  test("the rules of a small tree, and the first levels of a large one", async () => {
    const small = pipeline(tableVectorizer({ scale: false }), new DecisionTreeClassifier({ maxDepth: 2 }));
    const { path } = await saveFitted(folder.at("tree.safetensors"), "penguins", small);
    const { printed } = await runCommand("explain", path);
    expect(printed).toMatch(/\|--- billLength ≤ \d+\.\d+\n/);
    expect(printed).toContain('class "Gentoo"');
    const large = await saveFitted(folder.at("large.safetensors"), "digits", new DecisionTreeClassifier());
    expect((await runCommand("explain", large.path)).printed).toMatch(
      /The first 3 of \d+ levels; the tree has \d+ leaves\./,
    );
  });

  test("layers, kernels, support vectors and members", async () => {
    const mlp = await saveFitted(
      folder.at("mlp.safetensors"),
      "iris",
      pipeline(new StandardScaler(), new MLPClassifier({ maxIter: 5 })),
    );
    expect((await runCommand("explain", mlp.path)).printed).toMatch(/^0 dense +100 +500$/m);
    const svc = await saveFitted(folder.at("svc.safetensors"), "iris", new SVC({ C: 2 }));
    const { printed } = await runCommand("explain", svc.path);
    expect(printed).toMatch(/^settings +C = 2, kernel = rbf$/m);
    expect(printed).toMatch(/^support +\d+$/m);
    expect(printed).toContain("Models of this kind have no coefficients");
    const linear = await saveFitted(folder.at("linear.safetensors"), "iris", new SVC({ kernel: "linear" }));
    expect((await runCommand("explain", linear.path)).printed).toContain(
      "Coefficients for setosa against versicolor",
    );
    const calibrated = await saveFitted(
      folder.at("calibrated.safetensors"),
      "iris",
      new CalibratedClassifier({ estimator: new GaussianNB(), cv: 3 }),
    );
    expect((await runCommand("explain", calibrated.path)).printed).toMatch(/^members +3: GaussianNB$/m);
  });
});

describe("explain MODEL DATA", () => {
  test("permutation importance is that of the library, repeat by repeat", async () => {
    const result = await runJson("explain", penguins.path, "penguins", "--repeats", "2", "--seed", "7");
    const repeats = [7, 8].map((randomState) =>
      permutationImportance(penguins.model, penguins.X, penguins.y, { nRepeats: 1, randomState }),
    );
    expect(result.one("baseline").value).toBe(repeats[0]!.baseline);
    for (const [j, { feature, mean, std }] of result.all("permutation").entries()) {
      const [a, b] = repeats.map((one) => one.mean[j]!) as [number, number];
      expect(feature).toBe(penguins.X.columnNames[j]);
      expect(mean).toBeCloseTo((a + b) / 2, 12);
      expect(std).toBeCloseTo(Math.abs(a - b) / 2, 12);
    }
    expect(result.all("permutation")).toHaveLength(6);
  });

  test("of a regression it is the loss of R²", async () => {
    const result = await runJson("explain", ridge.path, "diabetes", "--repeats", "1");
    expect(result.one("baseline")).toMatchObject({
      metric: "r2",
      value: ridge.model.score!(ridge.X, ridge.y as number[]),
    });
  });

  test("without the target there is a sentence that says what to do", async () => {
    const { code, noted } = await runCommand("explain", penguins.path, "penguins", "--target", "kind");
    expect(code).toBeGreaterThan(0);
    expect(noted).toContain("kind");
  });
});

describe("--row", () => {
  test("contributions of a forest sum from the base value to the probability: TreeSHAP, by column", async () => {
    const result = await runJson("explain", forest.path, "penguins", "--row", "5", "--class", "Adelie");
    const found = result.one("explanation");
    const proba = forest.model.predictProba!(forest.X.selectRows([4]));
    expect(found).toMatchObject({ row: 5, method: "treeShap", output: "probability", outputName: "Adelie" });
    expect(found.value).toBeCloseTo(proba.at(0, 0), 10);
    const sum = result.all("contribution").reduce((total, { value }) => total + Number(value), 0);
    expect(Number(found.base) + sum).toBeCloseTo(proba.at(0, 0), 10);
    expect(
      result
        .all("contribution")
        .map(({ feature }) => feature)
        .toSorted(),
    ).toEqual([...forest.X.columnNames].toSorted());
    const direct = explain(forest.model, forest.X.selectRows([4]));
    expect(found.base).toBe(direct.baseValues[0]);
  });

  test("a linear model is explained exactly: w (x − mean)", async () => {
    const result = await runJson("explain", ridge.path, "diabetes", "--row", "3");
    const predicted = (ridge.model.predict!(ridge.X.selectRows([2])) as Float64Array)[0]!;
    expect(result.one("explanation")).toMatchObject({
      method: "linear",
      output: "prediction",
      truth: ridge.y[2],
    });
    expect(result.one("explanation").value).toBeCloseTo(predicted, 8);
    expect(result.all("contribution")).toHaveLength(10);
  });

  test.each([
    ["neighbours", new KNeighborsClassifier(), "exactShap"],
    ["bayes", new GaussianNB(), "additive"],
    ["components", pipeline(new PCA({ nComponents: 2 }), new LogisticRegression()), "linear"],
  ] as const)("%s: the prediction is what the columns sum to", async (name, estimator, method) => {
    const { path } = await saveFitted(folder.at(`${name}-row.safetensors`), "iris", estimator);
    const result = await runJson("explain", path, "iris", "--row", "60");
    const found = result.one("explanation");
    expect(found.method).toBe(method);
    const sum = result.all("contribution").reduce((total, { value }) => total + Number(value), 0);
    expect(Number(found.base) + sum).toBeCloseTo(Number(found.value), 8);
  });

  test("the score of the first of two classes is the negative of the second's", async () => {
    const { path } = await saveFitted(
      folder.at("two.safetensors"),
      "breastCancer",
      pipeline(new StandardScaler(), new LogisticRegression()),
    );
    const [second, first] = await Promise.all(
      ["malignant", "benign"].map((name) =>
        runJson("explain", path, "breastCancer", "--row", "2", "--class", name),
      ),
    );
    expect(first!.one("explanation")).toMatchObject({
      outputName: "benign",
      value: -Number(second!.one("explanation").value),
    });
    expect(first!.all("contribution").map(({ value }) => -Number(value))).toEqual(
      second!.all("contribution").map(({ value }) => value),
    );
    // A model of two classes has one list of coefficients, whichever is asked for.
    expect((await runCommand("explain", path, "--class", "benign")).printed).toContain(
      "Coefficients for malignant",
    );
  });

  test("shows cells, the truth, and gaps as missing", async () => {
    const { printed } = await runCommand("explain", forest.path, "penguins", "--row", "4");
    expect(printed).toMatch(/^Predicted: "\w+"; truth: "Adelie"\./m);
    expect(printed).toMatch(/^billLength = missing +[+−]0\.\d+/m);
    expect(printed).toMatch(/^island = Torgersen +/m);
  });

  test("a row beyond the data, or a row without data, is an error of the command line", async () => {
    expect(await runCommand("explain", forest.path, "penguins", "--row", "345")).toMatchObject({ code: 2 });
    expect(await runCommand("explain", forest.path, "--row", "1")).toMatchObject({
      code: 2,
      noted: expect.stringContaining("--row needs DATA") as string,
    });
  });
});

test("fits in 40 columns", async () => {
  for (const words of [
    [penguins.path],
    [forest.path],
    [penguins.path, "penguins", "--repeats", "1"],
    [forest.path, "penguins", "--row", "2", "--partial", "island", "--partial", "bodyMass"],
  ]) {
    const { printed } = await runAt(40, "explain", ...words);
    expect({ words, wide: printed.split("\n").filter((line) => [...line].length > 40) }).toEqual({
      words,
      wide: [],
    });
  }
});

test("--class is for classifiers", async () => {
  expect(await runCommand("explain", ridge.path, "--class", "a")).toMatchObject({
    code: 2,
    noted: expect.stringContaining("--class is for classifiers, and this model predicts numbers.") as string,
  });
});

describe("--partial", () => {
  test("is the library's partial dependence, of numbers and of categories", async () => {
    for (const column of ["billLength", "island"]) {
      const result = await runJson("explain", penguins.path, "penguins", "--partial", column);
      const direct = partialDependence(penguins.model, penguins.X, column, { gridResolution: 40 });
      expect(result.all("partial").map(({ outputName }) => outputName)).toEqual(direct.outputNames);
      for (const [k, { mean, grid }] of result.all("partial").entries()) {
        expect(grid).toEqual(direct.grid[0]);
        expect(mean).toEqual([...direct.average.row(k)]);
      }
    }
  });

  test("draws all classes, or the one of --class, and several columns", async () => {
    const { printed } = await runCommand(
      "explain",
      penguins.path,
      "penguins",
      "--partial",
      "billLength",
      "--partial",
      "island",
    );
    expect(printed).toContain("Partial dependence on billLength");
    expect(printed).toContain("a Adelie   b Chinstrap   c Gentoo");
    expect(printed).toMatch(/Biscoe +Dream +Torgersen/);
    const one = await runCommand(
      "explain",
      penguins.path,
      "penguins",
      "--partial",
      "island",
      "--class",
      "Gentoo",
    );
    expect(one.printed).toContain("The mean probability of Gentoo over 344 rows");
  });

  test("a column that the model does not read is an error of the command line", async () => {
    const { code, noted } = await runCommand("explain", penguins.path, "penguins", "--partial", "year");
    expect(code).toBe(2);
    expect(noted).toContain('--partial must be a column of the model ("island", "billLength"');
  });
});

describe("--html", () => {
  test("writes a page of the same parts that needs nothing else", async () => {
    const trees = await saveFitted(
      folder.at("r.safetensors"),
      "diabetes",
      new RandomForestRegressor({ nEstimators: 5 }),
    );
    const file = folder.at("explanation.html");
    for (const [words, figures] of [
      [[penguins.path], 3],
      [[trees.path, "diabetes", "--repeats", "1"], 1],
      [[trees.path, "diabetes", "--row", "1", "--partial", "bmi"], 2],
    ] as const) {
      expect((await runCommand("explain", ...words, "--html", file)).code).toBe(0);
      const page = readFileSync(file, "utf8");
      expect(page.match(/<svg /g)).toHaveLength(figures);
      expect(page).not.toMatch(/<script|<link|<img|\ssrc=|url\(/);
      expect(page.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:/);
    }
  });
});
