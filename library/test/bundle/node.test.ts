import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { fixtures, repository } from "./bundle.js";

interface Run {
  readonly output: string;
  readonly errors: string;
  readonly code: number | null;
  /** Milliseconds from the last output to the end of the process. */
  readonly lingered: number;
}

function runNode(words: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words);
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
    child.on("close", (code) => resolve({ output, errors, code, lingered: performance.now() - last }));
  });
}

test("every entry point can be imported, quietly", async () => {
  const dist = join(repository, "library/dist");
  const folders = readdirSync(dist, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const entries = folders
    .filter(({ name }) => readdirSync(join(dist, name)).includes("index.js"))
    .map(({ name }) => join(dist, name, "index.js"));
  const imports = [join(dist, "index.js"), ...entries].map(
    (path) => `await import("${pathToFileURL(path)}");`,
  );
  const run = await runNode(["--input-type=module", "--eval", imports.join("\n")]);
  expect(run).toMatchObject({ code: 0, output: "", errors: "" });
});

test("a fresh process fits and predicts without any set-up", async () => {
  const run = await runNode([join(fixtures, "first-predict.mjs")]);
  expect(run).toMatchObject({ code: 0, output: '["no","yes"]\n', errors: "" });
});

test("threads and an idle background worker do not keep the process alive", async () => {
  const run = await runNode([join(fixtures, "threaded-exit.mjs")]);
  expect(run).toMatchObject({ code: 0, output: "done\n", errors: "" });
  expect(run.lingered).toBeLessThan(2000);
}, 60_000);
