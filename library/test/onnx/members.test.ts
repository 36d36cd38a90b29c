import { describe, expect, test } from "vitest";
import { CsrMatrix, Matrix } from "../../src/data/index.js";
import { loadDataset } from "../../src/datasets/index.js";
import {
  AdaBoostClassifier,
  AdaBoostRegressor,
  BaggingClassifier,
  BernoulliNB,
  CalibratedClassifier,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  DummyClassifier,
  GaussianMixture,
  GaussianMixtureClassifier,
  GaussianNB,
  HistGradientBoostingClassifier,
  KernelRidge,
  KMeans,
  KNeighborsClassifier,
  KNeighborsRegressor,
  LinearSVC,
  LogisticRegression,
  MinMaxScaler,
  NearestCentroid,
  OneVsOneClassifier,
  OneVsRestClassifier,
  pipeline,
  RandomForestClassifier,
  RandomForestRegressor,
  Ridge,
  RobustScaler,
  StackingClassifier,
  StackingRegressor,
  StandardScaler,
  SVC,
  SVR,
  ThresholdClassifier,
  TransformedTargetRegressor,
  VotingClassifier,
} from "../../src/index.js";
import { toOnnx } from "../../src/onnx/index.js";
import { after, all, expectSame, matrixOf } from "./expect-same.js";
import { run } from "./runtime.js";

const [iris, cancer, diabetes, digits] = await Promise.all([
  loadDataset("iris"),
  loadDataset("breastCancer"),
  loadDataset("diabetes"),
  loadDataset("digits"),
]);
const scaled = (estimator: object) => pipeline(new StandardScaler(), estimator as never);

describe("models of models", () => {
  const stackMethods = ["auto", "predictProba", "decisionFunction", "predict"] as const;

  test.each(stackMethods)("stacks by %s", async (stackMethod) => {
    const estimators = {
      a: scaled(new LogisticRegression()),
      b: new HistGradientBoostingClassifier({ maxIter: 5 }),
    };
    for (const { X, y } of [iris, cancer])
      for (const passthrough of [false, true]) {
        const stack = new StackingClassifier({
          estimators,
          finalEstimator: scaled(new LogisticRegression()) as never,
          stackMethod,
          passthrough,
          cv: 3,
        } as never);
        await expectSame(stack.fit(X, y as never) as never, X, X);
      }
  });

  test.each(["sigmoid", "isotonic", "temperature"] as const)("calibration by %s", async (method) => {
    for (const { X, y } of [iris, cancer])
      for (const estimator of [
        scaled(new LinearSVC()),
        new RandomForestClassifier({ nEstimators: 10, maxDepth: 3 }),
      ])
        for (const ensemble of [true, false]) {
          const calibrated = new CalibratedClassifier({ estimator, method, ensemble, cv: 3 } as never);
          await expectSame(calibrated.fit(X, y as never) as never, X, X);
        }
  });

  test("thresholds of probabilities and of decision values, of both classes", async () => {
    const { X, y } = cancer;
    for (const positiveLabel of new Set(y as readonly string[]))
      for (const [estimator, threshold] of [
        [scaled(new LogisticRegression()), 0.2],
        [scaled(new LinearSVC()), 0.4],
      ] as const) {
        const model = new ThresholdClassifier({ estimator, threshold, positiveLabel } as never);
        await expectSame(model.fit(X, y as never) as never, X, X);
      }
  });

  test("a class against the rest, and pairs of classes", async () => {
    const estimators = [
      scaled(new LinearSVC()),
      scaled(new LogisticRegression()),
      new DecisionTreeClassifier({ maxDepth: 1 }),
      new GaussianNB(),
    ];
    for (const { X, y } of [iris, cancer])
      for (const estimator of estimators)
        for (const model of all(
          new OneVsRestClassifier({ estimator } as never),
          new OneVsOneClassifier({ estimator } as never),
        ))
          await expectSame(model.fit(X, y), X, X);
  });

  test("a row that no class claims has equal probabilities", async () => {
    const X = [[0], [1], [2], [3], [4], [5]];
    const rest = new OneVsRestClassifier({ estimator: new DecisionTreeClassifier({ maxDepth: 1 }) });
    await expectSame(rest.fit(X, ["a", "b", "c", "a", "b", "c"]) as never, X, matrixOf(X));
  });

  test("members whose probabilities need iterations are refused, not counted as votes", () => {
    const { X, y } = iris;
    const svm = new SVC({ probability: true });
    for (const model of all(
      new VotingClassifier({ estimators: { svm, tree: new DecisionTreeClassifier() }, voting: "soft" }),
      new BaggingClassifier({ estimator: svm, nEstimators: 2 }),
      new StackingClassifier({ estimators: { svm } }),
    ))
      expect(() => toOnnx(model.fit(X, y) as never)).toThrow(
        "toOnnx: the probabilities of a member must be what standard operators compute, got those that need iterations.",
      );
  });

  test("means of trees and of neighbours are multiplied in 64 bits", async () => {
    const { X, y } = iris;
    const estimators = {
      forest: new RandomForestClassifier({ nEstimators: 7, maxDepth: 3 }),
      near: new KNeighborsClassifier({ nNeighbors: 3 }),
    };
    const model = new VotingClassifier({ estimators, voting: "soft" }).fit(X, y);
    const { probabilities } = await run(toOnnx(model), X);
    const { data } = model.predictProba!(X);
    for (let e = 0; e < data.length; e++)
      expect(Math.abs(Number(probabilities!.data[e]) - data[e]!)).toBeLessThan(1e-14);
  });

  test("regressors: stacks, weighted medians and scaled targets", async () => {
    const { X, y } = diabetes;
    const estimators = {
      a: new Ridge(),
      b: new DecisionTreeRegressor({ maxDepth: 3 }),
      c: new KNeighborsRegressor(),
    };
    for (const estimator of all(
      new StackingRegressor({ estimators }),
      new StackingRegressor({ estimators, passthrough: true }),
      new AdaBoostRegressor({ nEstimators: 12 }),
      new AdaBoostRegressor({ estimator: new Ridge(), nEstimators: 4 }),
      new TransformedTargetRegressor({
        regressor: new Ridge(),
        transformer: new MinMaxScaler({ featureRange: [-2, 5] }),
      }),
      new TransformedTargetRegressor({ regressor: new Ridge(), transformer: new RobustScaler() }),
    ))
      await expectSame(estimator.fit(X, y), X, X);
  });

  test("dummies that draw are refused", () => {
    const model = new DummyClassifier({ strategy: "uniform" }).fit([[1], [2]], ["a", "b"]);
    expect(() => toOnnx(model)).toThrow(
      "toOnnx: the model must be one that standard operators compute, got one that they do not, since its predictions are drawn.",
    );
  });
});

describe("numbers", () => {
  test("columns far from 0 lose no digits", async () => {
    const far = Matrix.fromRows(iris.X.toArray().map((row) => row.map((v) => v + 1e8)));
    const target = iris.X.column(0);
    for (const estimator of all(
      new SVC(),
      new SVC({ kernel: "linear" }),
      new SVC({ kernel: "linear", multiClass: "ovr" }),
      new NearestCentroid(),
    )) {
      const model = estimator.fit(far, iris.y);
      const { label } = await run(toOnnx(model as never), far);
      expect(Array.from(label!.data)).toEqual(Array.from(model.predict!(far)));
    }
    for (const estimator of all(
      new SVR(),
      new SVR({ kernel: "linear" }),
      new KernelRidge({ kernel: "rbf" }),
    )) {
      const model = estimator.fit(far, target);
      const { value } = await run(toOnnx(model as never), far);
      const wanted = model.predict!(far) as ArrayLike<number>;
      for (let i = 0; i < wanted.length; i++) expect(Number(value!.data[i])).toBeCloseTo(wanted[i]!, 4);
    }
    await expectSame(new KMeans({ nClusters: 3 }).fit(far) as never, far, far);
  });

  test.each(["full", "tied", "diag", "spherical", "identity"] as const)(
    "mixtures of %s covariances",
    async (covarianceType) => {
      const { X, y } = iris;
      await expectSame(new GaussianMixture({ covarianceType, nComponents: 3 }).fit(X) as never, X, X);
      for (const labels of [y, y.map((name) => name === y[0])])
        await expectSame(
          new GaussianMixtureClassifier({ covarianceType, nComponents: 2 }).fit(
            X,
            labels as string[],
          ) as never,
          X,
          X,
        );
    },
  );

  test("BernoulliNB without smoothing has exact logarithms of zeros", async () => {
    const X = Array.from({ length: 40 }, (_, i) => [i % 3 === 0 ? 1 : 0, 1, 0, i % 2]);
    const model = new BernoulliNB({ alpha: 0, binarize: null }).fit(
      X,
      X.map((_, i) => (i % 4 === 0 ? "a" : "b")),
    );
    const others = [
      [1, 0, 1, 0],
      [0, 0, 0, 1],
      [1, 1, 1, 1],
    ];
    await expectSame(model as never, others, matrixOf(others));
  });

  test("sparse rows become dense points, or are refused", async () => {
    const rows = iris.X.toArray();
    const sparse = CsrMatrix.fromRows(
      rows.map((row) => row.map((v, j): [number, number] => [j, v])),
      4,
    );
    for (const estimator of all(
      new SVC(),
      new SVC({ kernel: "linear" }),
      new LogisticRegression(),
      new BernoulliNB(),
    ))
      await expectSame(estimator.fit(sparse, iris.y), iris.X, iris.X);
    expect(() => toOnnx(new KNeighborsClassifier().fit(sparse, iris.y) as never)).toThrow(
      "toOnnx: the rows of neighbours must be dense, got sparse.",
    );
  });

  test("ten thousand rows between those of fit", async () => {
    const many = Matrix.fromRows(
      Array.from({ length: 10_000 }, (_, i) =>
        Array.from(iris.X.row(i % 150), (v, j) => v + Math.sin(i * (j + 1)) / 10),
      ),
    );
    for (const estimator of all(
      new RandomForestClassifier({ nEstimators: 20, maxDepth: 4 }),
      new BaggingClassifier({ estimator: new DecisionTreeClassifier({ minSamplesLeaf: 5 }), nEstimators: 6 }),
      new AdaBoostClassifier({ nEstimators: 10 }),
      after(new StandardScaler(), new SVC()),
    ))
      await expectSame(estimator.fit(iris.X, iris.y), many, many);
  });
});

describe("files", () => {
  test("a linear kernel is one product, however many support vectors there are", () => {
    const model = new SVC({ kernel: "linear" }).fit(digits.X, digits.y);
    // 45 pairs of classes, 65 numbers each.
    expect(toOnnx(model).length).toBeLessThan(45 * 65 * 8 * 1.6);
  });

  test("a large forest is converted, in less than a file of saveModel", async () => {
    const n = 4000;
    const X = Matrix.fromRows(
      Array.from({ length: n }, (_, i) => [Math.sin(i), Math.cos(7 * i), Math.sin(i * i)]),
    );
    const y = Float64Array.from({ length: n }, (_, i) => Math.sin(13 * i));
    await expectSame(new RandomForestRegressor({ nEstimators: 40 }).fit(X, y) as never, X, X);
  });
});
