import {
  logLoss,
  MLPClassifier,
  makeBlobs,
  NeuralClassifier,
  optimizers,
  trainTestSplit,
  trainValidationTestSplit,
} from "argmax";
import { dense, fixedNetwork, neuron } from "argmax/neural";
import { evaluate, softmax } from "argmax/neural/autodiff";
import { describe, expect, it } from "vitest";

const outputs = (unit: { truthTable(): readonly { readonly output: number }[] }) =>
  unit.truthTable().map(({ output }) => output);

const corners = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];

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

const blobs = makeBlobs({ nSamples: 400, centers: 3, nFeatures: 2, clusterStd: 1, randomState: 3 });

describe("C12: the 2–10–3 softmax network, 70 % training, 15 % validation, 15 % test", () => {
  it("splits three ways with the class proportions kept, and stops early on the validation rows", () => {
    const { X, y } = blobs;
    const outer = trainTestSplit(X, y, { testSize: 0.15, stratify: true });
    expect(outer.test.X.rows).toBe(60);
    const model = new NeuralClassifier({
      layers: [dense(10, { activation: "sigmoid" }), dense(3, { activation: "softmax" })],
      optimizer: "adam",
      maxIter: 300,
      earlyStopping: true,
      validationFraction: 0.15 / 0.85,
    }).fit(outer.train.X, outer.train.y);
    expect(model.parameterCount).toBe(2 * 10 + 10 + 10 * 3 + 3);
    expect(model.validationScores.length).toBeGreaterThan(0);
    expect(model.score(outer.test.X, outer.test.y)).toBeGreaterThan(0.9);
    const proba = model.predictProba(outer.test.X);
    for (let i = 0; i < proba.rows; i++)
      expect(proba.at(i, 0) + proba.at(i, 1) + proba.at(i, 2)).toBeCloseTo(1, 12);
  });

  it("of a three-way stratified split, training stops when the loss of the validation subset has not fallen for six epochs", () => {
    // Classes that overlap, so that there is something to overfit.
    const { X, y } = makeBlobs({
      nSamples: 300,
      centers: [
        [0, 0],
        [2, 0],
        [1, 2],
      ],
      clusterStd: 1.2,
      randomState: 6,
    });
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
  it("a study of sizes and starts: the spread of accuracies is smaller for larger networks", () => {
    const y = [0, 1, 1, 0];
    const study = [1, 2, 4, 10].map((units) => {
      const scores = Array.from({ length: 15 }, (_, randomState) =>
        new MLPClassifier({
          hiddenLayerSizes: [units],
          activation: "tanh",
          solver: "lbfgs",
          alpha: 0,
          randomState,
        })
          .fit(corners, y)
          .score(corners, y),
      );
      const mean = scores.reduce((sum, score) => sum + score) / scores.length;
      const solved = scores.filter((score) => score === 1).length;
      return { units, mean, solved, spread: Math.max(...scores) - Math.min(...scores) };
    });
    // One hidden neuron cannot compute XOR; two can but rarely find it; ten nearly always do.
    expect(study[0]!.solved).toBe(0);
    expect(study[1]!.solved).toBeLessThan(15);
    expect(study[1]!.spread).toBeGreaterThan(0);
    expect(study[3]!.solved).toBeGreaterThanOrEqual(14);
    for (const [k, { mean }] of study.slice(1).entries()) expect(mean).toBeGreaterThanOrEqual(study[k]!.mean);
  });
});
