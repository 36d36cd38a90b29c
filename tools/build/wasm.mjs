/**
 * Compiles the kernel families, `library/wasm/<group>/<family>.ts` (AssemblyScript), to WASM and writes each as an importable module
 * `library/src/numeric/generated/<family>.ts` with a typed function per kernel (kernels.mjs). A family may have a folder of its own
 * beside its file, and all may use `shared/`. Modules whose sources have not changed are left alone.
 *
 * Decorators of functions are not TypeScript, and no formatter or linter reads them: sources have the comment `// @inline`
 * instead, which the compiler gets as `@inline`.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CHARACTERS, FREQUENT, kernelText } from "./kernel-text.mjs";
import { checkStaticData, staticBase, staticPages } from "./static-data.mjs";

const root = new URL("../../", import.meta.url);
const wasmFolder = new URL("library/wasm/", root);
const generated = new URL("library/src/numeric/generated/", root);
const path = (url) => fileURLToPath(url);

const sources = readdirSync(wasmFolder, { recursive: true }).map((file) => file.replaceAll("\\", "/"));
const nameOf = (file) => posix.basename(file, ".ts");
const families = sources
  .filter((file) => /^(?!shared\/)[\w-]+\/[\w-]+\.ts$/.test(file))
  .sort((a, b) => (posix.basename(a) < posix.basename(b) ? -1 : 1));
const hash = createHash("sha256");
for (const file of ["wasm.mjs", "kernels.mjs", "layout.mjs", "kernel-text.mjs", "static-data.mjs"])
  hash.update(readFileSync(new URL(file, import.meta.url)));
hash.update(readFileSync(new URL("node_modules/assemblyscript/package.json", root)));
const common = hash.digest("hex");

mkdirSync(generated, { recursive: true });
await writeLayouts();
writeMemoryLayout();
writeCharacters();
for (const [index, file] of families.entries()) {
  const name = nameOf(file);
  const stamp = stampOf(`${index} of ${families.length}`, [...withImports(file)].sort());
  const target = new URL(`${name}.ts`, generated);
  if (read(target).includes(stamp)) continue;
  const { familyModule, readKernels, widthsOf } = await import("./kernels.mjs");
  const kernels = readKernels(file, (source) => read(new URL(source, wasmFolder)));
  const wasm = await compile(file, index, widthsOf(kernels));
  writeFileSync(target, familyModule(file, stamp, kernelText(wasm), kernels));
  console.log(`wasm ${name}: ${wasm.length} bytes`);
}

function stampOf(place, files) {
  const stamped = createHash("sha256").update(common).update(place);
  for (const file of files) stamped.update(readFileSync(new URL(file, wasmFolder)));
  return stamped.digest("hex").slice(0, 16);
}

/** A file and all that it imports, directly or not. */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, from] of read(new URL(file, wasmFolder)).matchAll(/from "(\.[^"]+)"/g))
    withImports(`${posix.join(posix.dirname(file), from)}.ts`, found);
  return found;
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

/** Writes `generated/<name>.layout.ts` for every `<name>.layout.ts`; see layout.mjs. */
async function writeLayouts() {
  for (const file of sources.filter((source) => source.endsWith(".layout.ts"))) {
    const stamp = stampOf("layout", [file]);
    const target = new URL(posix.basename(file), generated);
    if (read(target).includes(stamp)) continue;
    const { layoutModule, readLayout } = await import("./layout.mjs");
    const layout = readLayout(file, read(new URL(file, wasmFolder)));
    writeFileSync(target, layoutModule(`wasm/${file}`, stamp, layout));
  }
}

function read(url) {
  try {
    return readFileSync(url, "utf8");
  } catch {
    return "";
  }
}

/** Compiles a family with `more` appended to its file. */
async function compile(entry, index, more) {
  const { default: asc } = await import("assemblyscript/asc");
  const { withDecorators } = await import("./kernels.mjs");
  const name = nameOf(entry);
  let wasm;
  const { error, stderr } = await asc.main(
    [
      entry,
      "--baseDir",
      path(wasmFolder),
      "--outFile",
      `/${name}.wasm`,
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
      ...(withImports(entry).has("shared/team.ts") ? ["--enable", "threads"] : []),
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
        if (text === "") return null;
        return withDecorators(file === entry ? `${text}\n${more}\n` : text);
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
