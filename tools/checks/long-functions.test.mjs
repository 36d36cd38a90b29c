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

test("a folder has no more long functions than it may, besides those in the list", () => {
  const found = [{ file: "src/a.ts", line: 3, name: "f", lines: 70 }];
  expect(problemsOf(found, {}, { src: 1 })).toEqual([]);
  expect(problemsOf(found, {}, { src: 0 })).toEqual([
    "src/a.ts:3: f has 70 lines",
    "src has 1 functions of more than 60 lines; 0 are allowed",
  ]);
  expect(problemsOf(found, { "src/a.ts f": "a table" }, { src: 0 })).toEqual([]);
  expect(problemsOf([], { "src/a.ts f": "a table" }, {})).toEqual([
    "src/a.ts f is not a long function: remove it from the list",
  ]);
});

test("the list is short, and every entry has a reason", () => {
  expect(Object.keys(allowed).length).toBeLessThanOrEqual(10);
  for (const reason of Object.values(allowed)) expect(reason.length).toBeGreaterThan(20);
});
