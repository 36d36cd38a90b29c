import { spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fixtures } from "./bundle.js";
import { installTarball } from "./installed.js";

const jest = createRequire(import.meta.url).resolve("jest/bin/jest");

const project = installTarball();
cpSync(join(fixtures, "jest"), project.folder, { recursive: true });
project.link("babel-jest", "@babel/plugin-transform-modules-commonjs", "jest-environment-jsdom");
afterAll(project.remove);

/** Runs fixtures/jest/argmax.spec.mjs in a user's project, and resolves to its report. */
function runJest(config: string, env: string, flags: readonly string[]): Promise<string> {
  const words = [...flags, jest, "--config", `${config}.config.json`, "--env", env];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, {
      cwd: project.folder,
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    let report = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        report += chunk;
      });
    }
    child.on("close", (code) => resolve(`${report}\nended with ${code}`));
  });
}

describe("tests of users, run by Jest", () => {
  for (const env of ["node", "jsdom"]) {
    test(`as modules, in the environment ${env}`, async () => {
      const report = await runJest("esm", env, ["--experimental-vm-modules"]);
      expect(report).toMatch(/Tests: +5 passed, 5 total/);
      expect(report).toContain("ended with 0");
    }, 120_000);

    test(`turned into CommonJS, in the environment ${env}`, async () => {
      const report = await runJest("commonjs", env, []);
      expect(report).toMatch(/Tests: +5 passed, 5 total/);
      expect(report).toContain("ended with 0");
    }, 120_000);
  }
});
