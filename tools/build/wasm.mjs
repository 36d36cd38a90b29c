/**
 * Compiles the kernel families, `library/wasm/<group>/<family>.ts` (AssemblyScript), to WASM. In `library/src/numeric/generated/` it
 * writes the binary of each as text, `<family>.wasm.ts`, a typed function per kernel, `<family>.ts`, and the list of all families,
 * `families.ts` (kernels.mjs). A family may have a folder of its own beside its file, and all may use `shared/`. Modules whose sources
 * have not changed are left alone.
 *
 * Decorators of functions are not TypeScript, and no formatter or linter reads them: sources have the comment `// @inline`
 * instead, which the compiler gets as `@inline`.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { posix, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CHARACTERS, FREQUENT, kernelText } from "./kernel-text.mjs";
import { checkStaticData, staticBase, staticPages } from "./static-data.mjs";

const root = new URL("../../", import.meta.url);
const wasmFolder = new URL("library/wasm/", root);
const generated = new URL("library/src/numeric/generated/", root);
const path = (url) => fileURLToPath(url);

const sources = readdirSync(wasmFolder, { recursive: true }).map((file) => file.replaceAll("\\", "/"));
/** The file that the compiler begins with, which is not on the disk. */
const ENTRY = "kernels-of-family.ts";
const nameOf = (file) => posix.basename(file, ".ts");
const families = sources
  .filter((file) => /^(?!shared\/)[\w-]+\/[\w-]+\.ts$/.test(file))
  .sort((a, b) => (posix.basename(a) < posix.basename(b) ? -1 : 1));
const hash = createHash("sha256");
for (const file of ["wasm.mjs", "kernels.mjs", "layout.mjs", "kernel-text.mjs", "static-data.mjs"])
  hash.update(readFileSync(new URL(file, import.meta.url)));
hash.update(readFileSync(new URL("node_modules/assemblyscript/package.json", root)));
const common = hash.digest("hex");

/** Families that another process of this program has left to this one. */
const given = process.argv.slice(2);
if (given.length === 0) {
  mkdirSync(generated, { recursive: true });
  await writeLayouts();
  writeMemoryLayout();
  writeCharacters();
  await writeFamilies();
  const stale = families.filter(isStale);
  await Promise.all(shares(stale).map(inProcess));
  // What was compiled before names exports of kernels by their place, which may be another now: all is emitted anew.
  if (stale.length > 0) rmSync(new URL("library/dist/.tsbuildinfo", root), { force: true });
} else for (const file of given) await writeFamily(file);

/** The longest first, so that processes end at about the same time. */
function shares(stale) {
  const count = Math.min(availableParallelism(), Math.ceil(stale.length / 4));
  const lists = Array.from({ length: count }, () => ({ files: [], bytes: 0 }));
  const bytesOf = (file) =>
    [...withImports(file)].reduce((sum, source) => sum + read(new URL(source, wasmFolder)).length, 0);
  const sized = stale.map((file) => ({ file, bytes: bytesOf(file) })).sort((a, b) => b.bytes - a.bytes);
  for (const { file, bytes } of sized) {
    const least = lists.reduce((a, b) => (b.bytes < a.bytes ? b : a));
    least.files.push(file);
    least.bytes += bytes;
  }
  return lists.map(({ files }) => files);
}

/** Compiles families in a process of their own. */
function inProcess(files) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [path(import.meta.url), ...files], { stdio: "inherit" });
    child.on("exit", (code) =>
      code === 0 ? done() : fail(new Error(`${files.join(", ")} cannot be compiled`)),
    );
  });
}

function placeOf(file) {
  const index = families.indexOf(file);
  const stamp = stampOf(`${index} of ${families.length}`, [...withImports(file)].sort());
  const name = nameOf(file);
  return { index, name, stamp, target: new URL(`${name}.wasm.ts`, generated) };
}

function isStale(file) {
  const { stamp, target } = placeOf(file);
  return !read(target).includes(stamp);
}

async function writeFamily(file) {
  const { index, name, stamp, target } = placeOf(file);
  const { callsModule, entryModule, readKernels } = await import("./kernels.mjs");
  const kernels = readKernels(file, (source) => read(new URL(source, wasmFolder)));
  const wasm = await compile(file, index, entryModule(file, kernels));
  writeFileSync(new URL(`${name}.ts`, generated), callsModule(file, stamp, kernels));
  const comment = `// Written by tools/build/wasm.mjs from wasm/${file} (${stamp}).`;
  writeFileSync(target, `${comment}\nconst text: string = "${kernelText(wasm)}";\nexport default text;\n`);
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

async function writeFamilies() {
  const target = new URL("families.ts", generated);
  const stamp = createHash("sha256").update(common).update(families.join()).digest("hex").slice(0, 16);
  if (read(target).includes(stamp)) return;
  const { familiesModule } = await import("./kernels.mjs");
  writeFileSync(target, familiesModule(families, stamp));
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

/** Compiles a family from the module `entry`, which exports its kernels. */
async function compile(file, index, entry) {
  const { default: asc } = await import("assemblyscript/asc");
  const { withDecorators } = await import("./kernels.mjs");
  const name = nameOf(file);
  let wasm;
  const { error, stderr } = await asc.main(
    [
      ENTRY,
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
      ...(withImports(file).has("shared/team.ts") ? ["--enable", "threads"] : []),
      "--importMemory",
      "--noExportMemory",
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
      readFile: (source, folder) => {
        if (source === ENTRY) return entry;
        const text = read(pathToFileURL(resolve(folder, source)));
        return text === "" ? null : withDecorators(text);
      },
      writeFile: (target, contents) => {
        if (target.endsWith(".wasm")) wasm = contents;
      },
    },
  );
  if (error || !wasm) throw new Error(`kernel ${name} does not compile:\n${stderr}`);
  checkStaticData(name, index, wasm);
  return wasm;
}
