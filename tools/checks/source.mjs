/** Reading TypeScript source for the lint rules: what is code, what is text, and what a file imports. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Every .ts file below a folder that is not a test, with its text. */
export function sourceFiles(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) {
        return name === "node_modules" || name === "dist" ? [] : sourceFiles(path);
      }
      return /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)
        ? [{ path, text: readFileSync(path, "utf8") }]
        : [];
    });
}

/** Every .mjs file below a folder that is not a test, with its text; none if there is no such folder. */
export function scripts(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".mjs") && !name.endsWith(".test.mjs") && !name.includes("node_modules"))
    .sort()
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), "utf8") }));
}

/** Words after which a slash starts a regular expression and not a division. */
const beforeRegex = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|delete))\s*$/;

/**
 * The text with comments and the inside of strings, templates and regular expressions turned to spaces. Every
 * character keeps its position, so a match in the mask can be looked up in the text.
 */
export function maskText(text) {
  const out = text.split("");
  const blank = (from, to) => {
    for (let at = from; at < to; at++) if (out[at] !== "\n") out[at] = " ";
  };
  // What each open `{` belongs to: "template" when its `}` goes back into a template literal.
  const braces = [];
  let at = 0;
  while (at < text.length) {
    const end = skipText(text, at, out, braces);
    if (end === undefined) at++;
    else {
      blank(end.from, end.to);
      at = end.next;
    }
  }
  return out.join("");
}

/** If text that is not code starts at `at`: the part to blank, and where code goes on. */
function skipText(text, at, out, braces) {
  const two = text.slice(at, at + 2);
  if (two === "//") return comment(text, at, text.indexOf("\n", at));
  if (two === "/*") return comment(text, at, text.indexOf("*/", at + 2) + 2);
  const character = text[at];
  if (character === '"' || character === "'") {
    const end = closing(text, at + 1, character);
    return { from: at + 1, to: end, next: end + 1 };
  }
  if (character === "{") braces.push("block");
  const backInTemplate = character === "}" && braces.pop() === "template";
  if (character === "`" || backInTemplate) return skipTemplate(text, at, braces);
  if (character === "/" && beforeRegex.test(out.slice(Math.max(0, at - 40), at).join(""))) {
    const end = closing(text, at + 1, "/");
    return { from: at + 1, to: end, next: end + 1 };
  }
  return undefined;
}

function comment(text, from, found) {
  const end = found > from ? found : text.length;
  return { from, to: end, next: end };
}

function skipTemplate(text, at, braces) {
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === "`") return { from: at + 1, to: end, next: end + 1 };
    else if (text.startsWith("${", end)) {
      braces.push("template");
      return { from: at + 1, to: end, next: end + 2 };
    }
  }
  return { from: at + 1, to: text.length, next: text.length };
}

/** Position of the quote that closes a literal; a class `[…]` in a regular expression may hold a slash. */
function closing(text, from, quote) {
  let inClass = false;
  for (let at = from; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "\\") at++;
    else if (quote === "/" && text[at] === "[") inClass = true;
    else if (quote === "/" && text[at] === "]") inClass = false;
    else if (text[at] === quote && !inClass) return at;
  }
  const line = text.indexOf("\n", from);
  return line < 0 ? text.length : line;
}

export const lineOf = (text, at) => text.slice(0, at).split("\n").length;

/** Each pattern ends right after the specifier's opening quote. */
const importForms = [
  { kind: "static", pattern: /\b(?:import|export)\b(?!\s*\()[^;"'`]*?\bfrom\s*["'`]/g },
  { kind: "static", pattern: /\bimport\s*["'`]/g },
  { kind: "dynamic", pattern: /\b(?:import|require)\s*\(\s*["'`]/g },
  { kind: "worker", pattern: /\bnew\s+URL\s*\(\s*["'`]/g },
];

/** Every import of a file: static and type imports, re-exports, `import(…)` and `new URL(…)` of a worker. */
export function importsOf(text) {
  const mask = maskText(text);
  return importForms
    .flatMap(({ kind, pattern }) =>
      [...mask.matchAll(pattern)].map((match) => {
        const start = match.index + match[0].length;
        const end = mask.indexOf(mask[start - 1], start);
        const typeOnly = /^(?:import|export)\s+type\b/.test(match[0]);
        return { kind, typeOnly, specifier: text.slice(start, end), line: lineOf(text, start), at: start };
      }),
    )
    .filter(({ kind, specifier }) => kind !== "worker" || /^\..*\.[cm]?[jt]s$/.test(specifier))
    .sort((a, b) => a.at - b.at);
}
