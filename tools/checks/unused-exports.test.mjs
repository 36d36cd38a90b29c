import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkTree, exportsOf, usesOf } from "./unused-exports.mjs";

test("reads declared and listed exports, and not those in comments or of other files", () => {
  const text = [
    "export const a = 1;",
    "export async function b() {}",
    "// export const c = 2;",
    "export interface D {}",
    "const e = 3;",
    "export { e as f };",
    'export { g } from "./g.js";',
    "export function* h() {}",
  ].join("\n");
  expect(exportsOf(text).map(({ name, line }) => `${name}:${line}`)).toEqual([
    "a:1",
    "b:2",
    "D:4",
    "h:8",
    "f:6",
  ]);
});

test("reads named, renamed and whole imports", () => {
  const text = [
    'import { a, type B as C } from "./a.js";',
    'import * as d from "./d.js";',
    'export { e as f } from "./e.js";',
    'const g = await import("./g.js");',
    'import { z } from "vitest";',
  ].join("\n");
  expect(usesOf(text).map(({ name, specifier }) => `${name} ${specifier}`)).toEqual([
    "a ./a.js",
    "B ./a.js",
    "e ./e.js",
    "* ./d.js",
    "* ./g.js",
  ]);
});

describe("a tree on disk", () => {
  const root = mkdtempSync(join(tmpdir(), "unused-exports-"));
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  beforeAll(() => {
    write("library/src/core/index.ts", 'export { used } from "./a.js";\n');
    write(
      "library/src/core/a.ts",
      "export const used = 1;\nexport const own = 2;\nexport const dead = own;\n",
    );
    write(
      "apps/cli/src/b.ts",
      "export const own = [1];\nexport const all = [...own];\nexport type T = 3;\nexport const tested: T = 3;\nexport type U = 4;\n",
    );
    write("apps/cli/src/b.test.ts", 'import { all, tested } from "./b.js";\n');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test("has dead exports in the library, and values for their own file and dead types in apps", () => {
    expect(checkTree(root).map(({ file, line, name }) => `${file}:${line} ${name}`)).toEqual([
      "library/src/core/a.ts:3 dead",
      "apps/cli/src/b.ts:1 own",
      "apps/cli/src/b.ts:5 U",
    ]);
  });

  test("the command names them and ends with code 1; --fix unexports what its own file uses", () => {
    const script = fileURLToPath(new URL("./unused-exports.mjs", import.meta.url));
    const run = (...words) => spawnSync(process.execPath, [script, root, ...words], { encoding: "utf8" });
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toContain("apps/cli/src/b.ts:1: own is exported, and no file imports it");
    expect(run("--fix").stderr).not.toContain("own");
    expect(readFileSync(join(root, "apps/cli/src/b.ts"), "utf8")).toMatch(/^const own/);
  });
});
