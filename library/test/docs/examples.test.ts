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
  writeFileSync(join(folder, "run.mjs"), RUNNER);
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

/** Runs the examples of a page one after the other in one process, and prints what each prints as one line of JSON. */
const RUNNER = `
const [folder, ...names] = process.argv.slice(2);
const { format } = await import("node:util");
for (const name of names) {
  const lines = [];
  console.log = (...given) => lines.push(...format(...given).split("\\n"));
  const error = await import(folder + "/" + name + ".js").then(() => null, (thrown) => thrown?.stack ?? String(thrown));
  process.stdout.write(JSON.stringify({ name, lines, error }) + "\\n");
}
`;

interface Printed {
  readonly name: string;
  readonly lines: readonly string[];
  readonly error: string | null;
}

const pages = [...new Set(blocks.map(({ page }) => page))];

describe.concurrent("every example compiles and runs", () => {
  for (const page of pages) {
    const own = blocks.filter((block) => block.page === page);
    test(page, async ({ expect }) => {
      const places = own.map((block) => `src/${blockName(block)}.ts(`);
      expect(complaints.filter((line) => places.some((start) => line.startsWith(start)))).toEqual([]);
      const running = own.filter(({ runs }) => runs);
      if (running.length === 0) return;
      const runner = join(folder, "run.mjs");
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [runner, join(folder, "out"), ...running.map(blockName)],
        { cwd: folder },
      );
      const printed = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Printed);
      running.forEach((block, i) => {
        const { lines, error } = printed[i]!;
        const place = `${page}:${block.line}`;
        expect(error, place).toBeNull();
        if (block.data !== undefined && wholeData === undefined)
          expect(lines, place).toHaveLength(block.prints.length);
        else if (block.prints.length > 0) expect(lines, place).toEqual(block.prints);
      });
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
