import { describe, expect, it } from "vitest";
import { drawn, expectGradients, runNetwork } from "../../../test/support/layer-runs.js";
import { Random } from "../../core/numbers/random.js";
import { Network } from "../network/network.js";
import { rbf } from "./rbf.js";

describe("rbf", () => {
  it("has gradients that are central differences", () => {
    expectGradients(rbf(4, { width: 0.8 }), drawn([3, 2]));
    expectGradients(rbf(2), drawn([2, 3, 2]));
  });

  it("is exp(−‖x − c‖²/2a²) of every centre", () => {
    const layer = rbf(2, {
      width: 2,
      start: [
        [0, 0],
        [3, 4],
      ],
    });
    const network = new Network("fit", layer, [2]);
    const batch = { shape: [2, 2], data: Float64Array.of(3, 4, 0, 0) };
    const { output } = runNetwork(network, batch, { theta: network.start(new Random(0)) });
    const far = Math.exp(-25 / 8);
    for (const [e, value] of [far, 1, 1, far].entries()) expect(output.data[e]).toBeCloseTo(value, 15);
  });

  it("keeps its digits far from 0, in 32 bits too", () => {
    const network = new Network("fit", rbf(1, { start: [[1000, 1000]] }), [2]);
    const batch = { shape: [1, 2], data: Float64Array.of(1000.5, 1000) };
    const theta = network.start(new Random(0));
    const { output } = runNetwork(network, batch, { theta, dtype: "float32" });
    expect(output.data[0]).toBeCloseTo(Math.exp(-0.125), 6);
  });

  it("has units·(inputs + 1) parameters, none penalised, and finite values for far inputs", () => {
    const network = new Network("fit", rbf(5), [3]);
    expect(network.parameterCount).toBe(20);
    expect(network.parameters.every(({ penalised }) => !penalised)).toBe(true);
    const far = { shape: [1, 3], data: Float64Array.of(1e15, -1e15, 0) };
    const { output, gradient } = runNetwork(network, far, { dtype: "float32" });
    expect([...output.data, ...gradient].every(Number.isFinite)).toBe(true);
  });

  it("refuses widths that are not positive and centres of another size", () => {
    expect(() => rbf(2, { width: 0 })).toThrow("rbf: width must be a number > 0, got 0.");
    expect(() => new Network("fit", rbf(2, { start: [[1, 2, 3]] }), [2])).toThrow(
      "fit: the start of centres must be 2 × 2, got 1 × 3.",
    );
  });
});
