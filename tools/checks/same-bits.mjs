/**
 * Models have the same bits on every engine, so the library's source may not use what engines compute differently.
 * `node tools/checks/same-bits.mjs [root]` prints every such use as file:line and ends with code 1 if there is one.
 */
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { lineOf, maskText, sourceFiles } from "./source.mjs";

/** ECMAScript leaves the last bits of these to the engine ("implementation-approximated"); sqrt is exact in all. */
const approximated =
  "acos|acosh|asin|asinh|atan|atanh|atan2|cbrt|cos|cosh|exp|expm1|hypot|log|log1p|log10|log2|pow|sin|sinh|tan|tanh";

export const rules = [
  {
    pattern: new RegExp(`\\bMath\\s*\\.\\s*(?:${approximated})\\b`, "g"),
    advice: "differs in the last bits between engines: use core/numbers/elementary.ts",
  },
  {
    // Powers of two are exact for whole exponents, and every engine squares (x ** 2) by multiplying.
    pattern: /(?<!\b2\s*)\*\*(?!\s*2\b(?!\.))/g,
    advice: "is Math.pow: multiply, or use pow of core/numbers/elementary.ts",
  },
  { pattern: /\bMath\b(?!\s*\.\s*\w)/g, advice: "must be written Math.name, so that this check can read it" },
  { pattern: /\bMath\s*\.\s*random\b/g, advice: "cannot be seeded: use core/numbers/random.ts" },
  {
    pattern: /\.\s*(?:localeCompare|toLocale\w+)\b|\bIntl\b/g,
    advice: "depends on the user's language: compare by code unit",
  },
];

/** Every forbidden use in one text. */
export function findDifferingBits(text) {
  const mask = maskText(text);
  return rules
    .flatMap(({ pattern, advice }) =>
      [...mask.matchAll(pattern)].map((match) => ({
        line: lineOf(text, match.index),
        rule: `${match[0].replaceAll(/\s/g, "")} ${advice}`,
      })),
    )
    .sort((a, b) => a.line - b.line);
}

export function checkTree(root) {
  const folder = resolve(root, "library/src");
  if (!existsSync(folder)) return [];
  return sourceFiles(folder).flatMap(({ path, text }) =>
    findDifferingBits(text).map((found) => ({ file: relative(root, path), ...found })),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  const problems = checkTree(root);
  for (const { file, line, rule } of problems) console.error(`${file}:${line}: ${rule}`);
  if (problems.length > 0) process.exit(1);
}
