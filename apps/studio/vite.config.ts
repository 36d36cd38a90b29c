import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** With these a page may share memory with its workers; the studio also works without them. */
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Writes the service worker with the list of all built files. */
function serviceWorker(): Plugin {
  let folder = "";
  return {
    name: "service-worker",
    apply: "build",
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    closeBundle() {
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => name.split(sep).join("/"))
        .filter((name) => /\.(js|css|html|svg|jpg)$/.test(name) && name !== "service-worker.js")
        .sort();
      const hash = createHash("sha256");
      for (const name of names) hash.update(name).update(readFileSync(join(folder, name)));
      const files = names.map((name) => (name === "index.html" ? "./" : `./${name}`));
      const text = readFileSync(join(import.meta.dirname, "src/service-worker.js"), "utf8")
        .replace("__VERSION__", `argmax-studio-${hash.digest("hex").slice(0, 16)}`)
        .replace('["__FILES__"]', JSON.stringify(files));
      writeFileSync(join(folder, "service-worker.js"), text);
    },
  };
}

/** Static files that work from any folder of any web host. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [serviceWorker()],
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
  },
  worker: {
    format: "es",
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "serve", test: /work\/serve\.ts$/ }] } } },
  },
  server: { headers: isolation },
  preview: { headers: isolation },
});
