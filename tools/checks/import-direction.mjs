/**
 * Imports point downwards only. `node tools/checks/import-direction.mjs [root]` prints every import that does not,
 * as file:line and the rule it breaks, and ends with code 1 if there is one.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cyclesOf } from "./import-cycles.mjs";
import { importsOf, sourceFiles } from "./source.mjs";

/**
 * The folders of library/src from the bottom up. A folder may import itself and everything below it; folders side by
 * side on one level may not import each other. What two of them need moves down.
 */
export const layers = [
  ["core"],
  ["data"],
  ["datasets"],
  ["numeric"],
  ["csv"], // found and read by kernels
  ["metrics"], // silhouettes measure distances
  ["fitted"], // bases of fitted classifiers and regressors, which score themselves
  ["minimisers"], // of any smooth function: no losses, no penalties
  ["losses", "penalties"],
  ["solvers"],
  [
    "linear",
    "preprocessing",
    "bayes",
    "discriminant",
    "neighbors",
    "trees",
    "neural",
    "clustering",
    "mixture",
    "text",
    "dummy",
    "isotonic",
  ],
  ["pipeline", "table-checks"], // leaks are found by trees
  ["compose", "feature-selection"], // transformers of columns, made of pipelines too
  ["kernel-functions"],
  ["svm", "kernel-methods", "decomposition"], // the kernelised forms of linear methods are made of them
  ["selection"],
  ["ensembles"], // what several of the next have in common
  ["forests", "boosting", "adaboost", "bagging", "cascade", "meta"], // made of many estimators
  ["structure"], // what a model's structure computes, of all families
  ["inspection"], // of models of all families
  ["plot"], // draws what the others compute
  ["persistence", "onnx"], // models as files
  ["background"],
  ["compare"], // every estimator, in workers
  ["sums"], // what packages need that learn from sums over rows they do not have
  ["."], // index.ts and its neighbours
];

/**
 * The folders of each app's src from the bottom up. Files beside the folders (main.ts, command.ts, …) are not ordered: only cycles among
 * files are errors there, except in the studio, whose page (studio.tsx) is made of all screens.
 */
export const appLayers = {
  "apps/studio": [
    ["data", "generated"],
    ["work"],
    ["state", "draw"],
    ["ui"],
    ["stories"],
    ["screens"],
    ["."],
  ],
  "apps/cli": [
    ["terminal"],
    ["charts", "data", "studio"],
    ["report", "predict"],
    ["training"],
    ["database", "explain"],
    ["commands"],
  ],
  sql: [
    ["expressions"],
    ["dialects"],
    ["printing"],
    ["compile"],
    ["engines"],
    ["rows"], // passes over the rows of an engine, and what learners ask of them
    ["learners"],
    ["fit"],
  ],
  "apps/server": [["model"], ["answers"], ["batches"], ["http"]],
};

/** Imports between families that are wanted: `{ from, to, because }`. */
export const familyExceptions = [];

/** Where a Node module may be reached, and only by `import(…)`, so that browser bundles stay free of it. */
export const nodeAllowed = ["numeric/runtime/threads", "background/"];

/** Users of the library inside this repository: they import `argmax` and `argmax/…`, never its files. */
export const outsiders = ["apps/*", "sql", "bench"];

const levelOf = (folder, order = layers) => order.findIndex((level) => level.includes(folder));
const folderOf = (path) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : ".");

/** What is wrong with an import of a library file, or undefined. `file` is relative to library/src. */
export function judgeLibraryImport(file, { kind, specifier }, exceptions = familyExceptions) {
  if (specifier.startsWith("node:")) {
    const room = nodeAllowed.some((prefix) => file.startsWith(prefix));
    if (room && kind === "dynamic") return undefined;
    return `${specifier} does not exist in browsers (only ${nodeAllowed.join(", ")} may reach it, by import(…))`;
  }
  if (!specifier.startsWith(".")) return `the library has no dependencies, and "${specifier}" is one`;
  const target = resolve("/src", dirname(file), specifier);
  if (!target.startsWith("/src/")) return `"${specifier}" lies outside library/src`;
  return judgeFolders(folderOf(file), folderOf(target.slice("/src/".length)), exceptions);
}

function judgeFolders(from, to, exceptions, order = layers) {
  if (from === to) return undefined;
  for (const folder of [from, to]) {
    if (levelOf(folder, order) < 0)
      return `${folder}/ is in no layer: add it to the table in tools/checks/import-direction.mjs`;
  }
  if (levelOf(to, order) < levelOf(from, order)) return undefined;
  if (exceptions.some((exception) => exception.from === from && exception.to === to)) return undefined;
  return levelOf(to, order) === levelOf(from, order)
    ? `${from} and ${to} are side by side: what both need moves down`
    : `${to} is above ${from}: imports point downwards`;
}

/** What is wrong with an import of an app, or undefined. `file` is relative to the app's folder. */
export function judgeOutsideImport(file, { specifier }) {
  if (specifier.startsWith(".")) {
    // Tests may use the library's suites of checks.
    if (file.startsWith("test/") && /^(?:\.\.\/)+library\/test\//.test(specifier)) return undefined;
    const leaves = resolve("/", "app", dirname(file), specifier);
    return leaves.startsWith("/app/") ? undefined : `"${specifier}" leaves the folder: import from "argmax"`;
  }
  return /^argmax\/(?!package\.json$)[^/]*\//.test(specifier)
    ? `"${specifier}" is inside the library: import from "argmax" or "argmax/<folder>"`
    : undefined;
}

/** What is wrong with an import inside an app's src, or undefined. `file` is relative to the app's folder. */
export function judgeAppImport(file, { specifier }, order) {
  if (!specifier.startsWith(".") || !file.startsWith("src/")) return undefined;
  const target = resolve("/", dirname(file), specifier);
  if (!target.startsWith("/src/")) return undefined;
  const [from, to] = [file.slice("src/".length), target.slice("/src/".length)].map(folderOf);
  const isOrdered = (folder) => folder !== "." || levelOf(".", order) >= 0;
  return isOrdered(from) && isOrdered(to) ? judgeFolders(from, to, [], order) : undefined;
}

/** Files of a folder that import each other when they run; types and `import(…)` do not count. */
function checkCycles(root, folder) {
  if (!existsSync(folder)) return [];
  const files = sourceFiles(folder);
  const known = new Set(files.map(({ path }) => path));
  const graph = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(
          ({ kind, typeOnly, specifier }) => kind === "static" && !typeOnly && specifier.startsWith("."),
        )
        .flatMap(({ specifier }) => {
          const target = resolve(dirname(path), specifier).replace(/\.js$/, "");
          return [`${target}.ts`, `${target}.tsx`].filter((one) => known.has(one));
        }),
    ]),
  );
  return cyclesOf(graph).map((files) => {
    const names = files.map((path) => relative(root, path));
    return {
      file: names[0],
      line: 1,
      rule: `imports itself through ${names.slice(1).join(", ") || "itself"}`,
    };
  });
}

function check(root, folder, judge) {
  if (!existsSync(folder)) return [];
  return sourceFiles(folder).flatMap(({ path, text }) =>
    importsOf(text).flatMap((found) => {
      const rule = judge(relative(folder, path).split(sep).join("/"), found);
      return rule === undefined ? [] : [{ file: relative(root, path), line: found.line, rule }];
    }),
  );
}

/** Every import of the tree that breaks a rule. */
export function checkTree(root, exceptions = familyExceptions) {
  const folders = outsiders.flatMap((name) => {
    if (!name.endsWith("/*")) return [resolve(root, name)];
    const parent = resolve(root, name.slice(0, -2));
    return existsSync(parent) ? readdirSync(parent).map((child) => resolve(parent, child)) : [];
  });
  return [
    ...check(root, resolve(root, "library/src"), (file, found) =>
      judgeLibraryImport(file, found, exceptions),
    ),
    ...folders.flatMap((folder) => check(root, folder, judgeOutsideImport)),
    ...Object.entries(appLayers).flatMap(([app, order]) =>
      check(root, resolve(root, app), (file, found) => judgeAppImport(file, found, order)),
    ),
    ...[resolve(root, "library/src"), ...folders].flatMap((folder) => checkCycles(root, folder)),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  const problems = checkTree(root);
  for (const { file, line, rule } of problems) console.error(`${file}:${line}: ${rule}`);
  if (problems.length > 0) process.exit(1);
}
