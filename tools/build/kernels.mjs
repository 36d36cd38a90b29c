/**
 * The kernels of a family are the functions that its file exports, itself or from its folder. `readKernels` lists them by the
 * compiler's own parser, and from the list come both sides of a call: `entryModule`, which AssemblyScript compiles, and
 * `callsModule`, with which TypeScript calls a kernel by names of arguments.
 *
 * A generic kernel is compiled twice, for f32 and f64. A kernel whose last parameter is `chunk` is run once per chunk by `parallel`,
 * which passes that argument.
 */
import { posix } from "node:path";
import * as compiler from "assemblyscript";
import { commentLines, docBefore } from "./layout.mjs";

const { CommonFlags, NodeKind } = compiler;

/** What the runtime calls itself, for families whose threads work as a team. */
const INTERNAL = new Set(["abandonTeam", "allowSleep"]);

const textOf = ({ range }) => range.source.text.slice(range.start, range.end);

/** The text of a module as AssemblyScript reads it: decorators of functions are comments in the sources. */
export const withDecorators = (text) => text.replaceAll(/^\/\/ @inline$/gm, "@inline");

/** The kernels of the family in file `path`, in the order of their exports; `readText` returns the text of a file. */
export function readKernels(path, readText) {
  const text = readText(path);
  const program = compiler.newProgram(compiler.newOptions());
  compiler.parse(program, withDecorators(text), path, true);
  const problem = compiler.nextDiagnostic(program);
  if (problem) throw new Error(`${path} cannot be parsed: ${compiler.formatDiagnostic(problem)}`);
  const [source] = program.sources;
  const kernels = [];
  let end = 0;
  for (const statement of source.statements) {
    const doc = docBefore(source.text, end, statement.range.start);
    end = statement.range.end;
    if (statement.kind === NodeKind.FunctionDeclaration && statement.flags & CommonFlags.Export)
      kernels.push({ ...readFunction(statement), doc });
    if (statement.kind === NodeKind.Export) {
      const names = statement.members?.map((member) => member.exportedName.text);
      const file = `${posix.join(posix.dirname(path), statement.path.value)}.ts`;
      for (const kernel of readKernels(file, readText))
        if (names?.includes(kernel.name) ?? true) kernels.push(kernel);
    }
  }
  return kernels;
}

function readFunction({ name, signature, typeParameters }) {
  const isGeneric = (typeParameters?.length ?? 0) > 0;
  const parameters = signature.parameters.map((parameter) => ({
    name: parameter.name.text,
    type: textOf(parameter.type),
  }));
  return { name: name.text, isGeneric, parameters, result: textOf(signature.returnType) };
}

/** The name of a family's kernel in its binary: a letter, since names do not compress well. */
const letterOf = (index) => {
  if (index >= 26) throw new Error("a family has at most 26 kernels");
  return String.fromCharCode(97 + index);
};

/** The module that AssemblyScript compiles for a family: its kernels by their letters, generic ones for f32 and f64. */
export function entryModule(path, kernels) {
  const lines = kernels.flatMap((kernel, index) =>
    exportsOf(`./${path.replace(/\.ts$/, "")}`, kernel, letterOf(index)),
  );
  return `${lines.join("\n")}\n`;
}

function exportsOf(from, { name, isGeneric, parameters, result }, letter) {
  if (INTERNAL.has(name)) return [`export { ${name} } from "${from}";`];
  if (!isGeneric) return [`export { ${name} as ${letter} } from "${from}";`];
  const declared = parameters.map((parameter) => `${parameter.name}: ${numeric(parameter.type)}`).join(", ");
  const passed = parameters.map((parameter) => parameter.name).join(", ");
  const widths = [32, 64].map((bits) => {
    const call = `kernel_${name}<f${bits}>(${passed})`;
    return `export function ${letter}${bits / 8}(${declared}): ${result} { return ${call}; }`;
  });
  return [`import { ${name} as kernel_${name} } from "${from}";`, ...widths];
}

/** What is behind the name of a type in `shared/bytes.ts`. */
const numeric = (type) => (type === "Bytes" ? "usize" : type);

/** Types of parameters that are numbers in TypeScript; `usize` and classes are addresses. */
const NUMBERS = new Set(["Bytes", "bool", "f32", "f64", "i32", "u32"]);

const familyName = (path) =>
  `${posix.basename(path, ".ts").replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Kernels`;

/** TypeScript of a family: a function per kernel that makes a call from named arguments. */
export function callsModule(path, stamp, kernels) {
  const family = familyName(path);
  const calls = kernels.flatMap((kernel, index) =>
    INTERNAL.has(kernel.name) ? [] : [callOf(family, kernel, letterOf(index))],
  );
  const types = ["Address", ...new Set(calls.map(({ kind }) => kind))].sort();
  return [
    `// Written by tools/build/wasm.mjs from wasm/${path} (${stamp}).`,
    `import { ${types.map((type) => `type ${type}`).join(", ")}, kernelCall } from "../runtime/kernels.js";`,
    `import { ${family} } from "./families.js";`,
    ...calls.flatMap(({ lines }) => ["", ...lines]),
    "",
  ].join("\n");
}

/**
 * TypeScript of all families, each marked as pure, so that a bundle contains only the families that it uses. One module, so that their
 * binaries are side by side in a bundle: gzip finds what repeats within 32 KB only.
 */
export function familiesModule(paths, stamp) {
  const names = paths.map((path) => posix.basename(path, ".ts"));
  return [
    `// Written by tools/build/wasm.mjs (${stamp}).`,
    `import { KernelFamily } from "../runtime/kernels.js";`,
    ...names.map((name) => `import ${familyName(name)}Text from "./${name}.wasm.js";`),
    "",
    ...names.map(
      (name) =>
        `export const ${familyName(name)} = /* @__PURE__ */ new KernelFamily("${name}", ${familyName(name)}Text);`,
    ),
    "",
  ].join("\n");
}

function callOf(family, { name, doc, isGeneric, parameters }, letter) {
  const isChunk = parameters.at(-1)?.name === "chunk";
  const given = isChunk ? parameters.slice(0, -1) : parameters;
  const types = given.map((p) => `  readonly ${p.name}: ${NUMBERS.has(p.type) ? "number" : "Address"};`);
  const values = given.map((parameter) => `a.${parameter.name}`).join(", ");
  const kind = `${isGeneric ? "Real" : ""}${isChunk ? "Chunk" : ""}Call`;
  const call = `kernelCall(${family}, "${letter}", [${values}])`;
  return {
    kind,
    lines: [...commentLines(doc), `export const ${name} = (a: {`, ...types, `}): ${kind} => ${call};`],
  };
}
