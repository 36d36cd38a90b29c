import { describe, expect, test } from "vitest";
import type { FittedModel } from "../../src/core/contract.js";
import { parseCsv } from "../../src/csv/index.js";
import { Matrix, Table } from "../../src/data/index.js";
import { loadCsv, loadDataset } from "../../src/datasets/index.js";
import {
  AdaBoostClassifier,
  BaggingClassifier,
  BaggingRegressor,
  ColumnTransformer,
  DataError,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  GaussianNB,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  KNeighborsClassifier,
  LinearRegression,
  LogisticRegression,
  MaxAbsScaler,
  MinMaxScaler,
  MLPClassifier,
  MLPRegressor,
  OneHotEncoder,
  OneVsRestClassifier,
  PCA,
  pipeline,
  RandomForestClassifier,
  RandomForestRegressor,
  Ridge,
  RobustScaler,
  SimpleImputer,
  StandardScaler,
  SVC,
  SVR,
  TransformedTargetRegressor,
  VotingClassifier,
  VotingRegressor,
} from "../../src/index.js";
import { toOnnx } from "../../src/onnx/index.js";
import { problem } from "../conformance/data.js";
import { subjects } from "../conformance/registry.js";
import { after, all, columnsOf, expectSame, matrixOf, prepared } from "./expect-same.js";
import { run } from "./runtime.js";

describe("every estimator that predicts gives the answers of the model", () => {
  /** What is not converted, and why. */
  const refused: Readonly<Record<string, RegExp>> = {
    "KNeighborsClassifier by angle": /the metric of neighbours must be euclidean, got cosine/,
    "KNeighborsRegressor by manhattan, in a ball tree": /must be euclidean, got manhattan/,
    "NearestCentroid of medians": /must be euclidean, got manhattan/,
    RadiusNeighborsClassifier: /a number of them, got those within a radius/,
    RadiusNeighborsRegressor: /a number of them, got those within a radius/,
    "RadiusNeighborsClassifier with a class for outliers": /a number of them, got those within a radius/,
    Cascade: /combined by standard operators, got a cascade/,
    "NeuralClassifier with dropout, batch norm and squared errors": /since its network has a batchNorm layer/,
    CNNClassifier: /since its network has a \w+ layer/,
    ViTClassifier: /since its network has a \w+ layer/,
    "ViTClassifier with a class token": /since its network has a \w+ layer/,
    TransformerClassifier: /since its network has a \w+ layer/,
  };
  const listed = subjects.filter(({ type }) => {
    const { task } = type.capabilities;
    return (
      task !== "transform" &&
      !(task === "clustering" && !("nClusters" in type.table && "maxIter" in type.table))
    );
  });

  test.each(listed.map((subject) => [subject.name, subject] as const))("%s", async (name, subject) => {
    const { X, y } = problem(subject);
    const model = subject.make().fit(X, y);
    const reason = refused[name];
    if (reason !== undefined) {
      expect(() => toOnnx(model as FittedModel)).toThrow(reason);
      return;
    }
    const answers = await expectSame(model, X, matrixOf(X));
    if (model.predictProba !== undefined && !/^SVC/.test(name))
      expect(Object.keys(answers)).toContain("probabilities");
  });
});

describe("real tables", async () => {
  const [iris, cancer, digits, diabetes] = await Promise.all([
    loadDataset("iris"),
    loadDataset("breastCancer"),
    loadDataset("digits"),
    loadDataset("diabetes"),
  ]);

  test.each([
    ["iris", iris],
    ["breast cancer", cancer],
  ] as const)("classes of %s", async (_, { X, y }) => {
    for (const estimator of all(
      new LogisticRegression(),
      new SVC(),
      new SVC({ probability: true }),
      new SVC({ kernel: "poly", decisionFunctionShape: "ovo" }),
      new SVC({ multiClass: "ovr", kernel: "linear" }),
      new SVC({ breakTies: true }),
      new RandomForestClassifier({ nEstimators: 30 }),
      new HistGradientBoostingClassifier({ maxIter: 30 }),
      new AdaBoostClassifier({ estimator: new DecisionTreeClassifier({ maxDepth: 2 }) }),
      new AdaBoostClassifier(),
      new MLPClassifier({ hiddenLayerSizes: [8, 5], activation: "tanh", maxIter: 30 }),
      new GaussianNB(),
    ))
      await expectSame(after(new StandardScaler(), estimator).fit(X, y), X, X);
  });

  test("equally distant neighbours are the same ones", async () => {
    // Lengths with one decimal: many distances are equal, and differ in the last digit if they are added in another order.
    for (const cols of [1, 2, 3, 4])
      for (const nNeighbors of [1, 2, 4]) {
        const X = Matrix.fromRows(iris.X.toArray().map((row) => row.slice(0, cols)));
        const model = new KNeighborsClassifier({ nNeighbors }).fit(X, iris.y);
        await expectSame(model as never, X, X);
      }
  });

  test("k nearest neighbours of images, by both weights", async () => {
    const half = digits.X.rows >> 1;
    const rows = Array.from({ length: digits.X.rows }, (_, i) => i);
    const [train, others] = [rows.slice(0, half), rows.slice(half, half + 300)];
    const part = (list: readonly number[]): Matrix => Matrix.fromRows(list.map((i) => [...digits.X.row(i)]));
    for (const weights of ["uniform", "distance"] as const) {
      const model = new KNeighborsClassifier({ weights }).fit(
        part(train),
        train.map((i) => digits.y[i]!),
      );
      await expectSame(model as never, part(others), part(others));
    }
  });

  test("values of diabetes, scaled targets among them", async () => {
    const { X, y } = diabetes;
    for (const estimator of all(
      new LinearRegression(),
      new Ridge(),
      new RandomForestRegressor({ nEstimators: 20 }),
      new HistGradientBoostingRegressor({ maxIter: 40 }),
      new HistGradientBoostingRegressor({ maxIter: 40, loss: "poisson" }),
      new DecisionTreeRegressor(),
      new TransformedTargetRegressor({ regressor: new SVR(), transformer: new StandardScaler() }),
      new TransformedTargetRegressor({
        regressor: new MLPRegressor({ maxIter: 20 }),
        transformer: new StandardScaler(),
      }),
      new TransformedTargetRegressor({ regressor: new Ridge(), func: "log" }),
      new VotingRegressor({ estimators: { a: new Ridge(), b: new DecisionTreeRegressor({ maxDepth: 3 }) } }),
      new BaggingRegressor({ estimator: new Ridge(), maxFeatures: 0.5, nEstimators: 4 }),
    ))
      await expectSame(estimator.fit(X, y), X, X);
  });

  test("scalers and projections", async () => {
    const { X, y } = cancer;
    for (const step of [
      new MinMaxScaler({ featureRange: [-1, 2] }),
      new MinMaxScaler({ clip: true }),
      new MaxAbsScaler(),
      new RobustScaler(),
      new RobustScaler({ withCentering: false }),
      new StandardScaler({ withStd: false }),
      new PCA({ nComponents: 5 }),
      new PCA({ nComponents: 3, whiten: true }),
    ])
      await expectSame(after(step, new LogisticRegression()).fit(X, y), X, X);
  });

  test("members that have not seen every class", async () => {
    const { X, y } = iris;
    const hard = new VotingClassifier({
      estimators: { a: new GaussianNB(), b: new DecisionTreeClassifier({ maxDepth: 1 }), c: new SVC() },
    });
    const soft = new VotingClassifier({
      estimators: { a: new GaussianNB(), b: new LogisticRegression() },
      voting: "soft",
      weights: [1, 3],
    });
    const bag = new BaggingClassifier({
      estimator: new LogisticRegression(),
      maxSamples: 4,
      nEstimators: 6,
      randomState: 3,
    });
    const rest = new OneVsRestClassifier({ estimator: new LogisticRegression() });
    for (const estimator of all(hard, soft, bag, rest)) await expectSame(estimator.fit(X, y), X, X);
  });

  test("one column, which ONNX Runtime must not scale in 32 bits", async () => {
    const X = Matrix.fromRows(cancer.X.toArray().map((row) => [1000 * row[0]!]));
    for (const estimator of [new LogisticRegression(), new SVC({ kernel: "poly" })])
      await expectSame(after(new StandardScaler(), estimator).fit(X, cancer.y), X, X);
  });

  test("missing numbers go their way through trees", async () => {
    const X = iris.X.toArray().map((row, i) =>
      row.map((v, j) => ((i * 7 + j * 3) % 5 === 0 ? Number.NaN : v)),
    );
    for (const estimator of all(
      new DecisionTreeClassifier(),
      new RandomForestClassifier({ nEstimators: 10 }),
      new HistGradientBoostingClassifier({ maxIter: 10 }),
      after(new SimpleImputer({ strategy: "median" }), new LogisticRegression()),
    ))
      await expectSame(estimator.fit(X, iris.y), X, matrixOf(X));
  });
});

describe("tables of numbers and categories", async () => {
  const { csv } = await loadCsv("titanic");
  const passengers = parseCsv(csv, { types: { survived: "category", pclass: "category" } });
  const names = ["pclass", "sex", "age", "fare", "embarked", "sibsp"] as const;
  const x = passengers.select(names as never) as unknown as Table;
  test.each([
    ["LogisticRegression", new LogisticRegression()],
    ["RandomForestClassifier", new RandomForestClassifier({ nEstimators: 10 })],
    ["SVC", new SVC()],
    ["HistGradientBoostingClassifier", new HistGradientBoostingClassifier({ maxIter: 20 })],
    ["MLPClassifier", new MLPClassifier({ maxIter: 20 })],
  ])("the preprocessing of %s is in the file: one input per column", async (_, estimator) => {
    await expectSame(prepared(estimator, x).fit(x, passengers.column("survived")), x, columnsOf(x));
  });

  test("unknown and infrequent categories, dropped ones, numbers as categories, and columns that pass through", async () => {
    const train = Table.fromRows(
      Array.from({ length: 40 }, (_, i) => ({
        city: ["Oslo", "Rome", "Rome", "Bonn"][i % 4]!,
        // A name of an output, and one that nodes could have.
        value: i % 3,
        Add_1: (i * 7) % 11,
      })),
    );
    const y = Array.from({ length: 40 }, (_, i) => (i % 4 === 1 || i % 11 > 6 ? "yes" : "no"));
    const model = pipeline(
      new ColumnTransformer({
        transformers: {
          names: [
            new OneHotEncoder({ handleUnknown: "infrequentIfExist", minFrequency: 11, drop: "first" }),
            ["city"],
          ],
          levels: [new OneHotEncoder({ handleUnknown: "ignore" }), ["value"]],
        },
        remainder: "passthrough",
      } as never),
      new DecisionTreeClassifier(),
    ).fit(train, y);
    const test = Table.fromRows([
      { city: "Paris", value: 9, Add_1: 3 },
      { city: "Bonn", value: 1, Add_1: 8 },
      { city: "Rome", value: 2, Add_1: 0 },
    ]);
    const given = {
      city: ["Paris", "Bonn", "Rome"],
      value: Float64Array.of(9, 1, 2),
      Add_1: Float64Array.of(3, 8, 0),
    };
    await expectSame(model as never, test, given);
  });

  test("texts have no operators", () => {
    const names = Table.fromRows(
      Array.from({ length: 60 }, (_, i) => ({ name: `a name with the number ${i} in it`, size: i })),
    );
    const y = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? "a" : "b"));
    const model = prepared(new LogisticRegression(), names).fit(names, y);
    expect(() => toOnnx(model as FittedModel)).toThrow(
      /^toOnnx: the steps of the column "name" must be transformers of standard operators, got text\./,
    );
  });
});

describe("labels and errors", () => {
  const X = [[1], [2], [3], [4]];

  test("labels are integers, other numbers, true and false, or strings", async () => {
    for (const [labels, type] of [
      [[0, 0, 7, 7], "int64"],
      [[0, 0, 2 ** 60, 2 ** 60], "float64"],
      [["no", "no", "äh", "äh"], "string"],
      [[false, false, true, true], "bool"],
    ] as const) {
      const model = new DecisionTreeClassifier().fit(X, labels as readonly string[]);
      const { label } = await expectSame(model as never, X, matrixOf(X));
      expect(label!.type).toBe(type);
    }
  });

  test("one row and no row", async () => {
    const model = new RandomForestClassifier({ nEstimators: 3 }).fit(X, ["a", "a", "b", "b"]);
    for (const rows of [[[2.5]], []]) {
      const { probabilities } = await run(toOnnx(model), {
        data: Float64Array.from(rows.flat()),
        rows: rows.length,
        cols: 1,
      });
      expect(probabilities!.dims).toEqual([rows.length, 2]);
    }
  });

  test("what is not a fitted model is refused", () => {
    expect(() => toOnnx(new DecisionTreeClassifier() as never)).toThrow(
      "toOnnx: model must be a fitted model, got object. Call fit first.",
    );
    for (const wrong of [null, undefined, 3, {}]) expect(() => toOnnx(wrong as never)).toThrow(DataError);
  });

  test("the same model gives the same bytes", () => {
    const fit = () => toOnnx(new RandomForestClassifier({ nEstimators: 3 }).fit(X, ["a", "a", "b", "b"]));
    expect(fit()).toEqual(fit());
  });
});
