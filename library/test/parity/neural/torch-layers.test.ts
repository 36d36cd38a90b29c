import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { layerFromJson } from "../../../src/neural/layers/registry.js";
import { Network, type Place } from "../../../src/neural/network/network.js";
import { runNetwork } from "../../support/layer-runs.js";
import { expectClose } from "../claims.js";

interface LayerCase {
  readonly name: string;
  readonly layer: { readonly layer: string };
  readonly training: boolean;
  readonly shape: readonly number[];
  readonly x: readonly number[];
  readonly parameters: Readonly<Record<string, readonly number[]>>;
  readonly buffers: Readonly<Record<string, readonly number[]>>;
  readonly expected: {
    readonly shape: readonly number[];
    readonly output: readonly number[];
    readonly gradients: Readonly<Record<string, readonly number[]>>;
    readonly inputGradient?: readonly number[];
    readonly attention?: readonly number[];
    readonly mean?: readonly number[];
    readonly variance?: readonly number[];
  };
}

const fixture = new URL("../fixtures/torch-layers.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(fixture, "utf8")) as { cases: readonly LayerCase[] };

/** Fixtures have 7 digits after the first of the largest number. */
const DIGITS = 1e-7;
/** 32 bits have 7 digits, and sums of some ten numbers lose one. */
const SINGLES = 3e-6;

/** The fixture's numbers in the network's vector. */
function laidOut(places: readonly Place[], size: number, values: LayerCase["parameters"]): Float64Array {
  expect(Object.keys(values)).toEqual(places.map(({ name }) => name));
  const out = new Float64Array(size);
  for (const { name, offset } of places) out.set(values[name]!, offset);
  return out;
}

function runCase(given: LayerCase, dtype: "float32" | "float64") {
  const network = new Network("test", layerFromJson(given.layer)!, given.shape.slice(1));
  const theta = laidOut(network.parameters, network.size, given.parameters);
  const buffers = laidOut(network.buffers, network.bufferSize, given.buffers);
  const batch = { shape: given.shape, data: Float64Array.from(given.x) };
  const training = given.training ? { training: 1 } : {};
  return { network, run: runNetwork(network, batch, { theta, buffers, dtype, ...training }) };
}

const part = (vector: Float64Array, { offset, length }: Place) => vector.subarray(offset, offset + length);

describe("layers compute what PyTorch's modules compute: values, gradients, running statistics", () => {
  for (const given of cases) {
    it(given.name, () => {
      const { expected } = given;
      const { network, run } = runCase(given, "float64");
      expect(run.output.shape).toEqual(expected.shape);
      expectClose(run.output.data, expected.output, DIGITS);
      if (expected.inputGradient) expectClose(run.inputGradient, expected.inputGradient, DIGITS);
      // Some gradients are 0 (that of the keys' bias): all of them are compared on one scale.
      const gradients = network.parameters.flatMap((place) => Array.from(part(run.gradient, place)));
      if (gradients.length > 0) expectClose(gradients, Object.values(expected.gradients).flat(), DIGITS);
      for (const place of network.buffers) {
        const moved = expected[place.name as "mean" | "variance"] ?? given.buffers[place.name]!;
        expectClose(part(run.buffers, place), moved, DIGITS);
      }
      if (expected.attention) {
        const [seen] = [...run.observed].filter(([path]) => path.endsWith("/attention"));
        expectClose(seen![1].data, expected.attention, DIGITS);
      }
    });

    it(`${given.name}, in 32 bits`, () => {
      const { run } = runCase(given, "float32");
      expectClose(run.output.data, given.expected.output, SINGLES);
      if (given.expected.inputGradient)
        expectClose(run.inputGradient, given.expected.inputGradient, 10 * SINGLES);
    });
  }
});
