/**
 * Compiles every `library/wasm/*.ts` (AssemblyScript) to WASM and writes it as an importable module
 * `library/src/numeric/generated/<family>.ts`. A family may have a folder of its own, and all may use `shared/`. Files whose
 * sources have not changed are left alone.
 *
 * Decorators of functions are not TypeScript, and no formatter or linter reads them: sources have the comment `// @inline`
 * instead, which the compiler gets as `@inline`.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CHARACTERS, FREQUENT, kernelText } from "./kernel-text.mjs";
import { checkStaticData, staticBase, staticPages } from "./static-data.mjs";

const root = new URL("../../", import.meta.url);
const wasmFolder = new URL("library/wasm/", root);
const generated = new URL("library/src/numeric/generated/", root);
const path = (url) => fileURLToPath(url);

const families = readdirSync(wasmFolder)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".layout.ts"))
  .sort();
const sourcesIn = (folder) =>
  existsSync(new URL(folder, wasmFolder))
    ? readdirSync(new URL(folder, wasmFolder))
        .sort()
        .map((file) => folder + file)
    : [];
const hash = createHash("sha256");
for (const file of sourcesIn("shared/")) hash.update(readFileSync(new URL(file, wasmFolder)));
for (const file of ["wasm.mjs", "kernel-text.mjs", "static-data.mjs"])
  hash.update(readFileSync(new URL(file, import.meta.url)));
hash.update(readFileSync(new URL("node_modules/assemblyscript/package.json", root)));
const common = hash.digest("hex");

mkdirSync(generated, { recursive: true });
await writeLayouts();
writeMemoryLayout();
writeCharacters();
let asc;
for (const [index, file] of families.entries()) {
  const name = file.slice(0, -3);
  const layout = `${name}.layout.ts`;
  const folders = new Set([name, ...foldersOf(file)]);
  const own = [...folders].flatMap((folder) => (folder === "shared" ? [] : sourcesIn(`${folder}/`)));
  const sources = [file, ...(read(new URL(layout, wasmFolder)) ? [layout] : []), ...own];
  const stamped = createHash("sha256").update(common).update(`${index} of ${families.length}`);
  for (const part of sources) stamped.update(readFileSync(new URL(part, wasmFolder)));
  const stamp = stamped.digest("hex").slice(0, 16);
  const target = new URL(`${name}.ts`, generated);
  if (read(target).includes(stamp)) continue;
  asc ??= (await import("assemblyscript/asc")).default;
  const wasm = await compile(name, index);
  writeFileSync(target, moduleText(name, stamp, wasm));
  console.log(`wasm ${name}: ${wasm.length} bytes`);
}

/** The folders that a family's file imports from: those of other families, too. */
function foldersOf(file) {
  return [...read(new URL(file, wasmFolder)).matchAll(/from "\.\/([\w-]+)\//g)].map(([, folder]) => folder);
}

/** Writes where the memory begins that is not for static data of the kernels. */
function writeMemoryLayout() {
  const target = new URL("memory.layout.ts", generated);
  const text = [
    "// Written by tools/build/wasm.mjs.",
    "/** Pages at the beginning of the memory that hold the static data of the kernels. */",
    `export const STATIC_PAGES = ${staticPages(families.length)};`,
    "",
  ].join("\n");
  if (read(target) !== text) writeFileSync(target, text);
}

/** Writes what the text of kernels is made of, for those who read it. */
function writeCharacters() {
  const target = new URL("kernel-text.ts", generated);
  const text = [
    "// Written by tools/build/wasm.mjs from kernel-text.mjs.",
    `export const CHARACTERS: string = ${JSON.stringify(CHARACTERS)};`,
    `export const FREQUENT: string = ${JSON.stringify(FREQUENT)};`,
    "",
  ].join("\n");
  if (read(target) !== text) writeFileSync(target, text);
}

/** Writes `generated/<name>.layout.ts` for every `<name>/layout.ts` and `<name>.layout.ts`; see layout.mjs. */
async function writeLayouts() {
  const files = readdirSync(wasmFolder, { recursive: true }).filter((file) => /[\\/.]layout\.ts$/.test(file));
  const reader = new URL("layout.mjs", import.meta.url);
  for (const file of files) {
    const name = file.replace(/[\\/.]layout\.ts$/, "").replace(/^.*[\\/]/, "");
    const text = readFileSync(new URL(file, wasmFolder), "utf8");
    const stamped = createHash("sha256").update(common).update(readFileSync(reader)).update(text);
    const stamp = stamped.digest("hex").slice(0, 16);
    const target = new URL(`${name}.layout.ts`, generated);
    if (read(target).includes(stamp)) continue;
    const { layoutModule, readLayout } = await import(reader.href);
    writeFileSync(target, layoutModule(`wasm/${file}`, stamp, readLayout(file, text)));
  }
}

function read(url) {
  try {
    return readFileSync(url, "utf8");
  } catch {
    return "";
  }
}

async function compile(name, index) {
  const output = `/${name}.wasm`;
  let wasm;
  const { error, stderr } = await asc.main(
    [
      `${name}.ts`,
      "--baseDir",
      path(wasmFolder),
      "--outFile",
      output,
      "--optimizeLevel",
      "3",
      "--shrinkLevel",
      "0",
      "--converge",
      "--noAssert",
      "--runtime",
      "stub",
      "--enable",
      "simd",
      "--enable",
      "bulk-memory",
      // Atomic operations, where the threads of a team share the tasks of one computation.
      ...(["boosting", "smo", "trees"].includes(name) ? ["--enable", "threads"] : []),
      "--importMemory",
      "--initialMemory",
      String(staticPages(families.length)),
      "--maximumMemory",
      "65536",
      "--memoryBase",
      String(staticBase(index)),
      "--use",
      "abort=",
    ],
    {
      readFile: (file, folder) => {
        const text = read(pathToFileURL(resolve(folder, file)));
        return text === "" ? null : text.replaceAll(/^\/\/ @inline$/gm, "@inline");
      },
      writeFile: (file, contents) => {
        if (file.endsWith(".wasm")) wasm = contents;
      },
    },
  );
  if (error || !wasm) throw new Error(`kernel ${name} does not compile:\n${stderr}`);
  checkStaticData(name, index, wasm);
  return wasm;
}

function moduleText(name, stamp, wasm) {
  const comment = `// Written by tools/build/wasm.mjs from wasm/${name}.ts (${stamp}).`;
  return `${comment}\nconst text: string = "${kernelText(wasm)}";\nexport default text;\n`;
}
