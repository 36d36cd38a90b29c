import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = new URL("../../../docs/guide/from-scikit-learn.md", import.meta.url);
const blocks = Array.from(
  readFileSync(page, "utf8").matchAll(/```python\n([\s\S]*?)```/g),
  ([, code]) => code!,
);

test("the page has ten snippets in Python", () => {
  expect(blocks.length).toBeGreaterThanOrEqual(10);
});

for (const [b, code] of blocks.entries()) {
  test(`snippet ${b + 1} in Python prints what the page says`, () => {
    const prints = Array.from(code.matchAll(/# → (.*)$/gm), ([, text]) => text!.trim());
    expect(prints.length).toBeGreaterThan(0);
    const out = execFileSync("/usr/bin/python3", ["-c", code], { encoding: "utf8" });
    expect(out.trim().split("\n")).toEqual(prints);
  });
}
