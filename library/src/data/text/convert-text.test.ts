import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tableVectorizer } from "../../compose/index.js";
import { Random } from "../../core/numbers/random.js";
import { parseCsv } from "../../csv/index.js";
import { Ridge } from "../../linear/index.js";
import { pipeline } from "../../pipeline/index.js";
import { crossValidate } from "../../selection/index.js";
import { DecisionTreeClassifier } from "../../trees/index.js";
import { CategoricalColumn, type Column } from "../table/column.js";
import { Table } from "../table/table.js";

/** The column that both doors make of these cells, and the codes of its warnings. */
function read(cells: readonly (string | null)[], options = {}): { column: Column; codes: string[] } {
  const table = Table.fromRows(
    cells.map((x) => ({ x })),
    options,
  ) as Table;
  const csv = parseCsv(`x\ty\n${cells.map((cell) => `"${cell ?? ""}"\t1`).join("\n")}`, {
    delimiter: "\t",
    ...options,
  }) as Table;
  const [column, fromCsv] = [table.column("x" as never) as Column, csv.column("x" as never) as Column];
  expect(fromCsv.toArray()).toEqual(column.toArray());
  return { column, codes: table.warnings.map(({ code }) => code) };
}

const formats: [name: string, cells: string[], numbers: number[], code: string][] = [
  ["SQL NUMERIC", ["12.34", "-0.50", "1200.00"], [12.34, -0.5, 1200], "converted-numbers"],
  ["commas between thousands", ["1,234.50", "999", "12,000,000"], [1234.5, 999, 12e6], "converted-numbers"],
  ["commas that could be decimal", ["1,234", "999", "12,500"], [1234, 999, 12500], "ambiguous-numbers"],
  [
    "points between thousands",
    ["1.234,56", "789,00", "-2.000,10"],
    [1234.56, 789, -2000.1],
    "converted-numbers",
  ],
  ["decimal commas", ["1,5", "12,25", "3"], [1.5, 12.25, 3], "converted-numbers"],
  ["blanks between thousands", ["1 234", "12 000,5", "7"], [1234, 12000.5, 7], "converted-numbers"],
  ["apostrophes between thousands", ["1'234.5", "12’000", "7"], [1234.5, 12000, 7], "converted-numbers"],
  ["dollars", ["$12", "$1,200.50", "-$3"], [12, 1200.5, -3], "converted-numbers"],
  ["euros", ["12 €", "1.200,50 €", "3 €"], [12, 1200.5, 3], "converted-numbers"],
  ["percent, as written", ["12 %", "0.5%", "-3 %"], [12, 0.5, -3], "converted-numbers"],
];

describe("numbers kept as text", () => {
  it.each(formats)("%s are numbers, and a warning says so", (_, cells, numbers, code) => {
    const { column, codes } = read(cells);
    expect(column.kind).toBe("numeric");
    expect(column.toArray()).toEqual(numbers);
    // A file has no types: plain decimals and decimal commas are its numbers, which `codes` of rows are not.
    expect(codes).toEqual([code]);
  });

  it("a gap stays a gap", () => {
    expect(read(["1.5", null, "2"]).column.toArray()).toEqual([1.5, null, 2]);
  });

  it.each([
    ["a code with zeros in front", ["00123", "98101", "10001"]],
    ["a long identifier", ["12345678901234567", "12345678901234568", "1"]],
    ["two formats", ["1,234.5", "1.234,5", "7"]],
    ["two currencies", ["$12", "12 €", "$3"]],
    ["phone numbers", ["555-0100", "555-0101", "555-0102"]],
    ["versions", ["1.2.3", "1.2.4", "2.0.0"]],
    ["words", ["12 kg", "a", "b"]],
  ])("%s stay text", (_, cells) => {
    expect(read(cells).column.kind).toBe("categorical");
  });

  it("an odd entry among numbers is a warning that names it", () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({ price: i === 17 ? "on request" : `${i}.5` }));
    const table = Table.fromRows(rows);
    expect((table.column("price") as Column).kind).toBe("categorical");
    expect(table.warnings).toEqual([
      {
        code: "numbers-as-text",
        column: "price",
        message: '"price" has numbers, but stays text because of "on request".',
      },
    ]);
  });

  it("columns that are given as text stay categories, with a warning", () => {
    const table = Table.fromColumns({ price: ["1.5", "2.5"], town: ["Rome", "Oslo"] });
    expect((table.column("price") as Column).kind).toBe("categorical");
    expect(table.warnings).toEqual([
      {
        code: "numbers-as-text",
        column: "price",
        message:
          '"price" has numbers as text, as "1.5", which are categories here: pass numbers, or { types: { …: "number" } }.',
      },
    ]);
    const asked = Table.fromColumns({ price: ["1.5", "2.5"] }, { types: { price: "number" } });
    expect(asked.column("price").values).toEqual(Float64Array.of(1.5, 2.5));
    expect(Table.fromColumns({ price: new CategoricalColumn(Int32Array.of(0), ["1.5"]) }).warnings).toEqual(
      [],
    );
  });

  it("types overrule what is recognised, and are checked", () => {
    const rows = [{ zip: "10115" as string }, { zip: "98101" }];
    const table = Table.fromRows(rows, { types: { zip: "category" } });
    expect(table.column("zip").categories).toEqual(["10115", "98101"]);
    expect(Table.fromRows(rows, { types: { zip: "text" } }).column("zip").kind).toBe("text");
    expect(() => Table.fromRows([{ x: "a" }], { types: { x: "number" } })).toThrow(
      'Table.fromRows: column "x" must be numbers in one format, as types says, got entries as "a".',
    );
    expect(() => Table.fromRows(rows, { types: { zap: "text" } })).toThrow(
      /types\.zap must be the type of a column/,
    );
    expect(Table.fromRows([{ x: "1,234" }], { decimal: "," }).column("x")).toMatchObject({ kind: "numeric" });
    expect(Table.fromRows([{ x: "1,234" as string }], { decimal: "," }).toRows()).toEqual([{ x: 1.234 }]);
  });

  it("reads what it writes, in every format", () => {
    const write: Record<string, (value: number) => string> = {
      plain: (value) => value.toFixed(2),
      commas: (value) => value.toLocaleString("en-US", { minimumFractionDigits: 2 }),
      points: (value) => value.toLocaleString("de-DE", { minimumFractionDigits: 2 }),
      dollars: (value) => value.toLocaleString("en-US", { style: "currency", currency: "USD" }),
      euros: (value) => value.toLocaleString("de-DE", { style: "currency", currency: "EUR" }),
      swiss: (value) => value.toLocaleString("de-CH", { minimumFractionDigits: 2 }),
      french: (value) => value.toLocaleString("fr-FR", { minimumFractionDigits: 2 }),
    };
    const value = fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100);
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(write)),
        fc.array(value, { minLength: 1, maxLength: 30 }),
        (format, values) => {
          // A one with all marks says which format it is.
          const all = [...values, 1234567.89];
          const table = Table.fromRows(all.map((one) => ({ x: write[format]!(one) }))) as Table;
          expect((table.column("x" as never) as Column).toArray()).toEqual(all.map((one) => one + 0));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("a price of SQL is learned as the number that it is", () => {
    const random = new Random(5);
    const rows = Array.from({ length: 400 }, () => ({ price: (1000 * random.uniform()).toFixed(2) }));
    const y = rows.map(({ price }) => 3 * Number(price) + 7);
    const estimator = pipeline(tableVectorizer(), new Ridge({ alpha: 1e-6 }));
    const { testScore } = crossValidate(estimator, Table.fromRows(rows), y, { cv: 4 });
    expect(Math.min(...testScore)).toBeGreaterThan(0.9999);
  });

  it("a column that was text in fit is text in a new table too", () => {
    const train = Table.fromRows([{ code: "12" as string }, { code: "a" }, { code: "13" }, { code: "a" }]);
    const model = new DecisionTreeClassifier().fit(train, ["x", "y", "z", "y"]);
    const fresh = Table.fromRows([{ code: "13" as string }, { code: "12" }]);
    expect(model.predict(fresh)).toEqual(["z", "x"]);
    const through = pipeline(tableVectorizer({ minFrequency: 0 }), new DecisionTreeClassifier());
    expect(through.fit(train, ["x", "y", "z", "y"]).predict(fresh)).toEqual(["z", "x"]);
  });

  it("text in a column that was numbers is an error that names it", () => {
    const rows = Array.from({ length: 8 }, (_, i) => ({ price: `${i}.50` as string }));
    const y = rows.map((_, i) => i);
    const fresh = Table.fromRows([{ price: "much" as string }]);
    expect(() => new Ridge().fit(Table.fromRows(rows), y).predict(fresh)).toThrow(
      /column "price" must be numeric/,
    );
    const through = pipeline(tableVectorizer(), new Ridge()).fit(Table.fromRows(rows), y);
    expect(() => through.predict(fresh)).toThrow(/"price"/);
    expect(through.predict(Table.fromRows([{ price: "3.50" }]))[0]).toBeCloseTo(3, 0);
  });
});

describe("dates kept as text", () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
  it.each([
    ["ISO", ["2026-05-31", "2026-01-02"], ["2026-05-31", "2026-01-02"]],
    ["US", ["5/31/2026", "1/2/2026"], ["2026-05-31", "2026-01-02"]],
    ["day first", ["31/5/2026", "2/1/2026"], ["2026-05-31", "2026-01-02"]],
    ["points", ["31.5.2026", "02.01.2026"], ["2026-05-31", "2026-01-02"]],
    ["year first", ["2026/5/31", "2026/01/02"], ["2026-05-31", "2026-01-02"]],
  ])("%s dates are dates", (_, cells, days) => {
    const { column, codes } = read(cells);
    expect(column.kind).toBe("date");
    expect(column.toArray()).toEqual(days.map(day));
    expect(codes).toEqual(["converted-dates"]);
  });

  it("what could be either way stays text, with a warning; dayFirst says which it is", () => {
    const cells = ["3/4/2026", "5/6/2026"];
    const { column, codes } = read(cells);
    expect([column.kind, codes]).toEqual(["categorical", ["ambiguous-dates"]]);
    expect(read(cells, { dayFirst: true }).column.toArray()).toEqual([day("2026-04-03"), day("2026-06-05")]);
    expect(read(cells, { dayFirst: false }).column.toArray()).toEqual([day("2026-03-04"), day("2026-05-06")]);
    expect(read(["3/3/2026", "5/5/2026"]).column.kind).toBe("date");
  });

  it("times and halves of the day are read, days that do not exist are not", () => {
    expect(read(["5/31/2026 2:30 PM", "12/31/2026 12:00 AM"]).column.toArray()).toEqual([
      Date.parse("2026-05-31T14:30:00Z"),
      Date.parse("2026-12-31T00:00:00Z"),
    ]);
    expect(read(["31.4.2026", "1.1.2026"]).column.kind).toBe("categorical");
  });
});

it("warnings stay with their columns", () => {
  const table = Table.fromRows([
    { a: "1.5", b: "x" },
    { a: "2.5", b: "y" },
  ]);
  expect(table.rename({ a: "c" }).warnings.map(({ column }) => column)).toEqual(["c"]);
  expect(table.select(["b"]).warnings).toEqual([]);
  expect(table.selectRows([0]).warnings.length).toBe(1);
});
