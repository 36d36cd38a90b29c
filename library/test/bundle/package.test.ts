import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import webpack from "webpack";
import { repository } from "./bundle.js";
import { openBrowser } from "./chromium.js";
import { installTarball } from "./installed.js";
import { isolation, serve } from "./serve.js";

declare global {
  // What the pages below put there.
  var found: Promise<unknown> | undefined;
}

const SLOW = 120_000;
const { folder: project, installed, remove } = installTarball();
afterAll(remove);

const run = (file: string, text: string): string => {
  writeFileSync(join(project, file), text);
  return execFileSync(process.execPath, [file], { cwd: project, encoding: "utf8" }).trim();
};

describe("the tarball", () => {
  test("has README, licence and keywords", () => {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(manifest.keywords).toContain("machine-learning");
    expect(manifest.license).toBe("MIT");
    expect(readFileSync(join(installed, "LICENSE"), "utf8")).toMatch(/^MIT/);
    const readme = readFileSync(join(installed, "README.md"), "utf8");
    expect(readme).toContain("# Argmax");
    expect(readme).not.toMatch(/\]\((?!https?:)/);
  });

  test("has declarations without kernels in them", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" }).filter((f) =>
      f.endsWith(".d.ts"),
    );
    expect(files.length).toBeGreaterThan(300);
    for (const file of files)
      for (const line of readFileSync(join(installed, file), "utf8").split("\n"))
        expect(line.length, file).toBeLessThan(3000);
  });

  test("runs in Node, as a module and through import() in CommonJS, and shows its package.json", () => {
    const fit = "new Ridge({ alpha: 0 }).fit([[1], [2], [3]], [2, 4, 6]).coef[0].toFixed(6)";
    expect(run("a.mjs", `import { Ridge } from "argmax";\nconsole.log(${fit});`)).toBe("2.000000");
    expect(run("b.cjs", `import("argmax").then(({ Ridge }) => console.log(${fit}));`)).toBe("2.000000");
    expect(run("c.cjs", 'console.log(require("argmax/package.json").name);')).toBe("argmax");
  });

  test("lets a worker of one's own know a few estimators only", () => {
    writeFileSync(
      join(project, "fits.mjs"),
      'import { Ridge, serveFits } from "argmax";\nserveFits([Ridge]);',
    );
    const said = run(
      "d.mjs",
      `import { Worker } from "node:worker_threads";
       import { background, Lasso, Ridge } from "argmax";
       const worker = () => new Worker(new URL("./fits.mjs", import.meta.url));
       const fit = (estimator) => background(estimator, { worker }).fit([[1], [2], [3]], [2, 4, 6]);
       console.log((await fit(new Ridge({ alpha: 0 }))).coef[0].toFixed(6));
       console.log(await fit(new Lasso()).catch(({ message }) => message));`,
    );
    expect(said.split("\n")).toEqual(["2.000000", expect.stringMatching(/Lasso/)]);
  });
});

/** What a user writes first: labels, options, a subpath, a table. */
const program = `
import { DecisionTreeClassifier, LogisticRegression, pipeline, StandardScaler, Table } from "argmax";
import { loadDataset } from "argmax/datasets";
import { grad, sum, square } from "argmax/neural/autodiff";

export async function main(depth: number | undefined): Promise<"setosa" | "versicolor" | "virginica" | undefined> {
  const { X, y } = await loadDataset("iris");
  const model = pipeline(new StandardScaler(), new LogisticRegression({ C: 2 })).fit(X, y);
  const tree = new DecisionTreeClassifier({ maxDepth: depth ?? 3 }).fit(X, y);
  const table = Table.fromColumns({ a: [1, 2], b: ["x", "y"] });
  const slope = grad((x) => sum(square(x)))([1, 2]);
  return table.rows + Number(slope !== undefined) > 0 ? model.predict(X)[0] : tree.predict(X)[0];
}
`;

describe("a strict TypeScript project", () => {
  const require = createRequire(import.meta.url);
  const compilers = {
    "TypeScript 5": join(repository, "tools/typescript-5/node_modules/typescript/lib/tsc.js"),
    "TypeScript 7": require.resolve("typescript/package.json").replace("package.json", "bin/tsc"),
  };
  // How modules are found and which globals declarations may use are independent: every value of both occurs.
  const projects = [
    ["bundler", "esnext", ["ES2022", "DOM"]],
    ["nodenext", "nodenext", ["ES2022"]],
    ["node10", "commonjs", ["ES2022"]],
  ] as const;
  for (const [name, compiler] of Object.entries(compilers)) {
    for (const [moduleResolution, module, lib] of projects) {
      // The classic resolution is gone in TypeScript 7.
      if (moduleResolution === "node10" && name === "TypeScript 7") continue;
      // TypeScript 5 takes five seconds per project: one here, the others in `npm run test:deep`.
      if (name === "TypeScript 5" && moduleResolution !== "nodenext" && !process.env["ARGMAX_DEEP"]) continue;
      test(
        `${name}, ${moduleResolution}, ${lib.join(" and ")}`,
        () => {
          const compilerOptions = {
            strict: true,
            exactOptionalPropertyTypes: true,
            noUncheckedIndexedAccess: true,
            skipLibCheck: false,
            noEmit: true,
            target: "es2022",
            types: [],
            lib,
            module,
            moduleResolution,
          };
          const folder = mkdtempSync(join(project, "ts-"));
          writeFileSync(
            join(folder, "tsconfig.json"),
            JSON.stringify({ compilerOptions, files: ["main.ts"] }),
          );
          writeFileSync(join(folder, "main.ts"), program);
          let said = "";
          try {
            said = execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
          } catch (error) {
            said = String((error as { stdout?: unknown }).stdout);
          }
          expect(said).toBe("");
        },
        SLOW,
      );
    }
  }
});

describe("a page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, SLOW);
  afterAll(() => browser?.close());

  const page = (script: string) => `<!doctype html><script type="module">${script}</script>`;
  const single = () => readFileSync(join(installed, "dist/argmax.min.js"));

  /** What the page found, and which files it asked for. */
  async function visit(files: Map<string, Uint8Array | string>, headers: Record<string, string> = {}) {
    const site = await serve(files, false, headers);
    try {
      const tab = await browser.newPage();
      const asked: string[] = [];
      tab.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await tab.goto(site.origin);
      await tab.waitForFunction(() => globalThis.found !== undefined);
      const found = await tab.evaluate(() =>
        globalThis.found!.catch((error: Error) => `${error.name}: ${error.message}`),
      );
      await tab.close();
      return { found, asked };
    } finally {
      await site.close();
    }
  }

  test(
    "without a bundler loads the library in one request, and fits in the background with the same file",
    async () => {
      const script = `
      import { background, Matrix, Ridge } from "/argmax.min.js";
      const X = [[1], [2], [3]];
      globalThis.found = (async () => [
        new Ridge({ alpha: 0 }).fit(X, [2, 4, 6]).coef[0].toFixed(6),
        (await background(new Ridge({ alpha: 0 })).fit(X, [3, 6, 9])).coef[0].toFixed(6),
        String(new Ridge()),
        Matrix.name,
      ])();`;
      const { found, asked } = await visit(
        new Map<string, Uint8Array | string>([
          ["/", page(script)],
          ["/argmax.min.js", single()],
        ]),
      );
      expect(found).toEqual(["2.000000", "3.000000", "Ridge()", "Matrix"]);
      // The worker asks for it once more, which a browser answers from its cache.
      expect(new Set(asked.filter((path) => path.endsWith(".js")))).toEqual(new Set(["/argmax.min.js"]));
    },
    SLOW,
  );

  test(
    "whose content security policy forbids WebAssembly gets an error that says what to add",
    async () => {
      const script = `
      import { Ridge } from "/argmax.min.js";
      globalThis.found = (async () => new Ridge().fit([[1], [2], [3]], [2, 4, 6]).coef.length)();`;
      const files = new Map<string, Uint8Array | string>([
        ["/", '<!doctype html><script type="module" src="/main.js"></script>'],
        ["/main.js", script],
        ["/argmax.min.js", single()],
      ]);
      const forbidden = await visit(files, { "Content-Security-Policy": "script-src 'self'" });
      expect(forbidden.found).toMatch(/^EnvironmentError: .*Add 'wasm-unsafe-eval' to script-src/);
      const allowed = await visit(files, {
        "Content-Security-Policy": "script-src 'self' 'wasm-unsafe-eval'",
      });
      expect(allowed.found).toBe(1);
    },
    SLOW,
  );

  test(
    "whose content security policy forbids workers fits without them, and background says what to allow",
    async () => {
      const script = `
      import { background, makeClassification, RandomForestClassifier, Ridge, threads } from "/argmax.min.js";
      const { X, y } = makeClassification({ nSamples: 5000, randomState: 1 });
      const forest = new RandomForestClassifier({ nEstimators: 20, randomState: 1 });
      globalThis.found = (async () => {
        const score = forest.fit(X, y).score(X, y);
        const ridge = background(new Ridge({ alpha: 0 })).fit([[1], [2], [3]], [3, 6, 9]);
        const coef = await ridge.then(({ coef }) => coef[0].toFixed(6), ({ message }) => message);
        return [threads(), forest.fit(X, y).score(X, y) === score, coef];
      })();`;
      const files = new Map<string, Uint8Array | string>([
        ["/", '<!doctype html><script type="module" src="/main.js"></script>'],
        ["/main.js", script],
        ["/argmax.min.js", single()],
      ]);
      const cores = availableParallelism();
      const visitWith = async (workers: string) => {
        const policy = `script-src 'self' 'wasm-unsafe-eval'; worker-src ${workers}`;
        return (await visit(files, { "Content-Security-Policy": policy, ...isolation })).found;
      };
      const refused = expect.stringMatching(
        /^background: the worker could not be loaded\..*worker-src 'self' blob:/,
      );
      for (const workers of ["'none'", "'self'", "blob:"])
        expect(await visitWith(workers), workers).toEqual([cores, true, refused]);
      expect(await visitWith("'self' blob:")).toEqual([cores, true, "3.000000"]);
    },
    SLOW,
  );

  test(
    "bundled by webpack works, and webpack has nothing to say",
    async () => {
      writeFileSync(
        join(project, "webpack-page.js"),
        `import { background, Ridge } from "argmax";
       globalThis.found = (async () => [
         new Ridge({ alpha: 0 }).fit([[1], [2], [3]], [2, 4, 6]).coef[0].toFixed(6),
         (await background(new Ridge({ alpha: 0 })).fit([[1], [2], [3]], [3, 6, 9])).coef[0].toFixed(6),
       ])();`,
      );
      const output = join(project, "webpack-out");
      const stats = await new Promise<webpack.Stats>((resolve, reject) =>
        webpack(
          {
            mode: "production",
            context: project,
            entry: "./webpack-page.js",
            output: { path: output, publicPath: "/" },
            performance: false,
            // Its minifier takes most of the time, and says nothing about the library.
            optimization: { minimize: false },
          },
          (error, result) => (result ? resolve(result) : reject(error)),
        ),
      );
      const { warnings, errors } = stats.toJson({ all: false, warnings: true, errors: true });
      expect([...(warnings ?? []), ...(errors ?? [])].map(({ message }) => message)).toEqual([]);
      const files = new Map<string, Uint8Array | string>(
        readdirSync(output).map((name) => [`/${name}`, readFileSync(join(output, name))]),
      );
      files.set("/", '<!doctype html><script src="/main.js"></script>');
      const { found } = await visit(files);
      expect(found).toEqual(["2.000000", "3.000000"]);
    },
    SLOW,
  );
});
