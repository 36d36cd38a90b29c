import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixtures, repository } from "./bundle.js";

const jest = createRequire(import.meta.url).resolve("jest/bin/jest");

/** Runs fixtures/jest/argmax.spec.mjs as a user's Jest does, and resolves to its report. */
function runJest(config: string, env: string, flags: readonly string[]): Promise<string> {
  const words = [...flags, jest, "--config", join(fixtures, "jest", `${config}.config.json`), "--env", env];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, {
      cwd: repository,
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
