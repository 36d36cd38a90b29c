import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { runScript } from "../support/child-process.js";

const folder = mkdtempSync(join(tmpdir(), "argmax-mutated-"));
afterAll(() => rmSync(folder, { recursive: true }));

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const versions = readdirSync(path("../model-files/fixtures"));
const perFile = process.env.ARGMAX_DEEP ? 2000 : 20;

test.each(versions)(
  "a mutated file of %s is a FormatError, or a model whose answers are numbers and labels",
  async (version) => {
    const last = join(folder, "last");
    const models = path(`../model-files/fixtures/${version}`);
    const args = [models, String(perFile), process.env.ARGMAX_SEED ?? "0"];
    const { lines, code } = await runScript(path("./fixtures/mutated-files.mjs"), args, { LAST: last });
    expect(code, `ended at ${readFileSync(last, "utf8")}`).toBe(0);
    expect(lines.slice(0, -1)).toEqual([]);
    const files = readdirSync(models).length - 1;
    expect(Number.parseInt(lines.at(-1)!, 10)).toBeGreaterThan(0.8 * perFile * files);
  },
  3_600_000,
);
