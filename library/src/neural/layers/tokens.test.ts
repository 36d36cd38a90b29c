import { describe, expect, it } from "vitest";
import {
  drawn,
  drawnTokens,
  expectGradients,
  runLayer,
  runNetwork,
  thetaOf,
} from "../../../test/support/layer-runs.js";
import { apart } from "../../../test/support/random-rows.js";
import { Network } from "../network/network.js";
import { sequential } from "./composition.js";
import { dense } from "./dense.js";
import { globalAveragePool, globalMaxPool } from "./pooling.js";
import {
  classToken,
  embedding,
  patchEmbedding,
  positionalEmbedding,
  positionalEncoding,
  takeToken,
} from "./tokens.js";

const text = (...rows: readonly (readonly number[])[]) => ({
  shape: [rows.length, rows[0]!.length],
  data: Float64Array.from(rows.flat()),
});

describe("embedding", () => {
  it("gives the vector of every token, and gradients that are central differences", () => {
    const network = new Network("fit", embedding(3, 2), [4]);
    const theta = thetaOf(network, [1, 2, 3, 4, 5, 6]);
    const { output } = runNetwork(network, text([2, 0, 1, 2]), { theta });
    expect(output.shape).toEqual([1, 4, 2]);
    expect(Array.from(output.data)).toEqual([5, 6, 1, 2, 3, 4, 5, 6]);
    expectGradients(embedding(5, 3), drawnTokens([2, 4], 5), { tokens: true });
  });

  it("names a token that it does not have", () => {
    const layer = sequential(embedding(5, 2));
    const expected = (row: number[]) => () => runLayer(layer, text([0, 1, 2, 3], row));
    expect(expected([0, 1, 2, 5])).toThrow(
      "test, layer 0: token 3 of a row must be a whole number from 0 to 4, as the vocabulary has 5 tokens, got 5.",
    );
    expect(expected([0, 1.5, 2, 3])).toThrow("token 1 of a row must be a whole number from 0 to 4");
    expect(expected([-1, 1, 2, 3])).toThrow("got -1.");
  });

  it("refuses what it cannot be", () => {
    expect(() => embedding(0, 2)).toThrow(
      "embedding: vocabulary must be an integer ≥ 1 and ≤ 16777216, got 0.",
    );
    expect(() => embedding(5, 2, { padding: 5 })).toThrow(
      "embedding: padding must be a token of the vocabulary, from 0 to 4, got 5.",
    );
    expect(() => new Network("fit", embedding(5, 2), [4, 2])).toThrow(
      "fit: the input must be one token number per position, got 4 × 2.",
    );
  });

  it("starts from given vectors, which training may leave alone", () => {
    const layer = embedding(2, 2, {
      start: [
        [1, 2],
        [3, 4],
      ],
      trainable: false,
    });
    const network = new Network("fit", layer, [3]);
    expect(network.parameters[0]!.trainable).toBe(false);
    expect(network.parameters[0]!.start).toMatchObject({ kind: "given", values: [1, 2, 3, 4] });
  });
});

describe("pooling of padded texts", () => {
  const vectors = [1, 2, 30, -40, 5, 6, -7, -8];
  const pooled = (layer: ReturnType<typeof globalMaxPool>, row: readonly number[]) => {
    const network = new Network("fit", sequential(embedding(4, 2, { padding: 1 }), layer), [row.length]);
    return Array.from(runNetwork(network, text(row), { theta: thetaOf(network, vectors) }).output.data);
  };

  it("counts real tokens only", () => {
    expect(pooled(globalAveragePool(), [0, 2, 1, 1])).toEqual([3, 4]);
    expect(pooled(globalMaxPool(), [3, 3, 1, 1])).toEqual([-7, -8]);
  });

  it("gives finite numbers for nothing but padding", () => {
    expect(pooled(globalAveragePool(), [1, 1])).toEqual([0, 0]);
    expect(pooled(globalMaxPool(), [1, 1])).toEqual([30, -40]);
  });

  it("has gradients that are central differences", () => {
    const padded = text([0, 2, 1, 1], [3, 1, 1, 1]);
    for (const pool of [globalAveragePool(), globalMaxPool()])
      expectGradients(sequential(embedding(4, 2, { padding: 1 }), pool), padded, { tokens: true });
  });
});

describe("positions", () => {
  it("are sines and cosines of falling frequencies", () => {
    const zero = { shape: [1, 3, 5], data: new Float64Array(15) };
    const { data } = runLayer(positionalEncoding(), zero).output;
    const twin = Array.from({ length: 15 }, (_, e) => {
      const [t, j] = [Math.floor(e / 5), e % 5];
      const angle = t / 10000 ** ((2 * Math.floor(j / 2)) / 5);
      return j % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    });
    expect(apart(data, twin)).toBeLessThan(1e-15);
    expectGradients(positionalEncoding(), drawn([2, 3, 4]));
  });

  it("are learned, one vector per position", () => {
    expectGradients(positionalEmbedding(), drawn([2, 3, 4]));
    const { parameterCount, parameters } = new Network("fit", positionalEmbedding(), [3, 4]);
    expect(parameterCount).toBe(12);
    expect(parameters[0]!.penalised).toBe(false);
    expect(() => new Network("fit", positionalEmbedding(), [3])).toThrow("tokens × dimensions");
  });
});

describe("patchEmbedding", () => {
  it("has gradients that are central differences", () => {
    expectGradients(patchEmbedding(2, 3), drawn([2, 4, 6, 2]));
  });

  it("makes a token of every patch, row by row", () => {
    const network = new Network("fit", patchEmbedding(2, 1), [4, 4, 1]);
    expect(network.output).toEqual([4, 1]);
    const x = { shape: [1, 4, 4, 1], data: Float64Array.from({ length: 16 }, (_, e) => e) };
    const { output } = runNetwork(network, x, { theta: thetaOf(network, [1, 0, 0, 0], [0.5]) });
    expect(Array.from(output.data)).toEqual([0.5, 2.5, 8.5, 10.5]);
  });

  it("asks for a size that divides the image", () => {
    expect(() => new Network("fit", patchEmbedding(3, 8), [8, 12, 1])).toThrow(
      "fit: size for images of 8 × 12 must be a divisor of both (1, 2, 4), got 3.",
    );
  });
});

describe("classToken and takeToken", () => {
  it("have gradients that are central differences", () => {
    expectGradients(classToken(), drawn([2, 3, 4]));
    expectGradients(sequential(classToken(), dense(3), takeToken(0)), drawn([2, 3, 4]));
    expectGradients(takeToken(-1), drawn([2, 3, 4]));
  });

  it("put a token first and take it out again", () => {
    const network = new Network("fit", sequential(classToken(), takeToken(0)), [3, 2]);
    const theta = thetaOf(network, [7, 8]);
    expect(Array.from(runNetwork(network, drawn([2, 3, 2]), { theta }).output.data)).toEqual([7, 8, 7, 8]);
    const x = drawn([1, 3, 2]);
    expect(runLayer(takeToken(-1), x).output.data).toEqual(x.data.subarray(4));
    expect(() => new Network("fit", takeToken(3), [3, 2])).toThrow("fit: index must be from -3 to 2, got 3.");
  });

  it("a class token is not padding", () => {
    const layer = sequential(embedding(4, 2, { padding: 1 }), classToken(), globalAveragePool());
    const network = new Network("fit", layer, [3]);
    const theta = thetaOf(network, [1, 2, 30, 40, 5, 6, 7, 8], [10, 20]);
    const { output } = runNetwork(network, text([0, 1, 1], [1, 1, 1]), { theta });
    expect(Array.from(output.data)).toEqual([5.5, 11, 10, 20]);
  });
});
