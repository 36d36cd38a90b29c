import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
// @ts-expect-error: a script, without types
import { referencePages } from "../../../tools/docs/reference.mjs";
import { estimatorClasses } from "../../src/persistence/generated/estimators.js";

const folder = fileURLToPath(new URL("../../../docs/reference/", import.meta.url));
const pages = referencePages(estimatorClasses) as ReadonlyMap<string, string>;

test("the reference has the pages of all families", () => {
  expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
});

test.each([...pages])("docs/reference/%s is what npm run reference writes", (name, text) => {
  expect(readFileSync(`${folder}${name}`, "utf8"), "out of date: npm run reference").toBe(text);
});

test("every estimator and every parameter has a line", () => {
  const all = [...pages.values()].join("\n");
  for (const { id, table } of estimatorClasses) {
    const own = all.split(`\n## ${id}\n`)[1]!.split("\n## ")[0]!;
    for (const name of Object.keys(table)) expect(own, `${id}.${name}`).toContain(`| \`${name}\` |`);
  }
});

test.each(["metrics", "inspection", "plot"])(
  "every function of %s has a section with what it takes",
  (family) => {
    const index = readFileSync(new URL(`../../src/${family}/index.ts`, import.meta.url), "utf8");
    const names = [...index.matchAll(/\b([a-z]\w+)\b(?=,| \})/g)].map(([, name]) => name!);
    const page = pages.get(`${family === "plot" ? "plots" : family}.md`)!;
    const constants = ["okabeIto"];
    expect(names.length).toBeGreaterThan(4);
    for (const name of names.filter((one) => !constants.includes(one))) {
      const own = page.split(`\n## ${name}\n`)[1]?.split("\n## ")[0];
      expect(own, name).toMatch(new RegExp(`\`\`\`ts\\n${name}[<(]`));
      expect(own!.split("```ts")[0]!.trim(), `${name} has a comment`).not.toBe("");
    }
  },
);
