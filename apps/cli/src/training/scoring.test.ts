import { describe, expect, test } from "vitest";
import { readMeasure } from "./scoring.js";

const classes = (...y: (string | number | boolean)[]) => ({ y, task: "classification" }) as const;

describe("--scoring and --positive", () => {
  test("labels that say which one is positive need no --positive", () => {
    expect(readMeasure({ scoring: "recall" }, classes("no", "yes", "no"))).toEqual({
      scoring: "recall",
      positiveLabel: "yes",
    });
    expect(readMeasure({ scoring: "rocAuc" }, classes("fraud", "legit"))).toEqual({ scoring: "rocAuc" });
    expect(readMeasure({}, classes("fraud", "legit"))).toEqual({});
  });

  test("others do, and the error shows how", () => {
    const data = classes("legit", "fraud", "legit");
    expect(() => readMeasure({ scoring: "f1" }, data)).toThrow(
      '--scoring f1 is about one of two classes, and "fraud", "legit" do not say which: give --positive fraud or --positive legit.',
    );
    expect(readMeasure({ scoring: "f1", positive: "legit" }, data)).toEqual({
      scoring: "f1",
      positiveLabel: "legit",
    });
    expect(readMeasure({ scoring: "f1", positive: "2" }, classes(1, 2)).positiveLabel).toBe(2);
  });

  test("a positive class that does not exist, or that nothing asks for, is refused", () => {
    expect(() => readMeasure({ scoring: "f1", positive: "frod" }, classes("fraud", "legit"))).toThrow(
      /must be a class/,
    );
    expect(() => readMeasure({ positive: "fraud" }, classes("fraud", "legit"))).toThrow(
      /accuracy is the same for both/,
    );
    expect(() => readMeasure({ scoring: "f1", positive: "a" }, classes("a", "b", "c"))).toThrow(
      /for two classes/,
    );
    expect(() => readMeasure({ positive: "1" }, { y: [1, 2.5], task: "regression" })).toThrow(
      /target has numbers/,
    );
  });
});
