import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { drawn, drawnTokens, runNetwork } from "../../../test/support/layer-runs.js";
import { readParams } from "../../core/params/params.js";
import type { NdArray } from "../autodiff/arrays.js";
import type { Layer } from "../network/layer.js";
import { Network } from "../network/network.js";
import * as layers from "./index.js";
import { layerFromJson, layerKinds, layersParam } from "./registry.js";

const x = layers.input([4]);
const images = drawn([2, 4, 4, 2]);
const tokens = drawn([2, 3, 4]);
const rows = drawn([3, 4]);

/** Every kind with its options away from their defaults, and rows to run it on. */
const examples: readonly (readonly [Layer, NdArray])[] = [
  [layers.activation("relu"), rows],
  [layers.activation({ name: "sigmoid", a: 2, c: 0.5 }), rows],
  [layers.averagePool2d(3, { stride: 1, padding: 1 }), images],
  [layers.batchNorm({ momentum: 0.5, epsilon: 0.1 }), images],
  [layers.classToken(), tokens],
  [layers.conv2d(2, 3), images],
  [
    layers.conv2d(4, 3, { stride: 1, padding: "same", groups: 2, activation: { name: "leakyRelu", a: 0.2 } }),
    images,
  ],
  [layers.conv2d(1, 1, { bias: true, start: [[[[1], [2]]]], biasStart: [3], trainable: false }), images],
  [layers.dense(3, { activation: "tanh", bias: false, start: "he", trainable: false }), rows],
  [layers.dense(1, { start: [[1], [2], [3], [4]], biasStart: [1] }), rows],
  [layers.dropout(0.3), rows],
  [layers.embedding(5, 2), drawnTokens([2, 4], 5)],
  [
    layers.embedding(2, 2, {
      padding: 0,
      start: [
        [1, 2],
        [3, 4],
      ],
      trainable: false,
    }),
    drawnTokens([2, 4], 2),
  ],
  [layers.feedForward(3, { activation: "relu" }), tokens],
  [layers.flatten(), images],
  [layers.globalAveragePool(), images],
  [layers.globalMaxPool(), tokens],
  [layers.graph(x, layers.merge("concat", x, layers.apply(layers.dense(2), x))), rows],
  [layers.layerNorm({ epsilon: 0.1 }), tokens],
  [layers.maxPool2d(2, { stride: 2 }), images],
  [layers.multiHeadAttention(2, { causal: true, bias: false }), tokens],
  [layers.patchEmbedding(2, 3), images],
  [layers.positionalEmbedding(), tokens],
  [layers.positionalEncoding(), tokens],
  [layers.rbf(2, { width: 0.5, start: "zeros", trainable: false }), rows],
  [layers.residual(layers.dense(4), layers.layerNorm()), rows],
  [layers.rescale(0.5), rows],
  [layers.reshapeTo([2, -1]), rows],
  [layers.sequential(layers.dense(4), layers.residual(layers.sequential(layers.dense(4)))), rows],
  [layers.takeToken(-1), tokens],
  [layers.transformerBlock(2, { hidden: 3, dropout: 0.1, causal: true, activation: "relu" }), tokens],
];

describe("layerFromJson", () => {
  for (const [layer, batch] of examples)
    it(`${JSON.stringify(layer).slice(0, 90)}: the same layer, the same numbers`, () => {
      const again = layerFromJson(JSON.parse(JSON.stringify(layer)))!;
      expect(again.kind).toBe(layer.kind);
      expect(again.toJSON()).toEqual(layer.toJSON());
      const [a, b] = [layer, again].map((own) => {
        const network = new Network("test", own, batch.shape.slice(1));
        const { output, buffers } = runNetwork(network, batch, { training: 3 });
        return { parameters: network.parameters, output, buffers };
      });
      expect(b).toEqual(a);
    });

  it("has an example of every kind here", () => {
    expect([...new Set(examples.map(([{ kind }]) => kind))].sort()).toEqual([...layerKinds].sort());
  });

  it("reads every factory that makes a layer", () => {
    const factories = Object.keys(layers).filter((name) => !["apply", "input", "merge"].includes(name));
    expect(factories.sort()).toEqual([...layerKinds].sort());
  });

  it("is undefined for what describes no layer", () => {
    for (const json of [undefined, null, 3, "dense", [], {}, { layer: "lstm" }, { layer: "constructor" }])
      expect(layerFromJson(json)).toBeUndefined();
    expect(layerFromJson({ layer: "sequential", layers: [] })).toBeUndefined();
    expect(layerFromJson({ layer: "sequential", layers: [{ layer: "lstm" }] })).toBeUndefined();
    expect(
      layerFromJson({ layer: "graph", input: [2], nodes: [{ merge: "add", from: [0, 5] }] }),
    ).toBeUndefined();
    let deep: unknown = { layer: "flatten" };
    for (let e = 0; e < 100_000; e++) deep = { layer: "sequential", layers: [deep] };
    expect(layerFromJson(deep)).toBeUndefined();
  });

  it("throws the factory's sentence for illegal options", () => {
    expect(() => layerFromJson({ layer: "dense", units: 0 })).toThrow(
      "dense: units must be an integer ≥ 1, got 0.",
    );
    expect(() => layerFromJson({ layer: "dense", units: 2, size: 1 })).toThrow(
      "dense: every option must be one of",
    );
    expect(() => layerFromJson({ layer: "dropout", rate: 0.5, seed: 1 })).toThrow("dropout: every option");
    expect(() => layerFromJson({ layer: "flatten", axis: 1 })).toThrow(
      "flatten: every option must be absent",
    );
  });

  it("is imported by no other layer, so that a bundle has only the layers that it uses", () => {
    const folder = new URL("./", import.meta.url);
    const sources = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    for (const name of sources)
      expect(readFileSync(new URL(name, folder), "utf8"), name).not.toContain("./registry.js");
  });
});

describe("layersParam", () => {
  const table = { layers: layersParam("The network.") };
  const read = (given: unknown) => readParams("Net", table, { layers: given }).layers as Layer;

  it("takes a layer, an array of layers, or their JSON", () => {
    const list = [layers.dense(3), layers.dense(2)];
    const chain = layers.sequential(...list).toJSON();
    expect(read(list[0]).toJSON()).toEqual(list[0]!.toJSON());
    expect(read(list).toJSON()).toEqual(chain);
    expect(read(chain).toJSON()).toEqual(chain);
    expect(read(list.map((layer) => layer.toJSON())).toJSON()).toEqual(chain);
  });

  it("refuses anything else with the table's sentence", () => {
    for (const given of [3, "dense", [], [layers.dense(2), "relu"], { layer: "lstm" }])
      expect(() => read(given)).toThrow("Net: layers must be a layer, as sequential(dense(10), dense(3))");
  });
});
