/**
 * Memory that kernels and TypeScript share is declared once, in files `<name>.layout.ts` of AssemblyScript below `library/wasm/`: exported
 * `@unmanaged` classes, and exported constants. `readLayout` reads one by the compiler's own parser, and `layoutModule` writes what
 * TypeScript needs of it: places of fields, sizes of classes, constants. A field that does not exist cannot be written then, and one
 * that a kernel needs cannot be left out.
 *
 * A field whose comment has the tag `@result` is written by the kernel; all others are inputs.
 */
import * as compiler from "assemblyscript";

const { CommonFlags, DecoratorKind, NodeKind, Token } = compiler;

/** Bytes of a type, which are its alignment, too. */
const SIZES = {
  i8: 1,
  u8: 1,
  bool: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  f32: 4,
  usize: 4,
  i64: 8,
  u64: 8,
  f64: 8,
};

/** The classes of a layout file with the byte offset of each field, as AssemblyScript lays them out, and its constants. */
export function readLayout(path, text) {
  const program = compiler.newProgram(compiler.newOptions());
  compiler.parse(program, text, path, true);
  const problem = compiler.nextDiagnostic(program);
  if (problem) throw new Error(`${path} cannot be parsed: ${compiler.formatDiagnostic(problem)}`);
  const [source] = program.sources;
  const layout = { classes: [], constants: [] };
  let end = 0;
  for (const statement of source.statements) {
    const doc = docBefore(text, end, statement.range.start);
    end = statement.range.end;
    if (statement.kind === NodeKind.ClassDeclaration)
      layout.classes.push(readClass(path, text, statement, doc));
    else if (statement.kind === NodeKind.Variable)
      for (const declaration of statement.declarations)
        layout.constants.push(readConstant(path, declaration, doc, layout.constants));
    else throw new Error(`${path} must have classes and constants only, got ${textOf(statement)}`);
  }
  return layout;
}

const textOf = ({ range }) => range.source.text.slice(range.start, range.end);

/** The text of the comment between two places, without its stars; empty if there is none. */
export function docBefore(text, from, to) {
  const comment = text.slice(from, to).match(/\/\*\*([\s\S]*?)\*\//)?.[1] ?? "";
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd())
    .join("\n")
    .trim();
}

function readClass(path, text, declaration, doc) {
  const name = declaration.name.text;
  const unmanaged = declaration.decorators?.some(
    ({ decoratorKind }) => decoratorKind === DecoratorKind.Unmanaged,
  );
  if (!unmanaged || !(declaration.flags & CommonFlags.Export) || declaration.extendsType)
    throw new Error(`${path}: class ${name} must be exported, @unmanaged, and extend none`);
  const fields = [];
  let bytes = 0;
  let widest = 1;
  let end = text.indexOf("{", declaration.name.range.end) + 1;
  for (const member of declaration.members) {
    const type = member.type && textOf(member.type);
    const size = SIZES[type];
    if (member.kind !== NodeKind.FieldDeclaration || size === undefined || member.initializer)
      throw new Error(`${path}: ${name} must have fields of numbers only, got ${textOf(member)}`);
    bytes = Math.ceil(bytes / size) * size;
    const tagged = docBefore(text, end, member.range.start);
    const result = tagged.includes("@result");
    const own = tagged.replace("@result", "").trim();
    fields.push({ name: member.name.text, type, size, offset: bytes, result, doc: own });
    bytes += size;
    widest = Math.max(widest, size);
    end = member.range.end;
  }
  return { name, doc, fields, bytes: Math.ceil(bytes / widest) * widest };
}

function readConstant(path, declaration, doc, known) {
  const name = declaration.name.text;
  const constant = CommonFlags.Export | CommonFlags.Const;
  if (
    (declaration.flags & constant) !== constant ||
    !declaration.type ||
    !(textOf(declaration.type) in SIZES)
  )
    throw new Error(`${path}: ${name} must be an exported constant number`);
  return { name, doc, value: evaluate(path, declaration.initializer, known) };
}

const OPERATIONS = {
  [Token.Plus]: (a, b) => a + b,
  [Token.Minus]: (a, b) => a - b,
  [Token.Asterisk]: (a, b) => a * b,
  [Token.LessThan_LessThan]: (a, b) => a * 2 ** b,
};

/** The value of a constant: numbers, earlier constants, casts, sums, differences, products and shifts to the left. */
function evaluate(path, expression, known) {
  const inner = (other) => evaluate(path, other, known);
  if (expression.kind === NodeKind.Literal) {
    const value = Number(textOf(expression).replaceAll("_", ""));
    if (!Number.isNaN(value)) return value;
  }
  if (expression.kind === NodeKind.Parenthesized) return inner(expression.expression);
  if (expression.kind === NodeKind.Assertion) return inner(expression.expression);
  if (expression.kind === NodeKind.UnaryPrefix && expression.operator === Token.Minus)
    return -inner(expression.operand);
  if (expression.kind === NodeKind.Identifier) {
    const constant = known.find(({ name }) => name === expression.text);
    if (constant) return constant.value;
  }
  const operation = expression.kind === NodeKind.Binary ? OPERATIONS[expression.operator] : undefined;
  if (operation) return operation(inner(expression.left), inner(expression.right));
  throw new Error(`${path}: the value of a constant must be known here, got ${textOf(expression)}`);
}

/**
 * TypeScript of a layout: `taskF64.rows` is the place of the field `rows: f64` of class Task, counted in numbers of its type from the
 * record's begin; `taskBytes` the size of a record; `TaskInputs` what has to be written.
 */
export function layoutModule(path, stamp, { classes, constants }) {
  const lines = [`// Written by tools/build/wasm.mjs from ${path} (${stamp}).`];
  for (const { name, doc, fields, bytes } of classes) {
    const stem = name[0].toLowerCase() + name.slice(1);
    // spread: the lines of a comment.
    lines.push("", ...commentLines(doc), `export const ${stem}Bytes = ${bytes};`);
    for (const type of new Set(fields.map((field) => field.type))) {
      lines.push(`export const ${stem}${type[0].toUpperCase()}${type.slice(1)} = {`);
      for (const field of fields.filter((other) => other.type === type)) {
        for (const line of commentLines(field.doc)) lines.push(`  ${line}`);
        lines.push(`  ${field.name}: ${field.offset / field.size},`);
      }
      lines.push("} as const;");
    }
    const inputs = fields.filter(({ result }) => !result).map((field) => `"${field.name}"`);
    if (inputs.length > 0)
      lines.push(`export type ${name}Inputs = Readonly<Record<${inputs.join(" | ")}, number>>;`);
  }
  for (const { name, doc, value } of constants) {
    // spread: the lines of a comment.
    lines.push("", ...commentLines(doc), `export const ${name} = ${value};`);
  }
  return `${lines.join("\n")}\n`;
}

/** A comment of TypeScript; no lines if there is no text. */
export function commentLines(doc) {
  if (doc === "") return [];
  if (!doc.includes("\n")) return [`/** ${doc} */`];
  return ["/**", ...doc.split("\n").map((line) => ` * ${line}`.trimEnd()), " */"];
}
