/**
 * Functions of more than 60 lines. `node tools/checks/long-functions.mjs [root]` prints as file:line, name and lines those of a folder that
 * has more of them than it may, and ends with code 1. Functions in the list of those that may be long do not count; an entry of that
 * list that is no longer needed is an error too. Tests are not read.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { scripts, sourceFiles } from "./source.mjs";

// TypeScript 7 has no parser for programs to call.
const ts = createRequire(new URL("../typescript-5/package.json", import.meta.url))("typescript");

export const MOST_LINES = 60;

/** More long functions than this are too many, whatever their reasons. */
const MOST_ALLOWED = 10;

/** Functions that may be long, by file and name, each with its reason. */
export const allowed = {
  "apps/studio/src/state/actions.ts reduce":
    "one case per action, each a few lines: the list of all actions reads best whole",
  "library/wasm/shared/losses.ts lossBlock":
    "one case per loss, each its value and two derivatives, which AssemblyScript cannot return together",
  "library/wasm/linear/softmax.ts rowTile":
    "eight sums in registers, two columns per turn: a function called per column could not keep them there",
};

/** Folders, and how many long functions each may have besides those. A number goes down with the functions that are cut, never up. */
const folders = {
  "library/src": 2,
  "library/wasm": 0,
  "apps/cli/src": 0,
  "apps/server/src": 0,
  "sql/src": 0,
  "apps/studio/src": 0,
  tools: 0,
};

/** Every function of a text that is longer than the limit, with its first line and its name. */
export function findLong(text, path = "text.ts", most = MOST_LINES) {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const lineAt = (position) => file.getLineAndCharacterOfPosition(position).line + 1;
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const line = lineAt(node.getStart(file));
      const lines = lineAt(node.getEnd()) - line + 1;
      if (lines > most) found.push({ line, lines, name: nameOf(node, file) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Its own name, or that of the variable or property that it is the value of; of an argument, that of the function called. */
function nameOf(node, file) {
  if (node.name !== undefined) return node.name.getText(file);
  if (ts.isConstructorDeclaration(node)) return "constructor";
  const { parent } = node;
  if (parent.name !== undefined) return parent.name.getText(file);
  if (ts.isCallExpression(parent)) return `argument of ${parent.expression.getText(file)}`;
  return "a function without a name";
}

export function checkTree(root) {
  const sources = Object.keys(folders).flatMap((folder) =>
    existsSync(resolve(root, folder)) ? sourceFiles(resolve(root, folder)) : [],
  );
  return [...sources, ...scripts(resolve(root, "tools"))].flatMap(({ path, text }) =>
    findLong(text, path).map((found) => ({ file: relative(root, path), ...found })),
  );
}

/** Sentences about folders with too many long functions, and about entries of the list that are not needed. */
export function problemsOf(found, list, limits = folders) {
  const key = ({ file, name }) => `${file} ${name}`;
  const long = new Set(found.map(key));
  const counted = found.filter((one) => !(key(one) in list));
  const unneeded = Object.keys(list).filter((entry) => !long.has(entry));
  const count = Object.keys(list).length;
  return [
    ...Object.entries(limits).flatMap(([folder, most]) => {
      const own = counted.filter(({ file }) => file.startsWith(`${folder}/`));
      if (own.length <= most) return [];
      const sentence = `${folder} has ${own.length} functions of more than ${MOST_LINES} lines; ${most} are allowed`;
      return [
        ...own.map(({ file, line, name, lines }) => `${file}:${line}: ${name} has ${lines} lines`),
        sentence,
      ];
    }),
    ...unneeded.map((entry) => `${entry} is not a long function: remove it from the list`),
    ...(count > MOST_ALLOWED ? [`${count} functions may be long; at most ${MOST_ALLOWED} are allowed`] : []),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  const problems = problemsOf(checkTree(root), allowed);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
