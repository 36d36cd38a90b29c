/**
 * Writes the docs of params tables into the declarations that `tsc` emits, for editors to show:
 *
 *     constructor(params?: Params<typeof ridgeParams>);
 *
 * becomes
 *
 *     constructor(params?: {
 *         // as JSDoc: Regularisation strength α. Default: 1. Must be a number ≥ 0.
 *         readonly alpha?: Params<typeof ridgeParams>["alpha"];
 *
 * An estimator without a constructor of its own gets the declaration of the one that it inherits.
 *
 * TypeScript 7 shows the docs of plain properties only: not of mapped types such as `Params` itself, nor of properties that
 * several members of a union have. So a union of combinations becomes what its members share, and a union of the rest.
 *
 * The text comes from the tables of the built modules. `node tools/build/param-docs.mjs` after `tsc -b`, which rewrites files
 * that have changed; what an earlier run wrote is undone first, since the docs may come from another file.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describeRow } from "./describe-row.mjs";

const isObject = (value) => typeof value === "object" && value !== null;
const isSpec = (value) => isObject(value) && typeof value.read === "function" && "default" in value;
const isTable = (value) => isObject(value) && Object.values(value).every(isSpec);

const END = " /* as in the table */";

const INHERITED = " /* inherited */;";

/** What `tsc` wrote: every piece of an earlier run begins with the text that it replaced, or is a constructor that it added. */
const undone = (text) =>
  text
    .replaceAll(/\/\* (Params(?:With)?<[^*]*) \*\/ \{[\s\S]*? \/\* as in the table \*\//g, "$1")
    .replaceAll(/^ {4}constructor\(.*\) \/\* inherited \*\/;\n/gm, "");

const openers = "<({[";
const closers = ">)}]";

/** Where the bracket that opens at `from` closes. */
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') at = text.indexOf('"', at + 1);
    else if (openers.includes(text[at])) depth++;
    else if (closers.includes(text[at]) && text[at - 1] !== "=" && --depth === 0) return at;
  }
  throw new Error(`no end of ${text.slice(from, from + 80)}`);
}

/** The text between separators that are in no bracket. */
function split(text, separator) {
  const pieces = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = text.indexOf('"', at + 1);
    else if (openers.includes(text[at])) at = closing(text, at);
    else if (text[at] === separator) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...pieces, text.slice(start)].map((piece) => piece.trim()).filter((piece) => piece !== "");
}

/** The text up to the end of its statement. */
function statement(text) {
  let at = 0;
  for (; text[at] !== ";"; at++) if (openers.includes(text[at])) at = closing(text, at);
  return text.slice(0, at);
}

/** The body of `type name = body;`, if the file has such an alias. */
function aliasOf(text, name) {
  const found = new RegExp(`^(?:export )?(?:declare )?type ${name} = `, "m").exec(text);
  return found ? statement(text.slice(found.index + found[0].length)) : undefined;
}

/** `{ penalty: "l2"; solver?: … }` as a map from name to [mark of optional ones, type]. */
function membersOf(literal) {
  const members = split(literal.slice(1, -1), ";").map((member) =>
    /^(?:readonly )?(\w+)(\??): ([\s\S]*)$/.exec(member).slice(1),
  );
  return new Map(members.map(([name, mark, type]) => [name, { mark, type }]));
}

/** "@" would begin a tag. */
const commentText = (spec) => describeRow(spec).replaceAll("*/", "*\\/").replaceAll("@", "\\@");

/** A literal of some parameters, as `Params<name, narrowed>` or `ParamsWith<name, narrowed>` has them. */
function literalOf({ generic, name, table, members }, keys, indent) {
  const rows = keys.flatMap((key) => {
    const { mark = "?", type } = members.get(key) ?? {};
    const optional = generic === "Params" || mark === "?";
    const narrow = optional ? `${key}?: (${type}) | undefined` : `${key}: ${type}`;
    const own = `${key}?: import("${PARAMS}").Params<${name}>["${key}"]`;
    return [`/** ${commentText(table[key])} */`, `readonly ${type === undefined ? own : narrow};`];
  });
  return `{\n${rows.map((line) => `${indent}    ${line}\n`).join("")}${indent}}`;
}

/** One combination as a literal; of several, what they share and a union of the rest. */
function documentedType(combinations, indent) {
  const [first] = combinations;
  const keys = Object.keys(first.table);
  if (combinations.length === 1) return literalOf(first, keys, indent);
  const differs = (key) => combinations.some(({ members }) => members.has(key));
  const rest = combinations.map((one) => literalOf(one, keys.filter(differs), indent));
  const shared = keys.filter((key) => !differs(key));
  return `${literalOf(first, shared, indent)} & (${rest.join(" | ")})`;
}
/** Replaced by the path of core/params/params.js, which every file that has a table can name. */
const PARAMS = "#params";

/** The value that `typeof name`, an alias of it, or `typeof tables.name` has the type of. */
function tableNamed(text, type, named) {
  const path = /^typeof ([\w.]+)$/.exec(type) ?? /^typeof ([\w.]+)$/.exec(aliasOf(text, type) ?? "");
  if (path === null) return undefined;
  const [first, ...rest] = path[1].split(".");
  const value = rest.reduce((object, key) => object?.[key], named(first));
  return isTable(value) ? value : undefined;
}

/** What `Params<table, narrowed>` names; undefined if that is no table of this module. */
function combinationOf(text, type, named) {
  const [, generic, list] = /^(Params(?:With)?)<([\s\S]*)>$/.exec(type) ?? [];
  if (generic === undefined) return undefined;
  const [name, narrowed] = split(list, ",");
  const table = tableNamed(text, name, named);
  return table && { generic, name, table, members: narrowed === undefined ? new Map() : membersOf(narrowed) };
}

/** `Params<…>`, or all of `Params<…> | ParamsWith<…>`, that begins at a place. */
function unionAt(text, from) {
  let end = closing(text, text.indexOf("<", from)) + 1;
  for (;;) {
    const next = /^ \| Params(?:With)?(?=<)/.exec(text.slice(end));
    if (next === null) return text.slice(from, end);
    end = closing(text, end + next[0].length) + 1;
  }
}

/** Declares the constructors that estimators inherit, from the type argument of their base class that is a table or, without one, their own table. */
function withConstructors(text, named) {
  return text.replaceAll(
    /^(export declare class (\w+).* extends \w+(?:<(.*)>)? (?:implements .* )?\{\n)([\s\S]*?)^\}$/gm,
    (whole, head, name, typeArguments = "", body) => {
      if (/^ {4}constructor\(/m.test(body) || !Object.hasOwn(named(name) ?? {}, "table")) return whole;
      const isOfTable = (type) => tableNamed(text, type, named) !== undefined;
      const table = split(typeArguments, ",").find(isOfTable) ?? `typeof ${name}.table`;
      return `${head}    constructor(params?: Params<${table}>)${INHERITED}\n${body}}`;
    },
  );
}

/** The declarations with docs. `named` returns what the module calls by a name, imported or its own. */
export function documented(text, named, paramsPath = "../core/params/params.js") {
  const source = withConstructors(undone(text), named);
  const generic = /(?<![\w."])Params(?:With)?</g;
  let out = "";
  let done = 0;
  for (let found = generic.exec(source); found; found = generic.exec(source)) {
    const original = unionAt(source, found.index);
    const combinations = split(original, "|").map((type) => combinationOf(source, type, named));
    generic.lastIndex = found.index + original.length;
    if (combinations.includes(undefined)) continue;
    const line = source.slice(source.lastIndexOf("\n", found.index) + 1, found.index);
    const type = documentedType(combinations, /^ */.exec(line)[0]);
    out += `${source.slice(done, found.index)}/* ${original} */ ${type}${END}`;
    done = found.index + original.length;
  }
  return (out + source.slice(done)).replaceAll(PARAMS, paramsPath);
}

/** What names of a module stand for: its exports, and what it imports. */
async function valuesOf(file, text) {
  const exported = await import(pathToFileURL(file).href);
  const imported = new Map();
  for (const [, names, from] of text.matchAll(/^import (?:type )?\{([^}]*)\} from "(\.[^"]*)";$/gm)) {
    const module = await import(pathToFileURL(resolve(dirname(file), from)).href);
    for (const name of names.split(",").map((entry) => entry.replace("type ", "").trim()))
      if (name in module) imported.set(name, module[name]);
  }
  return (name) => exported[name] ?? imported.get(name);
}

/** Documents every declaration file below `dist`. */
export async function writeParamDocs(dist) {
  for (const path of readdirSync(dist, { recursive: true })) {
    if (!path.endsWith(".d.ts")) continue;
    const file = join(dist, path);
    const text = readFileSync(file, "utf8");
    if (
      !/\bParams(?:With)?<|\bstatic readonly table\b/.test(text) ||
      file.endsWith(join("core", "params", "params.d.ts"))
    )
      continue;
    const depth = path.split(/[\\/]/).length - 1;
    const named = await valuesOf(file.replace(/\.d\.ts$/, ".js"), text);
    const result = documented(text, named, `${"../".repeat(depth) || "./"}core/params/params.js`);
    if (result !== text) writeFileSync(file, result);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await writeParamDocs(fileURLToPath(new URL("../../library/dist", import.meta.url)));
}
