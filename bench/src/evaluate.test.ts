import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { stored, writeDoubles } from "./data/store.js";
import { evaluate, openRows, readLearned } from "./evaluate.js";
import type { Measure } from "./workload.js";

const folder = mkdtempSync(join(tmpdir(), "argmax-bench-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const learned = (
  path: string,
  numbers: readonly number[],
  vectors: number,
  cols: number,
  measure: Measure,
) => {
  writeDoubles(path, numbers);
  return readLearned(path, vectors, cols, measure)[0]!;
};

describe("evaluate", () => {
  it("gives n log K to weights of zero, whatever the data", async () => {
    const data = await stored(folder, { kind: "classification", rows: 50, cols: 3, classes: 4, seed: 1 });
    const measure = { kind: "softmax", C: 1 } as const;
    const zero = learned(join(folder, "zero"), new Array(16).fill(0), 4, 3, measure);
    expect(evaluate(measure, openRows(data), zero)).toBeCloseTo(50 * Math.log(4), 10);
  });

  it("adds the penalty and leaves the intercept out of it", async () => {
    const data = await stored(folder, { kind: "classification", rows: 1, cols: 2, classes: 2, seed: 2 });
    const measure = { kind: "hinge", C: 0 } as const;
    const plane = learned(join(folder, "plane"), [3, 4, 100], 1, 2, measure);
    expect(evaluate(measure, openRows(data), plane)).toBe(12.5);
  });

  it("sums the steps of a path, each with its own penalty", async () => {
    const data = await stored(folder, { kind: "regression", rows: 20, cols: 2, informative: 2, seed: 3 });
    const step = { kind: "elasticNet", l1Ratio: 1 } as const;
    const path = { kind: "elasticNetPath", l1Ratio: 1 } as const;
    const rows = openRows(data);
    const one = learned(join(folder, "one"), [1, 0, 0.5], 1, 2, { ...step, alpha: 0.5 });
    const two = learned(join(folder, "two"), [1, 1, 0.25], 1, 2, { ...step, alpha: 0.1 });
    const both = learned(join(folder, "both"), [0.5, 0.1, 1, 0, 1, 1, 0.5, 0.25], 2, 2, path);
    const expected =
      evaluate({ ...step, alpha: 0.5 }, rows, one) + evaluate({ ...step, alpha: 0.1 }, rows, two);
    expect(evaluate(path, rows, both)).toBeCloseTo(expected, 12);
  });

  it("reads sparse rows as their dense twins", async () => {
    const data = await stored(folder, { kind: "documents", rows: 30, cols: 40, nonZeros: 5, seed: 4 });
    const rows = openRows(data);
    const measure = { kind: "accuracy" } as const;
    const positive = Array.from(rows.y).reduce((total, y) => total + y, 0);
    const always = learned(join(folder, "always"), [...new Array(40).fill(0), 1], 1, 40, measure);
    expect(evaluate(measure, rows, always)).toBeCloseTo(1 - positive / 30, 12);
  });

  it("refuses a file of another size than the contestant announced", () => {
    writeDoubles(join(folder, "short"), [1, 2, 3]);
    expect(() => readLearned(join(folder, "short"), 1, 3, { kind: "hinge", C: 1 })).toThrow(
      /expected 4 numbers/,
    );
  });
});
