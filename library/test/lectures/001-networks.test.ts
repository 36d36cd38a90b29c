import { ViTClassifier } from "argmax";
import { loadDataset } from "argmax/datasets";
import { conv2d, fixedNetwork, patchEmbedding, sequential, transformerBlock } from "argmax/neural";
import {
  computationGraph,
  grad,
  matmul,
  square,
  sum,
  type Tensor,
  valueAndGrad,
} from "argmax/neural/autodiff";
import { describe, expect, it } from "vitest";

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

describe("B11: attention and feed-forward blocks, the Vision Transformer", () => {
  it("an image of 224 × 224 in patches of 16 × 16 is a sentence of 196 words", () => {
    const network = fixedNetwork({
      layers: sequential(patchEmbedding(16, 48), transformerBlock(4, { hidden: 96 })),
      inputShape: [224, 224, 3],
    });
    expect(network.outputShape).toEqual([196, 48]);
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
