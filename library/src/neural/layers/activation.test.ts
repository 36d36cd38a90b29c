import { describe, expect, it } from "vitest";
import { drawn, expectGradients, runLayer } from "../../../test/support/layer-runs.js";
import { evaluate } from "../autodiff/differentiate.js";
import type { Tensor } from "../autodiff/tensor.js";
import { Network } from "../network/network.js";
import { logitsOf } from "../training/losses.js";
import { activate, activation } from "./activation.js";
import { activationNames, isSmooth } from "./activations.js";
import { sequential } from "./composition.js";
import { dense } from "./dense.js";

const apply = (given: Parameters<typeof activation>[0], values: readonly number[]) =>
  Array.from(
    runLayer(activation(given), { shape: [1, values.length], data: Float64Array.from(values) }).output.data,
  );

describe("activation", () => {
  for (const name of activationNames.filter((known) => isSmooth({ name: known })))
    it(`${name}: gradients are central differences`, () => expectGradients(activation(name), drawn([3, 4])));

  it("takes constants", () => {
    expectGradients(activation({ name: "sigmoid", a: 2, c: 0.3 }), drawn([3, 4]));
    expectGradients(activation({ name: "gaussian", a: 0.7, c: 0.3 }), drawn([3, 4]));
    const [value] = apply({ name: "sigmoid", a: 2, c: 0.5 }, [1]);
    expect(value).toBeCloseTo(1 / (1 + Math.exp(-1)), 14);
  });

  it("predicts with step functions", () => {
    expect(apply("sign", [-2, 0, 3])).toEqual([-1, 0, 1]);
    expect(apply("heaviside", [-2, 0, 3])).toEqual([0, 0, 1]);
    expect(apply("twoStep", [0.2, 0.5, 0.8])).toEqual([0, 1, 0]);
    expect(apply({ name: "twoStep", a: 0, c: 1 }, [0.2, 0.5, 1.8])).toEqual([1, 1, 0]);
    expect(apply("linear", [-2, 0, 3])).toEqual([-2, 0, 3]);
  });

  it("refuses to train weights before a step function, and only those", () => {
    const blocked = new Network("fit", sequential(dense(2), activation("heaviside")), [3]);
    expect(() => blocked.requireTrainable("fit")).toThrow(
      "fit: layer 1 must be differentiable, since weights before it (0.bias) are trained through its derivative, got heaviside",
    );
    const after = new Network("fit", sequential(activation("sign"), dense(2)), [3]);
    expect(() => after.requireTrainable("fit")).not.toThrow();
  });

  it("computes losses from what a sigmoid with constants is the sigmoid of", () => {
    const part = { name: "sigmoid", a: 2, c: 0.5 } as const;
    const logits = evaluate((x: Tensor) => logitsOf(activate(part, x)), { dtype: "float64" })([1, -1]);
    expect(Array.from(logits.data)).toEqual([1, -3]);
  });

  it("refuses unknown names and constants", () => {
    expect(() => activation("rectified" as never)).toThrow('activation: activation must be "linear"');
    expect(() => activation({ name: "relu", b: 1 } as never)).toThrow("activation: activation must be");
    expect(() => activation({ name: "gaussian", a: 0 })).toThrow("a > 0 for gaussian");
    expect(() => activation({ name: "tanh", a: 5 })).toThrow("the finite constants that the function has");
  });

  it("does not overflow to NaN", () => {
    for (const name of activationNames)
      for (const value of apply(name, [-1e4, -50, 0, 50, 1e4])) expect(value, name).not.toBeNaN();
  });
});
