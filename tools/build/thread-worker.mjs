/** Writes `library/src/numeric/generated/thread-worker.ts`: the script of the pool's workers, with all that it imports, as text. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const numeric = new URL("../../library/src/numeric/", import.meta.url);
const target = new URL("generated/thread-worker.ts", numeric);

const { outputFiles } = buildSync({
  entryPoints: [fileURLToPath(new URL("runtime/thread-worker.ts", numeric))],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  write: false,
});
const text = `// Written by tools/build/thread-worker.mjs from runtime/thread-worker.ts.
export const threadWorker: string = ${JSON.stringify(outputFiles[0].text.trim())};
`;
mkdirSync(new URL("generated/", numeric), { recursive: true });
if (read(target) !== text) writeFileSync(target, text);

function read(url) {
  try {
    return readFileSync(url, "utf8");
  } catch {
    return "";
  }
}
