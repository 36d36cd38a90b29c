import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cyclesOf } from "./import-cycles.mjs";
import {
  appLayers,
  checkTree,
  judgeAppImport,
  judgeLibraryImport,
  judgeOutsideImport,
} from "./import-direction.mjs";
import { importsOf, maskText } from "./source.mjs";

const staticImport = (specifier) => ({ kind: "static", specifier });
const dynamicImport = (specifier) => ({ kind: "dynamic", specifier });

describe("reading imports", () => {
  test("finds static, type, re-export, side-effect, dynamic and worker imports with their lines", () => {
    const text = [
      'import { a } from "./a.js";',
      "import type {",
      "  B,",
      '} from "./b.js";',
      'export * from "./c.js";',
      'import "./d.js";',
      'const e = await import("./e.js");',
      'const f = new Worker(new URL("./f.js", import.meta.url), { type: "module" });',
      'type G = import("./g.js").G;',
      'const h = new URL("https://example.org") ?? new URL("..", import.meta.url);',
    ].join("\n");
    expect(importsOf(text).map(({ specifier, line }) => `${specifier}:${line}`)).toEqual([
      "./a.js:1",
      "./b.js:4",
      "./c.js:5",
      "./d.js:6",
      "./e.js:7",
      "./f.js:8",
      "./g.js:9",
    ]);
  });

  test("does not read comments, strings, templates or regular expressions", () => {
    const text = [
      '// import "./a.js";',
      '/* export * from "./b.js" */',
      "const c = 'import \"./c.js\"';",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the source of a template
      'const d = `import "./d.js" ${`from "./e.js"`} from "./f.js"`;',
      'const g = /from "[/]"/.test(c) ? 1 / 2 : 3;',
      'import { h } from "./h.js"; // from "./i.js"',
    ].join("\n");
    expect(importsOf(text).map(({ specifier }) => specifier)).toEqual(["./h.js"]);
  });

  test("keeps every position, so that lines stay right", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the source of a template
    const text = 'const a = "x"; /* two\nlines */ const b = `y${a}z`;';
    const mask = maskText(text);
    expect(mask).toHaveLength(text.length);
    expect(mask.indexOf("const b")).toBe(text.indexOf("const b"));
  });
});

describe("the library", () => {
  test("imports downwards and within a folder", () => {
    expect(judgeLibraryImport("linear/ridge.ts", staticImport("../core/params.js"))).toBeUndefined();
    expect(judgeLibraryImport("linear/ridge.ts", staticImport("./fitted.js"))).toBeUndefined();
    expect(judgeLibraryImport("index.ts", staticImport("./linear/index.js"))).toBeUndefined();
    expect(judgeLibraryImport("index.ts", staticImport("./registry.js"))).toBeUndefined();
  });

  test("never imports upwards or out of itself", () => {
    expect(judgeLibraryImport("core/params.ts", staticImport("../data/index.js"))).toMatch(/above core/);
    expect(judgeLibraryImport("linear/ridge.ts", staticImport("../index.js"))).toMatch(/above linear/);
    expect(judgeLibraryImport("core/params.ts", staticImport("../../test/x.js"))).toMatch(/outside/);
  });

  test("keeps families apart unless the exception is written down", () => {
    const found = staticImport("../trees/tree.js");
    expect(judgeLibraryImport("bayes/forest.ts", found, [])).toMatch(/side by side/);
    expect(
      judgeLibraryImport("bayes/forest.ts", found, [{ from: "bayes", to: "trees", because: "members" }]),
    ).toBeUndefined();
    // Ensembles are made of any estimators, and sit above them.
    expect(judgeLibraryImport("forests/forest.ts", found, [])).toBeUndefined();
  });

  test("has no dependencies, and reaches Node only from the rooms for it and only by import()", () => {
    expect(judgeLibraryImport("linear/ridge.ts", staticImport("lodash"))).toMatch(/no dependencies/);
    expect(judgeLibraryImport("linear/ridge.ts", dynamicImport("node:os"))).toMatch(/browsers/);
    expect(judgeLibraryImport("numeric/runtime/threads.ts", staticImport("node:os"))).toMatch(/browsers/);
    expect(judgeLibraryImport("numeric/runtime/threads.ts", dynamicImport("node:os"))).toBeUndefined();
    expect(judgeLibraryImport("background/start.ts", dynamicImport("node:os"))).toBeUndefined();
  });

  test("has a layer for every folder", () => {
    expect(judgeLibraryImport("misc/x.ts", staticImport("../core/errors.js"))).toMatch(/in no layer/);
  });
});

test("apps import public entry points only", () => {
  expect(judgeOutsideImport("src/main.ts", staticImport("argmax"))).toBeUndefined();
  expect(judgeOutsideImport("src/main.ts", staticImport("argmax/linear"))).toBeUndefined();
  expect(judgeOutsideImport("src/main.ts", staticImport("node:util"))).toBeUndefined();
  expect(judgeOutsideImport("src/main.ts", staticImport("./table.js"))).toBeUndefined();
  expect(judgeOutsideImport("src/main.ts", staticImport("argmax/dist/linear/ridge.js"))).toMatch(
    /inside the library/,
  );
  expect(judgeOutsideImport("src/main.ts", staticImport("../../../library/src/index.js"))).toMatch(/leaves/);
});

test("folders of an app import downwards only", () => {
  const judge = (file, specifier) => judgeAppImport(file, staticImport(specifier), appLayers["apps/studio"]);
  expect(judge("src/screens/data/rows.tsx", "../../data/table.js")).toBeUndefined();
  expect(judge("src/data/table.ts", "../state/session.js")).toMatch(/state is above data/);
  expect(judge("src/ui/chart.tsx", "../screens/data/rows.js")).toMatch(/screens is above ui/);
  expect(judge("src/misc/x.ts", "../data/table.js")).toMatch(/in no layer/);
  // The program's own files, beside the folders, are not ordered.
  expect(
    judgeAppImport("src/data/load.ts", staticImport("../command.js"), appLayers["apps/cli"]),
  ).toBeUndefined();
});

test("cycles are the files that reach each other", () => {
  const graph = new Map([
    ["a", ["b", "d"]],
    ["b", ["c"]],
    ["c", ["a"]],
    ["d", []],
    ["e", ["e"]],
  ]);
  expect(cyclesOf(graph)).toEqual([["a", "b", "c"], ["e"]]);
});

describe("a tree on disk", () => {
  const root = mkdtempSync(join(tmpdir(), "import-direction-"));
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  beforeAll(() => {
    write(
      "library/src/core/a.ts",
      'import { x } from "vitest";\n\nexport type { B } from "../linear/b.js";\n',
    );
    write("library/src/linear/b.ts", 'import { a } from "../core/a.js";\n');
    write("library/src/core/a.test.ts", 'import { test } from "vitest";\n');
    write("library/src/core/c.ts", 'import { d } from "./d.js";\n');
    write("library/src/core/d.ts", 'import { c } from "./c.js";\n');
    write("library/src/core/e.ts", 'import type { C } from "./c.js";\n');
    write("apps/cli/src/main.ts", 'import "../../../library/src/index.js";\n');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test("is read as a whole, tests left out", () => {
    expect(checkTree(root).map(({ file, line }) => `${file}:${line}`)).toEqual([
      "library/src/core/a.ts:1",
      "library/src/core/a.ts:3",
      "apps/cli/src/main.ts:1",
      "library/src/core/c.ts:1",
    ]);
  });

  test("with a broken rule ends the command with code 1 and file:line", () => {
    const script = fileURLToPath(new URL("./import-direction.mjs", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("library/src/core/a.ts:3: linear is above core: imports point downwards");
  });
});
