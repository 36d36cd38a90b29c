import { MLPClassifier, NeuralClassifier, Random, ViTClassifier } from "argmax";
import { loadDataset } from "argmax/datasets";
import {
  classToken,
  conv2d,
  dense,
  fixedNetwork,
  globalAveragePool,
  layerNorm,
  patchEmbedding,
  positionalEmbedding,
  sequential,
  takeToken,
  transformerBlock,
} from "argmax/neural";
import type { Tensor } from "argmax/neural/autodiff";
import { computationGraph, grad, matmul, square, sum, valueAndGrad } from "argmax/neural/autodiff";
import { describe, expect, it } from "vitest";
import { corners, xor } from "../support/corners.js";
import { affine, block, norm, type Part, type Tokens } from "../support/transformer-by-hand.js";

const W = [
  [0.1, 0.5],
  [-0.3, 0.8],
];
const x = [0.2, 0.4];
const f = (w: Tensor, v: Tensor) => sum(square(matmul(w, v)));
const rounded = (values: ArrayLike<number>) => Array.from(values, (value) => Number(value.toFixed(12)));

describe("B9: the chain rule on vectors and matrices", () => {
  it("f = ‖W·x‖²: the note's value and gradients", () => {
    const { value, gradients } = valueAndGrad(f, { dtype: "float64" })(W, x);
    expect(value).toBeCloseTo(0.116, 12);
    expect(rounded(gradients[0].data)).toEqual([0.088, 0.176, 0.104, 0.208]);
    expect(rounded(gradients[1].data)).toEqual([-0.112, 0.636]);
  });

  it("its graph has q = W·x = [0.22, 0.26] with the gradient 2q", () => {
    const { nodes } = computationGraph(f, { names: ["W", "x"], dtype: "float64" })(W, x);
    const q = nodes.find(({ op }) => op === "matmul")!;
    expect(rounded(q.value.data)).toEqual([0.22, 0.26]);
    expect(rounded(q.gradient!.data)).toEqual([0.44, 0.52]);
  });
});

describe("X21: the gradient has the shape of its variable", () => {
  it("for W and for x", () => {
    const gradients = grad(f)(W, x);
    expect(gradients.map(({ shape }) => shape)).toEqual([[2, 2], [2]]);
  });
});

describe("B10: convolution has (N − F)/stride + 1 positions", () => {
  const sizes = (stride: number) =>
    fixedNetwork({ layers: conv2d(1, 3, { stride }), inputShape: [7, 7, 1] }).outputShape;

  it("7 × 7 with F = 3: stride 1 gives 5, stride 2 gives 3, stride 3 does not fit", () => {
    expect(sizes(1)).toEqual([5, 5, 1]);
    expect(sizes(2)).toEqual([3, 3, 1]);
    expect(() => sizes(3)).toThrow(
      /4\/3 \+ 1: it does not fit. What fits: stride 1, 2, 4, or images of 6 or 9/,
    );
  });
});

describe("Y8: the values of a convolution", () => {
  // Pixel (r, c) of 7 × 7 is 7r + c: a window's sum of nine is 9 times its middle.
  const image = Array.from({ length: 49 }, (_, e) => e);
  const ones = Array.from({ length: 3 }, () => Array.from({ length: 3 }, () => [[1]]));
  const values = (stride: number, filter: typeof ones = ones) =>
    fixedNetwork({ layers: conv2d(1, 3, { stride, start: filter }), inputShape: [7, 7, 1] }).outputs([image])
      .data;

  it("3 × 3 ones: 72 at the first window, nine times the middle at every other", () => {
    const expected = [1, 2, 3, 4, 5].flatMap((r) => [1, 2, 3, 4, 5].map((c) => 9 * (7 * r + c)));
    expect(Array.from(values(1))).toEqual(expected);
    expect(expected[0]).toBe(72);
  });

  it("stride 2: every second window, 216 in the centre", () => {
    expect(Array.from(values(2))).toEqual([72, 90, 108, 198, 216, 234, 324, 342, 360]);
  });

  it("the filter is not turned: a 1 in its upper right corner reads the pixel there", () => {
    const corner = ones.map((row, r) => row.map((_, c) => [[r === 0 && c === 2 ? 1 : 0]]));
    expect(values(1, corner)[0]).toBe(2);
  });
});

describe("Y6: w = 0 is a fine start for logistic regression, not for a network", () => {
  const params = {
    hiddenLayerSizes: [3],
    activation: "tanh",
    solver: "sgd",
    learningRateInit: 0.5,
    momentum: 0.9,
    batchSize: 4,
    maxIter: 2000,
    tol: 0,
    alpha: 0,
    dtype: "float64",
  } as const;
  const zeros = (rows: number, cols: number) =>
    Array.from({ length: rows }, () => new Array<number>(cols).fill(0));

  it("from zero weights a 2–3–1 network stays symmetric: its hidden neurons are one, and XOR is not learned", () => {
    const start = { coefs: [zeros(2, 3), zeros(3, 1)], intercepts: [[0, 0, 0], [0]] };
    const model = new MLPClassifier({ ...params, nIterNoChange: 2000 }).fit(corners, xor, { start });
    for (const { data, shape } of model.coefs)
      for (let e = 0; e < data.length; e++) expect(data[e]).toBe(data[shape[1] === 3 ? e - (e % 3) : 0]);
    expect(model.score(corners, xor)).toBeLessThan(1);
  });

  it("a symmetric start that is not 0 moves, and stays symmetric all the same", () => {
    const start = {
      coefs: [
        [
          [0.5, 0.5, 0.5],
          [-0.4, -0.4, -0.4],
        ],
        [[0.3], [0.3], [0.3]],
      ],
      intercepts: [[0.1, 0.1, 0.1], [0]],
    };
    const model = new MLPClassifier({ ...params, nIterNoChange: 2000 }).fit(corners, xor, { start });
    const [first, second] = model.coefs;
    expect(Math.abs(first!.data[0]! - 0.5)).toBeGreaterThan(0.1);
    for (const k of [1, 2]) {
      expect(first!.data[k]).toBe(first!.data[0]);
      expect(second!.data[k]).toBe(second!.data[0]);
    }
    expect(model.score(corners, xor)).toBeLessThan(1);
  });

  it("from random weights it learns XOR", () => {
    const model = new MLPClassifier({ ...params, nIterNoChange: 2000, randomState: 1 }).fit(corners, xor);
    expect(model.score(corners, xor)).toBe(1);
  });

  it("logistic regression from w = 0 is as good as from anywhere: its loss is convex", () => {
    const and = [0, 0, 0, 1];
    const linear = { ...params, hiddenLayerSizes: [], maxIter: 5000, nIterNoChange: 5000, alpha: 0.1 };
    const from = (w: number) =>
      new MLPClassifier(linear).fit(corners, and, { start: { coefs: [[[w], [-w]]], intercepts: [[w]] } });
    const [zero, away] = [from(0), from(2)];
    zero.coefs[0]!.data.forEach((w, j) => {
      expect(away.coefs[0]!.data[j]).toBeCloseTo(w, 8);
    });
    expect(zero.score(corners, and)).toBe(1);
  });
});

/** A network of float64 around one block, a few epochs trained so that no gain, shift or bias is what it started as. */
function trainedBlock() {
  const random = new Random(11);
  const X = Array.from({ length: 12 }, () => Array.from({ length: 5 * 4 }, () => random.normal()));
  const model = new NeuralClassifier({
    layers: [transformerBlock(2, { hidden: 6 }), globalAveragePool(), dense(2)],
    inputShape: [5, 4],
    dtype: "float64",
    optimizer: "adam",
    maxIter: 30,
  }).fit(
    X,
    X.map((row) => (row[0]! > 0 ? "a" : "b")),
  );
  const tokens = (row: readonly number[]): Tokens =>
    Array.from({ length: 5 }, (_, t) => row.slice(4 * t, 4 * t + 4));
  return { model, X, tokens };
}

/** The largest difference of two lists. */
const apart = (a: ArrayLike<number>, b: readonly number[]) =>
  Math.max(...b.map((v, e) => Math.abs(v - a[e]!)));

const parts = ["scale", "attention", "first norm", "second norm", "feed-forward", "residual"] as const;

describe("B11: attention and feed-forward blocks, the Vision Transformer", () => {
  it("an image of 224 × 224 in patches of 16 × 16 is a sentence of 196 words", () => {
    const network = fixedNetwork({
      layers: sequential(patchEmbedding(16, 48), transformerBlock(4, { hidden: 96 })),
      inputShape: [224, 224, 3],
    });
    expect(network.outputShape).toEqual([196, 48]);
  });

  it("a block is x + attention(norm x), then x + feed-forward(norm x), number by number", () => {
    const { model, X, tokens } = trainedBlock();
    const { data } = model.activations(X).get("0")!;
    for (const [i, row] of X.entries()) {
      const byHand = block(tokens(row), model.weights, "0", 2).flat();
      // Sums of at most 24 products near 1.
      expect(apart(data.subarray(20 * i, 20 * (i + 1)), byHand)).toBeLessThan(1e-12);
    }
  });

  it.each(parts)("and no part of it can be left out: %s", (without: Part) => {
    const { model, X, tokens } = trainedBlock();
    const { data } = model.activations(X).get("0")!;
    expect(
      apart(data.subarray(0, 20), block(tokens(X[0]!), model.weights, "0", 2, without).flat()),
    ).toBeGreaterThan(1e-3);
  });

  // The defaults were chosen by cross-validation on the other three quarters.
  it("trains on images of digits: ≥ 96 % of a held-out quarter", async () => {
    const { X, y } = await loadDataset("digits");
    const held = (wanted: boolean) => Int32Array.from(y.keys()).filter((i) => (i % 4 === 3) === wanted);
    const [train, test] = [held(false), held(true)];
    const pick = (rows: Int32Array) => Array.from(rows, (i) => y[i]!);
    const model = new ViTClassifier().fit(X.selectRows(train), pick(train));
    expect(model.score(X.selectRows(test), pick(test))).toBeGreaterThanOrEqual(0.96);
    const maps = model.activations(X.selectRows(Int32Array.of(test[0]!)));
    const attention = [...maps].find(([name]) => name.endsWith("/attention"))![1];
    // One image × heads × words × words; every word distributes an attention of 1.
    expect(attention.shape).toHaveLength(4);
    const words = attention.shape.at(-1)!;
    expect(attention.data.slice(0, words).reduce((total, value) => total + value)).toBeCloseTo(1, 5);
    // Ten seconds of one processor, which other tests share.
  }, 120_000);
});

describe("Y2: the Vision Transformer of the paper: class token, positions, pre-norm blocks", () => {
  it("ViT-B/16 has 86,567,656 parameters, 7,087,872 in a block", () => {
    // Counted from the description: no weight is drawn.
    const network = fixedNetwork({
      layers: [
        patchEmbedding(16, 768),
        classToken(),
        positionalEmbedding(),
        ...Array.from({ length: 12 }, () => transformerBlock(12, { hidden: 3072 })),
        layerNorm(),
        takeToken(0),
        dense(1000),
      ],
      inputShape: [224, 224, 3],
    });
    expect(network.parameterCount).toBe(86_567_656);
    const counts = network.parameterCounts;
    for (let e = 3; e < 15; e++) expect(counts.get(String(e))).toBe(7_087_872);
    expect([0, 1, 2, 15, 17].map((e) => counts.get(String(e)))).toEqual([
      590_592,
      768,
      197 * 768,
      1536,
      769_000,
    ]);
    expect(network.outputShape).toEqual([1000]);
  });

  const random = new Random(2);
  const rows = 12;
  const X = {
    data: Float32Array.from({ length: rows * 16 }, () => random.below(17)),
    rows,
    height: 4,
    width: 4,
    channels: 1,
  };
  const y = Array.from({ length: rows }, (_, i) => "abc"[i % 3]!);
  const params = { patchSize: 2, dimensions: 4, heads: 2, depth: 2, feedForwardSize: 6, dropout: 0 };
  const model = new ViTClassifier({ ...params, pooling: "classToken", dtype: "float64", maxIter: 10 }).fit(
    X,
    y,
  );
  const { weights } = model;
  const tokensOf = (name: string): number[][] => {
    const { data } = weights.get(name)!;
    return Array.from({ length: data.length / 4 }, (_, t) => Array.from(data.subarray(4 * t, 4 * t + 4)));
  };

  /** The probabilities of an image with plain loops; `without` one of the parts. */
  function byHand(i: number, without?: Part | "class token" | "positions" | "last norm"): number[] {
    const largest = Math.max(...X.data);
    const pixel = (r: number, c: number) => (0.1 * X.data[16 * i + 4 * r + c]!) / largest;
    const patches = [0, 1, 2, 3].map((p) =>
      [0, 1, 2, 3].map((q) => pixel(2 * (p >> 1) + (q >> 1), 2 * (p % 2) + (q % 2))),
    );
    const [token] = tokensOf("2.token");
    let x: Tokens = [
      without === "class token" ? [0, 0, 0, 0] : token!,
      ...affine(patches, weights, "1.filters", "1.bias"),
    ];
    const positions = tokensOf("3.positions");
    if (without !== "positions") x = x.map((row, t) => row.map((v, j) => v + positions[t]![j]!));
    for (const path of ["4", "5"]) x = block(x, weights, path, 2, without as Part);
    if (without !== "last norm") x = norm(x, weights, "6");
    const [z] = affine([x[0]!], weights, "8.weights", "8.bias");
    const powers = z!.map((v) => Math.exp(v));
    return powers.map((p) => p / powers.reduce((a, b) => a + b, 0));
  }

  it("image → patches, class token, positions, blocks, norm, its first token → softmax, number by number", () => {
    const p = model.predictProba(X);
    for (let i = 0; i < rows; i++) expect(apart(p.row(i), byHand(i))).toBeLessThan(1e-12);
    const counts = 5 * 4 + 4 + 5 * 4 + 2 * (4 * 4 + 4 * (4 * 4 + 4) + 4 * 6 + 6 + 6 * 4 + 4) + 8 + 15;
    expect(model.parameterCount).toBe(counts);
  });

  it.each([...parts, "class token", "positions", "last norm"] as const)(
    "every part changes the answer: %s",
    (without) => {
      const p = model.predictProba(X);
      const differences = Array.from({ length: rows }, (_, i) => apart(p.row(i), byHand(i, without)));
      // Ten epochs have trained every part a little: five digits above rounding are enough to see it.
      expect(Math.max(...differences)).toBeGreaterThan(1e-7);
    },
  );
});
