import { describe, expect, it } from "vitest";
import { DataError, ShapeError } from "../core/errors.js";
import { brierScoreLoss, logLoss } from "./index.js";

const truth = ["cat", "dog", "dog", "bird", "cat", "bird", "dog", "cat"] as const;
const sampleWeight = [1, 2, 0.5, 3, 1, 0, 2, 1.5];
const third = 1 / 3;
const probabilities = [
  [0.1, 0.6, 0.3],
  [0.2, 0.2, 0.6],
  [0.0, 0.1, 0.9],
  [0.7, 0.2, 0.1],
  [0.3, 0.4, 0.3],
  [0.5, 0.25, 0.25],
  [0.05, 0.05, 0.9],
  [third, third, third],
];

describe("logLoss", () => {
  it("agrees with scikit-learn 1.2.1", () => {
    expect(logLoss(truth, probabilities)).toBeCloseTo(0.5371371779860721, 14);
    expect(logLoss(truth, probabilities, { sampleWeight })).toBeCloseTo(0.4936465597395504, 14);
  });

  it("of a confident mistake is large and finite", () => {
    const certain = [
      [1, 0],
      [1, 0],
      [0, 1],
    ];
    expect(logLoss([0, 1, 1], certain)).toBeCloseTo(12.014551129705717, 10);
  });

  it("takes the probabilities of the second of two classes as a list", () => {
    const list = [0.2, 0.9];
    const both = [
      [0.8, 0.2],
      [0.1, 0.9],
    ];
    expect(logLoss([false, true], list)).toBe(logLoss([false, true], both));
    expect(logLoss([false, true], Float64Array.from(list))).toBe(logLoss([false, true], list));
  });

  it("needs the names of all columns when not all classes occur", () => {
    expect(() => logLoss(["cat"], [[0.1, 0.9]])).toThrow("Name all classes in `labels`.");
    expect(logLoss(["cat"], [[0.1, 0.9]], { labels: ["bird", "cat"] })).toBeCloseTo(-Math.log(0.9), 15);
    expect(() => logLoss(truth, [[1]])).toThrow(ShapeError);
    expect(() =>
      logLoss(
        ["a", "b"],
        [
          [1, 0, 0],
          [0, 1, 0],
        ],
      ),
    ).toThrow(ShapeError);
    expect(() =>
      logLoss(
        ["a", "c"],
        [
          [1, 0],
          [0, 1],
        ],
        { labels: ["a", "b"] },
      ),
    ).toThrow(DataError);
  });

  it("refuses rows that are not distributions", () => {
    expect(() =>
      logLoss(
        [0, 1],
        [
          [0.5, 0.4],
          [0, 1],
        ],
      ),
    ).toThrow("logLoss: row 0 of the probabilities must be in [0, 1] and of sum 1, got a sum of 0.9.");
    expect(() =>
      logLoss(
        [0, 1],
        [
          [1.5, -0.5],
          [0, 1],
        ],
      ),
    ).toThrow(DataError);
    expect(() =>
      logLoss(
        [0, 1],
        [
          [Number.NaN, 1],
          [0, 1],
        ],
      ),
    ).toThrow(DataError);
    expect(() => logLoss([0, 1], [0.5, Number.NaN])).toThrow(DataError);
  });
});

describe("brierScoreLoss", () => {
  it("agrees with scikit-learn 1.2.1", () => {
    const p = [0.1, 0.9, 0.8, 0.3];
    expect(brierScoreLoss([0, 1, 1, 0], p)).toBeCloseTo(0.0375, 15);
    expect(brierScoreLoss([0, 1, 1, 0], p, { sampleWeight: [1, 2, 3, 0] })).toBeCloseTo(0.025, 15);
  });

  it("takes either label as the positive one, also one that does not occur", () => {
    expect(brierScoreLoss(["no", "yes"], [1, 0], { positiveLabel: "no" })).toBe(0);
    expect(brierScoreLoss(["no", "no"] as ("no" | "yes")[], [0, 0.5], { positiveLabel: "yes" })).toBe(0.125);
    expect(() => brierScoreLoss(["no", "no"], [0, 0.5])).toThrow("positiveLabel must be given");
  });

  it("refuses what is not a probability, and three classes", () => {
    expect(() => brierScoreLoss([0, 1], [0, 2])).toThrow(
      "brierScoreLoss: probability[1] must be a number in [0, 1], got 2.",
    );
    expect(() => brierScoreLoss([0, 1, 2], [0, 0, 0])).toThrow(DataError);
    expect(() => brierScoreLoss([0, 1], [0])).toThrow(ShapeError);
  });
});
