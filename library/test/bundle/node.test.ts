import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { fixtures, repository } from "./bundle.js";

interface Run {
  readonly output: string;
  readonly errors: string;
  readonly code: number | null;
  /** Milliseconds from start to end. */
  readonly took: number;
  /** Milliseconds from the last output to the end of the process. */
  readonly lingered: number;
}

/** Runs a script where `argmax` is what a user's program gets. */
function runNode(words: readonly string[], cwd = fixtures): Promise<Run> {
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(process.execPath, words, { cwd });
    let output = "";
    let errors = "";
    let last = performance.now();
    child.stdout.on("data", (chunk) => {
      output += chunk;
      last = performance.now();
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.on("close", (code) => {
      const end = performance.now();
      resolve({ output, errors, code, took: end - start, lingered: end - last });
    });
  });
}

const dist = join(repository, "library/dist");
const folders = readdirSync(dist).filter(
  (name) => name !== "node" && existsSync(join(dist, name, "index.js")),
);
const folder = mkdtempSync(join(tmpdir(), "argmax-node-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("every entry point can be imported, quietly", async () => {
  const files = ["", ...folders].map((name) => pathToFileURL(join(dist, name, "index.js")).href);
  const names = ["argmax", ...folders.map((name) => `argmax/${name}`)];
  const imports = [...files, ...names].map((specifier) => `await import("${specifier}");`);
  const run = await runNode(["--input-type=module", "--eval", imports.join("\n")]);
  expect(run).toMatchObject({ code: 0, output: "", errors: "" });
});

test("a fresh process fits and predicts without any set-up", async () => {
  const run = await runNode(["first-predict.mjs"]);
  expect(run).toMatchObject({ code: 0, output: '["no","yes"]\n', errors: "" });
});

test("threads and an idle background worker do not keep the process alive", async () => {
  const run = await runNode(["threaded-exit.mjs"]);
  expect(run).toMatchObject({ code: 0, output: "done\n", errors: "" });
  expect(run.lingered).toBeLessThan(2000);
}, 60_000);

describe("the one file that Node loads", () => {
  test("has the same names behind every entry point, and one class behind each name", async () => {
    expect(folders).toEqual(expect.arrayContaining(["data", "datasets", "linear", "numeric", "selection"]));
    const run = await runNode(["entry-points.mjs", ...folders]);
    expect(run).toMatchObject({ code: 0, output: "", errors: "" });
  });

  test("needs no other module, in the background neither", async () => {
    const home = join(folder, "alone");
    const copy = join(home, "node_modules/argmax");
    mkdirSync(copy, { recursive: true });
    cpSync(join(repository, "library/package.json"), join(copy, "package.json"));
    cpSync(join(dist, "node"), join(copy, "dist/node"), { recursive: true });
    cpSync(join(fixtures, "in-background.mjs"), join(home, "in-background.mjs"));
    expect(await runNode(["in-background.mjs"], home)).toMatchObject({ output: "same\n", errors: "" });
  });

  test("comes through a bundler for Node, with the worker as its second entry point", async () => {
    const outdir = join(folder, "bundled");
    await build({
      entryPoints: { app: join(fixtures, "in-background.mjs"), worker: "argmax/worker" },
      absWorkingDir: fixtures,
      bundle: true,
      minify: true,
      format: "esm",
      platform: "node",
      outExtension: { ".js": ".mjs" },
      outdir,
      logLevel: "silent",
    });
    expect((await runNode(["app.mjs"], outdir)).output).toContain("start it yourself");
    cpSync(join(outdir, "worker.mjs"), join(outdir, "worker.js"));
    cpSync(join(repository, "library/package.json"), join(outdir, "package.json")); // .js are modules here, too
    expect(await runNode(["app.mjs"], outdir)).toMatchObject({ output: "same\n", errors: "" });
  });
});

test("import, fit and first prediction add little to the start of Node", async () => {
  writeFileSync(join(folder, "bare.mjs"), "console.log(1);\n");
  const bare: number[] = [];
  const predicted: number[] = [];
  for (let round = 0; round < 7; round++) {
    bare.push((await runNode([join(folder, "bare.mjs")])).took);
    predicted.push((await runNode(["first-predict.mjs"])).took);
  }
  const [node, all] = [Math.min(...bare), Math.min(...predicted)];
  console.log(`a fresh process: ${all.toFixed(0)} ms, of which Node alone ${node.toFixed(0)} ms`);
  // The promise is 20 ms on an idle machine; this runs beside other tests, on machines of any age.
  expect(all - node).toBeLessThan(150);
}, 60_000);
