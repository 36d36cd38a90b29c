import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A project with the package as `npm run build` wrote it. Inside this repository TypeScript would read the source instead. */
export function userProject(compilerOptions: object): string {
  const folder = mkdtempSync(join(tmpdir(), "argmax-user-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(fileURLToPath(new URL("../..", import.meta.url)), join(folder, "node_modules/argmax"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  return folder;
}
