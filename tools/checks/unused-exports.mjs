/**
 * Exports that nobody imports. `node tools/checks/unused-exports.mjs [root]` prints each as file:line and name, and ends with code 1 if there
 * is one. A type may be exported because a signature of its file has it. In apps every other export must be imported by another file; in
 * the library only dead ones are errors: those that their own file does not use either. `--fix` removes the word `export` where only its own
 * file uses a name.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { lineOf, maskText } from "./source.mjs";

/** Folders whose exports are checked. */
export const checkedFolders = [
  "library/src",
  "apps/cli/src",
  "apps/server/src",
  "sql/src",
  "apps/studio/src",
];

/** Folders whose files import them, tests and tools included. */
const importers = ["library", "sql", "apps", "bench", "tools"];

/** What users of a package import; files that Node or a page starts; what the build writes. */
const isEntry = (path) =>
  /^library\/src\/(?:[^/]+\/)?index\.ts$/.test(path) ||
  /^library\/src\/[^/]+\/generated\//.test(path) ||
  /^(?:apps\/server|sql)\/src\/index\.ts$/.test(path);

const DECLARED =
  /\bexport\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?|class|const|let|interface|type|enum)\s+([A-Za-z_$][\w$]*)/g;
const LISTED = /\bexport\s+(?:type\s+)?\{([^}]*)\}(?!\s*from)/g;
const NAMED = /\b(?:import|export)\s+(?:type\s+)?(?:[A-Za-z_$][\w$]*\s*,\s*)?\{([^}]*)\}\s*from\s*["']/g;
const WHOLE =
  /(?:\b(?:import|export)\s+(?:type\s+)?\*(?:\s*as\s+[\w$]+)?\s*from\s*|\b(?:import|require)\s*\(\s*|\bnew\s+URL\s*\(\s*)["'`]/g;

/** The names in braces: `a`, `type b`, `c as d`; the first of a pair is that of the other file, the second that of this one. */
const namesIn = (list, place) =>
  list
    .split(",")
    .map((one) => one.trim().replace(/^type\s+/, ""))
    .filter((one) => one !== "")
    .map((one) => one.split(/\s+as\s+/).at(place));

/** The names that a file exports itself, with their lines. */
export function exportsOf(text) {
  const mask = maskText(text);
  const isUsed = (name) =>
    [...mask.matchAll(new RegExp(`(?<![\\w$]|(?<!\\.)\\.)${name.replaceAll("$", "\\$")}(?![\\w$])`, "g"))]
      .length > 1;
  const declared = [...mask.matchAll(DECLARED)].map((match) => ({
    name: match[1],
    at: match.index,
    line: lineOf(text, match.index),
    isType: /\b(?:interface|type)\s+[\w$]+$/.test(match[0]),
    isUsedHere: isUsed(match[1]),
  }));
  const listed = [...mask.matchAll(LISTED)].flatMap((match) =>
    namesIn(match[1], -1).map((name) => ({ name, line: lineOf(text, match.index), isUsedHere: false })),
  );
  return [...declared, ...listed];
}

/** What a file takes from others: a name of a specifier, or "*" for all of it. */
export function usesOf(text) {
  const mask = maskText(text);
  const specifierAt = (start) => text.slice(start, mask.indexOf(mask[start - 1], start));
  const named = [...mask.matchAll(NAMED)].flatMap((match) => {
    const specifier = specifierAt(match.index + match[0].length);
    return namesIn(match[1], 0).map((name) => ({ name, specifier }));
  });
  const whole = [...mask.matchAll(WHOLE)].map((match) => ({
    name: "*",
    specifier: specifierAt(match.index + match[0].length),
  }));
  return [...named, ...whole].filter(({ specifier }) => specifier.startsWith("."));
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory())
      return ["node_modules", "dist", "fixtures", "wasm"].includes(name) ? [] : filesBelow(path);
    return /\.(?:[cm]?[jt]s|tsx)$/.test(name) ? [path] : [];
  });
}

/** Every export of the tree that no other file imports. */
export function checkTree(root) {
  const files = importers.flatMap((name) => filesBelow(resolve(root, name)));
  const texts = new Map(files.map((path) => [path, readFileSync(path, "utf8")]));
  const used = new Map();
  for (const [path, text] of texts)
    for (const { name, specifier } of usesOf(text)) {
      const target = resolve(dirname(path), specifier);
      const stem = target.replace(/\.js$/, "");
      const found = [target, `${stem}.ts`, `${stem}.tsx`].find((one) => texts.has(one));
      if (found === undefined) continue;
      if (!used.has(found)) used.set(found, new Set());
      used.get(found).add(name);
    }
  return files.flatMap((path) => {
    const own = relative(root, path).split(sep).join("/");
    const isChecked = checkedFolders.some((folder) => own.startsWith(`${folder}/`));
    if (!isChecked || isEntry(own) || /\.test\.tsx?$/.test(own)) return [];
    const names = used.get(path) ?? new Set();
    if (names.has("*")) return [];
    return exportsOf(texts.get(path))
      .filter(({ name }) => !names.has(name))
      .filter(({ isUsedHere, isType }) => !(isUsedHere && (isType || own.startsWith("library/"))))
      .map((one) => ({ file: own, ...one }));
  });
}

/** Removes the word `export` before names that only their own file uses. */
function fix(root, unused) {
  const isFixable = ({ at, isUsedHere }) => at !== undefined && isUsedHere;
  for (const { file, at } of unused.filter(isFixable).sort((a, b) => b.at - a.at)) {
    const path = join(root, file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, at) + text.slice(at).replace(/^export\s+/, ""));
  }
  return unused.filter((one) => !isFixable(one));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const words = process.argv.slice(2).filter((word) => word !== "--fix");
  const root = resolve(words[0] ?? fileURLToPath(new URL("../..", import.meta.url)));
  const found = checkTree(root);
  const unused = process.argv.includes("--fix") ? fix(root, found) : found;
  for (const { file, line, name } of unused)
    console.error(`${file}:${line}: ${name} is exported, and no file imports it`);
  if (unused.length > 0) process.exit(1);
}
