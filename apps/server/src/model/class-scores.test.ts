import * as argmax from "argmax";
import {
  CalibratedClassifier,
  type Classifier,
  estimatorClasses,
  type LoadedModel,
  LogisticRegression,
  Matrix,
  makeClassification,
  pipeline,
  StandardScaler,
  type Structure,
  structure,
  ThresholdClassifier,
} from "argmax";
import { describe, expect, test } from "vitest";
import { classScores } from "./class-scores.js";

const names = [
  "LogisticRegression",
  "SoftmaxRegression",
  "DecisionTreeClassifier",
  "RandomForestClassifier",
  "ExtraTreesClassifier",
  "HistGradientBoostingClassifier",
  "MLPClassifier",
  "GaussianNB",
  "MultinomialNB",
  "BernoulliNB",
  "CategoricalNB",
  "MixedNB",
  "LinearDiscriminantAnalysis",
  "QuadraticDiscriminantAnalysis",
  "LogisticRegressionCV",
  "KNeighborsClassifier",
  "AdaBoostClassifier",
] as const;

describe("labels beside probabilities are those of predict", () => {
  // Few distinct rows: leaves and ties in plenty.
  const rows = ({ data, rows, cols }: Matrix) =>
    new Matrix(
      data.map((value) => Math.abs(Math.round(value))),
      rows,
      cols,
    );
  const cases = names.flatMap((name) => [2, 3].map((classes) => [name, classes] as const));
  test.each(cases)("%s, %i classes", (name, nClasses) => {
    const { X, y } = makeClassification({
      nSamples: 300,
      nFeatures: 4,
      nInformative: 3,
      nRedundant: 0,
      nClasses,
      randomState: 1,
    });
    const made = new (argmax as unknown as Record<string, new () => Classifier>)[name]!();
    const model = made.fit(rows(X), y) as unknown as LoadedModel;
    const { labels, probabilities } = classScores(model, rows(X));
    expect(labels).toEqual(Array.from(model.predict!(rows(X)) as ArrayLike<unknown>));
    expect(Array.from(probabilities)).toEqual(Array.from(model.predictProba!(rows(X)).data));
    expect(estimatorClasses.some(({ id }) => id === name)).toBe(true);
  });

  test("of equal probabilities too: the model decides", () => {
    const tie = new LogisticRegression().fit([[-1], [1]], ["a", "b"]) as unknown as LoadedModel;
    const X = [[0], [1e-13], [-1e-13], [2]];
    expect(classScores(tie, X).labels).toEqual(tie.predict!(X));
  });

  test("of a pipeline, of a threshold and of calibrated probabilities", () => {
    const { X, y } = makeClassification({ nSamples: 200, randomState: 2 });
    const estimators = [
      pipeline(new StandardScaler(), new LogisticRegression()),
      new ThresholdClassifier({ estimator: new LogisticRegression(), threshold: 0.9 }),
      new CalibratedClassifier({ estimator: new LogisticRegression() }),
    ];
    for (const estimator of estimators) {
      const model = (estimator as Classifier).fit(X, y) as unknown as LoadedModel;
      const { labels } = classScores(model, X);
      expect(labels).toEqual(Array.from(model.predict!(X) as ArrayLike<unknown>));
    }
  });
});

test("labels of a linear model that the server does not know follow its probabilities", () => {
  const described: Structure = {
    kind: "classifier",
    inputs: { count: 1 },
    steps: [],
    classes: ["a", "b"],
    scores: {
      kind: "linear",
      coef: { data: Float64Array.of(1), rows: 1, cols: 1 },
      intercept: Float64Array.of(0),
    },
    link: { kind: "sigmoid", factor: 1 },
    decision: { kind: "scores" },
    margins: null,
  };
  const model = {
    nFeatures: 1,
    classes: ["a", "b"],
    [structure]: () => described,
    predictProba: () => new Matrix(Float64Array.of(0.2, 0.8, 0.7, 0.3), 2, 2),
    predict: () => expect.fail("labels follow from probabilities"),
    toState: () => ({ kind: "Line", params: {}, values: {}, tensors: {} }),
  } as LoadedModel;
  expect(classScores(model, [[1.4], [-0.8]]).labels).toEqual(["b", "a"]);
});
