import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

interface Circumstances {
  readonly cwd?: string;
  /** What the program reads from its standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a script where `argmax` is what a user's program gets. */
function runNode(words: readonly string[], circumstances: Circumstances = {}): Promise<Run> {
  const { cwd = fixtures, input = "", env = {} } = circumstances;
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(process.execPath, words, { cwd, env: { ...process.env, ...env } });
    child.stdin.end(input);
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

test("a fit in the background that is refused lets the process end", async () => {
  const program = `import { background, Ridge } from "argmax";
    const signal = new AbortController(); // in place of its signal
    for (const x of [[[1], [2]], [[1], [Number.NaN]]])
      await background(new Ridge()).fit(x, [1, 2], { signal }).catch((error) => console.log(error.name));`;
  const run = await runNode(["--input-type=module", "--eval", program]);
  expect(run).toMatchObject({ code: 0, output: "ParameterError\nParameterError\n", errors: "" });
  expect(run.lingered).toBeLessThan(2000);
});

describe("workers do not mind how the program was started", () => {
  const programs = { threads: "large-fit.mjs", "a background worker": "in-background.mjs" };
  const printed = { threads: "done\n", "a background worker": "same\n" };
  const preload = join(fixtures, "only-main-thread.cjs");

  for (const what of ["threads", "a background worker"] as const) {
    const program = readFileSync(join(fixtures, programs[what]), "utf8");
    const fine = { code: 0, output: printed[what], errors: "" };

    test(`${what}: as text on the command line`, async () => {
      expect(await runNode(["--input-type=module", "--eval", program])).toMatchObject(fine);
    }, 60_000);

    test(`${what}: from standard input`, async () => {
      expect(await runNode(["--input-type=module"], { input: program })).toMatchObject(fine);
    }, 60_000);

    test(`${what}: with a file required first, by a flag or by NODE_OPTIONS`, async () => {
      expect(await runNode(["-r", preload, programs[what]])).toMatchObject(fine);
      const env = { NODE_OPTIONS: `--require=${preload}` };
      expect(await runNode([programs[what]], { env })).toMatchObject(fine);
    }, 60_000);
  }
});

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
    expect(await runNode(["in-background.mjs"], { cwd: home })).toMatchObject({
      output: "same\n",
      errors: "",
    });
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
    expect((await runNode(["app.mjs"], { cwd: outdir })).output).toContain("start it yourself");
    cpSync(join(outdir, "worker.mjs"), join(outdir, "worker.js"));
    cpSync(join(repository, "library/package.json"), join(outdir, "package.json")); // .js are modules here, too
    expect(await runNode(["app.mjs"], { cwd: outdir })).toMatchObject({ output: "same\n", errors: "" });
  });
});

test("import, fit and first prediction add little to the start of Node", async () => {
  const best = {
    nothing: { took: Infinity, cpu: Infinity },
    "first-predict": { took: Infinity, cpu: Infinity },
  };
  for (let round = 0; round < 7; round++) {
    for (const [script, found] of Object.entries(best)) {
      const { took, errors } = await runNode(["cpu-time.mjs", `./${script}.mjs`]);
      found.took = Math.min(found.took, took);
      found.cpu = Math.min(found.cpu, Number(errors));
    }
  }
  const { nothing, "first-predict": predicted } = best;
  console.log(
    `a fresh process: ${predicted.took.toFixed(0)} ms, of which Node alone ${nothing.took.toFixed(0)} ms`,
  );
  // The promise is 20 ms on an idle machine. This runs beside other tests, on machines of any age, so it does not look at
  // the clock but at the processor's own time, and is generous.
  expect(predicted.cpu - nothing.cpu).toBeLessThan(150);
}, 60_000);
