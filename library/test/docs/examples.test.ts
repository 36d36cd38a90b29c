import { execFile, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allBlocks, blockModule, blockName, readBlocks } from "./blocks.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "argmax-docs-"));
const blocks = allBlocks(root);
let complaints: string[] = [];

const tsconfig = {
  extends: join(root, "tsconfig.base.json"),
  compilerOptions: {
    composite: false,
    declaration: false,
    noUnusedLocals: false,
    noEmitOnError: false,
    types: ["node"],
    rootDir: "src",
    outDir: "out",
  },
  include: ["src"],
};

/**
 * Data that are not included, by the name that examples give: their files. With the folder that has them in ARGMAX_DATA, the examples print what the
 * page says; without, they run on the few rows of fixtures/.
 */
const dataFiles: Readonly<Record<string, readonly string[]>> = {
  adult: ["adult-train.csv", "adult-test.csv"],
};
const wholeData = process.env.ARGMAX_DATA;

function dataFile(name: string, file: string): Buffer {
  if (wholeData === undefined) return readFileSync(new URL(`./fixtures/${file}`, import.meta.url));
  const path = join(wholeData, name, file);
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
}

beforeAll(() => {
  for (const [name, files] of Object.entries(dataFiles))
    for (const file of files) writeFileSync(join(folder, file), dataFile(name, file));
  mkdirSync(join(folder, "src"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  for (const block of blocks)
    writeFileSync(join(folder, "src", `${blockName(block)}.ts`), blockModule(block));
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout } = spawnSync(tsc, ["-p", folder, "--pretty", "false"], { cwd: folder, encoding: "utf8" });
  complaints = stdout.split("\n").filter((line) => line !== "");
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

test("a block keeps its page's line numbers and says what it prints", () => {
  const page = [
    "# Title",
    "```ts",
    "console.log(1 + 1); // → 2",
    "```",
    "```ts types",
    "let a: 1;",
    "```",
  ].join("\n");
  const [first, second] = readBlocks("page.md", page);
  expect(first).toMatchObject({ line: 3, runs: true, prints: ["2"] });
  expect(second).toMatchObject({ line: 6, runs: false, prints: [], data: undefined });
  expect(readBlocks("page.md", "```ts data=adult\n```")[0]).toMatchObject({ runs: true, data: "adult" });
  expect(blockModule(first!).split("\n")[2]).toBe("console.log(1 + 1); // → 2");
});

test("the pages have examples", () => {
  expect(blocks.length).toBeGreaterThan(10);
});

describe.concurrent("every example", () => {
  for (const block of blocks) {
    const name = blockName(block);
    test(`${block.page}:${block.line} ${block.runs ? "compiles and runs" : "compiles"}`, async ({
      expect,
    }) => {
      expect(complaints.filter((line) => line.startsWith(`src/${name}.ts(`))).toEqual([]);
      if (!block.runs) return;
      const program = join(folder, "out", `${name}.js`);
      const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: folder });
      const lines = stdout.trimEnd().split("\n");
      if (block.data !== undefined && wholeData === undefined)
        expect(lines).toHaveLength(block.prints.length);
      else if (block.prints.length > 0) expect(lines).toEqual(block.prints);
      // Some train a network, which takes ten seconds where nothing else runs.
    }, 120_000);
  }
});

test("nothing else is wrong with them", () => {
  const known = blocks.map((block) => `src/${blockName(block)}.ts(`);
  expect(
    complaints.filter((line) => /^\S/.test(line) && !known.some((start) => line.startsWith(start))),
  ).toEqual([]);
});
