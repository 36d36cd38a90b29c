import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The packages as they are published, installed by npm into an empty project. */
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "argmax-installed-")));
const npx = (...words: string[]) =>
  spawnSync("npx", ["--no-install", "argmax", ...words], { cwd: folder, encoding: "utf8" });

beforeAll(() => {
  const tarballs = ["library", "apps/server", "sql", "apps/studio", "apps/cli"].map((workspace) => {
    const words = ["pack", "--workspace", workspace, "--pack-destination", folder, "--silent"];
    const name = execFileSync("npm", words, { cwd: repository, encoding: "utf8" }).trim().split("\n").at(-1)!;
    return join(folder, name);
  });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module" }),
  );
  // What `npm ci` has downloaded is in npm's cache.
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--silent", ...tarballs];
  execFileSync("npm", install, { cwd: folder, stdio: "ignore" });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

test("npx argmax runs from the installed packages: a table, a model, predictions", () => {
  expect(npx("--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const rows = Array.from(
    { length: 90 },
    (_, i) => `${i % 30},${(7 * i) % 11},${i % 30 > 14 ? "late" : "early"}`,
  );
  writeFileSync(join(folder, "days.csv"), ["day,noise,when", ...rows].join("\n"));
  const compared = npx(
    "compare",
    "days.csv",
    "-t",
    "when",
    "-m",
    "decision-tree,logistic-regression",
    "-f",
    "3",
  );
  expect({ status: compared.status, stderr: compared.stderr }).toMatchObject({ status: 0 });
  expect(compared.stdout).toContain("days · when  90 rows × 2 columns");
  expect(existsSync(join(folder, "days.safetensors"))).toBe(true);
  const predicted = npx("predict", "days.safetensors", "days.csv", "--json");
  expect(predicted.status).toBe(0);
  expect(predicted.stdout.split("\n")).toHaveLength(91);
  expect(npx("evaluate", "days.safetensors", "days.csv").stdout).toContain("accuracy");
}, 120_000);

test("a model is one command away from being served", async () => {
  const words = ["--no-install", "argmax", "serve", "days.safetensors", "--port", "0"];
  const server = spawn("npx", words, { cwd: folder, detached: true });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let text = "";
      const read = (part: Buffer) => {
        text += part;
        const found = /https?:\/\/[\w.:[\]]+/.exec(text);
        if (found) resolve(found[0]);
      };
      server.stdout.on("data", read);
      server.stderr.on("data", read);
      server.on("exit", () => reject(new Error(text)));
    });
    const answer = await fetch(`${address}/v1/models/days/predict`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rows: [{ day: 3, noise: 1 }] }),
    });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(await answer.json())).toContain("early");
  } finally {
    process.kill(-server.pid!, "SIGTERM");
  }
}, 60_000);
