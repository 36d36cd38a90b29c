import { describe, expect, it } from "vitest";
import {
  BaggingClassifier,
  CalibratedClassifier,
  type Classifier,
  ColumnTransformer,
  FeatureUnion,
  GridSearch,
  LogisticRegression,
  loadModel,
  OneVsRestClassifier,
  pipeline,
  StackingClassifier,
  StandardScaler,
  saveModel,
  VotingClassifier,
} from "../index.js";
import { FormatError, ParameterError } from "./errors.js";

/** One estimator more around another. */
const layers: Record<string, (inner: never) => object> = {
  Pipeline: (inner) => pipeline(inner),
  "Pipeline of names": (inner) => pipeline(["only", inner]),
  VotingClassifier: (inner) => new VotingClassifier({ estimators: { inner } }),
  StackingClassifier: (inner) => new StackingClassifier({ estimators: { inner }, cv: 2 }),
  OneVsRestClassifier: (estimator) => new OneVsRestClassifier({ estimator }),
  CalibratedClassifier: (estimator) => new CalibratedClassifier({ estimator, cv: 2 }),
  BaggingClassifier: (estimator) => new BaggingClassifier({ estimator, nEstimators: 1 }),
  GridSearch: (estimator) => new GridSearch({ estimator, grid: { C: [1] } as never }),
};
const transformers: Record<string, (inner: never) => object> = {
  Pipeline: (inner) => pipeline(inner),
  FeatureUnion: (inner) => new FeatureUnion({ transformers: { inner } }),
  ColumnTransformer: (inner) => new ColumnTransformer({ transformers: { inner: [inner, [0]] } }),
};
const nested = (layer: (inner: never) => object, inner: object, times: number): object =>
  times === 0 ? inner : nested(layer, layer(inner as never), times - 1);

describe("estimators inside each other", () => {
  for (const [name, layer] of Object.entries(layers))
    it(`${name}: at most 25 deep`, () => {
      expect(() => nested(layer, new LogisticRegression(), 25)).toThrow(ParameterError);
      expect(() => nested(layer, new LogisticRegression(), 25)).toThrow(
        /estimators inside each other must be at most 25 deep, got 26/,
      );
      expect(nested(layer, new LogisticRegression(), 24)).toBeDefined();
    });
  for (const [name, layer] of Object.entries(transformers))
    it(`${name} of transformers: at most 25 deep`, () => {
      expect(() => nested(layer, new StandardScaler(), 2000)).toThrow(/at most 25 deep/);
      expect(nested(layer, new StandardScaler(), 24)).toBeDefined();
    });

  it("can be saved as deep as they can be made", () => {
    const X = [[0], [1], [2], [3]];
    const y = ["a", "b", "a", "b"];
    for (const name of ["Pipeline", "Pipeline of names", "VotingClassifier", "OneVsRestClassifier"]) {
      // A classifier of 1 and 0 is not one of "a" and "b": it keeps the classes of the outermost.
      const model = (nested(layers[name]!, new LogisticRegression(), 24) as Classifier).fit(X, y);
      expect((loadModel(saveModel(model)) as typeof model).predict(X)).toEqual(model.predict(X));
    }
  });

  it("that are models are a FormatError where they are too deep for a file", () => {
    const model = pipeline(new LogisticRegression()).fit([[0], [1]], ["a", "b"]);
    const inner = model.toState();
    let state = inner;
    for (let t = 0; t < 100; t++) state = { ...inner, parts: [state] };
    const save = () => saveModel({ ...model, nFeatures: 1, toState: () => state } as never);
    expect(save).toThrow(FormatError);
    expect(save).toThrow(/at most 128 levels deep/);
  });
});
