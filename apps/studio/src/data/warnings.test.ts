import { parseCsv } from "argmax/csv";
import { loadCsv, loadDataset } from "argmax/datasets";
import { expect, it } from "vitest";
import { summaryOf } from "./describe.js";
import { guessedRoles, targetAsClasses } from "./guess-roles.js";
import { tableData } from "./library-table.js";
import { type ColumnData, categoryColumn, lengthOf, type TableData } from "./table.js";
import { packTexts } from "./texts.js";
import { type Warning, warningsOf } from "./warnings.js";

const review = (
  table: TableData,
  target: string | null,
  ignored: readonly string[] = [],
): Promise<Warning[]> =>
  warningsOf(
    table,
    {
      features: table.columns
        .map(({ name }) => name)
        .filter((name) => name !== target && !ignored.includes(name)),
      target,
      ignored,
    },
    async () => {},
  );

const about = (warnings: readonly Warning[], column: string | null) =>
  warnings.filter((warning) => warning.column === column).map(({ code }) => code);

const numbers = (name: string, rows: number, of: (i: number) => number): ColumnData => ({
  name,
  kind: "number",
  values: Float64Array.from({ length: rows }, (_, i) => of(i)),
});
const labels = (name: string, rows: number, of: (i: number) => string | null) =>
  categoryColumn(
    name,
    Array.from({ length: rows }, (_, i) => of(i)),
  );

const tableOf = (...columns: ColumnData[]): TableData => ({
  name: "t",
  rows: lengthOf(columns[0]!),
  columns,
});

/** Without a pattern that a tree could find. */
const noise = (i: number) => (Math.imul(i + 1, 2654435761) >>> 0) / 2 ** 32;

it("names identifiers, constants, leaks, gaps and cells that should be numbers", async () => {
  const n = 200;
  const target = (i: number) => (noise(i) > 0.5 ? "yes" : "no");
  const table = tableOf(
    numbers("customerId", n, (i) => 1000 + i),
    numbers("same", n, () => 3),
    numbers("empty", n, () => Number.NaN),
    numbers("income", n, (i) => noise(i + 7)),
    numbers("copy", n, (i) => (target(i) === "yes" ? 10 + noise(i) : noise(i))),
    numbers("filledLater", n, (i) => (target(i) === "yes" ? noise(i + 3) : Number.NaN)),
    numbers("rarely", n, (i) => (i % 3 === 0 ? noise(i + 5) : Number.NaN)),
    labels("price", n, (i) => (i === 16 ? "n.a." : String(noise(i + 9).toFixed(2)))),
    numbers("endless", n, (i) => (i === 5 ? Infinity : noise(i + 11))),
    labels("answer", n, target),
  );
  const warnings = await review(table, "answer");
  expect(about(warnings, "customerId")).toEqual(["id-like"]);
  expect(about(warnings, "same")).toEqual(["constant"]);
  expect(about(warnings, "empty")).toEqual(["constant"]);
  expect(about(warnings, "income")).toEqual([]);
  expect(about(warnings, "copy")).toEqual(["leak"]);
  expect(about(warnings, "filledLater")).toEqual(["leak"]);
  expect(about(warnings, "rarely")).toEqual(["missing"]);
  expect(about(warnings, "price")).toContain("numbers-as-text");
  expect(warnings.find(({ column, fix }) => column === "price" && fix === "as-number")!.message).toContain(
    'because of "n.a." in row 17',
  );
  expect(about(warnings, "endless")).toEqual(["infinite"]);
});

it("names one class, rare classes, missing targets and numbers that are classes", async () => {
  const x = numbers("x", 60, noise);
  expect(
    about(
      await review(
        tableOf(
          x,
          labels("y", 60, () => "a"),
        ),
        "y",
      ),
      "y",
    ),
  ).toEqual(["constant"]);
  const rare = await review(
    tableOf(
      x,
      labels("y", 60, (i) => (i < 3 ? "odd" : i < 5 ? null : i % 2 ? "a" : "b")),
    ),
    "y",
  );
  expect(about(rare, "y")).toEqual(["target-missing", "rare-class"]);
  expect(rare[1]!.message).toBe('"y" is "odd" in 3 rows only: too few to learn from and to test.');
  const few = await review(
    tableOf(
      x,
      numbers("y", 60, (i) => i % 2),
    ),
    "y",
  );
  expect(few).toMatchObject([{ code: "few-values", fix: "as-category" }]);
  const many = await review(
    tableOf(
      x,
      labels("y", 60, (i) => `class ${i % 40}`),
    ),
    "y",
  );
  expect(many.map(({ message }) => message)).toEqual([
    '"y" has 40 classes with fewer than 10 rows each, such as "class 0": too few to learn from and to test.',
  ]);
});

it("offers free text that is left out, but neither codes nor pixels", async () => {
  const n = 60;
  const text = (name: string, of: (i: number) => string): ColumnData => ({
    name,
    kind: "text",
    texts: packTexts(Array.from({ length: n }, (_, i) => of(i))),
  });
  const pixels = Array.from({ length: 16 }, (_, j) =>
    numbers(`pixel${j}`, n, (i) => (j === 0 ? 0 : noise(i + j))),
  );
  const table = tableOf(
    text("review", (i) => `arrived after ${i} days`),
    text("code", (i) => `c-${i}`),
    ...pixels,
    labels("y", n, (i) => (noise(i) > 0.5 ? "a" : "b")),
  );
  const found = await review(table, "y", ["review", "code"]);
  expect(found.map(({ column, code, fix }) => [column, code, fix])).toEqual([
    ["review", "text-left-out", "use"],
  ]);
});

it("counts duplicate rows, and −0 as 0", async () => {
  const table = tableOf(
    numbers("x", 6, (i) => [1, 0, -0, 1, 2, Number.NaN][i]!),
    labels("c", 6, (i) => ["a", "b", "b", "a", "a", null][i]!),
  );
  const [warning] = (await review(table, null)).filter(({ code }) => code === "duplicates");
  expect(warning!.message).toMatch(/^2 rows are equal to an earlier row/);
});

it("warns of nothing but copies in iris, and of what is known to be wrong in Titanic", async () => {
  const iris = await loadDataset("iris");
  const { X, y } = iris as { X: { data: Float64Array; cols: number; rows: number }; y: string[] };
  const table = tableOf(
    ...Array.from({ length: 4 }, (_, j) => numbers(`f${j}`, 150, (i) => X.data[i * X.cols + j]!)),
    categoryColumn("species", Array.from(y, String)),
  );
  expect((await review(table, "species")).map(({ code }) => code)).toEqual(["duplicates"]);
  const titanic = targetAsClasses(tableData("titanic", parseCsv((await loadCsv("titanic")).csv)));
  const { roles, task } = guessedRoles(titanic);
  expect(task).toBe("classification");
  expect(Object.entries(roles).find(([, role]) => role === "target")?.[0]).toMatch(/survived/i);
  const features = titanic.columns.map(({ name }) => name).filter((name) => !Object.hasOwn(roles, name));
  expect(features).not.toContain("name");
  const warnings = await warningsOf(
    titanic,
    { features, ignored: [], target: Object.keys(roles).find((name) => roles[name] === "target")! },
    async () => {},
  );
  expect(warnings.map(({ column, code }) => `${column} ${code}`)).toContain("body missing");
});

it("summarises numbers, dates and entries", () => {
  const summary = summaryOf({
    name: "x",
    kind: "number",
    values: Float64Array.of(1, 2, 2, Number.NaN, 5, -Infinity),
  });
  expect(summary).toMatchObject({
    missing: 1,
    distinct: 4,
    infinite: 1,
    range: { min: "1", mean: "2.5", max: "5" },
  });
  expect(summary.histogram!.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect(summary.histogram![0]).toBe(1);
  expect(summary.histogram!.at(-1)).toBe(1);
  expect(summaryOf(categoryColumn("c", ["b", "a", "b", null])).top).toEqual([
    { text: "b", count: 2 },
    { text: "a", count: 1 },
  ]);
  expect(
    summaryOf({ name: "t", kind: "text", texts: packTexts(["x".repeat(10 ** 6), null]) }).top![0]!.text,
  ).toHaveLength(60);
  const largest = summaryOf({
    name: "x",
    kind: "number",
    values: Float64Array.of(-Number.MAX_VALUE, Number.MAX_VALUE),
  });
  expect([largest.histogram![0], largest.histogram!.at(-1)]).toEqual([1, 1]);
});
