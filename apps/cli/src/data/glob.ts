import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pushAll } from "argmax/numeric";

/** Whether a name stands for several files. */
export const isGlob = (source: string): boolean => /[*?]|\[[^\]]+\]|\{[^}]*,[^}]*\}/.test(source);

const escaped = (text: string) => text.replaceAll(/[\\^$.|+()[\]{}*?]/g, "\\$&");

/** One part of a path: `*` and `?` within a name, `[abc]`, and `{a,b}`. */
function partPattern(part: string): RegExp {
  const source = part.replaceAll(/\*+|\?|\[[^\]]+\]|\{[^}]*\}|[^*?[{]+|[[{]/g, (token) => {
    if (token.startsWith("*")) return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 2 && token.startsWith("["))
      return `[${escaped(token.slice(1, -1)).replace(/^!/, "^")}]`;
    if (token.length > 2 && token.startsWith("{"))
      return `(?:${token.slice(1, -1).split(",").map(escaped).join("|")})`;
    return escaped(token);
  });
  return new RegExp(`^${source}$`);
}

/** The files that a pattern names, sorted. `**` stands for any number of folders. Hidden names must be asked for. */
export async function matchFiles(pattern: string): Promise<string[]> {
  const parts = pattern.split("/");
  let found: string[] = [parts[0] === "" ? "/" : ""];
  for (const [index, part] of parts.entries()) {
    if (part === "") continue;
    const isLast = index === parts.length - 1;
    const next: string[] = [];
    for (const folder of found) pushAll(next, await step(folder, part, isLast));
    found = next;
  }
  return [...new Set(found)].sort();
}

async function step(folder: string, part: string, isLast: boolean): Promise<string[]> {
  if (part === "**") return foldersBelow(folder);
  if (!isGlob(part) && !isLast) return [join(folder, part)];
  const wanted = partPattern(part);
  const entries = await list(folder);
  return entries
    .filter((entry) => wanted.test(entry.name) && (part.startsWith(".") || !entry.name.startsWith(".")))
    .filter((entry) => (isLast ? !entry.isDirectory() : !entry.isFile()))
    .map((entry) => join(folder, entry.name));
}

async function foldersBelow(folder: string): Promise<string[]> {
  const entries = (await list(folder)).filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const below = await Promise.all(entries.map((entry) => foldersBelow(join(folder, entry.name))));
  return [folder, ...below.flat()];
}

/** What is in a folder; nothing if it cannot be read. */
async function list(folder: string) {
  try {
    return await readdir(folder === "" ? "." : folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
