import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { fileStem, literal, markdown, shellWord } from "./quoting.js";

const hostile = [
  "it's",
  "$(rm -rf x) `id` $HOME",
  'a "b" \\ c',
  "new\nline",
  "-n",
  "",
  "*/ x /*",
  "line\u2028separator",
  "日本 ütf",
];

test("a shell reads a quoted word as it was", () => {
  for (const text of hostile)
    expect(execFileSync("sh", ["-c", `printf '%s' ${shellWord(text)}`], { encoding: "utf8" })).toBe(text);
});

test("literals are one line and read back", () => {
  for (const text of hostile) {
    expect(literal(text)).not.toMatch(/[\n\u2028]/);
    expect(JSON.parse(literal(text))).toBe(text);
  }
});

test("names of files have letters, digits and hyphens only", () => {
  expect(fileStem("penguins", "LogisticRegression")).toBe("penguins-logistic-regression");
  expect(fileStem("My table (2).csv", "SVC")).toBe("my-table-2-svc");
  expect(fileStem("../../etc/passwd; $(rm)", "SVC")).toBe("etc-passwd-rm-svc");
  expect(fileStem("日本")).toBe("model");
  expect(fileStem("x".repeat(300)).length).toBe(80);
});

test("Markdown has no marks and no lines of a name", () => {
  expect(markdown("a|b\n# c [x](y) <img>")).toBe("a\\|b \\# c \\[x\\]\\(y\\) \\<img\\>");
});
