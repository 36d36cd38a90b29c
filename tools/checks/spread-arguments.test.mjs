import { expect, test } from "vitest";
import { findSpreads } from "./spread-arguments.mjs";

const lines = (text) => findSpreads(text).map(({ line }) => line);

test("data that are spread into arguments are found, with their line", () => {
  expect(lines("const a = 1;\nconst b = Math.max(...values);")).toEqual([2]);
  expect(lines("Math.min(0, ...values.map((v) => v))")).toEqual([1]);
  expect(lines("list.push(...rows)\nlist.unshift(first, ...rows)\nlist.splice(0, 1, ...rows)")).toEqual([
    1, 2, 3,
  ]);
  expect(lines("String.fromCharCode(...codes); Float64Array.of(...codes)")).toEqual([1, 1]);
  expect(lines("f.apply(undefined, values); Reflect.apply(f, null, values)")).toEqual([1, 1]);
});

test("spreads into lists and objects, of parameters and inside of an argument pass", () => {
  expect(lines("const all = [...a, ...b]; const f = (...args) => args; const o = { ...p };")).toEqual([]);
  expect(lines("list.push({ ...entry }); list.push([...row]); Math.max(a, size([...b]));")).toEqual([]);
  expect(lines("model.apply(table);")).toEqual([]);
});

test("a comment allows a list that cannot grow, and must say why", () => {
  expect(lines("// spread: 8 bytes\nString.fromCharCode(...head)")).toEqual([]);
  expect(lines("Math.max(...pair) // spread: two numbers")).toEqual([]);
  expect(lines("// spread:\nMath.max(...pair)")).toEqual([2]);
});
