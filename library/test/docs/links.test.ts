import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pages = [
  ...["README.md", "MAP.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].map((name) =>
    join(root, name),
  ),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, "docs", name)),
];

/** A heading's anchor as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

const anchorsIn = (page: string) =>
  [...readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm)].map((match) => anchorOf(match[1]!));

/** What is wrong with the links of a page that point into the repository. */
function brokenLinks(page: string): string[] {
  const links = [...readFileSync(page, "utf8").matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path, anchor] = link.split("#") as [string, string | undefined];
      const target = path === "" ? page : resolve(dirname(page), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && statSync(target).isFile() && !anchorsIn(target).includes(anchor);
    });
}

describe("links", () => {
  for (const page of pages) {
    test(`of ${relative(root, page)} lead somewhere`, () => expect(brokenLinks(page)).toEqual([]));
  }

  test("every decision and guide page can be reached", () => {
    const all = pages.map((page) => readFileSync(page, "utf8")).join("\n");
    const guides = readdirSync(join(root, "docs/guide")).filter(
      (name) => name.endsWith(".md") && name !== "index.md",
    );
    expect(guides.filter((name) => !all.includes(`(${name})`))).toEqual([]);
  });

  test("every figure is shown on a page of the guide", () => {
    const shown = pages.map((page) => readFileSync(page, "utf8")).join("");
    const figures = readdirSync(join(root, "docs/guide/figures"));
    expect(figures.filter((name) => !shown.includes(`(figures/${name})`))).toEqual([]);
  });
});
