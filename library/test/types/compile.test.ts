import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("everything in this folder compiles, and every line marked @ts-expect-error does not", () => {
  const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));
  const project = fileURLToPath(new URL(".", import.meta.url));
  const { stdout, status } = spawnSync(tsc, ["-p", project, "--pretty", "false"], { encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
}, 60_000);
