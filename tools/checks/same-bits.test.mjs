import { expect, test } from "vitest";
import { findDifferingBits } from "./same-bits.mjs";

const found = (text) => findDifferingBits(text).map(({ rule }) => rule.split(" ")[0]);

test("functions that engines round differently are found, with their line", () => {
  expect(findDifferingBits("const a = 1;\nconst b = Math.exp(a);")).toMatchObject([{ line: 2 }]);
  expect(found("Math.log1p(x) + Math . tanh(y) + Math.hypot(x, y)")).toEqual([
    "Math.log1p",
    "Math.tanh",
    "Math.hypot",
  ]);
});

test("exact functions pass", () => {
  expect(found("Math.sqrt(Math.abs(Math.floor(Math.imul(a, b)))) + Math.PI + Math.LOG2E")).toEqual([]);
});

test("** is Math.pow, except for squares and powers of two", () => {
  expect(found("x ** 3")).toEqual(["**"]);
  expect(found("x ** 0.5 + x ** 2.5 + x ** 20")).toEqual(["**", "**", "**"]);
  expect(found("12 ** 3")).toEqual(["**"]);
  expect(found("const limit = 2 ** 32 + 2 ** bits;")).toEqual([]);
  expect(found("const square = Math.max(0, x) ** 2;")).toEqual([]);
});

test("Math cannot be hidden, and neither chance nor the user's language comes in", () => {
  expect(found("const { exp } = Math;")).toEqual(["Math"]);
  expect(found('Math["exp"](1)')).toEqual(["Math"]);
  expect(found("Math.random()")).toEqual(["Math.random"]);
  expect(found("a.localeCompare(b)")).toEqual([".localeCompare"]);
});

test("comments and strings may name them", () => {
  expect(found('/** like Math.exp */ // Math.log\nconst s = "Math.pow";')).toEqual([]);
});
