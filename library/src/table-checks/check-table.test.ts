import { describe, expect, test } from "vitest";
import { Table } from "../data/index.js";
import { checkTable, checkTableSteps } from "./check-table.js";

/** Without a pattern that a tree could find. */
const noise = (i: number) => (Math.imul(i + 1, 2654435761) >>> 0) / 2 ** 32;
const n = 200;
const list = <V>(of: (i: number) => V): V[] => Array.from({ length: n }, (_, i) => of(i));
const answer = (i: number) => (noise(i) > 0.5 ? "yes" : "no");

const suspicious = Table.fromColumns({
  customerId: list((i) => 1000 + i),
  same: list(() => 3),
  empty: list(() => Number.NaN),
  nearly: list((i) => (i === 7 ? "b" : "a")),
  income: list((i) => noise(i + 7)),
  copy: list((i) => (answer(i) === "yes" ? 10 + noise(i) : noise(i))),
  filledLater: list((i) => (answer(i) === "yes" ? noise(i + 3) : null)),
  rarely: list((i) => (i % 3 === 0 ? noise(i + 5) : null)),
  endless: list((i) => (i === 5 ? Infinity : noise(i + 11))),
  price: list((i) => (i === 16 ? "n.a." : noise(i + 9).toFixed(2))),
  code: list((i) => `k${i % 120}`),
  answer: list(answer),
});

const codes = (table: Table, target?: string) =>
  Object.fromEntries(
    table.columnNames.flatMap((name) => {
      const own = checkTable(table, { target }).filter(({ column }) => column === name);
      return own.length === 0 ? [] : [[name, own.map(({ code }) => code)]];
    }),
  );

describe("checkTable", () => {
  test("names the problems of a table, and nothing else", () => {
    expect(codes(suspicious as unknown as Table, "answer")).toEqual({
      customerId: ["id-like"],
      same: ["constant"],
      empty: ["constant"],
      nearly: ["nearly-constant"],
      copy: ["leak"],
      filledLater: ["leak"],
      rarely: ["missing"],
      endless: ["infinite"],
      price: ["high-cardinality", "numbers-as-text"],
      code: ["high-cardinality"],
    });
  });

  test("without a target nothing leaks; severe warnings come first; figures are those of the sentence", () => {
    const found = checkTable(suspicious);
    expect(found.some(({ code }) => code === "leak")).toBe(false);
    const severities = found.map(({ severity }) => severity);
    expect(severities).toEqual([...severities].sort());
    expect(found.find(({ code, column }) => code === "missing" && column === "rarely")!.figures).toEqual({
      missing: 133,
      fraction: 133 / 200,
    });
    expect(found.find(({ code }) => code === "numbers-as-text")).toMatchObject({
      message: '"price" has numbers, but stays text because of "n.a." in row 17.',
      figures: { row: 16 },
    });
  });

  test("a target may be constant, rare, missing or a quantity of few values", () => {
    const of = (y: readonly (string | number | null)[], task?: "regression") =>
      checkTable(Table.fromColumns({ x: list(noise), y: y as string[] }), { target: "y", task }).map(
        ({ code, message }) => `${code}: ${message}`,
      );
    expect(of(list(() => "a"))).toEqual(['constant: "y" is "a" in every row: there is nothing to learn.']);
    expect(of(list((i) => (i < 3 ? "odd" : i < 5 ? null : i % 2 ? "a" : "b")))).toEqual([
      'target-missing: "y" is missing in 2 rows, which are not used for training.',
      'rare-class: "y" is "odd" in 3 rows only: too few to learn from and to test.',
    ]);
    expect(of(list((i) => i % 2))).toEqual([]);
    expect(
      of(
        list((i) => i % 2),
        "regression",
      ),
    ).toEqual(['few-values: "y" has 2 distinct numbers: if they are classes, make it a category.']);
    expect(of(list((i) => `class ${i % 40}`))).toEqual([
      'rare-class: "y" has 40 classes with fewer than 10 rows each, such as "class 0": too few to learn from and to test.',
    ]);
  });

  test("counts rows that are equal to an earlier one, −0 like 0 and gaps like gaps", () => {
    const x = [1, 0, -0, 1, 2, null, null];
    const table = Table.fromColumns({ x, c: ["a", "b", "b", "a", "a", null, null] });
    expect(checkTable(table).find(({ code }) => code === "duplicates")).toMatchObject({
      column: null,
      figures: { duplicates: 3 },
    });
    expect(checkTable(table, { codes: ["leak"] })).toEqual([]);
  });

  test("pixels of pictures are never constant, and only the features are checked", () => {
    const pixels = Array.from({ length: 16 }, (_, j) => [
      `pixel${j}`,
      list((i) => (j === 0 ? 0 : noise(i + j))),
    ]);
    expect(checkTable(Table.fromColumns(Object.fromEntries(pixels)))).toEqual([]);
    expect(checkTable(suspicious, { features: ["income"] })).toEqual([]);
  });

  test("200,000 rows are checked in steps of a column each", () => {
    const rows = 200_000;
    const table = Table.fromColumns({
      x: Float64Array.from({ length: rows }, (_, i) => noise(i)),
      c: Array.from({ length: rows }, (_, i) => `k${i % 50}`),
      y: Float64Array.from({ length: rows }, (_, i) => noise(i * i) + noise(7 * i * i)),
    });
    expect([...checkTableSteps(table, { target: "y" })]).toEqual([[], [], [], []]);
  });

  test("wrong columns and wrong tables are errors that say so", () => {
    expect(() => checkTable(suspicious, { target: "anser" })).toThrow(
      'checkTable: the column must be one of the table, got "anser".',
    );
    expect(() => checkTable([1] as unknown as Table)).toThrow("checkTable: the table must be a Table");
  });
});
