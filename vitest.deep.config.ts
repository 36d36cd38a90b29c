import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import everyDay, { inDeepOnly } from "./vitest.config.js";

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The suites that draw their examples: here they draw twenty times as many. */
const propertySuites = readdirSync(path("./library"), { recursive: true, encoding: "utf8" })
  .filter((file) => /^(?:src|test)\b.*\.test\.ts$/.test(file))
  .map((file) => `library/${file.replaceAll("\\", "/")}`)
  .filter((file) =>
    /from "(?:fast-check|.*\/support\/properties\.js)"/.test(readFileSync(path(file), "utf8")),
  );

/** `npm run test:deep`: what takes minutes, much memory or other programs. One file at a time: some measure. */
const deep = {
  resolve: {
    alias: [{ find: /^fast-check$/, replacement: path("./library/test/deep/many-runs.ts") }],
  },
  test: {
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
};
const merged = mergeConfig(everyDay, deep);
// Every file here has a process of its own.
merged.test.projects = undefined;
merged.test.exclude = ["**/node_modules/**"];
merged.test.include = [
  "library/test/deep/**/*.test.ts",
  "apps/*/test/deep/**/*.test.ts",
  "sql/test/deep/**/*.test.ts",
  ...inDeepOnly,
  // These do more where ARGMAX_DEEP is set.
  "apps/cli/test/in-database.test.ts",
  "library/test/bundle/package.test.ts",
  "library/test/conformance/families/neural.test.ts",
  "apps/studio/test/{data,parts}.test.ts",
  ...propertySuites,
];

export default defineConfig(merged);
