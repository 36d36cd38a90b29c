import { describe, expect, it } from "vitest";
import * as argmax from "../../index.js";
import {
  accuracyScore,
  balancedAccuracyScore,
  binaryRates,
  confusionMatrix,
  f1Score,
  meanAbsoluteError,
  meanSquaredError,
  precisionRecallF1,
  precisionScore,
  r2Score,
  recallScore,
  rootMeanSquaredError,
} from "../../metrics/index.js";
import { ParameterError } from "../errors.js";
import { fitOptions, readOptions } from "./options.js";

describe("readOptions", () => {
  it("says what is wrong in the house form, and what was probably meant", () => {
    const read = (given: unknown) => () => readOptions("Model.fit", fitOptions, given);
    expect(read({ sample_weight: [1] })).toThrow(
      'Model.fit: every option must be one of sampleWeight, signal, onProgress, onWarning, got "sample_weight". ' +
        "Did you mean sampleWeight?",
    );
    expect(read({ onprogres: () => {} })).toThrow("Did you mean onProgress?");
    expect(read({ tol: 1 })).toThrow(/got "tol"\.$/);
    expect(read([1, 2])).toThrow(
      "Model.fit: the options must be an object with options (sampleWeight, signal, onProgress, onWarning), got [1, 2]. " +
        "Weights have a name: { sampleWeight: [1, 2, …] }.",
    );
    expect(read(Float64Array.of(1))).toThrow("Weights have a name");
    expect(readOptions("Model.fit", fitOptions, { signal: undefined })).toEqual({
      sampleWeight: undefined,
      signal: undefined,
      onProgress: undefined,
    });
  });
});

describe("functions with options", () => {
  const y = [0, 1, 1, 0];
  const p = [0.1, 0.9, 0.8, 0.2];
  const X = [[1], [2], [3], [4]];
  const metrics: [string, (options: never) => unknown][] = Object.entries({
    accuracyScore,
    balancedAccuracyScore,
    confusionMatrix,
    binaryRates,
    precisionScore,
    recallScore,
    f1Score,
    precisionRecallF1,
    meanSquaredError,
    rootMeanSquaredError,
    meanAbsoluteError,
    r2Score,
  }).map(([name, metric]) => [name, (options) => metric(y, y, options)]);
  const tree = new argmax.DecisionTreeClassifier().fit(X, y);
  const words = new argmax.MultinomialNB().fit(X, y);
  const others: [string, (options: never) => unknown][] = [
    ["logLoss", (options) => argmax.logLoss(y, p, options)],
    ["brierScoreLoss", (options) => argmax.brierScoreLoss(y, p, options)],
    ["crossValidate", (options) => argmax.crossValidate(new argmax.Ridge(), X, y, options)],
    ["crossValScore", (options) => argmax.crossValScore(new argmax.Ridge(), X, y, options)],
    ["trainTestSplit", (options) => argmax.trainTestSplit(X, y, options)],
    ["lassoPath", (options) => argmax.lassoPath(X, y, options)],
    ["elasticNetPath", (options) => argmax.elasticNetPath(X, y, options)],
    ["rules", (options) => tree.rules(options)],
    ["toDot", (options) => tree.toDot(options)],
    ["toSvg", (options) => tree.toSvg(options)],
    ["topFeatures", (options) => words.topFeatures(1, options)],
    ["predict", (options) => new argmax.LogisticRegression().fit(X, y).predict(X, options)],
    ["fisherCriterion", (options) => argmax.fisherCriterion(X, y, [1], options)],
    ["background", (options) => argmax.background(new argmax.Ridge(), options)],
    ["lbfgs", (options) => argmax.lbfgs(options)],
    ["gradientDescent", (options) => argmax.gradientDescent(options)],
    ["sgd", (options) => argmax.sgd(options)],
    ["kernels.custom", (options) => argmax.kernels.custom(() => 1, options)],
    ["parseSvmlight", (options) => argmax.parseSvmlight("1 1:1", options)],
  ];

  it.each([...metrics, ...others])("%s refuses those that it does not have", (_, call) => {
    expect(() => call({ misspelt: 1 } as never)).toThrow(ParameterError);
    expect(() => call({ misspelt: 1 } as never)).toThrow(/must be (one of|absent).*, got "misspelt"/);
    expect(() => call(5 as never)).toThrow(ParameterError);
  });

  it("lassoPath has no l1Ratio, which is 1", () => {
    expect(() => argmax.lassoPath(X, y, { l1Ratio: 0.5 } as never)).toThrow(
      /every option must be one of .*nAlphas/,
    );
  });

  it("crossValidate refuses scorers of another task", () => {
    const of = (estimator: never, scoring: string) => () =>
      argmax.crossValidate(estimator, X as never, y as never, { cv: 2, scoring: scoring as never });
    expect(of(new argmax.Ridge() as never, "accuracy")).toThrow(
      /scoring must be one for regression \(r2, explainedVariance, .*\), got "accuracy"/,
    );
    expect(of(new argmax.LogisticRegression() as never, "r2")).toThrow(/one for classification \(accuracy, /);
    expect(of(new argmax.Ridge() as never, "negMeanSquaredError")).not.toThrow();
    const { crossValidate } = argmax;
    expect(() => crossValidate(new argmax.Ridge(), X, y, { scorring: "r2" } as never)).toThrow(
      "Did you mean scoring?",
    );
  });
});
