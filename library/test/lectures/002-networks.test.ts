import {
  logLoss,
  MLPClassifier,
  makeBlobs,
  NeuralClassifier,
  optimizers,
  trainTestSplit,
  trainValidationTestSplit,
} from "argmax";
import { apply, dense, fixedNetwork, graph, input, type Layer, merge, neuron } from "argmax/neural";
import { evaluate, softmax } from "argmax/neural/autodiff";
import { describe, expect, it } from "vitest";
import { corners } from "../support/corners.js";

const outputs = (unit: { truthTable(): readonly { readonly output: number }[] }) =>
  unit.truthTable().map(({ output }) => output);

describe("C10: a neuron is a propagation and an activation function", () => {
  const x = [-3, -1.2, -0.4, 0, 0.3, 0.5, 0.74, 1, 2.5];
  const cases: readonly [object | string, (x: number) => number][] = [
    ["sign", Math.sign],
    ["heaviside", (v) => (v > 0 ? 1 : 0)],
    ["twoStep", (v) => (v <= 0.25 || v >= 0.75 ? 0 : 1)],
    ["linear", (v) => v],
    [{ name: "sigmoid", a: 2, c: 0.5 }, (v) => 1 / (1 + Math.exp(-2 * (v - 0.5)))],
    ["tanh", Math.tanh],
    [{ name: "gaussian", a: 0.7, c: 0.2 }, (v) => Math.exp(-((v - 0.2) ** 2) / (2 * 0.7 ** 2))],
    [{ name: "inverseMultiquadric", a: 0.7, c: 0.2 }, (v) => 1 / Math.sqrt((v - 0.2) ** 2 + 0.7 ** 2)],
  ];

  it.each(cases)("%o is its formula, in a neuron and in a layer", (activation, formula) => {
    const layer = dense(1, { activation: activation as never, start: [[1]], bias: false });
    const network = fixedNetwork({ layers: layer, inputShape: [1], dtype: "float64" });
    const computed = network.outputs(x.map((value) => [value])).data;
    const unit = neuron({ weights: [1], activation: activation as never });
    for (const [e, value] of x.entries()) {
      expect(unit.output([value])).toBeCloseTo(formula(value), 14);
      expect(computed[e]).toBeCloseTo(formula(value), 14);
    }
  });

  it("softmax takes the other neurons into account, and sums to 1", () => {
    const z = [1, -2, 0.5];
    const sum = z.reduce((total, value) => total + Math.exp(value), 0);
    const p = evaluate(() => softmax(z), { dtype: "float64" })().data;
    for (const [k, value] of z.entries()) expect(p[k]).toBeCloseTo(Math.exp(value) / sum, 14);
    expect(p.reduce((total, value) => total + value)).toBeCloseTo(1, 14);
  });
});

describe("C11: logic by neurons", () => {
  it("AND, OR and NAND are one neuron each", () => {
    expect(outputs(neuron({ weights: [1, 1], bias: -1.5 }))).toEqual([0, 0, 0, 1]);
    expect(outputs(neuron({ weights: [1, 1], bias: -0.5 }))).toEqual([0, 1, 1, 1]);
    expect(outputs(neuron({ weights: [-1, -1], bias: 1.5 }))).toEqual([1, 1, 1, 0]);
  });

  it("XOR is one neuron with the two-step activation", () => {
    expect(outputs(neuron({ weights: [0.5, 0.5], activation: "twoStep" }))).toEqual([0, 1, 1, 0]);
  });

  it("XOR is a hidden layer of OR and NAND, and an AND of the two", () => {
    const network = fixedNetwork({
      layers: [
        dense(2, {
          activation: "heaviside",
          start: [
            [1, -1],
            [1, -1],
          ],
          biasStart: [-0.5, 1.5],
        }),
        dense(1, { activation: "heaviside", start: [[1], [1]], biasStart: [-1.5] }),
      ],
      inputShape: [2],
    });
    expect(Array.from(network.outputs(corners).data)).toEqual([0, 1, 1, 0]);
    expect(Array.from(network.activations(corners).get("0")!.data)).toEqual([0, 1, 1, 1, 1, 1, 1, 0]);
  });

  it("no single neuron with one step computes XOR", () => {
    // Of all weights and biases on a grid: a line cannot separate the corners.
    for (let a = -2; a <= 2; a += 0.25)
      for (let b = -2; b <= 2; b += 0.25)
        for (let bias = -3; bias <= 3; bias += 0.25)
          expect(outputs(neuron({ weights: [a, b], bias }))).not.toEqual([0, 1, 1, 0]);
  });

  it("training finds XOR with a hidden layer, and not without one", () => {
    const y = [0, 1, 1, 0];
    const params = { solver: "lbfgs", activation: "tanh", alpha: 0, maxIter: 1000 } as const;
    const found = Array.from({ length: 10 }, (_, randomState) =>
      new MLPClassifier({ ...params, hiddenLayerSizes: [6], randomState }).fit(corners, y).score(corners, y),
    );
    expect(found.filter((score) => score === 1).length).toBeGreaterThanOrEqual(8);
    const linear = new MLPClassifier({ ...params, hiddenLayerSizes: [] }).fit(corners, y);
    expect(linear.score(corners, y)).toBeLessThanOrEqual(0.75);
  });
});

describe("Y14: one neuron learns AND, OR and NAND, not XOR", () => {
  const accuracy = (y: readonly number[], solver: "lbfgs" | "sgd", randomState: number) => {
    const rate = solver === "sgd" ? { learningRateInit: 0.5, batchSize: 4, maxIter: 500, tol: 0 } : {};
    const neuron = new MLPClassifier({ hiddenLayerSizes: [], solver, alpha: 1e-3, randomState, ...rate });
    const model = neuron.fit(corners, y);
    // Two weights and a bias: one neuron.
    expect(model.parameterCount).toBe(3);
    return model.score(corners, y);
  };

  it.each([
    ["AND", [0, 0, 0, 1]],
    ["OR", [0, 1, 1, 1]],
    ["NAND", [1, 1, 1, 0]],
  ] as const)("%s: training accuracy 1, from every start", (_, y) => {
    for (const solver of ["lbfgs", "sgd"] as const)
      for (let start = 0; start < 5; start++) expect(accuracy(y, solver, start)).toBe(1);
  });

  it("XOR: at most 0.75, from every start", () => {
    for (const solver of ["lbfgs", "sgd"] as const)
      for (let start = 0; start < 5; start++)
        expect(accuracy([0, 1, 1, 0], solver, start)).toBeLessThanOrEqual(0.75);
  });
});

const blobs = makeBlobs({ nSamples: 400, centers: 3, nFeatures: 2, clusterStd: 1, randomState: 3 });

describe("C12: the 2–10–3 softmax network, 70 % training, 15 % validation, 15 % test", () => {
  const layers = [dense(10, { activation: "sigmoid" }), dense(3, { activation: "softmax" })];
  const training = { layers, optimizer: "adam", earlyStopping: true } as const;
  // Classes that overlap, so that there is something to overfit.
  const overlapping = (nSamples: number) =>
    makeBlobs({
      nSamples,
      centers: [
        [0, 0],
        [2, 0],
        [1, 2],
      ],
      clusterStd: 1.2,
      randomState: 6,
    });

  it("has 2 × 10 + 10 + 10 × 3 + 3 weights, and its three outputs sum to 1", () => {
    const outer = trainTestSplit(blobs.X, blobs.y, { testSize: 0.15, stratify: true });
    expect(outer.test.X.rows).toBe(60);
    const fraction = 0.15 / 0.85;
    const model = new NeuralClassifier({ ...training, maxIter: 300, validationFraction: fraction }).fit(
      outer.train.X,
      outer.train.y,
    );
    expect(model.parameterCount).toBe(2 * 10 + 10 + 10 * 3 + 3);
    expect(model.score(outer.test.X, outer.test.y)).toBeGreaterThan(0.9);
    const proba = model.predictProba(outer.test.X);
    for (let i = 0; i < proba.rows; i++)
      expect(proba.at(i, 0) + proba.at(i, 1) + proba.at(i, 2)).toBeCloseTo(1, 12);
  });

  it.each([0.15, 0.3, 0.5])(
    "holds out %d of the rows: scores are multiples of one row of so many",
    (fraction) => {
      const { X, y } = overlapping(200);
      const model = new NeuralClassifier({ ...training, maxIter: 60, validationFraction: fraction }).fit(
        X,
        y,
      );
      const held = fraction * 200;
      const wrong = model.validationScores.map((score) => (1 - score) * held);
      for (const count of wrong) expect(count).toBeCloseTo(Math.round(count), 9);
      // Some count is odd, so that half of the rows would not do.
      expect(wrong.some((count) => Math.round(count) % 2 === 1)).toBe(true);
    },
  );

  it("stops when the held-out score has not risen for nIterNoChange epochs, and keeps the best weights", () => {
    const { X, y } = overlapping(300);
    const patience = 8;
    const params = { ...training, tol: 0, nIterNoChange: patience, maxIter: 5000 } as const;
    const model = new NeuralClassifier({ ...params, validationFraction: 0.15 }).fit(X, y);
    const { validationScores: scores, report } = model;
    expect(report.converged).toBe(true);
    expect(scores.length).toBeLessThan(1000);
    // An epoch counts as one without improvement if it is below the best before it; more than `patience` of them in a row stop.
    let [best, without, stops] = [-Infinity, 0, 0];
    for (const [epoch, score] of scores.entries()) {
      without = score < best ? without + 1 : 0;
      best = Math.max(best, score);
      if (without > patience) stops = epoch + 1;
    }
    expect(stops).toBe(scores.length);
  });

  it("takes the note's own 15 % as the validation set: it stops on them, and learns from all training rows", () => {
    const { X, y } = overlapping(400);
    const { train, validation, test } = trainValidationTestSplit(X, y, { stratify: true });
    const network = new NeuralClassifier({ ...training, maxIter: 5000, nIterNoChange: 20 });
    const own = { X: validation.X, y: validation.y };
    const model = network.fit(train.X, train.y, { validation: own });
    expect(model.report.converged).toBe(true);
    expect(model.validationScores.length).toBeLessThan(1000);
    expect(model.score(validation.X, validation.y)).toBe(Math.max(...model.validationScores));
    // Epoch for epoch the losses of a training on all training rows without early stopping.
    const free = new NeuralClassifier({
      ...training,
      earlyStopping: false,
      nIterNoChange: 5000,
      maxIter: model.lossCurve.length,
    }).fit(train.X, train.y);
    expect(model.lossCurve).toEqual(free.lossCurve);
    expect(model.score(test.X, test.y)).toBeGreaterThan(0.6);
  });

  it("of a three-way stratified split, training stops when the loss of the validation subset has not fallen for six epochs", () => {
    const { X, y } = overlapping(300);
    const { train, validation, test } = trainValidationTestSplit(X, y, { stratify: true });
    const counts = [train, validation, test].map((part) =>
      [0, 1, 2].map((k) => part.y.filter((label) => label === k).length),
    );
    expect(counts).toEqual([
      [70, 70, 70],
      [15, 15, 15],
      [15, 15, 15],
    ]);
    const patience = 6;
    const maxIter = 2000;
    const network = new NeuralClassifier({
      layers: [dense(10, { activation: "tanh" }), dense(3, { activation: "softmax" })],
      optimizer: optimizers.adam({ learningRate: 0.005 }),
      nIterNoChange: maxIter,
      maxIter,
    });
    const losses: number[] = [];
    const models = [];
    let best = 0;
    for (const step of network.steps(train.X, train.y)) {
      const model = step.model();
      models.push(model);
      losses.push(logLoss(validation.y, model.predictProba(validation.X)));
      if (losses.at(-1)! < losses[best]!) best = losses.length - 1;
      if (losses.length - 1 - best >= patience) break;
    }
    const chosen = models[best]!;
    expect(chosen.parameterCount).toBe(2 * 10 + 10 + 10 * 3 + 3);
    // It stopped long before the limit, six epochs after the best one.
    expect(losses.length).toBeLessThan(maxIter / 4);
    expect(losses.length - 1 - best).toBe(patience);
    expect(best).toBeGreaterThan(5);
    expect(logLoss(validation.y, chosen.predictProba(validation.X))).toBe(Math.min(...losses));
    // On to the end, the network fits the training rows better and the validation rows worse.
    const last = network.fit(train.X, train.y);
    const loss = (model: typeof last, part: typeof train) => logLoss(part.y, model.predictProba(part.X));
    expect(loss(last, train)).toBeLessThan(loss(chosen as typeof last, train));
    expect(loss(last, validation)).toBeGreaterThan(loss(chosen as typeof last, validation));
    expect(chosen.score(test.X, test.y)).toBeGreaterThan(0.6);
  });
});

describe("X14: the 2–10–3 network with Heaviside hidden units", () => {
  const layers = (trainable: boolean) => [
    dense(10, { activation: "heaviside", trainable }),
    dense(3, { activation: "softmax" }),
  ];

  it("predicts", () => {
    const network = fixedNetwork({ layers: layers(true), inputShape: [2] });
    const hidden = network.activations(blobs.X).get("0")!.data;
    expect(new Set(hidden)).toEqual(new Set([0, 1]));
    expect(network.outputs(blobs.X).cols).toBe(3);
  });

  it("is refused by training, which says why and what to use instead", () => {
    expect(() => new NeuralClassifier({ layers: layers(true) }).fit(blobs.X, blobs.y)).toThrow(
      "NeuralClassifier.fit: layer 0 must be differentiable, since weights before it (0.bias) are trained through its derivative, " +
        "got heaviside, whose derivative is 0 or does not exist. Use sigmoid or tanh instead, or keep the weights before it as they are: " +
        "{ trainable: false }. Predicting works as it is.",
    );
  });

  it("trains its output layer on random hidden units", () => {
    const model = new NeuralClassifier({ layers: layers(false), maxIter: 200 }).fit(blobs.X, blobs.y);
    expect(model.score(blobs.X, blobs.y)).toBeGreaterThan(0.8);
  });
});

describe("X15: a network is sensitive to its layers, connections and starting weights", () => {
  const y = [0, 1, 1, 0];
  type Choice = {
    hiddenLayerSizes: readonly number[];
    activation: "tanh" | "relu" | "logistic" | "identity";
  };
  const starts = 12;
  /** Accuracies of several starts, and what varied. */
  const study = (choice: Choice) => {
    const scores = Array.from({ length: starts }, (_, randomState) =>
      new MLPClassifier({ ...choice, solver: "lbfgs", alpha: 0, randomState })
        .fit(corners, y)
        .score(corners, y),
    );
    const mean = scores.reduce((sum, score) => sum + score) / starts;
    return {
      mean,
      solved: scores.filter((score) => score === 1).length,
      spread: Math.max(...scores) - Math.min(...scores),
    };
  };
  const tanh = (...hiddenLayerSizes: number[]) => study({ hiddenLayerSizes, activation: "tanh" });

  it("units: one cannot compute XOR, two can but rarely find it, ten nearly always do", () => {
    const widths = [1, 2, 4, 10].map((units) => tanh(units));
    expect(widths[0]!.solved).toBe(0);
    expect(widths[1]!.solved).toBeGreaterThan(0);
    expect(widths[1]!.solved).toBeLessThan(starts);
    expect(widths[3]!.solved).toBeGreaterThanOrEqual(starts - 1);
    for (const [k, { mean }] of widths.slice(1).entries())
      expect(mean).toBeGreaterThanOrEqual(widths[k]!.mean);
  });

  it("starts: the same network with the same rows gives different answers", () => {
    expect(tanh(2).spread).toBeGreaterThanOrEqual(0.25);
  });

  it("layers: none cannot, one neuron cannot, and with a second layer behind that neuron some starts can", () => {
    expect(tanh().solved).toBe(0);
    // XOR is a bump over the line w·x, which one neuron cannot make and a layer behind it can.
    expect(tanh(1).solved).toBe(0);
    expect(tanh(1, 10).solved).toBeGreaterThan(0);
    // Two layers of four, with 4 × 4 connections between them, do it more often than one of two.
    expect(tanh(4, 4).solved).toBeGreaterThan(tanh(2).solved);
  });

  it("activations: without one, layers are one matrix and XOR is out of reach; units that are 0 below 0 die more often than tanh", () => {
    expect(study({ hiddenLayerSizes: [10, 10], activation: "identity" }).solved).toBe(0);
    const relu = study({ hiddenLayerSizes: [4], activation: "relu" });
    expect(relu.solved).toBeGreaterThan(0);
    expect(relu.solved).toBeLessThan(tanh(4).solved);
  });

  it("connections: those from the inputs past the hidden layer make one hidden neuron enough", () => {
    const solved = (layer: Layer) =>
      Array.from({ length: starts }, (_, randomState) =>
        new NeuralClassifier({ layers: [layer, dense(1)], optimizer: "lbfgs", maxIter: 100, randomState })
          .fit(corners, y)
          .score(corners, y),
      ).filter((score) => score === 1).length;
    const one = input([2]);
    // With connections from the inputs to the output, one hidden neuron is enough: OR − 2 AND.
    const shortcut = graph(one, merge("concat", one, apply(dense(1, { activation: "tanh" }), one)));
    expect(solved(dense(1, { activation: "tanh" }))).toBe(0);
    expect(solved(shortcut)).toBeGreaterThan(starts / 2);
  });
});
