import { describe, expect, it } from "vitest";
import { apart } from "../../test/support/random-rows.js";
import { ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import {
  CNNClassifier,
  conv2d,
  dense,
  fixedNetwork,
  flatten,
  NeuralClassifier,
  padSequences,
  TransformerClassifier,
  ViTClassifier,
} from "./index.js";

const random = new Random(8);
const X = Array.from({ length: 24 }, () => Array.from({ length: 4 }, () => random.normal()));
const y = X.map(([a, b]) => (a! > 0.3 ? "p" : b! > 0 ? "q" : "r"));

describe("networks at the limits of 32 bits", () => {
  it("fit and predict images of the smallest numbers", () => {
    const tiny = X.map((row) => row.map((value) => value * 1e-40));
    const model = new CNNClassifier({ maxIter: 1, filters: [2], hiddenLayerSizes: [3] }).fit(tiny, y);
    expect(model.report.warnings.join()).not.toContain("Diverged");
    expect(model.predictProba(tiny).data.every(Number.isFinite)).toBe(true);
  });

  it("show finite activations of rows far beyond those of fit", () => {
    const model = new NeuralClassifier({ maxIter: 1 }).fit(X, y);
    for (const { data } of model.activations(X.map((row) => row.map((value) => value * 1e300))).values())
      expect(data.every(Number.isFinite)).toBe(true);
  });

  it("refuse first weights that they cannot hold", () => {
    const layers = [dense(3, { start: X.slice(0, 4).map(() => [1e300, 0, 0]) })];
    expect(() => new NeuralClassifier({ layers }).fit(X, y)).toThrow(
      'NeuralClassifier.fit: every first weight must be at most 3.4e38, since networks work in 32 bits, got 1e+300. Set dtype: "float64".',
    );
  });

  it("refuse tokens that a row could not hold exactly", () => {
    expect(() => padSequences([[2 ** 24 + 1]])).toThrow("from 0 to 16777215, got 16777217");
  });
});

describe("shapes", () => {
  it("of the activations of no rows are known", () => {
    const model = new CNNClassifier({ maxIter: 1 }).fit(X, y);
    expect([...model.activations([]).values()].map(({ shape }) => shape[0])).toEqual(
      Array.from(model.activations(X).values(), () => 0),
    );
  });

  it("of given weights are not transposed silently", () => {
    const start = [1, 2, 3].map((value) => [value, 0, 0, 0]);
    expect(() => fixedNetwork({ layers: dense(3, { start }), inputShape: [4] })).toThrow(
      "the start of weights must be 4 × 3, got 3 × 4.",
    );
    const flat = Array.from({ length: 12 }, (_, e) => e);
    const network = fixedNetwork({ layers: dense(3, { start: flat }), inputShape: [4] });
    expect(network.outputs([[0, 1, 0, 0]]).toArray()).toEqual([[3, 4, 5]]);
  });

  it("of images are those of fit", () => {
    const data = Float32Array.from({ length: 24 * 12 }, () => random.uniform());
    const images = { data, rows: 24, height: 2, width: 6, channels: 1 };
    const model = new CNNClassifier({ maxIter: 1 }).fit(images, y);
    expect(() => model.predict({ ...images, height: 6, width: 2 })).toThrow(
      "CNNClassifier.predict: X must be images of 2 × 6 × 1, as in fit, got 6 × 2 × 1.",
    );
    expect(() => new CNNClassifier({ imageShape: [3, 4, 1] }).fit(images, y)).toThrow("images of 3 × 4 × 1");
  });
});

describe("fixedNetwork", () => {
  it("takes sparse rows, whatever its first layer", () => {
    const rows = X.map((row) => row.map((value) => (value > 0 ? value : 0)));
    const sparse = CsrMatrix.fromDense(Matrix.fromRows(rows));
    const images = { layers: [conv2d(2, 2), flatten(), dense(2)], inputShape: [2, 2, 1] };
    for (const options of [{ layers: dense(3), inputShape: [4] }, images]) {
      const network = fixedNetwork({ ...options, dtype: "float64" });
      const expected = network.outputs(rows);
      expect(apart(network.outputs(sparse).data, expected.data)).toBeLessThan(1e-14);
      expect([...network.activations(sparse).keys()]).toEqual([...network.activations(rows).keys()]);
    }
    expect(() => fixedNetwork({ layers: dense(3), inputShape: [3] }).outputs(sparse)).toThrow(
      "inputShape must be a shape of 4 numbers",
    );
  });
});

describe("parameters that do not fit together", () => {
  it("are refused by the constructor", () => {
    const heads = "heads must be a divisor of the 32 dimensions (1, 2, 4, 8, 16, 32), got 5.";
    expect(() => new ViTClassifier({ dimensions: 32, heads: 5 })).toThrow(`ViTClassifier: ${heads}`);
    expect(() => new TransformerClassifier({ heads: 5 })).toThrow(`TransformerClassifier: ${heads}`);
    expect(() => new TransformerClassifier({ heads: 5 })).toThrow(ParameterError);
    expect(() => new TransformerClassifier({ vocabularySize: 10, padding: 10 })).toThrow(
      "TransformerClassifier: padding must be a token of the vocabulary, from 0 to 9, got 10.",
    );
    expect(() => new TransformerClassifier({ padding: 10 })).not.toThrow();
    expect(() => new TransformerClassifier({ padding: 2 ** 24 })).toThrow("padding must be an integer");
    expect(() => new TransformerClassifier({ vocabularySize: 2 ** 24 + 1 })).toThrow(
      "vocabularySize must be",
    );
    expect(() => new ViTClassifier({ patchSize: 3, imageShape: [9, 10, 1] })).toThrow(
      "ViTClassifier: patchSize must be a divisor of the images' height, 9, and width, 10, got 3.",
    );
    for (const estimator of [CNNClassifier, ViTClassifier])
      expect(() => new estimator({ imageShape: [8, 8] })).toThrow(
        "imageShape must be [height, width, channels], sizes ≥ 1, or null, got [8, 8].",
      );
  });
});
