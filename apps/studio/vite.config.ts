import { defineConfig } from "vite";

/** With these a page may share memory with its workers; the studio also works without them. */
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Static files that work from any folder of any web host. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
  },
  worker: { format: "es" },
  server: { headers: isolation },
  preview: { headers: isolation },
});
