import { describe, expect, it } from "vitest";
import { Random } from "../../src/core/numbers/random.js";
import type { ModelState } from "../../src/core/state/state.js";
import type { Classifier, FittedModel, ImagesLike, Regressor } from "../../src/index.js";
import {
  AdaBoostClassifier,
  AdaBoostRegressor,
  BaggingClassifier,
  BaggingRegressor,
  CalibratedClassifier,
  CNNClassifier,
  ColumnTransformer,
  CountVectorizer,
  crossValidate,
  FunctionTransformer,
  GridSearch,
  HalvingSearch,
  LogisticRegression,
  loadModel,
  Matrix,
  MaxAbsScaler,
  MultiOutputClassifier,
  MultiOutputRegressor,
  OneHotEncoder,
  OneVsOneClassifier,
  OneVsRestClassifier,
  OutputCodeClassifier,
  PCA,
  Pipeline,
  pipeline,
  RandomSearch,
  RegressorChain,
  RFE,
  Ridge,
  StackingClassifier,
  StackingRegressor,
  StandardScaler,
  saveModel,
  Table,
  TfidfVectorizer,
  ThresholdClassifier,
  TransformedTargetRegressor,
  VotingClassifier,
  VotingRegressor,
} from "../../src/index.js";

/** Anything that can be fitted, and whose models predict. */
interface Around {
  fit(x: unknown, y: unknown): FittedModel & { predict(x: unknown): ArrayLike<unknown> };
}

/** Every estimator around a classifier. */
const classifiers: Record<string, (estimator: Classifier) => object> = {
  OneVsRestClassifier: (estimator) => new OneVsRestClassifier({ estimator }),
  OneVsOneClassifier: (estimator) => new OneVsOneClassifier({ estimator }),
  OutputCodeClassifier: (estimator) => new OutputCodeClassifier({ estimator }),
  CalibratedClassifier: (estimator) => new CalibratedClassifier({ estimator, cv: 2 }),
  "CalibratedClassifier, one model": (estimator) =>
    new CalibratedClassifier({ estimator, cv: 2, ensemble: false }),
  ThresholdClassifier: (estimator) => new ThresholdClassifier({ estimator, cv: 2 }),
  VotingClassifier: (estimator) => new VotingClassifier({ estimators: { a: estimator, b: estimator } }),
  StackingClassifier: (estimator) =>
    new StackingClassifier({ estimators: { a: estimator, b: estimator }, cv: 2 }),
  MultiOutputClassifier: (estimator) => new MultiOutputClassifier({ estimator }),
  BaggingClassifier: (estimator) => new BaggingClassifier({ estimator, nEstimators: 3, oobScore: true }),
  AdaBoostClassifier: (estimator) => new AdaBoostClassifier({ estimator, nEstimators: 3 }),
  GridSearch: (estimator) => new GridSearch({ estimator, grid: { "1.C": [1, 2] } as never, cv: 2 }),
  RandomSearch: (estimator) =>
    new RandomSearch({ estimator, space: { "1.C": [1] } as never, nIter: 1, cv: 2 }),
  "GridSearch of VotingClassifier": (estimator) =>
    new GridSearch({
      estimator: new VotingClassifier({ estimators: { a: estimator } }),
      grid: { voting: ["hard"] },
      cv: 2,
    }),
};
/** Every estimator around a regressor. */
const regressors: Record<string, (estimator: Regressor) => object> = {
  VotingRegressor: (estimator) => new VotingRegressor({ estimators: { a: estimator, b: estimator } }),
  StackingRegressor: (estimator) => new StackingRegressor({ estimators: { a: estimator }, cv: 2 }),
  MultiOutputRegressor: (estimator) => new MultiOutputRegressor({ estimator }),
  RegressorChain: (estimator) => new RegressorChain({ estimator }),
  TransformedTargetRegressor: (regressor) => new TransformedTargetRegressor({ regressor }),
  BaggingRegressor: (estimator) => new BaggingRegressor({ estimator, nEstimators: 3, oobScore: true }),
  AdaBoostRegressor: (estimator) => new AdaBoostRegressor({ estimator, nEstimators: 3 }),
  GridSearch: (estimator) => new GridSearch({ estimator, grid: { "1.alpha": [1, 2] } as never, cv: 2 }),
  HalvingSearch: (estimator) =>
    new HalvingSearch({ estimator, space: { "1.alpha": [1, 2] } as never, cv: 2 }),
};
const words = ["red", "blue", "warm", "cold", "big", "tiny", "the", "of"];
const n = 48;
const random = new Random(7);
const documents = Array.from({ length: n }, () =>
  Array.from({ length: 6 }, () => words[random.below(words.length)]!).join(" "),
);
/** Learnable from the words. */
const amount = documents.map((text) => (text.match(/red|warm|big/g) ?? []).length + 0.01 * text.length);
const y = amount.map((v) => (v > 2.5 ? "yes" : "no"));
const colours = ["red", "green", "blue"];
const cells = Array.from({ length: n }, (_, i) => [colours[(i * 7) % 3]!, i % 2 === 0 ? "old" : "new"]);
const cellAmount = cells.map(([c, age], i) => colours.indexOf(c!) + (age === "old" ? 2 : 0) + 0.01 * (i % 5));
const cellY = cellAmount.map((v) => (v > 1.8 ? "yes" : "no"));
const table = Table.fromColumns({
  text: documents.map((text) => `${text} .`),
  size: amount.map((v) => v / 2),
});

/** What X may be, and the steps of a pipeline that read it. Their columns do not depend on the rows, so that folds and draws have the same. */
const inputs = {
  documents: { X: documents, y, z: amount, steps: [new CountVectorizer({ vocabulary: words })] },
  "documents with weights by fold": { X: documents, y, z: amount, steps: [new TfidfVectorizer()] },
  "a set of documents": {
    X: new Set(documents.map((text, i) => `${text} ${i}`)),
    y,
    z: amount,
    steps: [new CountVectorizer({ vocabulary: words })],
  },
  "rows with text": {
    X: cells,
    y: cellY,
    z: cellAmount,
    steps: [new OneHotEncoder({ handleUnknown: "ignore" })],
  },
  "a table with text": {
    X: table,
    y,
    z: amount,
    steps: [
      new ColumnTransformer({
        transformers: {
          words: [new CountVectorizer({ vocabulary: words }), ["text"]],
          size: ["passthrough", ["size"]],
        },
      }),
    ],
  },
  "sparse rows": {
    X: new CountVectorizer({ vocabulary: words }).fit(documents).transform(documents),
    y,
    z: amount,
    steps: [new MaxAbsScaler()],
  },
};
/** Their columns depend on the rows that they are fitted to. */
const learnsColumns = new Set(["documents with weights by fold", "sparse rows"]);

const classifierOf = (...steps: readonly object[]) =>
  (pipeline as (...all: unknown[]) => unknown)(...steps, new LogisticRegression()) as Classifier;
const regressorOf = (...steps: readonly object[]) =>
  (pipeline as (...all: unknown[]) => unknown)(...steps, new Ridge()) as Regressor;

describe("everything around a pipeline takes what the pipeline takes", () => {
  for (const [kind, { X, y: labels, z, steps }] of Object.entries(inputs)) {
    const around = [
      ...Object.entries(classifiers).map(([name, make]) => [name, make, classifierOf, labels] as const),
      ...Object.entries(regressors).map(([name, make]) => [name, make, regressorOf, z] as const),
    ];
    for (const [name, make, last, targets] of around)
      it(`${name} of ${kind}: is fitted, saved and loaded`, () => {
        const model = (make(last(...steps) as never) as Around).fit(X, targets);
        const predicted = Array.from(model.predict(X));
        expect(predicted).toHaveLength(n);
        const back = loadModel(saveModel(model)) as typeof model;
        expect(Array.from(back.predict(X))).toEqual(predicted);
        if (learnsColumns.has(kind)) return;
        // The same columns, made before.
        const { X: Z } = new Pipeline({ steps }).fitAndTransform(X as never);
        const same = (make(last(new Unchanged()) as never) as Around).fit(Z, targets);
        expect(predicted).toEqual(Array.from(same.predict(Z)));
      });
  }
});

/** The searches name parameters of the second step. */
class Unchanged extends FunctionTransformer {}

describe("what makes no sense of documents is refused", () => {
  const estimator = classifierOf(new TfidfVectorizer());
  const regressor = regressorOf(new TfidfVectorizer());

  it("drawn columns, X passed through, chains, and selections of columns", () => {
    expect(() => new BaggingClassifier({ estimator, maxFeatures: 0.5 }).fit(documents as never, y)).toThrow(
      /Bagging.fit: X must be columns of numbers or a table/,
    );
    expect(() => new StackingClassifier({ estimators: { words: estimator }, passthrough: true })).toThrow(
      /StackingClassifier: passthrough must be false, since words reads documents/,
    );
    const chain = new RegressorChain({ estimator: regressor });
    expect(() => chain.fit(documents as never, Matrix.fromRows(amount.map((v) => [v, -v])))).toThrow(
      /RegressorChain: X must be columns of numbers or a table here.*pipeline around this estimator/,
    );
    expect(() => new RFE({ estimator })).toThrow(/Select after the vectorizer/);
    expect(() => new VotingClassifier({ estimators: { estimator } }).fit("text" as never, y)).toThrow(
      /One document is an array too/,
    );
    expect(() => new VotingClassifier({ estimators: { estimator } }).fit([] as never, [])).toThrow(
      /at least one row/,
    );
  });
});

describe("images keep their size", () => {
  const images: ImagesLike = {
    data: Float64Array.from({ length: 20 * 36 }, (_, e) => Math.sin(e) * (e % 72 < 36 ? 1 : 0.1)),
    rows: 20,
    height: 4,
    width: 9,
    channels: 1,
  };
  const labels = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "yes" : "no"));
  const cnn = new CNNClassifier({ maxIter: 1, poolSize: 1 });
  const ways: Record<string, Classifier> = {
    alone: cnn,
    "behind a scaler": pipeline(new StandardScaler(), cnn) as never,
  };
  for (const [way, estimator] of Object.entries(ways)) {
    /** Every network inside a model. */
    const networksIn = (state: ModelState): ModelState[] =>
      state.kind === "CNNClassifier" ? [state] : (state.parts ?? []).flatMap(networksIn);
    const batch = way === "alone" ? "batchSize" : "1.batchSize";
    const { GridSearch: _, RandomSearch: __, ...others } = classifiers;
    const around = {
      ...others,
      GridSearch: (own: Classifier) =>
        new GridSearch({ estimator: own, grid: { [batch]: [8] } as never, cv: 2 }),
    };
    for (const [name, make] of Object.entries(around))
      it(`${name} of a network ${way}`, () => {
        const model = (make(estimator) as Around).fit(images, labels);
        const found = networksIn(model.toState());
        expect(found.length).toBeGreaterThan(0);
        for (const state of found) expect(CNNClassifier.restore(state).summary).toContain("4 × 9 × 1");
        expect(model.predict(images)).toHaveLength(20);
      });
  }

  it("in folds", () => {
    const { models } = crossValidate(cnn, images, labels, { cv: 2, returnModels: true });
    for (const { summary } of models) expect(summary).toContain("4 × 9 × 1");
    const grid = new GridSearch({ estimator: cnn, grid: { batchSize: [8] }, cv: 2 });
    expect(grid.fit(images, labels).bestModel.summary).toContain("4 × 9 × 1");
  });

  it("but not behind a projection, whose columns are not pixels", () => {
    const square = { ...images, height: 6, width: 6 };
    const model = pipeline(new PCA({ nComponents: 9 }), cnn).fit(square, labels);
    expect(model.last.summary).toContain("3 × 3 × 1");
  });
});
