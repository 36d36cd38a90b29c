import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { loadDataset } from "../../datasets/index.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { crossValidate } from "../../selection/index.js";
import {
  batchNorm,
  CNNClassifier,
  dense,
  dropout,
  MLPClassifier,
  NeuralClassifier,
  NeuralRegressor,
  TransformerClassifier,
  ViTClassifier,
} from "../index.js";
import { padSequences } from "../sequences.js";
import { adam, adamW, lbfgs, rmsProp, sgd } from "./optimizers.js";
import { readOptimizer, readSchedule } from "./parts-from-json.js";
import { constant, cosine, inverseScaling, stepDecay, warmUp } from "./schedules.js";

const at = (over: object = {}) => ({ epoch: 0, epochs: 10, step: 0, stepsPerEpoch: 5, samples: 0, ...over });

describe("schedules", () => {
  it("are their formulas", () => {
    expect(constant().factor(at({ epoch: 7 }))).toBe(1);
    const halves = stepDecay({ every: 2, factor: 0.5 });
    expect([0, 1, 2, 3, 4].map((epoch) => halves.factor(at({ epoch })))).toEqual([1, 1, 0.5, 0.5, 0.25]);
    const wave = cosine({ minimum: 0.1 });
    expect(wave.factor(at())).toBe(1);
    expect(wave.factor(at({ step: 25 }))).toBeCloseTo(0.55, 12);
    expect(wave.factor(at({ step: 50 }))).toBeCloseTo(0.1, 12);
    expect(wave.factor(at({ step: 500 }))).toBeCloseTo(0.1, 12);
    const rise = warmUp({ steps: 4, next: stepDecay({ every: 1, factor: 0.5 }) });
    expect([0, 1, 3, 9].map((step) => rise.factor(at({ step, epoch: step > 4 ? 1 : 0 })))).toEqual([
      0.25, 0.5, 1, 0.5,
    ]);
    expect(inverseScaling({ power: 0.5 }).factor(at({ samples: 99 }))).toBeCloseTo(0.1, 12);
  });

  it("come back from JSON, and unknown names are undefined", () => {
    for (const schedule of [
      constant(),
      stepDecay({ every: 3 }),
      cosine(),
      warmUp({ steps: 9, next: cosine() }),
    ])
      expect(JSON.stringify(readSchedule(JSON.parse(JSON.stringify(schedule))))).toBe(
        JSON.stringify(schedule),
      );
    expect(readSchedule("constructor")).toBeUndefined();
    expect(() => stepDecay({ every: 0 })).toThrow("stepDecay: every must be an integer ≥ 1, got 0");
  });
});

/** Two interleaved spirals. */
function spirals(n: number) {
  const random = new Random(9);
  const y: string[] = [];
  const X = Array.from({ length: n }, (_, i) => {
    const side = i % 2;
    const t = 0.5 + 3 * random.uniform();
    const angle = 1.6 * t + Math.PI * side;
    y.push(side === 0 ? "left" : "right");
    return [t * Math.cos(angle) + 0.1 * random.normal(), t * Math.sin(angle) + 0.1 * random.normal()];
  });
  return { X, y };
}

describe("optimisers", () => {
  const { X, y } = spirals(300);
  const layers = [dense(24, { activation: "tanh" }), dense(24, { activation: "tanh" }), dense(1)];

  it.each([
    ["sgd", sgd({ learningRate: 0.3 })],
    ["momentum", sgd({ learningRate: 0.1, momentum: 0.9 })],
    ["Nesterov", sgd({ learningRate: 0.1, momentum: 0.9, nesterov: true })],
    ["adam", adam({ learningRate: 0.02 })],
    ["adamW", adamW({ learningRate: 0.02, weightDecay: 0.001 })],
    ["rmsProp", rmsProp({ learningRate: 0.005 })],
    ["lbfgs", lbfgs()],
    [
      "adam, warmed up, then along a cosine",
      adam({ learningRate: 0.03, schedule: warmUp({ steps: 50, next: cosine() }) }),
    ],
  ])("%s separates two spirals, and comes back from JSON", (_, optimizer) => {
    const estimator = new NeuralClassifier({ layers, optimizer, maxIter: 200, tol: 0, nIterNoChange: 300 });
    const model = estimator.fit(X, y);
    expect(model.score(X, y)).toBeGreaterThan(0.97);
    expect(JSON.stringify(readOptimizer(JSON.parse(JSON.stringify(optimizer))))).toBe(
      JSON.stringify(optimizer),
    );
  });

  it("clip long gradients: a step of sgd is then no longer than the rate times the norm", () => {
    const big = X.map((row) => row.map((value) => 100 * value));
    const network = { layers: [dense(1, { start: "zeros" })], maxIter: 1, batchSize: 300 };
    const optimizer = sgd({ learningRate: 0.5 });
    const lengthOf = (clipNorm: number | null) => {
      const model = new NeuralClassifier({ ...network, optimizer, clipNorm }).fit(big, y);
      return Math.hypot(...[...model.weights.values()].flatMap(({ data }) => [...data]));
    };
    expect(lengthOf(null)).toBeGreaterThan(2);
    expect(lengthOf(1)).toBeCloseTo(0.5, 5);
  });

  it("penalise: α shrinks the weights, the L1 strength sets many to nearly 0", () => {
    const sizeOf = (params: object) => {
      const model = new NeuralClassifier({
        layers: [dense(16, { activation: "tanh" }), dense(1)],
        maxIter: 60,
        ...params,
      }).fit(X, y);
      return model.weights.get("0.weights")!.data;
    };
    const total = (data: Float64Array) => data.reduce((sum, value) => sum + value * value, 0);
    const plain = sizeOf({});
    expect(total(sizeOf({ alpha: 1 }))).toBeLessThan(0.7 * total(plain));
    const small = (data: Float64Array) => data.filter((value) => Math.abs(value) < 0.02).length;
    expect(small(sizeOf({ l1: 1 }))).toBeGreaterThan(small(plain) + 5);
  });

  it("unknown names are refused, and L-BFGS refuses dropout and batch norm", () => {
    expect(readOptimizer("toString")).toBeUndefined();
    for (const varying of [dropout(0.5), batchNorm()])
      expect(() =>
        new NeuralClassifier({ layers: [dense(4), varying, dense(1)], optimizer: "lbfgs" }).fit(X, y),
      ).toThrow("NeuralClassifier.fit: optimizer must be a stochastic one, since layer 1");
  });
});

describe("a last activation", () => {
  const X = [[0], [1], [2], [3]];

  it("that gives no probabilities is refused", () => {
    const fit = (units: number, activation: "softmax" | "sigmoid", y: readonly string[]) => () =>
      new NeuralClassifier({ layers: [dense(units, { activation })] }).fit(X, y);
    expect(fit(3, "sigmoid", ["a", "b", "c", "c"])).toThrow(
      "the last activation must be softmax or none for several outputs, got sigmoid",
    );
    expect(fit(1, "softmax", ["a", "b", "b", "a"])).toThrow("sigmoid or none for one output, got softmax");
  });

  it("may be left out: the probabilities are the same", () => {
    const y = ["a", "b", "c", "c"];
    const [plain, soft] = (["linear", "softmax"] as const).map((activation) =>
      new NeuralClassifier({ layers: [dense(3, { activation })], maxIter: 3 }).fit(X, y),
    );
    expect(soft!.predictProba(X)).toEqual(plain!.predictProba(X));
  });
});

describe("NeuralRegressor", () => {
  it("by absolute errors is not drawn by an outlier; by squared errors it is", () => {
    const X = Array.from({ length: 41 }, (_, i) => [i / 20 - 1]);
    const y = X.map(([x], i) => (i === 40 ? 100 : 2 * x!));
    const fit = (loss: "squaredError" | "absoluteError" | "huber") =>
      new NeuralRegressor({
        layers: dense(1),
        loss,
        optimizer: adam({ learningRate: 0.05 }),
        maxIter: 400,
        tol: 0,
      })
        .fit(X, y)
        .predict([[0]])[0]!;
    expect(Math.abs(fit("absoluteError"))).toBeLessThan(0.2);
    expect(Math.abs(fit("huber"))).toBeLessThan(0.2);
    expect(Math.abs(fit("squaredError"))).toBeGreaterThan(1);
  });

  it("asks for one output", () => {
    expect(() => new NeuralRegressor({ layers: dense(2) }).fit([[1], [2]], [1, 2])).toThrow(
      "NeuralRegressor.fit: the output of the last layer must be 1 number, got 2",
    );
  });
});

describe("images", () => {
  it("a CNN and a ViT memorise one batch", async () => {
    const { X, y } = await loadDataset("digits");
    const rows = X.selectRows(Int32Array.from({ length: 16 }, (_, i) => i));
    const labels = y.slice(0, 16);
    for (const estimator of [
      new CNNClassifier({ maxIter: 60, optimizer: adam({ learningRate: 0.01 }) }),
      new ViTClassifier({ maxIter: 60, dropout: 0, optimizer: adam({ learningRate: 0.005 }) }),
    ]) {
      const model = estimator.fit(rows, labels);
      expect(model.score(rows, labels), estimator.id).toBe(1);
      expect(model.lossCurve.at(-1), estimator.id).toBeLessThan(0.1);
    }
  });

  /** The settings were chosen by cross-validation on the rows of the other three quarters. */
  it("digits, the held-out quarter and the mean of all four: MLP ≥ 97 %, CNN ≥ 98.5 %", async () => {
    const { X, y } = await loadDataset("digits");
    const scoreOf = (estimator: MLPClassifier | CNNClassifier, quarter: number) => {
      const pick = (wanted: boolean) =>
        Int32Array.from(y.keys()).filter((i) => (i % 4 === quarter) === wanted);
      const [train, test] = [pick(false), pick(true)];
      const labels = (rows: Int32Array) => Array.from(rows, (i) => y[i]!);
      return estimator.fit(X.selectRows(train), labels(train)).score(X.selectRows(test), labels(test));
    };
    for (const [estimator, promised] of [
      [new MLPClassifier({ hiddenLayerSizes: [400], batchSize: 32 }), 0.97],
      [new CNNClassifier(), 0.985],
    ] as const) {
      const scores = [0, 1, 2, 3].map((quarter) => scoreOf(estimator, quarter));
      expect(scores[3], estimator.id).toBeGreaterThanOrEqual(promised);
      const mean = scores.reduce((sum, score) => sum + score) / 4;
      expect(mean, estimator.id).toBeGreaterThanOrEqual(promised);
    }
  });

  it("the parts of a CNN can be left out: batch norm, dropout, pooling", () => {
    const X = Array.from({ length: 12 }, (_, i) => Array.from({ length: 16 }, (_, j) => (i * j) % 5));
    const y = X.map((_, i) => i % 3);
    const typesOf = (params: object) =>
      new CNNClassifier({ filters: [2], maxIter: 1, ...params })
        .fit(X, y)
        .summary.split("\n")
        .flatMap((line) => /^\d+ (\w+)/.exec(line)?.[1] ?? []);
    const head = ["flatten", "dropout", "dense"];
    const norm = ["rescale", "conv2d", "batchNorm", "activation", "maxPool2d"];
    expect(typesOf({})).toEqual([...norm, ...head]);
    expect(typesOf({ hiddenLayerSizes: [4] })).toEqual([...norm, ...head, "dropout", "dense"]);
    const bare = { batchNorm: false, dropout: 0, poolSize: 1, rescale: false };
    expect(typesOf(bare)).toEqual(["conv2d", "flatten", "dense"]);
  });

  it("are given with their size, as rows with a shape, or as square rows", () => {
    const random = new Random(2);
    const data = Uint8Array.from({ length: 20 * 4 * 6 * 3 }, () => random.below(256));
    const y = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "a" : "b"));
    const images = { data, rows: 20, height: 4, width: 6, channels: 3 };
    const params = { filters: [4], hiddenLayerSizes: [8], maxIter: 2 };
    const model = new CNNClassifier(params).fit(images, y);
    expect(model.network.input).toEqual([4, 6, 3]);
    const flat = new Matrix(Float64Array.from(data), 20, 72);
    const same = new CNNClassifier({ ...params, imageShape: [4, 6, 3] }).fit(flat, y);
    expect(same.predictProba(flat)).toEqual(model.predictProba(images));
    expect(() => new CNNClassifier(params).fit(flat, y)).toThrow(
      "CNNClassifier.fit: X must be images: { data, rows, height, width, channels }, or square ones, got rows of 72 numbers. " +
        "Set imageShape: [height, width, channels].",
    );
    const { models } = crossValidate(new CNNClassifier(params), images, y, { cv: 2, returnModels: true });
    expect(models.map(({ network }) => network.input)).toEqual([
      [4, 6, 3],
      [4, 6, 3],
    ]);
  });

  it("say so in their report where plain rows were taken for square images", () => {
    const X = Array.from({ length: 6 }, (_, i) => Array.from({ length: 36 }, (_, j) => (i * j) % 7));
    const y = ["a", "b", "a", "b", "a", "b"];
    const params = { filters: [2], hiddenLayerSizes: [], maxIter: 1 };
    expect(new CNNClassifier(params).fit(X, y).report.warnings).toContain(
      "Rows of 36 numbers were taken for images of 6 × 6 × 1: set imageShape, if they are others.",
    );
    const stated = new CNNClassifier({ ...params, imageShape: [4, 9, 1] }).fit(X, y);
    expect(stated.report.warnings.join()).not.toContain("taken for images");
  });

  it("do not depend on the scale of their pixels, which the model divides by their largest", () => {
    const random = new Random(4);
    const X = Array.from({ length: 30 }, () => Array.from({ length: 16 }, () => random.below(256)));
    const y = X.map((row) => (row[5]! > 128 ? 1 : 0));
    const small = X.map((row) => row.map((value) => value / 256));
    const params = { filters: [4], hiddenLayerSizes: [8], maxIter: 5 };
    const [large, little] = [X, small].map((rows) => new CNNClassifier(params).fit(rows, y));
    expect(large!.predictProba(X)).toEqual(little!.predictProba(small));
    expect(loadModel(saveModel(large!)).predictProba!(X)).toEqual(large!.predictProba(X));
  });
});

describe("TransformerClassifier", () => {
  const random = new Random(6);
  /** Whether token 1 comes before token 2. */
  const sentences = Array.from({ length: 300 }, () => {
    const words = Array.from({ length: 4 + random.below(5) }, () => 3 + random.below(6));
    const [i, j] = [random.below(words.length), random.below(words.length)];
    words[i] = 1;
    words[i === j ? (j + 1) % words.length : j] = 2;
    return words;
  });
  const y = sentences.map((words) => (words.indexOf(1) < words.indexOf(2) ? "in order" : "turned"));

  it("learns the order of words, which no bag of words has", () => {
    const X = padSequences(sentences);
    const model = new TransformerClassifier({
      maxIter: 40,
      dimensions: 16,
      optimizer: adam({ learningRate: 0.005 }),
    }).fit(X.selectRows(Int32Array.from({ length: 240 }, (_, i) => i)), y.slice(0, 240));
    const rest = X.selectRows(Int32Array.from({ length: 60 }, (_, i) => 240 + i));
    expect(model.score(rest, y.slice(240))).toBeGreaterThan(0.9);
  });

  it("is not changed by padding, and refuses unknown tokens", () => {
    const model = new TransformerClassifier({ maxIter: 2, dimensions: 8, heads: 2 }).fit(
      padSequences(sentences),
      y,
    );
    const length = model.nFeatures;
    const short = padSequences([[3, 1, 2]], { length });
    const again = padSequences([[3, 1, 2, 0, 0]], { length });
    expect(model.predictProba(short)).toEqual(model.predictProba(again));
    expect(() => model.predict(padSequences([[99]], { length }))).toThrow("a whole number from 0 to 8");
    expect(() => padSequences([[1, -2]])).toThrow(
      "sequences[0][1] must be a whole number from 0 to 16777215, got -2",
    );
  });
});
