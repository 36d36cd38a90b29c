import { describe, expect, test } from "vitest";
import { type Column, drawTable, widthOf, wrap } from "./table.js";
import { colourStyle, noStyle } from "./terminal.js";

interface Row {
  readonly name: string;
  readonly score: number;
}
const columns: Column<Row>[] = [
  { title: "model", cell: (row) => row.name },
  { title: "minimises", cell: () => "½‖w‖² + Σ ℓ", dispensable: 2 },
  { title: "score", align: "right", cell: (row) => row.score.toFixed(2) },
];
const rows = [
  { name: "Ridge", score: 0.5 },
  { name: "LinearRegression", score: 12.25 },
];

describe("drawTable", () => {
  test("aligns text left and numbers right, under their headings", () => {
    expect(drawTable(columns, rows, 100, noStyle)).toEqual([
      "model             minimises    score",
      "────────────────  ───────────  ─────",
      "Ridge             ½‖w‖² + Σ ℓ   0.50",
      "LinearRegression  ½‖w‖² + Σ ℓ  12.25",
    ]);
  });

  test("leaves out dispensable columns when it would be too wide", () => {
    const lines = drawTable(columns, rows, 30, noStyle);
    expect(lines[0]).toBe("model             score");
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(30);
  });

  test("keeps the essential columns whatever the width", () => {
    expect(drawTable(columns, rows, 3, noStyle)[0]).toBe("model             score");
  });

  test("has no trailing spaces and, without style, no escape codes", () => {
    for (const line of drawTable(columns.slice(0, 2), rows, 100, noStyle)) {
      expect(line).toBe(line.trimEnd());
      expect(line).not.toContain("\u001b");
    }
  });

  test("shows control characters of cells as symbols, and counts wide characters twice", () => {
    const name: Column<string>[] = [
      { title: "name", cell: (text) => text },
      { title: "n", cell: () => "1" },
    ];
    expect(drawTable(name, ["two\nlines", "\u001b[31mred", "😀 日本"], 100, noStyle)).toEqual([
      "name       n",
      "─────────  ─",
      "two␊lines  1",
      "␛[31mred   1",
      "😀 日本    1",
    ]);
  });

  test("colour does not move a column", () => {
    const bold: Column<Row>[] = columns.map((column) => ({
      ...column,
      paint: (text, _, __, style) => style.bold(text),
    }));
    const plain = drawTable(bold, rows, 100, noStyle);
    const painted = drawTable(bold, rows, 100, colourStyle);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape code starts with one
    expect(painted.map((line) => line.replaceAll(/\u001b\[\d+m/g, ""))).toEqual(plain);
  });
});

test("wrap breaks between words and keeps a word that is too long whole", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("one two three", Number.POSITIVE_INFINITY)).toEqual(["one two three"]);
  expect(wrap("immeasurable x", 5)).toEqual(["immeasurable", "x"]);
});
