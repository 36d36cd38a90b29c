/**
 * A call takes about 120,000 arguments before the stack overflows, so that data may not be spread into the arguments of functions that
 * take any number: `Math.max(...values)`, `list.push(...rows)`. `node tools/checks/spread-arguments.mjs [root]` prints every such use as
 * file:line and ends with code 1 if there is one. A list that cannot grow is allowed by a comment in its line or the one above:
 * `// spread: at most 8 entries`.
 */
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { lineOf, maskText, scripts, sourceFiles } from "./source.mjs";

const folders = [
  "library/src",
  "apps/cli/src",
  "apps/server/src",
  "sql/src",
  "apps/studio/src",
  "bench/src",
  "docs/figures",
];

const called =
  /\b(?:Math\s*\.\s*(?:max|min|hypot)|String\s*\.\s*from(?:CharCode|CodePoint)|(?:Array|\w+Array)\s*\.\s*of)\s*\(|\.\s*(?:push|unshift|concat|splice)\s*\(/g;
/** A function whose arguments are a list: Function.prototype.apply, not the method of a model. */
const applied = /\.\s*apply\s*\(\s*(?:this|null|undefined|Math|String)\s*,|\bReflect\s*\.\s*apply\s*\(/g;
const allowed = /\/\/ spread: \S/;

const advice =
  "spreads data into arguments: use maxOf, minOf or pushAll of core/numbers/extremes.ts, or a loop";

/** Whether a spread is among the arguments of the call whose parenthesis was opened before `at`, and not in one of them. */
function spreads(mask, at) {
  let depth = 0;
  for (let end = at; end < mask.length && depth >= 0; end++) {
    const character = mask[end];
    if (depth === 0 && mask.startsWith("...", end)) return true;
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
  }
  return false;
}

/** Every forbidden use in one text. */
export function findSpreads(text) {
  const mask = maskText(text);
  const lines = text.split("\n");
  return [
    ...[...mask.matchAll(called)].filter(({ 0: match, index }) => spreads(mask, index + match.length)),
    ...mask.matchAll(applied),
  ]
    .map(({ index }) => ({ line: lineOf(text, index), rule: advice }))
    .filter(({ line }) => ![lines[line - 1], lines[line - 2] ?? ""].some((one) => allowed.test(one)))
    .sort((a, b) => a.line - b.line);
}

export function checkTree(root) {
  const files = folders.flatMap((folder) =>
    existsSync(resolve(root, folder)) ? sourceFiles(resolve(root, folder)) : [],
  );
  return [...files, ...scripts(resolve(root, "tools"))].flatMap(({ path, text }) =>
    findSpreads(text).map((found) => ({ file: relative(root, path), ...found })),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  const problems = checkTree(root);
  for (const { file, line, rule } of problems) console.error(`${file}:${line}: ${rule}`);
  if (problems.length > 0) process.exit(1);
}
