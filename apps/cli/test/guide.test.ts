import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LogisticRegression, parseCsv, pipeline, RandomForestRegressor, tableVectorizer } from "argmax";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadTable } from "../src/data/load.js";
import { saveFitted, testFolder } from "./saved-models.js";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const page = readFileSync(
  new URL("../../../docs/guide/apps/command-line-evaluate.md", import.meta.url),
  "utf8",
);
const folder = testFolder("guide");
afterAll(folder.remove);

/** The built program, as in a pipe: 80 columns and no colours. */
const argmax = (words: string, env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [main, ...words.split(" ")], {
    cwd: folder.path,
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...env },
  });

/** Some rows of an included dataset as CSV; a missing cell is empty. */
async function writeCsv(data: string, file: string, keep: (i: number) => boolean): Promise<void> {
  const { table } = await loadTable(data);
  const rows = table.toRows() as Readonly<Record<string, unknown>>[];
  const lines = rows
    .filter((_, i) => keep(i))
    .map((row) => table.columnNames.map((name) => row[name] ?? "").join(","));
  writeFileSync(folder.at(file), [table.columnNames.join(","), ...lines].join("\n"));
}

beforeAll(async () => {
  const logistic = pipeline(tableVectorizer(), new LogisticRegression());
  await saveFitted(folder.at("model.safetensors"), "penguins", logistic);
  const forest = new RandomForestRegressor({ nEstimators: 50, randomState: 0 });
  await saveFitted(folder.at("progression.safetensors"), "diabetes", forest);
  await writeCsv("penguins", "penguins.csv", () => true);
  // The models have learned from the even rows.
  await writeCsv("penguins", "penguins-test.csv", (i) => i % 2 === 1);
  await writeCsv("diabetes", "diabetes-test.csv", (i) => i % 2 === 1);
});

/** Blocks that begin with a command line and go on with what it prints. A line `…` stands for lines that are left out. */
const blocks = [...page.matchAll(/```console\n\$ argmax (.*)\n([\s\S]*?)```/g)].map(
  ([, words, output]) => [words!, output!.trimEnd()] as const,
);

describe("the guide's page", () => {
  test("has blocks of both commands", () => {
    expect(blocks.filter(([words]) => words.startsWith("evaluate")).length).toBeGreaterThan(2);
    expect(blocks.filter(([words]) => words.startsWith("explain")).length).toBeGreaterThan(2);
  });

  test.each(blocks)("argmax %s prints what the page says", (words, expected) => {
    const { stdout, status } = argmax(words);
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    let at = 0;
    for (const part of expected.split(/^…$/m).map((text) => text.replaceAll(/^\n|\n$/g, "").split("\n"))) {
      const found = lines.findIndex((line, i) => i >= at && line === part[0]);
      expect(lines.slice(Math.max(0, found), found + part.length)).toEqual(part);
      at = found + part.length;
    }
  });
});

describe("the built program", () => {
  test("a file of the same rows gives the figures of the included dataset", () => {
    const csv = parseCsv(readFileSync(folder.at("penguins.csv"), "utf8"));
    expect(csv.rows).toBe(344);
    const figures = (data: string) =>
      argmax(`evaluate model.safetensors ${data} --json --bootstrap 100`).stdout.match(/.*"metric".*/g);
    const found = figures("penguins.csv");
    expect(found).toHaveLength(7);
    expect(found).toEqual(figures("penguins"));
  });

  test("draws in ASCII where the terminal has nothing else, and in colours where it is asked to", () => {
    const words = "evaluate model.safetensors penguins --bootstrap 0";
    const braille = /[\u2800-\u28ff]/;
    expect(argmax(words).stdout).toMatch(braille);
    for (const env of [{ TERM: "dumb" }, { LC_ALL: "C" }]) {
      const { stdout } = argmax(words, env);
      expect(stdout).not.toMatch(braille);
      expect(stdout).toMatch(/\* Adelie \(AUC/);
    }
    expect(argmax(words, { FORCE_COLOR: "1" }).stdout).toContain("\u001b[36m");
  });

  test("files that do not exist are one sentence and code 1", () => {
    for (const words of ["evaluate none.safetensors penguins", "explain none.safetensors"]) {
      const { status, stdout, stderr } = argmax(words);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    }
  });
});
