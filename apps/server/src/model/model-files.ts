import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pushAll } from "argmax/numeric";

/** A file that should hold a model. */
export interface ModelFile {
  readonly name: string;
  readonly version: string;
  readonly path: string;
  /** Changes when the file does. */
  readonly stamp: string;
}

const MODEL_ENDING = ".safetensors";

/** Names that need no escaping in an address. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/** `iris@2.safetensors` is version 2 of iris; a file without a version is version 1. */
function nameAndVersion(file: string): { readonly name: string; readonly version: string } | undefined {
  if (!file.endsWith(MODEL_ENDING)) return undefined;
  const [name = "", version = "1", ...more] = file.slice(0, -MODEL_ENDING.length).split("@");
  return NAME.test(name) && NAME.test(version) && more.length === 0 ? { name, version } : undefined;
}

/** The model files given by path and those of a folder: `NAME.safetensors`, `NAME@VERSION.safetensors`, `NAME/VERSION.safetensors`. */
export async function findModelFiles(
  files: readonly string[],
  folder: string | undefined,
): Promise<ModelFile[]> {
  const found: ModelFile[] = [];
  for (const path of files) {
    const parts = nameAndVersion(basename(path));
    if (parts === undefined)
      throw new Error(
        `${path} must be called NAME.safetensors or NAME@VERSION.safetensors, with letters, digits, ".", "_" and "-" in its name.`,
      );
    pushAll(found, await described(path, parts));
  }
  if (folder !== undefined) pushAll(found, await filesOfFolder(folder));
  checkDistinct(found);
  return found;
}

function checkDistinct(files: readonly ModelFile[]): void {
  const paths = new Map<string, string>();
  for (const { name, version, path } of files) {
    const other = paths.get(`${name}@${version}`);
    if (other !== undefined) throw new Error(`${other} and ${path} are both version ${version} of ${name}.`);
    paths.set(`${name}@${version}`, path);
  }
}

async function filesOfFolder(folder: string): Promise<ModelFile[]> {
  const found: ModelFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const parts = nameAndVersion(entry.name);
    if (parts !== undefined) pushAll(found, await described(path, parts));
    else if (entry.isDirectory() && NAME.test(entry.name)) pushAll(found, await versionsOf(path, entry.name));
  }
  return found;
}

/** The files of `NAME/`: each is a version. */
async function versionsOf(folder: string, name: string): Promise<ModelFile[]> {
  const found: ModelFile[] = [];
  for (const file of await readdir(folder)) {
    const version = file.endsWith(MODEL_ENDING) ? file.slice(0, -MODEL_ENDING.length) : "";
    if (NAME.test(version)) pushAll(found, await described(join(folder, file), { name, version }));
  }
  return found;
}

/** No entry for a file that is gone or no file. */
async function described(path: string, parts: { name: string; version: string }): Promise<ModelFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return [];
  const { mtimeMs, ctimeMs, size, ino } = found;
  return [{ ...parts, path, stamp: `${mtimeMs} ${ctimeMs} ${size} ${ino}` }];
}

/** Order of versions: 9 before 10, 1.9 before 1.10. */
export const compareVersions = (a: string, b: string): number =>
  a.localeCompare(b, "en", { numeric: true, sensitivity: "variant" });
