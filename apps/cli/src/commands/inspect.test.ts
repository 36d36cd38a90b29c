import { beforeAll, describe, expect, test } from "vitest";
import { writeDatasets } from "../../test/support/files.js";
import { temporaryFolder } from "../../test/support/folder.js";
import { runProgram } from "../../test/support/program.js";

const { path: folder, file } = temporaryFolder();

interface Line {
  readonly type: string;
  readonly [name: string]: unknown;
}

function inspect(...words: string[]): Line[] {
  const { status, stdout, stderr } = runProgram(folder, "inspect", ...words, "--json");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const warned = (lines: readonly Line[]) =>
  lines.filter(({ type }) => type === "warning").map(({ code, column }) => `${code} ${column ?? ""}`.trim());

/** A number from 0 to 1 that follows no rule the eye could see. */
const noise = (i: number) => ((i * 7919) % 1009) / 1009;

/** A table with one column for each warning, and two without any. */
function suspicious(rows: number): string {
  const names = "id,constant,nearly,empty,hollow,many,when,price,fine,kind,copy,filled,y";
  const lines = Array.from({ length: rows }, (_, i) => {
    const y = i === 3 ? "maybe" : noise(i) > 0.5 ? "yes" : "no";
    return [
      1000 + i,
      "x",
      i === 7 ? "b" : "a",
      "",
      i % 3 === 0 ? i % 17 : "",
      `k${i % 150}`,
      `${1 + (i % 28)}.${1 + (i % 12)}.2024`,
      i === 9 ? "n/k" : `${i % 50}.5 kg`,
      noise(3 * i).toFixed(3),
      ["red", "green", "blue"][i % 3],
      y === "yes" ? 10 + noise(i) : noise(i),
      y === "yes" ? noise(i).toFixed(2) : "",
      y,
    ].join(",");
  });
  return `${names}\n${lines.join("\n")}\n${lines[0]}\n${lines[0]}\n`;
}

beforeAll(() => writeDatasets(folder, ["titanic"]));

describe("inspect", () => {
  test("warns of the problems of a table, and of nothing else", () => {
    const ofColumns = [
      "id-like id",
      "constant constant",
      "nearly-constant nearly",
      "constant empty",
      "missing hollow",
      "missing filled",
      "high-cardinality many",
      "converted-dates when",
      "numbers-as-text price",
    ];
    file("suspicious.csv", suspicious(600).replace("1000,", "5000,"));
    const lines = inspect("suspicious.csv", "--target", "y");
    expect(lines[0]).toEqual({ type: "table", name: "suspicious", rows: 602, columns: 13, target: "y" });
    expect(warned(lines).sort()).toEqual(
      [
        // Two copies of a row do not hide an identifier that has its name.
        ...ofColumns,
        "leak copy",
        "leak filled",
        "rare-class y",
        "duplicates",
      ].sort(),
    );
    file("unique.csv", suspicious(600).split("\n").slice(0, 601).join("\n"));
    expect(warned(inspect("unique.csv")).sort()).toEqual(ofColumns.toSorted());
  });

  test("finds the boat of the Titanic, which is known afterwards only", () => {
    const lines = inspect("titanic.csv", "-t", "survived");
    expect(lines.find(({ code }) => code === "leak")).toMatchObject({ column: "boat" });
    expect(lines.find(({ name }) => name === "age")).toMatchObject({
      type: "column",
      kind: "numeric",
      missing: 263,
      distinct: 98,
      max: 80,
    });
    expect(lines.find(({ name }) => name === "sex")).toMatchObject({
      top: [
        { value: "male", count: 843 },
        { value: "female", count: 466 },
      ],
    });
  });

  test("says when there is nothing to say", () => {
    for (const name of ["breastCancer", "diabetes"]) {
      const { stdout } = runProgram(folder, "inspect", name);
      expect(stdout).toContain("No warnings.");
    }
    expect(warned(inspect("iris"))).toEqual(["duplicates"]);
  });

  test("draws a table with a small histogram, without colours in a pipe", () => {
    const { stdout } = runProgram(folder, "inspect", "titanic.csv");
    expect(stdout).toContain("titanic  1,309 rows × 14 columns");
    expect(stdout).toMatch(/^age +numeric +20\.1% +98 +[▁-█ ]{8} +0\.1667 … 28 … 80$/m);
    expect(stdout).not.toContain("\u001b");
    for (const line of stdout.split("\n")) expect(line).toBe(line.trimEnd());
  });

  test("a column may have more distinct entries than a call takes arguments", () => {
    const rows = Array.from({ length: 150_000 }, (_, i) => `name${i},${i % 2},${i / 7}`);
    file("distinct.csv", `name,y,x\n${rows.join("\n")}\n`);
    const [, name] = inspect("distinct.csv", "--target", "y");
    expect(name).toMatchObject({ type: "column", name: "name", distinct: 150_000 });
  });

  test("a target that is not there is an error", () => {
    const { status, stderr } = runProgram(folder, "inspect", "titanic.csv", "-t", "surived");
    expect(status).toBe(1);
    expect(stderr).toContain('titanic has no column "surived". Did you mean "survived"?');
  });
});
