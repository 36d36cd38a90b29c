import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = fileURLToPath(new URL("./library/src", import.meta.url));

/** Tests run on the library's source; only the bundle tests look at what `npm run build` wrote. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^argmax$/, replacement: `${source}/index.ts` },
      { find: /^argmax\/(.+)$/, replacement: `${source}/$1/index.ts` },
    ],
  },
  test: {
    include: ["library/**/*.test.ts", "apps/**/*.test.ts", "bench/src/**/*.test.ts", "tools/**/*.test.mjs"],
    exclude: ["**/node_modules/**", "library/test/deep/**"],
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});
