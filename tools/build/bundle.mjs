/**
 * Writes library/dist/node/, what Node loads for `import "argmax"`: the whole library as one file, and for each entry
 * point a file that passes on its names. Opening a hundred small modules takes longer than everything that is in
 * them. Bundlers and browsers get the modules as `tsc` wrote them. See docs/decisions/0008-one-file-for-node.md.
 *
 * `node tools/build/bundle.mjs` after `tsc -b`; `--watch` goes on whenever `tsc -b --watch` has written something.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const settings = { bundle: true, format: "esm", platform: "node", target: "node20", write: false };
const indexOf = (folder) => posix.join(folder, "index.js");

/** The entry points that "exports" of library/package.json serves, as folders of dist: "", "linear", … */
export function entryFolders(dist) {
  return readdirSync(dist, { recursive: true })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => /(?:^|\/)index\.js$/.test(path) && !path.startsWith("node/"))
    .map((path) => path.slice(0, -"index.js".length).replace(/\/$/, ""))
    .sort();
}

/** What each entry point exports. */
async function namesOf(dist, folders) {
  const entryPoints = folders.map(indexOf);
  const { metafile } = await build({
    ...settings,
    absWorkingDir: dist,
    entryPoints,
    outdir: dist,
    metafile: true,
  });
  const outputs = Object.values(metafile.outputs);
  const exportsOf = (folder) => outputs.find(({ entryPoint }) => entryPoint === indexOf(folder)).exports;
  return new Map(folders.map((folder) => [folder, exportsOf(folder)]));
}

/** Two entry points may give one name to two things, so the common file writes the folder in front. */
const inside = (folder, name) => `${folder.replaceAll(/\W/g, "$")}$${name}`;

/** Included datasets stay where they are, and stay unread until somebody asks for one. */
const datasetsOutside = {
  name: "datasets-outside",
  setup({ onResolve }) {
    onResolve({ filter: /\/included\/[\w-]+\.js$/ }, ({ path }) => ({
      path: `../data/included/${path.slice(path.lastIndexOf("/") + 1)}`,
      external: true,
    }));
  },
};

/**
 * Stays a file of its own, which is loaded with the first worker: elsewhere `import.meta` would keep test runners from turning the
 * library into CommonJS.
 */
const hereOutside = {
  name: "here-outside",
  setup({ onResolve }) {
    onResolve({ filter: /\/here\.js$/ }, () => ({ path: "./here.js", external: true }));
  },
};

/** The same for the file beside them. */
const datasetsBeside = {
  name: "datasets-beside",
  setup({ onResolve }) {
    onResolve({ filter: /\/included\/[\w-]+\.js$/ }, ({ path }) => ({
      path: `./data/included/${path.slice(path.lastIndexOf("/") + 1)}`,
      external: true,
    }));
  },
};

async function commonFile(dist, names) {
  const lines = [...names].map(([folder, list]) => {
    const renamed = list.map((name) => `${name} as ${inside(folder, name)}`);
    return `export { ${renamed.join(", ")} } from "./${indexOf(folder)}";`;
  });
  lines.push('export { listenToAll } from "./background/listen-to-all.js";');
  const { outputFiles } = await build({
    ...settings,
    absWorkingDir: dist,
    stdin: { contents: lines.join("\n"), resolveDir: dist },
    plugins: [datasetsOutside, hereOutside],
  });
  return withFunctionNames(withClassNames(outputFiles[0].text));
}

/**
 * Two functions of one name in one file (the layer `dense` and the operation `dense`): esbuild writes `function dense2`, which consoles and
 * stack traces would show. Exports are `dense2 as neural$dense`.
 */
function withFunctionNames(text) {
  const exported = [...text.matchAll(/^ {2}(\w+?)(\d+) as \S*\$\1,?$/gm)].map(([, name, number]) => [
    `${name}${number}`,
    name,
  ]);
  const isFunction = (local) => text.includes(`\nfunction ${local}(`) || text.includes(`\nvar ${local} = (`);
  const functions = new Map(exported.filter(([local]) => isFunction(local)));
  const names = [...functions].map(([local, name]) => `[${local}, "${name}"]`);
  if (names.length === 0) return text;
  return `${text}for (const [f, value] of [${names.join(", ")}]) Object.defineProperty(f, "name", { value, configurable: true });\n`;
}

/** esbuild writes `var Matrix = class _Matrix`, and then error messages and consoles would call it _Matrix. */
function withClassNames(text) {
  const renamed = [...text.matchAll(/^var (\w+) = class _\1\b/gm)].map(([, name]) => name);
  return renamed.reduce((result, name) => {
    if (result.split(`class _${name} `).length !== 2) throw new Error(`two classes are called ${name}`);
    return result.replaceAll(new RegExp(`\\b_${name}\\b`, "g"), name);
  }, text);
}

/** Every file of dist/node with its text, the common one first: entry points never ask for a name before it is there. */
export async function nodeFiles(dist) {
  const names = await namesOf(dist, entryFolders(dist));
  const files = new Map([["argmax.js", await commonFile(dist, names)]]);
  for (const [folder, list] of names) {
    const renamed = list.map((name) => `  ${inside(folder, name)} as ${name},\n`);
    const up = folder === "" ? "./" : "../".repeat(folder.split("/").length);
    files.set(indexOf(folder), `export {\n${renamed.join("")}} from "${up}argmax.js";\n`);
  }
  files.set("here.js", readFileSync(join(dist, "background/here.js"), "utf8"));
  // Beside the common file, which looks for it there.
  files.set("worker.js", 'import { listenToAll } from "./argmax.js";\n\nlistenToAll();\n');
  return files;
}

/** On a page, the worker of the single file is that file again. */
const hereInside = {
  name: "here-inside",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]background[\\/]here\.js$/ }, () => ({
      contents: `
        export const here = import.meta.url;
        export const startWebWorker = () => {
          const text = \`import { listenToAll } from \${JSON.stringify(here)};\\nlistenToAll();\`;
          return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" });
        };`,
    }));
  },
};

/**
 * The library as one file for pages without a bundler: `import { LogisticRegression } from "…/argmax.min.js"`. It has the names of
 * "argmax" and "argmax/datasets", those of "argmax/neural/autodiff" as `autodiff` and those of "argmax/plot" as `plot`.
 */
export async function pageFile(dist) {
  const contents = [
    'export * from "./index.js";',
    'export * from "./datasets/index.js";',
    'export * as autodiff from "./neural/autodiff/index.js";',
    'export * as plot from "./plot/index.js";',
    'export { listenToAll } from "./background/listen-to-all.js";',
  ].join("\n");
  const { outputFiles } = await build({
    ...settings,
    absWorkingDir: dist,
    platform: "browser",
    target: "es2022",
    minify: true,
    // Messages and consoles show the names of classes.
    keepNames: true,
    legalComments: "none",
    stdin: { contents, resolveDir: dist },
    plugins: [datasetsBeside, hereInside],
  });
  return outputFiles[0].text;
}

const textOf = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

function write(path, text) {
  if (textOf(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  // A program that starts just now reads the old file or the new one, never half of one.
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** Writes what has changed and removes what is no longer there. */
export async function writeBundle(dist) {
  const target = join(dist, "node");
  const files = await nodeFiles(dist);
  for (const [name, text] of files) write(join(target, name), text);
  write(join(dist, "argmax.min.js"), await pageFile(dist));
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(relative(target, path).split(sep).join("/"))) rmSync(path);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const dist = fileURLToPath(new URL("../../library/dist", import.meta.url));
  await writeBundle(dist);
  if (process.argv[2] === "--watch") {
    let timer;
    watch(dist, { recursive: true }, (_, path) => {
      if (!path?.endsWith(".js") || path.startsWith(`node${sep}`)) return;
      clearTimeout(timer);
      timer = setTimeout(() => writeBundle(dist).catch(console.error), 100);
    });
  }
}
