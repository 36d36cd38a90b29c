import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entryFolders, nodeFiles, writeBundle } from "./bundle.mjs";

const dist = mkdtempSync(join(tmpdir(), "bundle-"));
const write = (name, text) => {
  mkdirSync(dirname(join(dist, name)), { recursive: true });
  writeFileSync(join(dist, name), text);
};

beforeAll(async () => {
  write("package.json", '{ "type": "module" }');
  write("index.js", 'export { Tree } from "./trees/tree.js";\nexport const size = "main";\n');
  write("trees/index.js", 'export * from "./tree.js";\nexport const size = "trees";\n');
  write("trees/tree.js", "export class Tree {\n  static seed() {\n    return new Tree();\n  }\n}\n");
  write("trees/unused.js", "export const unused = 1;\n");
  write("datasets/index.js", 'export const load = () => import("../data/included/elms.js");\n');
  write("data/included/elms.js", 'export const rows = "elm";\n');
  write("neural/autodiff/index.js", "export const grad = 1;\n");
  write("plot/index.js", "export const bars = 1;\n");
  write("background/listen-to-all.js", "export const listenToAll = () => {};\n");
  write("background/here.js", "export const here = import.meta.url;\n");
  await writeBundle(dist);
});
afterAll(() => rmSync(dist, { recursive: true }));

const load = (name) => import(/* @vite-ignore */ pathToFileURL(join(dist, "node", name)).href);

test("an entry point is a folder with an index", () => {
  expect(entryFolders(dist)).toEqual(["", "datasets", "neural/autodiff", "plot", "trees"]);
});

test("all entry points share one file, and each keeps its own names", async () => {
  const [main, trees] = [await load("index.js"), await load("trees/index.js")];
  expect(Object.keys(main).sort()).toEqual(["Tree", "size"]);
  expect([main.size, trees.size]).toEqual(["main", "trees"]);
  expect(main.Tree).toBe(trees.Tree);
});

test("a class that mentions itself is called what it was called", async () => {
  const { Tree } = await load("index.js");
  expect(Tree.name).toBe("Tree");
  expect(Tree.seed()).toBeInstanceOf(Tree);
});

test("a dataset is read where it lies, when it is asked for", async () => {
  const { load: loadElms } = await load("datasets/index.js");
  expect((await nodeFiles(dist)).get("argmax.js")).not.toContain('"elm"');
  expect((await loadElms()).rows).toBe("elm");
});

test("an entry point that is gone goes from the build, too", async () => {
  write("oaks/index.js", "export const size = 3;\n");
  await writeBundle(dist);
  expect(existsSync(join(dist, "node/oaks/index.js"))).toBe(true);
  rmSync(join(dist, "oaks"), { recursive: true });
  await writeBundle(dist);
  expect(existsSync(join(dist, "node/oaks/index.js"))).toBe(false);
  expect(readdirSync(join(dist, "node"))).toContain("worker.js");
});

test("the library's own build is made of the modules beside it", async () => {
  const library = fileURLToPath(new URL("../../library/dist", import.meta.url));
  for (const [name, text] of await nodeFiles(library)) {
    const same = readFileSync(join(library, "node", name), "utf8") === text;
    expect(same, `dist/node/${name} is old: npm run build`).toBe(true);
  }
});
