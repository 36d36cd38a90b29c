import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = fileURLToPath(new URL("./library/src", import.meta.url));

/** Files that test workers, threads, globals or the memory of a process: each gets a process of its own. */
const alone = [
  "library/src/background/**/*.test.ts",
  "library/src/compare/**/*.test.ts",
  "library/src/numeric/runtime/**/*.test.ts",
  "library/test/bundle/**/*.test.ts",
];

/** Minutes of installing, transforming and waiting that `npm run test:deep` takes instead: packages as users install them, under Jest too, and whole stories. */
export const inDeepOnly = [
  "apps/cli/test/installed.test.ts",
  "apps/studio/test/stories.test.ts",
  "library/test/bundle/jest.test.ts",
];

/** Tests run on the library's source; only the bundle tests look at what `npm run build` wrote. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^argmax$/, replacement: `${source}/index.ts` },
      { find: /^argmax\/(.+)$/, replacement: `${source}/$1/index.ts` },
    ],
  },
  test: {
    // Most take milliseconds; on a busy machine of two cores the longest take a while.
    testTimeout: 60_000,
    maxWorkers: 2,
    setupFiles: [fileURLToPath(new URL("./library/test/equal-arrays.ts", import.meta.url))],
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: alone,
          exclude: ["**/node_modules/**", ...inDeepOnly],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "shared",
          // One process loads the library once for many files.
          isolate: false,
          // After the others: a process is kept for the next file only if that is of the same project.
          sequence: { groupOrder: 1 },
          include: [
            "library/**/*.test.ts",
            "apps/**/*.test.ts",
            "sql/**/*.test.ts",
            "bench/src/**/*.test.ts",
            "tools/**/*.test.mjs",
          ],
          exclude: [
            "**/node_modules/**",
            "library/test/deep/**",
            "apps/*/test/deep/**",
            "sql/test/deep/**",
            ...inDeepOnly,
            ...alone,
          ],
        },
      },
    ],
  },
});
