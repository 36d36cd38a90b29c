import { describe, expect, it } from "vitest";
import { drawn, drawnTheta, expectGradients, runNetwork, thetaOf } from "../../../test/support/layer-runs.js";
import { apart } from "../../../test/support/random-rows.js";
import type { Layer } from "../network/layer.js";
import { Network } from "../network/network.js";
import { NeuralClassifier } from "../neural-classifier.js";
import { activation } from "./activation.js";
import { multiHeadAttention } from "./attention.js";
import { residual, sequential } from "./composition.js";
import { conv2d } from "./convolution.js";
import { dense } from "./dense.js";
import { apply, graph, input, merge } from "./functional.js";
import { globalAveragePool } from "./pooling.js";
import { layerFromJson } from "./registry.js";
import { embedding } from "./tokens.js";

const tanh = (units: number) => dense(units, { activation: "tanh" });

function diamond(how: "add" | "multiply" | "concat"): Layer {
  const x = input([3]);
  const left = apply(tanh(4), x);
  const right = apply(tanh(4), left);
  return graph(x, apply(dense(2), merge(how, left, right, left)));
}

describe("graph", () => {
  for (const how of ["add", "multiply", "concat"] as const)
    it(`${how}: gradients are central differences`, () => expectGradients(diamond(how), drawn([3, 3])));

  it("computes what the chain and the residual layer compute", () => {
    const chain = sequential(tanh(4), dense(2));
    const x = input([3]);
    const same = graph(x, apply(dense(2), apply(tanh(4), x)));
    const network = new Network("test", chain, [3]);
    const other = new Network("test", same, [3]);
    const theta = network.start({ uniform: () => 0.7 } as never);
    const batch = drawn([5, 3]);
    expect(runNetwork(other, batch, { theta }).output).toEqual(runNetwork(network, batch, { theta }).output);

    const z = input([3]);
    const skip = new Network("test", graph(z, merge("add", z, apply(tanh(3), z))), [3]);
    const own = new Network("test", residual(tanh(3)), [3]);
    const weights = own.start({ uniform: () => 0.7 } as never);
    const [a, b] = [skip, own].map((built) => runNetwork(built, batch, { theta: weights }).output.data);
    expect(apart(a!, b!)).toBe(0);
  });

  it("is trained if every weight has a path to the output with a derivative", () => {
    const step = activation("heaviside");
    const beside = input([3]);
    const parallel = graph(beside, merge("concat", apply(tanh(4), beside), apply(step, beside)));
    expect(() => new Network("fit", parallel, [3]).requireTrainable("fit")).not.toThrow();

    const x = input([3]);
    const h = apply(tanh(4), x);
    const around = graph(x, apply(dense(2), merge("add", h, apply(step, h))));
    const network = new Network("fit", around, [3]);
    expect(() => network.requireTrainable("fit")).not.toThrow();
    const rows = Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(3 * i), Math.sin(7 * i)]);
    const labels = rows.map(([a, b]) => (a! > b! ? 1 : 0));
    const model = new NeuralClassifier({ layers: [around], maxIter: 200 }).fit(rows, labels);
    expect(model.lossCurve.at(-1)!).toBeLessThan(model.lossCurve[0]! / 2);

    const images = input([4, 4, 1]);
    const filtered = apply(conv2d(2, 3, { padding: "same", activation: "tanh" }), images);
    const fixed = conv2d(2, 1, { activation: "heaviside", trainable: false });
    const skip = graph(images, merge("add", filtered, apply(fixed, filtered)));
    expect(() => new Network("fit", skip, [4, 4, 1]).requireTrainable("fit")).not.toThrow();
    const batch = drawn([2, 4, 4, 1]);
    const trained = new Network("fit", skip, [4, 4, 1]);
    const theta = drawnTheta(trained);
    const alone = new Network("fit", conv2d(2, 3, { padding: "same", activation: "tanh" }), [4, 4, 1]);
    const { gradient } = runNetwork(alone, batch, { theta: theta.slice(0, alone.size) });
    expect(runNetwork(trained, batch, { theta }).gradient.slice(0, alone.size)).toEqual(gradient);
  });

  it("is refused where a step function is on all paths from a weight", () => {
    const step = activation("heaviside");
    const x = input([3]);
    const left = apply(step, apply(tanh(4), x));
    const right = apply(tanh(4), x);
    expect(() =>
      new Network("fit", graph(x, merge("add", left, right)), [3]).requireTrainable("fit"),
    ).toThrow("fit: layer 2 must be differentiable, since weights before it (1.bias) are trained");
    const z = input([3]);
    const h = apply(tanh(4), z);
    const both = graph(z, merge("add", apply(step, h), apply(activation("sign"), h)));
    expect(() => new Network("fit", both, [3]).requireTrainable("fit")).toThrow("fit: layer 2 must be");
    const chain = sequential(tanh(3), residual(activation("sign")), tanh(3));
    expect(() => new Network("fit", chain, [3]).requireTrainable("fit")).not.toThrow();
    const inside = sequential(tanh(3), residual(dense(3, { activation: "sign" })));
    expect(() => new Network("fit", inside, [3]).requireTrainable("fit")).toThrow("(1.0.bias)");
  });

  it("puts parts side by side, and the input itself among them", () => {
    const x = input([2]);
    const layer = graph(x, merge("concat", x, apply(dense(1, { bias: false }), x)));
    const network = new Network("test", layer, [2]);
    const batch = { shape: [1, 2], data: Float64Array.of(3, 4) };
    const { output } = runNetwork(network, batch, { theta: thetaOf(network, [10, 1]) });
    expect(Array.from(output.data)).toEqual([3, 4, 34]);
    expect(network.output).toEqual([3]);
  });

  it("has parameters for every use of a layer, named by the nodes' numbers", () => {
    const layer = dense(3, { bias: false });
    const x = input([3]);
    const network = new Network("fit", graph(x, apply(layer, apply(layer, x))), [3]);
    expect(network.parameters.map(({ name }) => name)).toEqual(["1.weights", "2.weights"]);
    expect(network.parameterCount).toBe(18);
  });

  it("keeps the mask of padding on every way", () => {
    const x = input([4]);
    const tokens = apply(embedding(5, 2, { padding: 0 }), x);
    const pooled = apply(globalAveragePool(), tokens);
    const attended = apply(globalAveragePool(), apply(multiHeadAttention(1), merge("add", tokens, tokens)));
    const network = new Network("test", graph(x, merge("add", pooled, attended)), [4]);
    const run = (data: number[]) => {
      const theta = network.parameters.reduce((out, { offset, length }, k) => {
        // The vector of the padding differs from call to call.
        for (let e = 0; e < length; e++) out[offset + e] = k === 0 && e < 2 ? data[2]! : Math.sin(e + k);
        return out;
      }, new Float64Array(network.size));
      const batch = { shape: [1, 4], data: Float64Array.of(data[0]!, data[1]!, 0, 0) };
      return runNetwork(network, batch, { theta }).output.data;
    };
    expect(apart(run([1, 2, 7]), run([1, 2, -3]))).toBeLessThan(1e-14);
  });

  it("is data: its JSON builds the same network", () => {
    for (const how of ["add", "multiply", "concat"] as const) {
      const layer = diamond(how);
      const again = layerFromJson(JSON.parse(JSON.stringify(layer)))!;
      expect(again.toJSON()).toEqual(layer.toJSON());
      expect(new Network("fit", again, [3]).toString()).toBe(new Network("fit", layer, [3]).toString());
    }
    expect(diamond("add").toJSON()).toEqual({
      layer: "graph",
      input: [3],
      nodes: [
        { apply: { layer: "dense", units: 4, activation: "tanh" }, from: [0] },
        { apply: { layer: "dense", units: 4, activation: "tanh" }, from: [1] },
        { merge: "add", from: [1, 2, 1] },
        { apply: { layer: "dense", units: 2, activation: "linear" }, from: [3] },
      ],
    });
  });

  it("refuses parts that do not fit, other inputs, and what is not a node", () => {
    const x = input([3]);
    const mixed = graph(x, merge("add", x, apply(dense(2), x)));
    expect(() => new Network("fit", mixed, [3])).toThrow(
      "fit: the parts of node 2, add, must be of one shape, got 3 and 2.",
    );
    const deep = input([3, 4]);
    const side = graph(deep, merge("concat", deep, apply(globalAveragePool(), deep)));
    expect(() => new Network("fit", side, [3, 4])).toThrow(
      "alike in all axes but the last, got 3 × 4 and 4.",
    );
    expect(() => new Network("fit", diamond("add"), [4])).toThrow("fit: the input must be 3, got 4.");
    expect(() => graph(x, merge("add", x, input([3])))).toThrow(
      "graph: the output must be computed from the given input(…) and no other, got one computed from another input(…).",
    );
    expect(() => graph(apply(dense(2), x), x)).toThrow("got no input");
    expect(() => merge("add", x)).toThrow("merge: the nodes must be two or more");
    expect(() => merge("mean" as never, x, x)).toThrow('must be "add", "multiply" or "concat", got "mean".');
    expect(() => apply(dense as never, x)).toThrow("apply: the layer must be a layer, as dense(10)");
    expect(() => apply(dense(2), [3] as never)).toThrow("apply: the node must be one, made by input(…)");
    expect(() => input([-1, 2])).toThrow("input: shape must be sizes that are known");
  });
});
