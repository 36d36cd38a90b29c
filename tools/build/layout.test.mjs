import { readdirSync, readFileSync } from "node:fs";
import asc from "assemblyscript/asc";
import { describe, expect, it } from "vitest";
import { layoutModule, readLayout } from "./layout.mjs";

const wasmFolder = new URL("../../library/wasm/", import.meta.url);
const generated = new URL("../../library/src/numeric/generated/", import.meta.url);

const mixed = `
/** A record. */
@unmanaged
export class Mixed {
  a: u8;
  /** Aligned to eight bytes. */
  b: f64;
  c: u16;
  d: u8;
  e: i32;
  f: u8;
  g: i64;
  /** How many there are. @result */
  h: i32;
}

/** Twice a constant and a shift. */
export const SIZE: i32 = 12;
export const TWICE: usize = (2 * <usize>SIZE + 0x10) << 1;
export const LEAST: f64 = -1.5e-3, LARGEST: u32 = 0xffff_ffff;
`;

describe("readLayout", () => {
  it("places fields as AssemblyScript does: each at a multiple of its size", () => {
    const [{ name, doc, fields, bytes }] = readLayout("mixed.ts", mixed).classes;
    expect([name, doc, bytes]).toEqual(["Mixed", "A record.", 48]);
    expect(fields.map((field) => [field.name, field.type, field.offset])).toEqual([
      ["a", "u8", 0],
      ["b", "f64", 8],
      ["c", "u16", 16],
      ["d", "u8", 18],
      ["e", "i32", 20],
      ["f", "u8", 24],
      ["g", "i64", 32],
      ["h", "i32", 40],
    ]);
    expect(fields.filter(({ result }) => result).map((field) => field.name)).toEqual(["h"]);
    expect(fields[1].doc).toBe("Aligned to eight bytes.");
    expect(fields[7].doc).toBe("How many there are.");
  });

  it("computes constants from literals and earlier constants", () => {
    const { constants } = readLayout("mixed.ts", mixed);
    expect(constants.map(({ name, value }) => [name, value])).toEqual([
      ["SIZE", 12],
      ["TWICE", 80],
      ["LEAST", -0.0015],
      ["LARGEST", 4294967295],
    ]);
    expect(constants[0].doc).toBe("Twice a constant and a shift.");
  });

  it.each([
    ["a function", "export function f(): void {}", /classes and constants only/],
    ["a class of references", "@unmanaged export class A { b: B; }", /fields of numbers only/],
    ["a managed class, which has a header", "export class A { b: i32; }", /@unmanaged/],
    ["a class that extends another", "@unmanaged export class A extends B { b: i32; }", /extend none/],
    ["a constant that is not exported", "const A: i32 = 1;", /exported constant/],
    ["a variable", "export let A: i32 = 1;", /exported constant/],
    ["a constant without a type", "export const A = 1;", /exported constant/],
    ["a call", "export const A: i32 = f();", /must be known here/],
    ["an unknown name", "export const A: i32 = B;", /must be known here/],
    ["a syntax error", "export class {", /cannot be parsed/],
  ])("refuses %s", (_, text, message) => {
    expect(() => readLayout("wrong.ts", text)).toThrow(message);
  });
});

describe("layoutModule", () => {
  it("counts the place of a field in numbers of its type, and lists what has to be written", () => {
    const text = layoutModule("wasm/mixed.ts", "stamp", readLayout("mixed.ts", mixed));
    expect(text).toContain("export const mixedBytes = 48;");
    expect(text).toContain(
      "export const mixedF64 = {\n  /** Aligned to eight bytes. */\n  b: 1,\n} as const;",
    );
    expect(text).toContain(
      "export const mixedI32 = {\n  e: 5,\n  /** How many there are. */\n  h: 10,\n} as const;",
    );
    expect(text).toContain(
      'export type MixedInputs = Readonly<Record<"a" | "b" | "c" | "d" | "e" | "f" | "g", number>>;',
    );
    expect(text).toContain("export const TWICE = 80;");
  });
});

/** A module that returns what the compiler knows of a layout file: sizes, offsets, constants. */
async function compiled(path, { classes, constants }) {
  const names = [...classes, ...constants].map(({ name }) => name);
  const answers = [];
  for (const { name, fields } of classes) {
    answers.push(`offsetof<${name}>()`);
    for (const field of fields) answers.push(`offsetof<${name}>("${field.name}")`);
  }
  for (const { name } of constants) answers.push(name);
  const source = [
    `import { ${names.join(", ")} } from "./${path.replace(/\.ts$/, "")}";`,
    ...answers.map((answer, e) => `export function answer${e}(): f64 { return <f64>${answer}; }`),
  ].join("\n");
  let wasm;
  const { error, stderr } = await asc.main(
    ["ask.ts", "--outFile", "/ask.wasm", "--runtime", "stub", "--use", "abort="],
    {
      readFile: (file) =>
        file === "ask.ts" ? source : file === path ? readFileSync(new URL(path, wasmFolder), "utf8") : null,
      writeFile: (file, contents) => {
        if (file.endsWith(".wasm")) wasm = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${error}\n${stderr}`);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm));
  return answers.map((_, e) => exports[`answer${e}`]());
}

describe("layouts of the kernels", () => {
  const files = readdirSync(wasmFolder, { recursive: true }).filter((file) => /\.layout\.ts$/.test(file));

  it("are those of trees, boosting, support vector machines, …", () => {
    expect(files.length).toBeGreaterThanOrEqual(10);
  });

  it.each(files)("%s is read as the compiler reads it, and generated/ is up to date", async (file) => {
    const layout = readLayout(file, readFileSync(new URL(file, wasmFolder), "utf8"));
    const read = [];
    for (const { fields, bytes } of layout.classes) read.push(bytes, ...fields.map(({ offset }) => offset));
    for (const { value } of layout.constants) read.push(value);
    expect(await compiled(file, layout)).toEqual(read);
    const name = file.replace(/\.layout\.ts$/, "").replace(/^.*\//, "");
    const lines = (text) => text.split("\n").slice(1);
    const written = readFileSync(new URL(`${name}.layout.ts`, generated), "utf8");
    expect(lines(written)).toEqual(lines(layoutModule(file, "", layout)));
  });
});
