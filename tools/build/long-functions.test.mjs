import { expect, test } from "vitest";
import { allowed, findLong, problemsOf } from "./long-functions.mjs";

const body = (lines) => "  step();\n".repeat(lines);
const names = (text, path) => findLong(text, path, 5).map(({ name }) => name);

test("functions are measured from their first line to their closing brace", () => {
  expect(findLong(`\n/** A reason. */\nfunction f() {\n${body(4)}}\n`, "f.ts", 5)).toEqual([
    { line: 3, lines: 6, name: "f" },
  ]);
  expect(findLong(`function f() {\n${body(3)}}\n`, "f.ts", 5)).toEqual([]);
});

test("every form of function has a name", () => {
  expect(names(`const g = () => {\n${body(5)}};`)).toEqual(["g"]);
  expect(names(`class A {\n  constructor() {\n${body(5)}  }\n  get b() {\n${body(5)}  }\n}`)).toEqual([
    "constructor",
    "b",
  ]);
  expect(names(`const o = { m() {\n${body(5)}} };`)).toEqual(["m"]);
  expect(names(`effect(() => {\n${body(5)}});`)).toEqual(["argument of effect"]);
  expect(names(`const View = () => (\n  <p>\n${"<br />\n".repeat(5)}</p>\n);`, "v.tsx")).toEqual(["View"]);
});

test("a long function is a problem unless it is in the list", () => {
  const found = [{ file: "a.ts", line: 3, name: "f", lines: 70 }];
  expect(problemsOf(found, {})).toEqual(["a.ts:3: f has 70 lines"]);
  expect(problemsOf(found, { "a.ts f": "a table" })).toEqual([]);
  expect(problemsOf([], { "a.ts f": "a table" })).toEqual([
    "a.ts f is not a long function: remove it from the list",
  ]);
});

test("the list is short, and every entry has a reason", () => {
  expect(Object.keys(allowed).length).toBeLessThanOrEqual(10);
  for (const reason of Object.values(allowed)) expect(reason.length).toBeGreaterThan(20);
});
