import { expect, test } from "vitest";
import type { ParamInfo } from "../../work/protocol.js";
import { readRows, readText, textOf } from "./param-kinds.js";

const param = (given: Partial<ParamInfo>): ParamInfo => ({
  name: "p",
  kind: "union",
  default: null,
  doc: "",
  expected: "",
  ...given,
});

test("text is a number, a choice or a list, as the parameter allows; the rest is left to the estimator to refuse", () => {
  const gamma = param({ choices: ["scale", "auto"], expected: '"scale" or "auto", or a number > 0' });
  expect(["0.3", "auto", " ", "fast", "1, 2"].map((text) => readText(text, gamma))).toEqual([
    0.3,
    "auto",
    undefined,
    "fast",
    "1, 2",
  ]);
  const average = param({ choices: [true, false, null], expected: "true or false, or a step number ≥ 1" });
  expect(["true", "none", "7"].map((text) => readText(text, average))).toEqual([true, null, 7]);
  const sizes = param({ kind: "numbers" });
  expect(["8 4", "8, x", "Infinity"].map((text) => readText(text, sizes))).toEqual([
    [8, 4],
    "8, x",
    "Infinity",
  ]);
  expect(readText("Infinity", gamma)).toBe("Infinity");
  const alpha = param({ expected: "a number ≥ 0, or an array of numbers ≥ 0" });
  expect(["2", "1, 2 3"].map((text) => readText(text, alpha))).toEqual([2, [1, 2, 3]]);
});

test("rows are written with semicolons, and read as they are written", () => {
  const costs = [
    [0, 1],
    [5.5, 0],
  ];
  expect(textOf(costs)).toBe("0, 1; 5.5, 0");
  expect(readRows(textOf(costs))).toEqual(costs);
  expect(readRows("0, x; 1, 0")).toBe("0, x; 1, 0");
  expect(readRows("  ")).toBeUndefined();
});
