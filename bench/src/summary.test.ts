import { describe, expect, it } from "vitest";
import type { Outcome, Row } from "./run.js";
import { meanRatio, reference, summarize } from "./summary.js";
import type { Side } from "./workload.js";

const outcome = (side: Side, best: number, objective: number, label?: string): Outcome => ({
  contestant: { side, call: "", params: {}, ...(label === undefined ? {} : { label }) },
  version: "1",
  best,
  cold: 2 * best,
  fits: 3,
  peak: 1e8,
  added: 1e6,
  objective,
});

const row = (outcomes: readonly Outcome[], pledge = { ratio: 1, objective: 1e-6 }): Row => ({
  workload: {
    id: "row",
    title: "row",
    group: "linear",
    action: "fit",
    data: { kind: "normals", rows: 1, cols: 1, seed: 1 },
    contestants: [],
    pledge,
  },
  data: { rows: 1, cols: 1, bytes: 8 },
  outcomes,
  absent: [],
});

describe("the reference", () => {
  it("is scikit-learn's fastest variant among those at the minimum", () => {
    const fast = outcome("scikit-learn", 1, 10.000001, "fast");
    const slow = outcome("scikit-learn", 2, 10, "slow");
    expect(reference([outcome("argmax", 0.5, 10), slow, fast])).toBe(fast);
  });

  it("is not a variant that stopped early", () => {
    const early = outcome("scikit-learn", 1, 11, "early");
    const late = outcome("scikit-learn", 2, 10, "late");
    expect(reference([outcome("argmax", 0.5, 10), early, late])).toBe(late);
  });

  it("is the variant that came nearest when none arrived", () => {
    const far = outcome("scikit-learn", 1, 12, "far");
    const near = outcome("scikit-learn", 2, 11, "near");
    expect(reference([outcome("argmax", 0.5, 10), far, near])).toBe(near);
  });
});

describe("contestants beside scikit-learn", () => {
  it("TensorFlow.js is the reference where it is the only one", () => {
    const wasm = outcome("TensorFlow.js", 2, 10, "wasm");
    expect(reference([outcome("argmax", 1, 10), wasm, outcome("PyTorch", 1, 10)])).toBe(wasm);
  });

  it("what is shown as information is never the reference", () => {
    const slow = outcome("scikit-learn", 2, 10);
    const fast = outcome("scikit-learn", 1, 10, "float32");
    const shown = { ...fast, contestant: { ...fast.contestant, information: true } };
    expect(reference([outcome("argmax", 1, 10), slow, shown])).toBe(slow);
  });
});

describe("a summary", () => {
  it("keeps a promise that is met and names one that is broken", () => {
    expect(summarize(row([outcome("argmax", 1, 10), outcome("scikit-learn", 2, 10)])).broken).toEqual([]);
    expect(summarize(row([outcome("argmax", 2, 10), outcome("scikit-learn", 1, 10)])).broken).toEqual([
      "0.50 × as fast as scikit-learn, promised 1 ×",
    ]);
    expect(
      summarize(row([outcome("argmax", 1, 10.001), outcome("scikit-learn", 2, 10)])).broken,
    ).toHaveLength(1);
  });

  it("counts the input among the memory of a fit", () => {
    const greedy = { ...outcome("argmax", 1, 10), added: 100 * 2 ** 20 };
    expect(summarize(row([greedy, outcome("scikit-learn", 2, 10)])).broken).toEqual([
      "100 MB of memory with the input, promised 64 MB",
    ]);
  });

  it("stands alone where scikit-learn is not installed", () => {
    const alone = summarize(row([outcome("argmax", 1, 10)]));
    expect(alone.reference).toBeUndefined();
    expect(alone.ratio).toBeUndefined();
    expect(alone.broken).toEqual([]);
  });
});

it("meanRatio is the geometric mean, so that 4 × and ¼ × cancel", () => {
  const ratios = [
    summarize(row([outcome("argmax", 1, 10), outcome("scikit-learn", 4, 10)])),
    summarize(row([outcome("argmax", 4, 10), outcome("scikit-learn", 1, 10)])),
  ];
  expect(meanRatio(ratios, "linear")).toBeCloseTo(1, 12);
});
