/**
 * Rewrites calls of kernels in the JavaScript that `tsc` emits: arguments have names where they are written and are positions where they
 * run, so that a bundle carries no names and a call makes no object.
 *
 *     scaleChunk({ a: 2, x: from.ptr, n, size })      becomes      kernelCall(optimizerKernels, "c", [2, from.ptr, n, size])
 *
 * A call with a spread stays as it is. `node tools/build/inline-kernel-calls.mjs [dist]` after `tsc -b`; a file that was rewritten has no
 * calls left to rewrite.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseAst } from "vite";

const KERNEL = /^export const (\w+) = \(a\) => kernelCall\((\w+), "(\w+)", \[([^\]]*)\]\);$/gm;

/** The kernels of a generated module: `{ family, letter, params }` by name. */
export function kernelsIn(text) {
  const kernels = new Map();
  for (const [, name, family, letter, list] of text.matchAll(KERNEL)) {
    const params = list === "" ? [] : list.split(", ").map((entry) => entry.replace(/^a\./, ""));
    kernels.set(name, { family, letter, params });
  }
  return kernels;
}

/** The module with its calls of kernels by position; the same text if it has none. `generated` is the folder of the kernels' modules. */
export function inlined(text, kernels, generated) {
  const program = parseAst(text);
  const edits = [];
  const families = new Set();
  walk(program, (node) => {
    const edit = editOf(node, kernels, text);
    if (edit === undefined) return;
    edits.push(edit);
    families.add(edit.family);
  });
  if (edits.length === 0) return text;
  let out = text;
  for (const { start, end, code } of edits.sort((a, b) => b.start - a.start))
    out = out.slice(0, start) + code + out.slice(end);
  const imports = [
    `import { kernelCall } from "${generated}/../runtime/kernels.js";`,
    `import { ${[...families].sort().join(", ")} } from "${generated}/families.js";`,
  ];
  return `${imports.join("\n")}\n${out}`;
}

function walk(node, visit) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const inner of node) walk(inner, visit);
    return;
  }
  if (typeof node.type === "string") visit(node);
  for (const [key, inner] of Object.entries(node)) if (key !== "parent") walk(inner, visit);
}

function editOf(node, kernels, text) {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.arguments.length !== 1)
    return undefined;
  const kernel = kernels.get(node.callee.name);
  const [given] = node.arguments;
  if (kernel === undefined || given.type !== "ObjectExpression") return undefined;
  const values = new Map();
  for (const property of given.properties) {
    if (property.type !== "Property" || property.computed || property.method) return undefined;
    const { start, end } = property.value;
    values.set(property.key.name ?? property.key.value, text.slice(start, end));
  }
  const { family, letter, params } = kernel;
  if (values.size !== params.length || !params.every((name) => values.has(name))) return undefined;
  const code = `kernelCall(${family}, "${letter}", [${params.map((name) => values.get(name)).join(", ")}])`;
  return { start: node.start, end: node.end, code, family };
}

/** Names of kernels that a module imports from generated modules, with what they are. */
export function importedKernels(text, kernelsOf) {
  const all = new Map();
  for (const [, names, from] of text.matchAll(/import \{([^}]*)\} from "([^"]*\/generated\/[\w-]+\.js)";/g)) {
    const known = kernelsOf(basename(from));
    for (const entry of names.split(",")) {
      const [name, alias = name] = entry.trim().split(/ as /);
      if (known.has(name)) all.set(alias, known.get(name));
    }
  }
  return all;
}

function inlineAll(dist) {
  const folder = join(dist, "numeric/generated");
  const cache = new Map();
  const kernelsOf = (file) => {
    if (!cache.has(file)) cache.set(file, kernelsIn(readFileSync(join(folder, file), "utf8")));
    return cache.get(file);
  };
  for (const file of readdirSync(join(dist, "numeric"), { recursive: true, encoding: "utf8" })) {
    const path = join(dist, "numeric", file);
    if (!file.endsWith(".js") || dirname(path) === folder) continue;
    const text = readFileSync(path, "utf8");
    const kernels = importedKernels(text, kernelsOf);
    if (kernels.size === 0) continue;
    const out = inlined(text, kernels, relative(dirname(path), folder).replaceAll("\\", "/"));
    if (out !== text) writeFileSync(path, out);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  inlineAll(resolve(process.argv[2] ?? fileURLToPath(new URL("../../library/dist", import.meta.url))));
