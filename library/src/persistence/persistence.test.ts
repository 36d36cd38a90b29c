import { describe, expect, expectTypeOf, it } from "vitest";
import { NearestMean } from "../../test/support/nearest-mean.js";
import type { FittedModel } from "../core/contract.js";
import { FormatError, ParameterError } from "../core/errors.js";
import type { ModelState } from "../core/state/state.js";
import { loadDataset } from "../datasets/index.js";
import { Pipeline, pipeline } from "../pipeline/index.js";
import { type FittedStandardScaler, MinMaxScaler, StandardScaler } from "../preprocessing/index.js";
import { createLoader, estimatorFromJson, loadModel, loadTransformer, saveModel } from "./index.js";

const { loadClassifier, loadRegressor, ...own } = createLoader([
  StandardScaler,
  MinMaxScaler,
  Pipeline,
  NearestMean,
]);
const iris = await loadDataset("iris");
const scaler = new StandardScaler().fit(iris.X);
const classifier = pipeline(new StandardScaler(), new MinMaxScaler(), new NearestMean()).fit(iris.X, iris.y);

const saved = (state: ModelState): Uint8Array => saveModel({ toState: () => state } as FittedModel);

describe("saveModel and loadModel", () => {
  it("give back a model that predicts the same bits", () => {
    const back = loadClassifier(saveModel(classifier));
    expect(back.predict(iris.X)).toEqual(classifier.predict(iris.X));
    expect(back.decisionFunction!(iris.X)).toEqual(classifier.decisionFunction(iris.X));
    expect(back.classes).toEqual(classifier.classes);
    expect(saveModel(back)).toEqual(saveModel(classifier));
  });

  it("take an ArrayBuffer too", () => {
    const bytes = saveModel(scaler);
    expect(loadTransformer(bytes.buffer as ArrayBuffer).transform(iris.X)).toEqual(scaler.transform(iris.X));
  });

  it("give a model its type when the class is named, and refuse another", () => {
    const back = loadModel(saveModel(scaler), StandardScaler);
    expectTypeOf(back).toEqualTypeOf<FittedStandardScaler>();
    expect(back.mean).toEqual(scaler.mean);
    expect(() => loadModel(saveModel(scaler), MinMaxScaler)).toThrow(
      "loadModel: the model must be a MinMaxScaler, got a StandardScaler.",
    );
    expect(() => loadClassifier(saveModel(scaler))).toThrow(FormatError);
    expect(() => loadRegressor(saveModel(classifier))).toThrow(FormatError);
  });

  it("give a model the labels that are stated, and refuse others", () => {
    const bytes = saveModel(classifier);
    const [setosa, versicolor, virginica] = classifier.classes;
    const back = loadClassifier(bytes, { classes: [virginica!, setosa!, versicolor!] });
    expect(back.predict(iris.X)).toEqual(classifier.predict(iris.X));
    expect(() => loadClassifier(bytes, { classes: ["cat", "dog"] })).toThrow(
      'loadClassifier: the classes of the model must be "cat", "dog", got "setosa", "versicolor", "virginica".',
    );
    const means = saveModel(new NearestMean().fit(iris.X, iris.y));
    expect(() => loadModel(means, NearestMean, { classes: ["setosa", "versicolor", "cat"] })).toThrow(
      FormatError,
    );
    expect(() => loadClassifier(bytes, { labels: ["cat"] } as never)).toThrow(
      /every option must be one of classes/,
    );
    expect(() => loadModel(saveModel(scaler), StandardScaler, { classes: ["cat"] })).toThrow(
      /"cat", got none/,
    );
  });

  it("write a safetensors file with one tensor a learned array", () => {
    const bytes = saveModel(classifier);
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    expect(Object.keys(header).sort()).toEqual([
      "0.mean",
      "0.scale",
      "0.variance",
      "1.dataMax",
      "1.dataMin",
      "2.means",
      "__metadata__",
    ]);
    expect(Object.values(header.__metadata__).every((value) => typeof value === "string")).toBe(true);
  });

  it("know only the classes they were given", () => {
    const narrow = createLoader([StandardScaler]);
    expect(narrow.loadModel(saveModel(scaler)).nFeatures).toBe(4);
    expect(() => narrow.loadModel(saveModel(classifier))).toThrow(
      'loadModel: the model\'s kind must be one of StandardScaler, got "Pipeline".',
    );
  });
});

describe("loadModel", () => {
  const state = scaler.toState();

  it.each<[string, unknown]>([
    ["an unknown kind", { ...state, kind: "Oracle" }],
    ["a kind of Object.prototype", { ...state, kind: "constructor" }],
    ["a missing tensor", { ...state, tensors: { mean: state.tensors.mean } }],
    [
      "a tensor of the wrong shape",
      { ...state, tensors: { ...state.tensors, mean: { shape: [2, 2], data: scaler.mean } } },
    ],
    [
      "a tensor of the wrong type",
      { ...state, tensors: { ...state.tensors, scale: { shape: [4], data: new Int32Array(4) } } },
    ],
    [
      "NaN in a tensor",
      {
        ...state,
        tensors: { ...state.tensors, mean: { shape: [4], data: new Float64Array(4).fill(Number.NaN) } },
      },
    ],
    [
      "a scale of 0",
      { ...state, tensors: { ...state.tensors, scale: { shape: [4], data: new Float64Array(4) } } },
    ],
    ["parameters outside the table", { ...state, params: { withMean: "yes" } }],
    ["unknown parameters", { ...state, params: { power: 2 } }],
    [
      "a pipeline without steps",
      { kind: "Pipeline", params: { steps: [] }, values: {}, tensors: {}, parts: [] },
    ],
    ["a pipeline whose steps are not described", { ...classifier.toState(), params: {} }],
    [
      "a pipeline with a predictor in the middle",
      { ...classifier.toState(), parts: [...classifier.toState().parts!].reverse() },
    ],
  ])("answers %s with a FormatError", (_, wrong) => {
    expect(() => own.loadModel(saved(wrong as ModelState))).toThrow(FormatError);
  });

  it("answers what is not a model at all with a FormatError", () => {
    for (const wrong of [undefined, null, "model", {}, [], new Uint8Array(100), new ArrayBuffer(3)]) {
      expect(() => loadModel(wrong as never)).toThrow(FormatError);
    }
  });

  it("asks for an update when the file is from the future", () => {
    const text = new TextDecoder("latin1")
      .decode(saveModel(scaler))
      .replace('"version":"1"', '"version":"9"');
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    expect(() => loadModel(bytes)).toThrow("A newer argmax wrote this file; update to read it.");
  });

  it("notices every damaged byte, or loads the same model", () => {
    const bytes = saveModel(scaler);
    const expected = scaler.transform(iris.X).data;
    let loaded = 0;
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [1, 0x80, 0xff]) {
        const damaged = bytes.with(at, bytes[at]! ^ flip);
        try {
          const back = loadTransformer(damaged);
          expect(back.transform(iris.X)).toMatchObject({ data: expected });
          loaded++;
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }
    }
    // Only white space that pads the header can change without a trace.
    expect(loaded).toBeLessThan(24);
  });

  it("notices a file that was cut short or made longer", () => {
    const bytes = saveModel(classifier);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => own.loadModel(bytes.subarray(0, length))).toThrow(FormatError);
    }
    const longer = new Uint8Array(bytes.length + 1);
    longer.set(bytes);
    expect(() => own.loadModel(longer)).toThrow(FormatError);
  });
});

it("saveModel takes fitted models only", () => {
  expect(() => saveModel(new StandardScaler() as never)).toThrow(
    "saveModel: the model must be a fitted model, got a StandardScaler. Fit it first;",
  );
  for (const wrong of [null, undefined, {}, 5]) expect(() => saveModel(wrong as never)).toThrow(FormatError);
});

describe("estimatorFromJson", () => {
  it("builds the estimator that wrote the JSON, steps included", () => {
    const estimator = pipeline(
      new StandardScaler({ withStd: false }),
      new MinMaxScaler({ featureRange: [-1, 1] }),
    );
    const back = estimatorFromJson(JSON.parse(JSON.stringify(estimator)));
    expect(back).toBeInstanceOf(Pipeline);
    expect(back).toEqual(estimator);
  });

  it("says what is wrong", () => {
    expect(() => estimatorFromJson({ estimator: "Oracle", params: {} })).toThrow(
      /^estimatorFromJson: estimator must be one of AdaBoostClassifier, .*StandardScaler.*, got "Oracle"\.$/,
    );
    expect(() => estimatorFromJson({ estimator: "MinMaxScaler", params: { clip: 1 } })).toThrow(
      ParameterError,
    );
    for (const wrong of [null, 1, [], {}, { estimator: "MinMaxScaler" }]) {
      expect(() => estimatorFromJson(wrong as never)).toThrow(FormatError);
    }
  });

  it("refuses a description that contains itself", () => {
    const pipe = { estimator: "Pipeline", params: { steps: [] as unknown[] } };
    pipe.params.steps.push(pipe);
    expect(() => estimatorFromJson(pipe as never)).toThrow(/the description must be at most 64 levels deep/);
    const list: unknown[] = [];
    list.push(list);
    const scaler = { estimator: "MinMaxScaler", params: { featureRange: list } };
    expect(() => estimatorFromJson(scaler as never)).toThrow(/at most 64 levels deep/);
  });
});
