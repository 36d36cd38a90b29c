/**
 * The kernels of a family are the functions that its file exports, itself or from its folder. `readKernels` lists them by the
 * compiler's own parser, and from the list come both sides of a call: `widthsOf`, which AssemblyScript compiles, and
 * `familyModule`, with which TypeScript calls a kernel by names of arguments.
 *
 * A generic kernel `f<T>` is compiled twice, for f32 and f64, and exported as `f32` and `f64`. A kernel whose last parameter is
 * `chunk` is run once per chunk by `parallel`, which passes that argument.
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
      kernels.push({ ...readFunction(path, statement), doc });
    if (statement.kind === NodeKind.Export) {
      const from = statement.path.value;
      const names = statement.members?.map((member) => member.exportedName.text);
      const file = `${posix.join(posix.dirname(path), from)}.ts`;
      for (const kernel of readKernels(file, readText))
        if (names?.includes(kernel.name) ?? true) kernels.push({ ...kernel, from });
    }
  }
  return kernels;
}

function readFunction(path, { name, signature, typeParameters }) {
  const isGeneric = (typeParameters?.length ?? 0) > 0;
  const parameters = signature.parameters.map((parameter) => ({
    name: parameter.name.text,
    type: textOf(parameter.type),
  }));
  return { name: name.text, path, isGeneric, parameters, result: textOf(signature.returnType) };
}

/** AssemblyScript to append to a family's file: each generic kernel for f32 and for f64. */
export function widthsOf(kernels) {
  return kernels
    .filter(({ isGeneric }) => isGeneric)
    .flatMap(({ name, from, parameters, result }) => {
      const declared = parameters.map((parameter) => `${parameter.name}: ${parameter.type}`).join(", ");
      const passed = parameters.map((parameter) => parameter.name).join(", ");
      const widths = ["32", "64"].map(
        (width) =>
          `export function ${name}${width}(${declared}): ${result} { return ${name}<f${width}>(${passed}); }`,
      );
      return from === undefined ? widths : [`import { ${name} } from "${from}";`, ...widths];
    })
    .join("\n");
}

/** Types of parameters that are numbers in TypeScript; `usize` and classes are addresses. */
const NUMBERS = new Set(["Bytes", "bool", "f32", "f64", "i32", "u32"]);

/**
 * TypeScript of a family: its binary as `text`, and a function per kernel that makes a call from named arguments. The comment marks the
 * family as pure, so that a bundle contains only the families that it uses.
 */
export function familyModule(path, stamp, text, kernels) {
  const name = posix.basename(path, ".ts");
  const family = `${name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Kernels`;
  const calls = kernels
    .filter((kernel) => !INTERNAL.has(kernel.name))
    .map((kernel) => callOf(family, kernel));
  const types = ["Address", ...new Set(calls.map(({ kind }) => kind))].sort();
  return [
    `// Written by tools/build/wasm.mjs from wasm/${path} (${stamp}).`,
    `import { ${types.map((type) => `type ${type}`).join(", ")}, KernelFamily, kernelCall } from "../runtime/kernels.js";`,
    "",
    `const text: string = "${text}";`,
    `export const ${family} = /* @__PURE__ */ new KernelFamily("${name}", text);`,
    ...calls.flatMap(({ lines }) => ["", ...lines]),
    "",
  ].join("\n");
}

function callOf(family, { name, doc, isGeneric, parameters }) {
  const isChunk = parameters.at(-1)?.name === "chunk";
  const given = isChunk ? parameters.slice(0, -1) : parameters;
  const types = given.map((p) => `  readonly ${p.name}: ${NUMBERS.has(p.type) ? "number" : "Address"};`);
  const values = given.map((parameter) => `a.${parameter.name}`).join(", ");
  const kind = `${isGeneric ? "Real" : ""}${isChunk ? "Chunk" : ""}Call`;
  const call = `kernelCall(${family}, "${name}", [${values}])`;
  return {
    kind,
    lines: [...commentLines(doc), `export const ${name} = (a: {`, ...types, `}): ${kind} => ${call};`],
  };
}
