import { describe, expect, it } from "vitest";
import { drawn, expectGradients, runLayer, runNetwork } from "../../../test/support/layer-runs.js";
import { apart } from "../../../test/support/random-rows.js";
import { Random } from "../../core/numbers/random.js";
import type { NdArray } from "../autodiff/arrays.js";
import type { Layer } from "../network/layer.js";
import { Network } from "../network/network.js";
import { multiHeadAttention } from "./attention.js";
import { sequential } from "./composition.js";
import { dense } from "./dense.js";
import { globalAveragePool } from "./pooling.js";
import { embedding } from "./tokens.js";
import { feedForward, transformerBlock } from "./transformer.js";

type Rows = readonly (readonly number[])[];
const rowsOf = (data: ArrayLike<number>, from: number, rows: number, cols: number): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: cols }, (_, j) => data[from + i * cols + j]!));
const product = (a: Rows, b: Rows): number[][] =>
  a.map((row) => b[0]!.map((_, j) => row.reduce((sum, value, k) => sum + value * b[k]![j]!, 0)));
const transposed = (a: Rows): number[][] => a[0]!.map((_, j) => a.map((row) => row[j]!));
const softmaxRow = (row: readonly number[]): number[] => {
  const top = Math.max(...row);
  const powers = row.map((value) => Math.exp(value - top));
  const total = powers.reduce((sum, value) => sum + value, 0);
  return powers.map((value) => value / total);
};

/** Attention of one example by the definition, head by head. */
function attentionTwin(
  x: Rows,
  matrix: (name: string) => Rows,
  bias: (name: string) => readonly number[],
  heads: number,
  allowed: (i: number, j: number) => boolean,
): { y: number[][]; weights: number[][][] } {
  const project = (name: string, rows: Rows) =>
    product(rows, matrix(name)).map((row) => row.map((value, j) => value + bias(`${name}Bias`)[j]!));
  const [q, k, v] = [project("query", x), project("key", x), project("value", x)];
  const d = x[0]!.length / heads;
  const weights: number[][][] = [];
  const mixed: number[][] = x.map(() => []);
  for (let head = 0; head < heads; head++) {
    const own = (rows: Rows) => rows.map((row) => row.slice(head * d, (head + 1) * d));
    const scores = product(own(q), transposed(own(k))).map((row, i) =>
      softmaxRow(row.map((value, j) => (allowed(i, j) ? value / Math.sqrt(d) : -Infinity))),
    );
    weights.push(scores);
    for (const [i, row] of product(scores, own(v)).entries()) mixed[i]!.push(...row);
  }
  return { y: project("output", mixed), weights };
}

const everything = () => true;
const earlier = (i: number, j: number) => j <= i;

describe("multiHeadAttention", () => {
  it("has gradients that are central differences", () => {
    expectGradients(multiHeadAttention(2), drawn([2, 3, 4]));
    expectGradients(multiHeadAttention(1, { causal: true, bias: false }), drawn([2, 3, 4]));
  });

  it("is the definition, head by head, with and without a causal mask", () => {
    for (const causal of [false, true]) {
      const [n, t, d, heads] = [2, 5, 6, 3];
      const network = new Network("test", sequential(multiHeadAttention(heads, { causal })), [t, d]);
      const theta = network.start(new Random(3)).map((value, e) => value + 0.1 * Math.sin(e));
      const x = drawn([n, t, d]);
      const { output, observed } = runNetwork(network, x, { theta });
      const place = (name: string) => network.parameters.find((own) => own.name === `0.${name}`)!;
      const matrix = (name: string) => rowsOf(theta, place(name).offset, d, d);
      const bias = (name: string) => rowsOf(theta, place(name).offset, 1, d)[0]!;
      const twins = [0, 1].map((i) =>
        attentionTwin(rowsOf(x.data, i * t * d, t, d), matrix, bias, heads, causal ? earlier : everything),
      );
      // Sums of some ten numbers of size 1.
      expect(
        apart(
          output.data,
          twins.flatMap(({ y }) => y.flat()),
        ),
      ).toBeLessThan(1e-13);
      const seen = observed.get("0/attention")!;
      expect(seen.shape).toEqual([n, heads, t, t]);
      expect(
        apart(
          seen.data,
          twins.flatMap(({ weights }) => weights.flat(2)),
        ),
      ).toBeLessThan(1e-14);
    }
  });

  it("has 4·D² + 4·D parameters, without biases 4·D²", () => {
    expect(new Network("fit", multiHeadAttention(2), [5, 8]).parameterCount).toBe(4 * 64 + 32);
    expect(new Network("fit", multiHeadAttention(2, { bias: false }), [5, 8]).parameterCount).toBe(256);
  });

  it("asks for a number of heads that divides the dimensions", () => {
    expect(() => new Network("fit", multiHeadAttention(4), [5, 10])).toThrow(
      "fit: heads must be a divisor of the 10 dimensions (1, 2, 5, 10), got 4.",
    );
    expect(() => new Network("fit", multiHeadAttention(2), [10])).toThrow(
      "fit: the input must be tokens × dimensions, got 10.",
    );
    expect(() => multiHeadAttention(0)).toThrow("multiHeadAttention: heads must be an integer ≥ 1, got 0.");
  });

  it("causal: later tokens change nothing", () => {
    for (const layer of [multiHeadAttention(2, { causal: true }), transformerBlock(2, { causal: true })]) {
      const x = drawn([1, 5, 4]);
      const changed = {
        ...x,
        data: Float64Array.from(x.data, (value, e) => (e < 3 * 4 ? value : -9 * value)),
      };
      const [before, after] = [x, changed].map((given) => runLayer(layer, given).output.data.subarray(0, 12));
      expect(after).toEqual(before);
    }
  });
});

const textNetwork = (layer: Layer, tokens: number) =>
  new Network("test", sequential(embedding(7, 4, { padding: 0 }), layer, globalAveragePool()), [tokens]);
const text = (tokens: readonly (readonly number[])[]): NdArray => ({
  shape: [tokens.length, tokens[0]!.length],
  data: Float64Array.from(tokens.flat()),
});

describe("padding", () => {
  it("changes nothing, however much there is", () => {
    const block = transformerBlock(2, { hidden: 5 });
    const short = textNetwork(block, 3);
    const long = textNetwork(block, 6);
    const theta = short.start(new Random(2));
    for (const dtype of ["float32", "float64"] as const) {
      const a = runNetwork(short, text([[3, 1, 5]]), { theta, dtype }).output.data;
      const b = runNetwork(long, text([[3, 1, 5, 0, 0, 0]]), { theta, dtype }).output.data;
      // Sums of the same numbers and zeros, perhaps in another order.
      expect(apart(a, b)).toBeLessThan(dtype === "float32" ? 1e-6 : 1e-14);
    }
  });

  it("gets no gradient for its vector", () => {
    const network = textNetwork(multiHeadAttention(2), 4);
    const { gradient } = runNetwork(network, text([[3, 1, 0, 0]]));
    const { offset } = network.parameters[0]!;
    expect(Array.from(gradient.subarray(offset, offset + 4))).toEqual([0, 0, 0, 0]);
    expect(gradient.subarray(offset + 4, offset + 8).some((value) => value !== 0)).toBe(true);
  });

  it("gives finite numbers for texts of nothing else, causal or not, in 32 and 64 bits", () => {
    for (const causal of [false, true])
      for (const dtype of ["float32", "float64"] as const) {
        const network = textNetwork(transformerBlock(2, { causal }), 4);
        const run = runNetwork(
          network,
          text([
            [0, 0, 0, 0],
            [0, 0, 3, 1],
          ]),
          { dtype },
        );
        for (const list of [run.output.data, run.gradient])
          expect(Array.from(list).every(Number.isFinite)).toBe(true);
      }
  });

  it("before a text does not let causal attention see what comes later", () => {
    const layer = sequential(embedding(7, 4, { padding: 0 }), multiHeadAttention(2, { causal: true }));
    const network = new Network("test", layer, [4]);
    const [a, b] = [
      [0, 0, 3, 1],
      [0, 0, 3, 6],
    ].map((row) => runNetwork(network, text([row])).output.data.subarray(0, 12));
    expect(b).toEqual(a);
  });
});

describe("feedForward and transformerBlock", () => {
  it("have gradients that are central differences", () => {
    expectGradients(feedForward(5), drawn([2, 3, 4]));
    expectGradients(feedForward(5, { activation: "tanh" }), drawn([3, 4]));
    expectGradients(transformerBlock(2, { hidden: 5 }), drawn([2, 3, 4]));
    const dropped = transformerBlock(2, { hidden: 3, dropout: 0.3, causal: true, activation: "tanh" });
    expectGradients(dropped, drawn([1, 3, 4]), { training: 4 });
  });

  it("has four hidden units per dimension unless given, and names its parts", () => {
    const network = new Network("fit", sequential(transformerBlock(2)), [5, 8]);
    expect(network.toString().split("\n")).toEqual([
      "layer                     output  parameters",
      "input                     5 × 8",
      "0 transformerBlock        5 × 8          872",
      "  attention residual      5 × 8          304",
      "    0 layerNorm           5 × 8           16",
      "    1 multiHeadAttention  5 × 8          288",
      "  feedForward residual    5 × 8          568",
      "    0 layerNorm           5 × 8           16",
      "    1 feedForward         5 × 8          552",
      "      hidden dense        5 × 32         288",
      "      output dense        5 × 8          264",
      "total                                    872",
    ]);
    const { observed } = runNetwork(network, drawn([2, 5, 8]));
    expect(observed.get("0.attention.1/attention")!.shape).toEqual([2, 2, 5, 5]);
  });

  it("predicts without dropout", () => {
    const x = drawn([2, 3, 4]);
    const [a, b] = [0, 0.5].map((dropout) => runLayer(transformerBlock(2, { dropout }), x).output.data);
    expect(b).toEqual(a);
  });

  it("refuses unknown options", () => {
    expect(() => transformerBlock(2, { dropOut: 0.1 } as never)).toThrow("Did you mean dropout?");
    expect(() => transformerBlock(2, { activation: "swish" as never })).toThrow(
      "transformerBlock: activation",
    );
    expect(() => feedForward(2.5)).toThrow("feedForward: hidden must be an integer ≥ 1, got 2.5.");
  });

  it("is a layer like others", () => {
    expectGradients(sequential(dense(4), transformerBlock(1, { hidden: 2 }), dense(2)), drawn([2, 2, 3]));
  });
});
