/** Pages of the reference for families of functions: each with its declaration, its comment and its options, as the source has them. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exportedFrom } from "../build/registry.mjs";
import { sourceFiles } from "../checks/source.mjs";

const COMMENT = String.raw`\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n`;
const FUNCTION = new RegExp(`(?:${COMMENT})?((?:^export function (\\w+)[\\s\\S]*?(?:;| \\{)\\n)+)`, "gm");
const INTERFACE = /^(?:export )?interface (\w+)[^{]*?(?:extends ([^{]+))?\{(?:\}|\n([\s\S]*?)^\})/gm;
const FIELD = new RegExp(`^ {2}(?:${COMMENT} {2})?readonly (\\w+)\\??: ([\\s\\S]*?);\\n`, "gm");

/** A declaration ends where its body begins, or with a semicolon if another follows. */
const DECLARATION = /^export function \w+[\s\S]*?\)(?:: [^\n]*?)?(?:;| \{)$/gm;

/** The functions of a text: names, comments, declarations. */
export function functionsIn(text) {
  const found = new Map();
  for (const { 1: comment, 2: body, 3: name } of text.matchAll(FUNCTION)) {
    const declarations = (body.match(DECLARATION) ?? []).map((line) =>
      line.replace(/^export function /, "").replace(/(?:;| \{)$/, ""),
    );
    const known = found.get(name);
    if (known) known.declarations = known.declarations.concat(declarations);
    else found.set(name, { name, comment: comment ?? "", declarations });
  }
  // Of overloads, the last declaration is that of the implementation.
  for (const one of found.values())
    if (one.declarations.length > 1) one.declarations = one.declarations.slice(0, -1);
  return found;
}

/** The interfaces of a text: what they extend, and their fields with comments and types. */
export function interfacesIn(text) {
  const found = new Map();
  for (const { 1: name, 2: bases = "", 3: body = "" } of text.matchAll(INTERFACE)) {
    const fields = [...body.matchAll(FIELD)].map(({ 1: comment = "", 2: field, 3: type }) => ({
      field,
      type: type.replaceAll(/\s+/g, " ").replace(/ \| undefined$/, ""),
      comment: comment.replaceAll(/\s*\n?\s*\*\s?/g, " ").trim(),
    }));
    found.set(name, { bases: bases.match(/\b[A-Z]\w*Options\b/g) ?? [], fields });
  }
  return found;
}

function fieldsOf(name, interfaces) {
  const own = interfaces.get(name);
  if (own === undefined) return [];
  return [...own.fields, ...own.bases.flatMap((base) => fieldsOf(base, interfaces))];
}

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function optionsTable(declarations, interfaces) {
  const names = new Set(declarations.flatMap((text) => text.match(/\b[A-Z]\w*Options\b/g) ?? []));
  const fields = new Map(
    [...names].flatMap((name) => fieldsOf(name, interfaces)).map((one) => [one.field, one]),
  );
  if (fields.size === 0) return undefined;
  const rows = [...fields.values()].map(
    ({ field, type, comment }) => `| \`${field}\` | \`${cell(type)}\` | ${cell(comment)} |`,
  );
  return ["| option | type | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The functions that a family exports, in the order of the alphabet, each as a section. */
export function functionSections(source, family, asMarkdown) {
  const index = join(source, family, "index.ts");
  const interfaces = new Map(
    sourceFiles(join(source, family)).flatMap(({ text }) => [...interfacesIn(text)]),
  );
  return exportedFrom(readFileSync(index, "utf8"))
    .flatMap(({ names, from }) => {
      const functions = functionsIn(readFileSync(join(dirname(index), from.replace(/\.js$/, ".ts")), "utf8"));
      return names.flatMap((name) => functions.get(name) ?? []);
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, comment, declarations }) => ({
      name,
      text: [
        `## ${name}`,
        asMarkdown(comment),
        `\`\`\`ts\n${declarations.join("\n")}\n\`\`\``,
        optionsTable(declarations, interfaces),
      ]
        .filter(Boolean)
        .join("\n\n"),
    }));
}
