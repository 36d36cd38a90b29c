import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "./same-numbers.js";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const fixtures = "library/test/parity/fixtures";
const copy = mkdtempSync(join(tmpdir(), "argmax-parity-"));
afterAll(() => rmSync(copy, { recursive: true }));

beforeAll(() => {
  cpSync(join(repository, "tools/parity"), join(copy, "tools/parity"), { recursive: true });
  mkdirSync(join(copy, fixtures), { recursive: true });
  // The text fixtures are made of the included mails.
  const included = "library/src/data/included";
  cpSync(join(repository, included), join(copy, included), { recursive: true });
  // Written anew only where PyTorch is installed.
  const optional = join(fixtures, "torch-layers.json");
  cpSync(join(repository, optional), join(copy, optional));
  // Installs scikit-learn, R and LIBLINEAR where they are missing, and fails where it cannot.
  const run = spawnSync("sh", [join(copy, "tools/parity/write-all.sh")], { encoding: "utf8" });
  const last = `${run.stdout}\n${run.stderr}`.trim().split("\n").slice(-20).join("\n");
  expect(run.status, `tools/parity/write-all.sh failed: are Python, R and LIBLINEAR there?\n${last}`).toBe(0);
});

describe("written anew, the fixtures of the parity tests are the committed ones, within an oracle's rounding", () => {
  test("no file more, no file less", () => {
    expect(readdirSync(join(copy, fixtures)).sort()).toEqual(readdirSync(join(repository, fixtures)).sort());
  });

  for (const name of readdirSync(join(repository, fixtures))) {
    test(name, () => {
      const [committed, anew] = [repository, copy].map((root) =>
        readFileSync(join(root, fixtures, name), "utf8"),
      );
      if (anew !== committed) expect(differences(JSON.parse(committed!), JSON.parse(anew!))).toEqual([]);
    });
  }
});
