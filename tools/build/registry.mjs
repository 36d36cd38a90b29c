/**
 * Writes `library/src/persistence/generated/estimators.ts`, the list of all estimators: of every family, the classes in its `index.ts`
 * whose static `id` is their name and that restore models. Families and classes are in the order of the alphabet.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sourceFiles } from "../checks/source.mjs";

const EXPORTED = /\bexport\s*\{([^}]*)\}\s*from\s*"([^"]+)"/g;
const CLASS = /^export class (\w+)\b([\s\S]*?)^\}/gm;

/** What an index file exports, types aside, and from which files. */
export function exportedFrom(text) {
  return [...text.matchAll(EXPORTED)].map(([, list, from]) => {
    const names = list.split(",").map((name) => name.trim());
    return { names: names.filter((name) => name !== "" && !name.startsWith("type ")), from };
  });
}

/** The classes of a file whose id is their name and whose models can be saved. */
export function estimatorsIn(text) {
  return [...text.matchAll(CLASS)].flatMap(([, name, body]) => {
    const id = /^ {2}static (?:override )?readonly id = "(\w+)";/m.exec(body)?.[1];
    return id === name && /^ {2}static restore\b/m.test(body) ? [name] : [];
  });
}

/** The estimators of every family that has any. */
export function estimatorsByFamily(source) {
  const byFamily = new Map();
  for (const family of readdirSync(source).sort()) {
    const index = join(source, family, "index.ts");
    if (!existsSync(index)) continue;
    const exported = new Set(exportedFrom(readFileSync(index, "utf8")).flatMap(({ names }) => names));
    const found = sourceFiles(join(source, family)).flatMap(({ text }) => estimatorsIn(text));
    const names = found.filter((name) => exported.has(name)).sort();
    if (names.length > 0) byFamily.set(family, names);
  }
  return byFamily;
}

export function registrySource(byFamily) {
  const families = [...byFamily];
  const imports = families.map(
    ([family, names]) => `import { ${names.join(", ")} } from "../../${family}/index.js";`,
  );
  const names = families.flatMap(([, own]) => own).map((name) => `  ${name},`);
  return [
    "// Written by tools/build/registry.mjs.",
    ...imports,
    'import type { RegisteredClass } from "../loader.js";',
    "",
    "/** Every estimator of the library. */",
    "export const estimatorClasses: readonly RegisteredClass[] = [",
    ...names,
    "];",
    "",
  ].join("\n");
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? "")).href) {
  const source = fileURLToPath(new URL("../../library/src/", import.meta.url));
  const path = join(source, "persistence/generated/estimators.ts");
  const text = registrySource(estimatorsByFamily(source));
  mkdirSync(dirname(path), { recursive: true });
  // A file that stays as it is keeps its date, and the compiler its work.
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
