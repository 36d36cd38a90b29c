import { describe, expect, it } from "vitest";
import { drawn, expectGradients, runLayer, runNetwork, thetaOf } from "../../../test/support/layer-runs.js";
import { apart } from "../../../test/support/random-rows.js";
import type { NdArray } from "../autodiff/arrays.js";
import type { Layer } from "../network/layer.js";
import { Network } from "../network/network.js";
import { activation } from "./activation.js";
import { sequential } from "./composition.js";
import { type Conv2dOptions, conv2d } from "./convolution.js";
import { dense } from "./dense.js";
import { averagePool2d, globalAveragePool, globalMaxPool, maxPool2d } from "./pooling.js";
import { flatten, reshapeTo } from "./reshaping.js";

const image = (...shape: number[]) => drawn(shape, 3);
const outputOf = (layer: Layer, ...input: number[]) => new Network("fit", layer, input).output;

/** The definition of a convolution, loop by loop, with the same number of zeros on every side. */
function convolutionTwin(
  x: NdArray,
  filters: Float64Array,
  bias: Float64Array,
  size: number,
  { stride = 1, padding = 0, groups = 1 }: { stride?: number; padding?: number; groups?: number },
): number[] {
  const [n, height, width, channels] = x.shape as [number, number, number, number];
  const depth = channels / groups;
  const k = bias.length;
  const rows = (height + 2 * padding - size) / stride + 1;
  const cols = (width + 2 * padding - size) / stride + 1;
  const at = (e: number, r: number, c: number, channel: number) =>
    r < 0 || r >= height || c < 0 || c >= width
      ? 0
      : x.data[((e * height + r) * width + c) * channels + channel]!;
  const out: number[] = [];
  for (let e = 0; e < n; e++)
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < cols; c++)
        for (let f = 0; f < k; f++) {
          const group = Math.floor(f / (k / groups));
          let sum = bias[f]!;
          for (let i = 0; i < size; i++)
            for (let j = 0; j < size; j++)
              for (let channel = 0; channel < depth; channel++)
                sum +=
                  at(e, r * stride + i - padding, c * stride + j - padding, group * depth + channel) *
                  filters[((i * size + j) * depth + channel) * k + f]!;
          out.push(sum);
        }
  return out;
}

describe("conv2d", () => {
  const cases: readonly (readonly [string, Conv2dOptions])[] = [
    ["alone", {}],
    ["with stride", { stride: 2 }],
    ["with padding and relu", { padding: 1, activation: "relu" }],
    ["with tanh", { activation: "tanh" }],
    ["with gelu and padding that keeps the size", { activation: "gelu", padding: "same" }],
    ["with a sigmoid of its own constants", { activation: { name: "sigmoid", a: 2, c: 0.1 } }],
    ["with softmax over the filters", { activation: "softmax" }],
    ["in groups without bias", { groups: 2, bias: false }],
  ];
  for (const [name, options] of cases)
    it(`${name}: gradients are central differences`, () =>
      expectGradients(conv2d(4, 3, options), image(2, 5, 5, 2)));

  for (const size of [1, 2, 3, 5])
    it(`${size} × ${size}: is the definition, loop by loop, with every stride, padding, groups and number of filters`, () => {
      const x = image(2, 5, 7, 4);
      let compared = 0;
      for (const stride of [1, 2, 3])
        for (const padding of [0, 1, 2])
          for (const groups of [1, 2, 4])
            for (const k of [4, 8]) {
              const fits = [5, 7].every(
                (n) => n + 2 * padding >= size && (n + 2 * padding - size) % stride === 0,
              );
              if (!fits) continue;
              const options = { stride, padding, groups };
              const network = new Network("test", conv2d(k, size, options), [5, 7, 4]);
              const filters = drawn([network.parameters[0]!.length], 8).data as Float64Array;
              const bias = drawn([k], 9).data as Float64Array;
              const { output } = runNetwork(network, x, { theta: thetaOf(network, filters, bias) });
              // Sums of at most 100 products of size 1.
              const twin = convolutionTwin(x, filters, bias, size, options);
              expect(apart(output.data, twin), `${stride}, ${padding}, ${groups}`).toBeLessThan(1e-12);
              compared++;
            }
      expect(compared).toBeGreaterThanOrEqual(18);
    });

  it("one pixel with padding and a stride that leave as many positions: values and gradients", () => {
    const options = { stride: 2, padding: 1, bias: false } as const;
    const network = new Network("test", conv2d(1, 1, options), [3, 3, 1]);
    const x = { shape: [1, 3, 3, 1], data: Float64Array.from({ length: 9 }, (_, e) => e + 1) };
    const { output } = runNetwork(network, x, { theta: thetaOf(network, [1]) });
    expect(Array.from(output.data)).toEqual([0, 0, 0, 0, 5, 0, 0, 0, 0]);
    for (const k of [1, 4]) expectGradients(conv2d(k, 1, options), image(2, 3, 3, 2));
  });

  it("has (N − F)/stride + 1 positions: 7 × 7 with 3 × 3 gives 5 and 3, and does not fit with stride 3", () => {
    expect(outputOf(conv2d(2, 3), 7, 7, 1)).toEqual([5, 5, 2]);
    expect(outputOf(conv2d(2, 3, { stride: 2 }), 7, 7, 1)).toEqual([3, 3, 2]);
    expect(() => outputOf(sequential(conv2d(2, 3, { stride: 3 })), 7, 7, 1)).toThrow(
      "fit, layer 0: a window of 3 on 7 entries with stride 3 must be a whole number of positions, (N − F)/stride + 1, " +
        "got 4/3 + 1: it does not fit. What fits: stride 1, 2, 4, or images of 6 or 9 entries (padding adds some).",
    );
    expect(() => outputOf(conv2d(2, 9), 7, 7, 1)).toThrow("a window larger than the image");
    expect(outputOf(conv2d(2, 3, { stride: 3, padding: 1 }), 7, 7, 1)).toEqual([3, 3, 2]);
    expect(outputOf(conv2d(2, 3, { padding: "same" }), 7, 6, 1)).toEqual([7, 6, 2]);
  });

  it('has ⌈N/stride⌉ positions with "same", also where the stride is larger than the window', () => {
    const padding = "same" as const;
    const squares = [1, 3, 5, 13, 15, 17, 25, 27, 29];
    const sixBySix = { shape: [1, 6, 6, 1], data: Float64Array.from({ length: 36 }, (_, e) => e + 1) };
    for (const layer of [
      conv2d(1, 1, { stride: 2, padding, bias: false, start: [1] }),
      maxPool2d(1, { stride: 2, padding }),
      averagePool2d(1, { stride: 2, padding }),
    ]) {
      const network = new Network("test", layer, [6, 6, 1]);
      for (const dtype of ["float32", "float64"] as const) {
        const theta = thetaOf(network, ...network.parameters.map(() => [1]));
        expect(Array.from(runNetwork(network, sixBySix, { dtype, theta }).output.data)).toEqual(squares);
      }
    }
    // Windows at rows 0 and 4 of 7, without padding: rows 2, 3 and 6 are in none.
    expect(outputOf(averagePool2d(2, { stride: 4, padding }), 7, 10, 1)).toEqual([2, 3, 1]);
    for (const layer of [
      conv2d(3, 1, { stride: 2, padding }),
      conv2d(3, 2, { stride: 4, padding }),
      conv2d(4, 3, { stride: 4, padding }),
      averagePool2d(2, { stride: 4, padding }),
      maxPool2d(1, { stride: 3, padding }),
    ])
      expectGradients(layer, image(2, 7, 6, 2));
  });

  it("has F·F·C·K + K parameters, divided by the groups", () => {
    const count = (layer: Layer) => new Network("fit", layer, [8, 8, 4]).parameterCount;
    expect(count(conv2d(6, 3))).toBe(9 * 4 * 6 + 6);
    expect(count(conv2d(6, 3, { groups: 2 }))).toBe(9 * 2 * 6 + 6);
    expect(count(conv2d(6, 1, { bias: false }))).toBe(24);
  });

  it("starts from given filters and biases", () => {
    const layer = conv2d(1, 1, { start: [[[[2]]]], biasStart: [1] });
    const network = new Network("test", layer, [2, 2, 1]);
    const x = { shape: [1, 2, 2, 1], data: Float64Array.of(1, 2, 3, 4) };
    const theta = thetaOf(network, [2], [1]);
    expect(Array.from(runNetwork(network, x, { theta }).output.data)).toEqual([3, 5, 7, 9]);
    expect(() => new Network("fit", conv2d(2, 1, { start: [1, 2, 3] }), [2, 2, 1])).toThrow(
      "fit: the start of filters must be 1 × 1 × 1 × 2, got 3.",
    );
  });

  it("names what it cannot use", () => {
    expect(() => conv2d(0, 3)).toThrow("conv2d: filters must be an integer ≥ 1, got 0.");
    expect(() => conv2d(2, 3, { strides: 2 } as never)).toThrow("Did you mean stride?");
    expect(() => conv2d(2, 3, { padding: "full" as never })).toThrow(
      'conv2d: padding must be "valid" or "same", or an integer ≥ 0, got "full".',
    );
    expect(() => outputOf(conv2d(2, 3), 49)).toThrow(
      "fit: the input must be images: height × width × channels, got 49. Rows of numbers become images by reshapeTo(",
    );
    expect(() => outputOf(conv2d(3, 3, { groups: 2 }), 7, 7, 2)).toThrow(
      "fit: groups must be a divisor of the 2 channels and of the 3 filters, got 2.",
    );
  });

  it("predicts with step functions, and is not trained through them", () => {
    const network = new Network("fit", conv2d(2, 3, { activation: "heaviside" }), [5, 5, 1]);
    expect(() => network.requireTrainable("fit")).toThrow(
      "heaviside, whose derivative is 0 or does not exist",
    );
    const { output } = runNetwork(network, image(1, 5, 5, 1));
    expect(output.data.every((value) => value === 0 || value === 1)).toBe(true);
  });
});

describe("pooling", () => {
  const layers: readonly (readonly [string, Layer])[] = [
    ["maxPool2d", maxPool2d(2)],
    ["maxPool2d with overlap", maxPool2d(2, { stride: 1 })],
    ["averagePool2d", averagePool2d(2)],
    ["averagePool2d with padding", averagePool2d(3, { stride: 1, padding: 1 })],
    ["globalAveragePool", globalAveragePool()],
    ["globalMaxPool", globalMaxPool()],
  ];
  for (const [name, layer] of layers)
    it(`${name}: gradients are central differences`, () => expectGradients(layer, image(2, 4, 4, 3)));

  it("takes tokens × dimensions as well over all of them", () => {
    expectGradients(globalAveragePool(), image(2, 4, 3));
    expectGradients(globalMaxPool(), image(2, 4, 3));
    expect(() => outputOf(globalAveragePool(), 4)).toThrow("fit: the input must be images");
  });

  it("gives the largest entry or the mean of every window", () => {
    const x = { shape: [1, 2, 4, 1], data: Float64Array.of(1, 2, 3, 4, 5, 6, 7, -8) };
    expect(Array.from(runLayer(maxPool2d(2), x).output.data)).toEqual([6, 7]);
    expect(Array.from(runLayer(averagePool2d(2), x).output.data)).toEqual([3.5, 1.5]);
    expect(Array.from(runLayer(globalAveragePool(), x).output.data)).toEqual([2.5]);
    expect(Array.from(runLayer(globalMaxPool(), x).output.data)).toEqual([7]);
  });

  it("does not count padding", () => {
    const x = { shape: [1, 2, 2, 1], data: Float64Array.of(-1, -2, -3, -4) };
    const around = { stride: 1, padding: 1 } as const;
    expect(Array.from(runLayer(maxPool2d(2, around), x).output.data)).toEqual([
      -1, -1, -2, -1, -1, -2, -3, -3, -4,
    ]);
    expect(Array.from(runLayer(averagePool2d(2, around), x).output.data)).toEqual([
      -1, -1.5, -2, -2, -2.5, -3, -3, -3.5, -4,
    ]);
    expect(() => maxPool2d(2, { padding: 2 })).toThrow(
      "maxPool2d: padding must be at most half the window's size, 1, got 2.",
    );
  });

  it("fits a whole number of times or is an error", () => {
    expect(outputOf(maxPool2d(2), 6, 4, 3)).toEqual([3, 2, 3]);
    expect(() => outputOf(maxPool2d(2), 7, 7, 3)).toThrow("5/2 + 1: it does not fit");
  });
});

describe("flatten and reshapeTo", () => {
  it("pass values and gradients", () => {
    expectGradients(sequential(flatten(), dense(2)), image(2, 2, 3, 2));
    expectGradients(sequential(reshapeTo([3, -1]), dense(2)), image(2, 12));
    expect(outputOf(flatten(), 2, 3, 4)).toEqual([24]);
    expect(outputOf(reshapeTo([8, 8, 1]), 64)).toEqual([8, 8, 1]);
    expect(outputOf(reshapeTo([-1, 4]), 8)).toEqual([2, 4]);
  });

  it("refuse shapes of another size", () => {
    expect(() => outputOf(reshapeTo([5, 5, 1]), 24)).toThrow(
      "fit: shape must be of 24 entries, as the input (24) has, got 5 × 5 × 1.",
    );
    expect(() => reshapeTo([0, 2])).toThrow("reshapeTo: shape must be an array of sizes ≥ 1");
    expect(() => reshapeTo([-1, -1])).toThrow("reshapeTo: shape must be an array of sizes ≥ 1");
    expect(() => flatten({ axis: 1 } as never)).toThrow("flatten: every option must be absent");
  });
});

describe("a network of image layers", () => {
  const layer = sequential(
    reshapeTo([8, 8, 1]),
    conv2d(4, 3, { activation: "relu" }),
    maxPool2d(2),
    flatten(),
    dense(10),
    activation("softmax"),
  );

  it("prints its shapes and its parameters", () => {
    expect(new Network("fit", layer, [64]).toString().split("\n")).toEqual([
      "layer         output     parameters",
      "input         64",
      "0 reshapeTo   8 × 8 × 1           0",
      "1 conv2d      6 × 6 × 4          40",
      "2 maxPool2d   3 × 3 × 4           0",
      "3 flatten     36                  0",
      "4 dense       10                370",
      "5 activation  10                  0",
      "total                           410",
    ]);
  });

  it("has 12 + 3 = 15 weights with 4 inputs, 3 hidden neurons and 1 output without biases, as the lecture counts", () => {
    const lecture = sequential(dense(3, { bias: false, activation: "sigmoid" }), dense(1, { bias: false }));
    const { parameterCount, summaries } = new Network("fit", lecture, [4]);
    expect(summaries.map(({ parameters }) => parameters)).toEqual([12, 3]);
    expect(parameterCount).toBe(15);
  });

  it("gives finite numbers for constant images, in 32 bits too", () => {
    for (const value of [0, 1, 255])
      for (const dtype of ["float32", "float64"] as const) {
        const x = { shape: [1, 64], data: new Float64Array(64).fill(value) };
        const { output, gradient, inputGradient } = runLayer(layer, x, { dtype });
        for (const list of [output.data, gradient, inputGradient])
          for (const entry of list) expect(entry).toSatisfy(Number.isFinite);
      }
  });
});
