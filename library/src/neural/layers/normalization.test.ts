import { describe, expect, it } from "vitest";
import { drawn, expectGradients, runLayer, runNetwork } from "../../../test/support/layer-runs.js";
import { apart } from "../../../test/support/random-rows.js";
import { Random } from "../../core/numbers/random.js";
import { Network } from "../network/network.js";
import { sequential } from "./composition.js";
import { dense } from "./dense.js";
import { batchNorm, dropout, layerNorm } from "./normalization.js";

/** (v − mean)/√(variance + ε) of a list. */
function standardized(values: readonly number[], epsilon = 1e-5): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map((value) => (value - mean) / Math.sqrt(variance + epsilon));
}

describe("dropout", () => {
  it("passes predictions unchanged", () => {
    const x = drawn([4, 10]);
    expect(runLayer(dropout(0.5), x).output.data).toEqual(x.data);
  });

  it("drops its share while training, and makes up for it", () => {
    const x = { shape: [100, 100], data: new Float64Array(10_000).fill(1) };
    const { data } = runLayer(dropout(0.25), x, { training: 1 }).output;
    const kept = data.filter((value) => value !== 0);
    expect(new Set(kept)).toEqual(new Set([1 / 0.75]));
    // Standard deviation of the share: √(0.25·0.75/10000) ≈ 0.004.
    expect(Math.abs(kept.length / 10_000 - 0.75)).toBeLessThan(0.02);
  });

  it("has gradients for a fixed seed, and another mask for another seed or layer", () => {
    expectGradients(sequential(dropout(0.4), dense(3), dropout(0.4)), drawn([4, 5]), { training: 7 });
    const x = { shape: [4, 50], data: new Float64Array(200).fill(1) };
    const run = (training: number) => runLayer(sequential(dropout(0.5), dropout(0.5)), x, { training });
    expect(run(1).output.data).toEqual(run(1).output.data);
    expect(run(1).output.data).not.toEqual(run(2).output.data);
    // The same mask twice would keep half of the entries, two masks keep a quarter.
    const kept = run(1).output.data.filter((value) => value !== 0).length;
    expect(kept).toBeLessThan(75);
  });

  it("takes rates from 0 to below 1", () => {
    expect(() => dropout(1)).toThrow("dropout: rate must be a number ≥ 0 and < 1, got 1.");
    expect(runLayer(dropout(0), drawn([2, 3]), { training: 1 }).output.data).toEqual(drawn([2, 3]).data);
  });
});

describe("layerNorm", () => {
  it("has gradients that are central differences", () => {
    expectGradients(layerNorm(), drawn([3, 4, 5]));
    expectGradients(layerNorm({ epsilon: 0.1 }), drawn([3, 6]));
  });

  it("standardises every token, as the definition does", () => {
    const x = drawn([2, 3, 6]);
    const network = new Network("test", layerNorm(), [3, 6]);
    const theta = network.start(new Random(0));
    const { output } = runNetwork(network, x, { theta });
    const rows = Array.from({ length: 6 }, (_, i) => Array.from(x.data.subarray(i * 6, (i + 1) * 6)));
    const twin = rows.flatMap((row) => standardized(row));
    expect(apart(output.data, twin)).toBeLessThan(1e-13);
  });

  it("gives its shift for constant tokens", () => {
    const x = { shape: [1, 4], data: new Float64Array(4).fill(3) };
    const network = new Network("test", layerNorm(), [4]);
    for (const dtype of ["float32", "float64"] as const)
      expect(
        Array.from(runNetwork(network, x, { dtype, theta: network.start(new Random(0)) }).output.data),
      ).toEqual([0, 0, 0, 0]);
  });
});

describe("batchNorm", () => {
  const network = new Network("test", batchNorm({ momentum: 0.9 }), [2, 2, 3]);
  const x = drawn([4, 2, 2, 3]);
  const theta = network.start(new Random(0));
  const channel = (k: number) => Array.from(x.data.filter((_, e) => e % 3 === k));

  it("has gradients that are central differences, with the batch's and with running statistics", () => {
    const buffers = Float64Array.of(0.5, -0.2, 0.1, 0, 2, 1.5, 0.4, 0);
    for (const options of [{ training: 1 }, { buffers }, {}]) {
      expectGradients(batchNorm(), drawn([4, 3]), options);
      expectGradients(batchNorm(), drawn([2, 2, 2, 3]), options);
    }
  });

  it("standardises every channel over the batch while training", () => {
    const { output } = runNetwork(network, x, { theta, training: 1 });
    for (let k = 0; k < 3; k++) {
      const own = Array.from(output.data.filter((_, e) => e % 3 === k));
      expect(apart(own, standardized(channel(k)))).toBeLessThan(1e-13);
    }
  });

  it("moves the running statistics a tenth of the way to the batch's", () => {
    const { buffers } = runNetwork(network, x, { theta, training: 1 });
    for (let k = 0; k < 3; k++) {
      const values = channel(k);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
      expect(buffers[network.buffers[0]!.offset + k]).toBeCloseTo(0.1 * mean, 12);
      expect(buffers[network.buffers[1]!.offset + k]).toBeCloseTo(0.9 + 0.1 * variance, 10);
    }
  });

  it("predicts with the running statistics and leaves them alone", () => {
    const buffers = Float64Array.of(1, 2, 3, 0, 4, 5, 6, 0);
    const run = runNetwork(network, x, { theta, buffers });
    expect(run.buffers).toEqual(buffers);
    for (const [e, value] of run.output.data.entries()) {
      const k = e % 3;
      expect(value).toBeCloseTo((x.data[e]! - buffers[k]!) / Math.sqrt(buffers[4 + k]! + 1e-5), 12);
    }
  });

  it("predicts the same with and without a tape that differentiates", () => {
    const buffers = Float64Array.of(1, 2, 3, 0, 4, 5, 6, 0);
    const differentiated = runNetwork(network, x, { theta, buffers }).output.data;
    const plain = runNetwork(network, x, { theta, buffers, differentiates: false }).output.data;
    expect(apart(plain, differentiated)).toBeLessThan(1e-14);
  });

  it("uses and keeps the running statistics for a batch of one row, which has no variance", () => {
    const row = drawn([1, 3]);
    for (const dtype of ["float32", "float64"] as const) {
      const { output, buffers, gradient } = runLayer(batchNorm(), row, { training: 1, dtype });
      for (const list of [output.data, gradient]) expect(Array.from(list).every(Number.isFinite)).toBe(true);
      expect(Array.from(buffers)).toEqual([0, 0, 0, 0, 1, 1, 1, 0]);
    }
  });

  it("gives finite numbers for constant channels in 32 bits, and no negative variance", () => {
    const constant = { shape: [8, 3], data: new Float64Array(24).fill(0.1) };
    const { output, buffers } = runLayer(batchNorm({ momentum: 0 }), constant, {
      training: 1,
      dtype: "float32",
    });
    expect(Array.from(output.data).every(Number.isFinite)).toBe(true);
    for (const variance of buffers.subarray(4, 7)) expect(variance).toBeGreaterThanOrEqual(0);
  });

  it("refuses what it does not know", () => {
    expect(() => batchNorm({ momentum: 1 })).toThrow(
      "batchNorm: momentum must be a number ≥ 0 and < 1, got 1.",
    );
    expect(() => layerNorm({ eps: 1 } as never)).toThrow("layerNorm: every option must be one of epsilon");
  });
});
