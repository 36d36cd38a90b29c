import { describe, expect, it } from "vitest";
import { Random } from "../../src/core/random.js";
import {
  AdaBoostClassifier,
  AdaBoostRegressor,
  BaggingClassifier,
  BaggingRegressor,
  background,
  CalibratedClassifier,
  CNNClassifier,
  ColumnTransformer,
  type Classifier,
  type FittedModel,
  GridSearch,
  HalvingSearch,
  type ImagesLike,
  LinearSVC,
  LogisticRegression,
  loadModel,
  MultiOutputClassifier,
  MultiOutputRegressor,
  OneHotEncoder,
  OneVsOneClassifier,
  OneVsRestClassifier,
  OutputCodeClassifier,
  pipeline,
  RandomSearch,
  type Regressor,
  RegressorChain,
  Ridge,
  saveModel,
  StackingClassifier,
  StackingRegressor,
  StandardScaler,
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
  RandomSearch: (estimator) => new RandomSearch({ estimator, space: { "1.C": [1] } as never, nIter: 1, cv: 2 }),
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
  HalvingSearch: (estimator) => new HalvingSearch({ estimator, space: { "1.alpha": [1, 2] } as never, cv: 2 }),
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
const table = Table.fromColumns({ text: documents.map((text) => `${text} .`), size: amount.map((v) => v / 2) });

/** What X may be, with a pipeline that reads it and, where it is the same, the matrix that a wrapper may be given instead. */
const inputs = {
  documents: {
    X: documents as unknown,
    y,
    z: amount,
    // Without idf each row is vectorized by itself: every fold has the same columns as long as it has all words.
    steps: () => [new TfidfVectorizer({ useIdf: false, tokenPattern: "\\w+" })],
  },
  "a set of documents": {
    X: documents.map((text, i) => `${text} ${i}`) as unknown,
    y,
    z: amount,
    steps: () => [new TfidfVectorizer({ vocabulary: words })],
  },
  "rows with text": {
    X: cells as unknown,
    y: cellY,
    z: cellAmount,
    steps: () => [new OneHotEncoder({ handleUnknown: "ignore" })],
  },
  "a table with text": {
    X: table as unknown,
    y,
    z: amount,
    steps: () => [
      new ColumnTransformer({
        transformers: {
          words: [new TfidfVectorizer({ vocabulary: words }), ["text"]],
          size: [new StandardScaler(), ["size"]],
        },
      }),
    ],
  },
};

const classifierOf = (steps: readonly object[]) =>
  (pipeline as (...all: unknown[]) => unknown)(...steps, new LogisticRegression()) as Classifier;
const regressorOf = (steps: readonly object[]) =>
  (pipeline as (...all: unknown[]) => unknown)(...steps, new Ridge()) as Regressor;

describe("everything around a pipeline takes what the pipeline takes", () => {
  for (const [kind, { X, y: labels, z, steps }] of Object.entries(inputs)) {
    const around = [
      ...Object.entries(classifiers).map(([name, make]) => [name, make(classifierOf(steps())), labels] as const),
      ...Object.entries(regressors).map(([name, make]) => [name, make(regressorOf(steps())), z] as const),
    ];
    for (const [name, estimator, targets] of around)
      it(`${name} of ${kind}: is fitted, saved and loaded`, () => {
        const model = (estimator as Around).fit(X, targets);
        const predicted = Array.from(model.predict(X));
        expect(predicted).toHaveLength(n);
        const back = loadModel(saveModel(model)) as typeof model;
        expect(Array.from(back.predict(X))).toEqual(predicted);
      });
  }
});
