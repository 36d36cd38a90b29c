import { LogisticRegression, MLPClassifier, Random, SoftmaxRegression } from "argmax";
import { loadDataset } from "argmax/datasets";
import { dense, fixedNetwork } from "argmax/neural";
import type { Tensor } from "argmax/neural/autodiff";
import { matmul, mean, sigmoid, sigmoidCrossEntropy, valueAndGrad } from "argmax/neural/autodiff";
import { describe, expect, it } from "vitest";

const g = (z: number) => 1 / (1 + Math.exp(-z));

describe("A7: feed-forward networks", () => {
  it("4 inputs, the bias included, 3 hidden neurons and 1 output have 12 + 3 = 15 weights", () => {
    const network = fixedNetwork({
      layers: [
        dense(3, { activation: "sigmoid", bias: false }),
        dense(1, { activation: "sigmoid", bias: false }),
      ],
      inputShape: [4],
    });
    expect(network.parameterCount).toBe(15);
    const counts = network.summary.split("\n").map((line) => line.trim().split(/\s+/).at(-1));
    expect(counts).toEqual(["parameters", "4", "12", "3", "15"]);
  });

  it("forward propagation: a = g(θ⁽¹⁾x), h = g(θ⁽²⁾a)", () => {
    const first = [
      [0.1, -0.2, 0.3],
      [0.4, 0.5, -0.6],
      [-0.7, 0.8, 0.9],
      [1, -1.1, 1.2],
    ];
    const second = [[0.5], [-1], [1.5]];
    const network = fixedNetwork({
      layers: [
        dense(3, { activation: "sigmoid", bias: false, start: first }),
        dense(1, { activation: "sigmoid", bias: false, start: second }),
      ],
      inputShape: [4],
      dtype: "float64",
    });
    const x = [1, 0.5, -2, 3];
    const a = [0, 1, 2].map((k) => g(x.reduce((sum, value, j) => sum + value * first[j]![k]!, 0)));
    const h = g(a.reduce((sum, value, k) => sum + value * second[k]![0]!, 0));
    expect(network.outputs([x]).at(0, 0)).toBeCloseTo(h, 14);
    expect(network.activations([x]).get("0")!.data[1]).toBeCloseTo(a[1]!, 14);
  });

  it("any number of hidden layers", () => {
    for (const sizes of [[], [5], [5, 4], [5, 4, 3, 2]]) {
      const model = new MLPClassifier({ hiddenLayerSizes: sizes, maxIter: 1 }).fit(
        [
          [0, 1],
          [1, 0],
        ],
        ["a", "b"],
      );
      expect(model.coefs.map(({ shape }) => shape[1])).toEqual([...sizes, 1]);
    }
  });
});

describe("A8: cross-entropy, back-propagation, Algorithm 1", () => {
  const random = new Random(4);
  const X = Array.from({ length: 12 }, () => [1, random.normal(), random.normal()]);
  const y = X.map(([, a, b]) => (a! * b! > 0 ? 1 : 0));
  const draw = (rows: number, cols: number) =>
    Array.from({ length: rows }, () => Array.from({ length: cols }, () => random.normal()));

  /** J(θ) of a network 3 – 4 – 1 with sigmoid neurons. */
  const loss = (first: Tensor, second: Tensor) => {
    const hidden = sigmoid(matmul(X, first));
    return mean(sigmoidCrossEntropy(matmul(hidden, second), y));
  };

  it("the gradient is the central difference to 1e-6", () => {
    const theta = [draw(3, 4), draw(4, 1)] as const;
    const f = valueAndGrad(loss, { dtype: "float64" });
    const { value, gradients } = f(...theta);
    const direct = X.reduce((sum, x, i) => {
      const a = [0, 1, 2, 3].map((k) => g(x.reduce((z, v, j) => z + v * theta[0][j]![k]!, 0)));
      const h = g(a.reduce((z, v, k) => z + v * theta[1][k]![0]!, 0));
      return sum - (y[i] === 1 ? Math.log(h) : Math.log(1 - h)) / X.length;
    }, 0);
    expect(value).toBeCloseTo(direct, 12);
    for (const k of [0, 1] as const) {
      const { data, shape } = gradients[k];
      for (let e = 0; e < data.length; e++) {
        const at = (by: number) => {
          const moved = theta.map((matrix) => matrix.map((row) => [...row])) as [number[][], number[][]];
          moved[k][Math.floor(e / shape[1]!)]![e % shape[1]!]! += by;
          return f(...moved).value;
        };
        expect(Math.abs(data[e]! - (at(1e-5) - at(-1e-5)) / 2e-5)).toBeLessThan(1e-6);
      }
    }
  });

  it("stochastic gradient descent per example is Algorithm 1, step by step", () => {
    const rate = 0.5;
    const coefs = [draw(3, 4), draw(4, 1)];
    const intercepts = [draw(1, 4)[0]!, draw(1, 1)[0]!];
    const epochs = 7;
    const model = new MLPClassifier({
      hiddenLayerSizes: [4],
      activation: "logistic",
      solver: "sgd",
      momentum: 0,
      nesterovsMomentum: false,
      batchSize: 1,
      shuffle: false,
      alpha: 0,
      learningRateInit: rate,
      maxIter: epochs,
      dtype: "float64",
    }).fit(X, y, { start: { coefs, intercepts } });
    // The algorithm with plain loops. As printed, its loop over k ends before θ⁽⁰⁾, which would never learn: here k = K … 0.
    const [w, v] = coefs.map((matrix) => matrix.map((row) => [...row])) as [number[][], number[][]];
    const [b, c] = intercepts.map((row) => [...row]) as [number[], number[]];
    for (let epoch = 0; epoch < epochs; epoch++) {
      for (const [i, x] of X.entries()) {
        const a = b.map((bias, k) => g(x.reduce((z, value, j) => z + value * w[j]![k]!, bias)));
        const h = g(a.reduce((z, value, k) => z + value * v[k]![0]!, c[0]!));
        const last = h - y[i]!;
        const deltas = a.map((value, k) => v[k]![0]! * last * value * (1 - value));
        for (let k = 0; k < 4; k++) {
          v[k]![0]! -= rate * last * a[k]!;
          b[k]! -= rate * deltas[k]!;
          for (let j = 0; j < 3; j++) w[j]![k]! -= rate * deltas[k]! * x[j]!;
        }
        c[0]! -= rate * last;
      }
    }
    const close = (ours: ArrayLike<number>, expected: readonly number[]) =>
      // 84 steps in another order of rounding.
      expect(Math.max(...expected.map((value, e) => Math.abs(value - ours[e]!)))).toBeLessThan(1e-12);
    close(model.coefs[0]!.data, w.flat());
    close(model.coefs[1]!.data, v.flat());
    close(model.intercepts[0]!, b);
    close(model.intercepts[1]!, c);
  });
});

describe("Y1: logistic regression is a network without hidden layers", () => {
  // L-BFGS computes in doubles: its coefficients are as exact as the gradient at which both stop.
  const params = { hiddenLayerSizes: [], solver: "lbfgs", maxIter: 10_000, tol: 1e-12 } as const;

  it("two classes: one sigmoid neuron has the coefficients of LogisticRegression", async () => {
    const { X, y } = await loadDataset("iris");
    const rows = X.selectRows(Array.from({ length: 100 }, (_, i) => i + 50));
    const labels = Array.from({ length: 100 }, (_, i) => y[i + 50]!);
    // (1/n) Σ ℓ + (α/2n) ‖w‖² is C Σ ℓ + ½ ‖w‖² with C = 1/α.
    const network = new MLPClassifier({ ...params, alpha: 0.5 }).fit(rows, labels);
    const logistic = new LogisticRegression({ C: 2, tol: 1e-12 }).fit(rows, labels);
    expect(network.coefs).toHaveLength(1);
    logistic.coef.row(0).forEach((w, j) => {
      expect(Math.abs(network.coefs[0]!.data[j]! - w)).toBeLessThan(1e-8);
    });
    expect(Math.abs(network.intercepts[0]![0]! - logistic.intercept[0]!)).toBeLessThan(1e-8);
  });

  it("three classes: softmax neurons have those of SoftmaxRegression", async () => {
    const { X, y } = await loadDataset("iris");
    const network = new MLPClassifier({ ...params, alpha: 1 }).fit(X, y);
    const softmax = new SoftmaxRegression({ C: 1, tol: 1e-12 }).fit(X, y);
    for (let k = 0; k < 3; k++)
      for (let j = 0; j < 4; j++)
        expect(Math.abs(network.coefs[0]!.data[j * 3 + k]! - softmax.coef.at(k, j))).toBeLessThan(1e-8);
  });

  it("without a hidden layer the activation does not matter, and the hypothesis is σ(θᵀx)", () => {
    const X = [
      [0, 1],
      [2, 3],
      [1, -1],
      [3, 0.5],
    ];
    const y = [0, 0, 1, 1];
    const [tanh, relu] = (["tanh", "relu"] as const).map((activation) =>
      new MLPClassifier({ ...params, activation, alpha: 0.1 }).fit(X, y),
    );
    expect(tanh!.coefs[0]!.data).toEqual(relu!.coefs[0]!.data);
    const [w, b] = [tanh!.coefs[0]!.data, tanh!.intercepts[0]![0]!];
    X.forEach((x, i) => {
      expect(tanh!.predictProba(X).at(i, 1)).toBeCloseTo(g(x[0]! * w[0]! + x[1]! * w[1]! + b), 12);
    });
  });
});
