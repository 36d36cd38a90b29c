import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { targetAsClasses } from "../../studio/src/data/guess-roles.js";
import { readTable } from "../../studio/src/data/read/read-table.js";
import { warningsOf } from "../../studio/src/data/warnings.js";
import { writeDatasets } from "./support/files.js";
import { temporaryFolder } from "./support/folder.js";
import { runProgram } from "./support/program.js";

const { path: folder, file } = temporaryFolder();

/** How columns were read is a note of the studio's reader, not one of its warnings. */
const isAboutReading = (code: string) => /^(converted|ambiguous)-/.test(code);

function ofProgram(name: string, target: string): string[] {
  const { stdout } = runProgram(folder, "inspect", name, "--target", target, "--json");
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; code: string; message: string })
    .filter(({ type, code }) => type === "warning" && !isAboutReading(code))
    .map(({ code, message }) => `${code}: ${message}`);
}

async function ofStudio(name: string, target: string): Promise<string[]> {
  const { data } = await readTable(new Blob([readFileSync(join(folder, name))]), name, () => {});
  const table = targetAsClasses(data);
  const features = table.columns.map((column) => column.name).filter((column) => column !== target);
  const found = await warningsOf(table, { features, target, ignored: [] }, async () => {});
  return found.map(({ code, message }) => `${code}: ${message}`);
}

const noise = (i: number) => ((i * 7919) % 1009) / 1009;

beforeAll(async () => {
  await writeDatasets(folder, ["titanic", "iris", "diabetes"]);
  const lines = Array.from({ length: 300 }, (_, i) => {
    const y = i < 4 ? "maybe" : noise(i) > 0.5 ? "yes" : "no";
    const cells = [
      i,
      "x",
      i % 3 ? "" : i % 17,
      i === 9 ? "n/k" : `${i % 50}.5`,
      ["no", "yes", "maybe"].indexOf(y),
      y,
    ];
    return cells.join(",");
  });
  file("suspicious.csv", `id,constant,hollow,price,copy,class\n${lines.join("\n")}\n${lines[0]}\n`);
});

test.each([
  ["titanic.csv", "survived"],
  ["iris.csv", "species"],
  ["diabetes.csv", "progression"],
  ["suspicious.csv", "class"],
])("%s has the same warnings in the command line and in the studio", async (name, target) => {
  const expected = ofProgram(name, target);
  expect(await ofStudio(name, target)).toEqual(expected);
  if (name === "suspicious.csv")
    expect(expected.map((line) => line.split(":")[0])).toEqual(
      expect.arrayContaining(["leak", "id-like", "duplicates", "constant", "missing", "rare-class"]),
    );
});
