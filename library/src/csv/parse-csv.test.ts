import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { FormatError, ParameterError } from "../core/errors.js";
import type { CategoricalColumn, DateColumn, NumericColumn, TextColumn } from "../data/table/column.js";
import type { CsvGuess } from "./csv-guess.js";
import { type CsvOptions, parseCsv } from "./parse-csv.js";

const rowsOf = (text: string | Uint8Array, options: CsvOptions = {}) => parseCsv(text, options).toRows();

function guessOf(text: string, options: CsvOptions = {}): CsvGuess {
  let guess: CsvGuess | undefined;
  parseCsv(text, {
    ...options,
    onGuess: (given) => {
      guess = given;
    },
  });
  return guess!;
}

function utf16(text: string, little: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), little);
  return bytes;
}

const kindOf = (...cells: string[]) =>
  guessOf(`x,y\n${cells.map((cell) => `${cell},1`).join("\n")}`).columns[0]!;

describe("parseCsv", () => {
  it("reads numbers, categories, booleans and dates, and what is missing", () => {
    const text =
      "age,city,member,since\n31,Oslo,true,2020-02-29\n,Rome,,2021-01-01T12:30:00Z\n4.5e1,NA,False,\n";
    expect(rowsOf(text)).toEqual([
      { age: 31, city: "Oslo", member: true, since: new Date(Date.UTC(2020, 1, 29)) },
      { age: null, city: "Rome", member: null, since: new Date(Date.UTC(2021, 0, 1, 12, 30)) },
      { age: 45, city: null, member: false, since: null },
    ]);
  });

  it.each([
    ["comma", "a,b\n1,x\n2,y"],
    ["semicolon", "a;b\n1;x\n2;y"],
    ["tab", "a\tb\n1\tx\n2\ty"],
    ["bar", "a|b\n1|x\n2|y"],
    ["line breaks of Windows", "a,b\r\n1,x\r\n2,y\r\n"],
    ["line breaks of old Macs", "a,b\r1,x\r2,y\r"],
    ["empty lines", "\na,b\n\n1,x\n   \n2,y\n\n\n"],
    ["blanks around cells", 'a, b\n1 , x\n 2,"y" \n'],
    ["a mark of the byte order", "\ufeffa,b\n1,x\n2,y"],
    ["single quotes", "a,b\n'1','x'\n'2','y'"],
  ])("understands %s", (_, text) => {
    expect(rowsOf(text)).toEqual([
      { a: 1, b: "x" },
      { a: 2, b: "y" },
    ]);
  });

  it.each([true, false])("understands UTF-16, little-endian: %s", (little) => {
    const text = "\ufeffa,b\n1,å\n2,😀\n";
    expect(rowsOf(utf16(text, little))).toEqual([
      { a: 1, b: "å" },
      { a: 2, b: "😀" },
    ]);
  });

  it.each([true, false])("understands UTF-16 without a mark, little-endian: %s", (little) => {
    const text = `a,b\n${"1,é\n".repeat(20)}2,😀\n`;
    expect(rowsOf(utf16(text, little)).at(-1)).toEqual({ a: 2, b: "😀" });
    // A string is what it is.
    expect(parseCsv("x\0y\0").columnNames).toEqual(["x\0y\0"]);
  });

  it("drops a mark of the byte order at the start only", () => {
    for (const bytes of [utf16("\ufeffa,b\nx\ufeffy,1\n", true), "\ufeffa,b\nx\ufeffy,1\n"])
      expect(rowsOf(bytes)).toEqual([{ a: "x\ufeffy", b: 1 }]);
  });

  it("takes line breaks, delimiters and doubled quotes in quoted cells", () => {
    const text = 'a,b\n1,"x, ""y""\nz"\n2,""\n';
    expect(rowsOf(text)).toEqual([
      { a: 1, b: 'x, "y"\nz' },
      { a: 2, b: null },
    ]);
  });

  it.each([..."*(\\^$.|+?[{&"])("takes %s for a quote, which is special elsewhere", (quote) => {
    const text = `a,b\n${quote}x,${quote}${quote}y${quote},2\n`;
    expect(rowsOf(text, { quote, delimiter: "," })).toEqual([{ a: `x,${quote}y`, b: 2 }]);
  });

  it("finds decimal commas where commas divide no cells", () => {
    expect(rowsOf("a;b\n1,5;2\n-0,25;3\n")).toEqual([
      { a: 1.5, b: 2 },
      { a: -0.25, b: 3 },
    ]);
    expect(guessOf("a;b\n1,5;2\n").decimal).toBe(",");
    expect(guessOf("a;b\n1,5;2.5\n").decimal).toBe(".");
    expect(rowsOf("a\n1,5\n", { delimiter: ";", decimal: "," })).toEqual([{ a: 1.5 }]);
  });

  it.each([
    ["semicolons", "1,5;2,5\n3,5;4,5\n", {}],
    ["tabs", "1,5\t2,5\n3,5\t4,5\n", {}],
    ["bars in quotes", '1,5|"2,5"\n3,5|"4,5"\n', {}],
    ["a delimiter that is given", "1,5;2,5\n3,5;4,5\n", { delimiter: ";" }],
    ["a decimal comma that is given", "1,5;2,5\n3,5;4,5\n", { decimal: "," }],
  ] as const)("finds decimal commas between %s where no row has names", (_, text, options) => {
    expect(guessOf(text, options)).toMatchObject({ decimal: ",", header: false });
    expect(rowsOf(text, options)).toEqual([
      { column1: 1.5, column2: 2.5 },
      { column1: 3.5, column2: 4.5 },
    ]);
  });

  it("finds decimal commas beside text", () => {
    expect(rowsOf("1,5;2,5;x\n-,5e1;3,0;NA\n")).toEqual([
      { column1: 1.5, column2: 2.5, column3: "x" },
      { column1: -5, column2: 3, column3: null },
    ]);
  });

  it("takes a column of decimal commas for one only if decimal says so", () => {
    expect(rowsOf("1,5\n2,5\n")).toEqual([
      { column1: 1, column2: 5 },
      { column1: 2, column2: 5 },
    ]);
    for (const text of ["1,5\n2,5\n", "column1\n1,5\n2,5\n"])
      expect(rowsOf(text, { decimal: "," })).toEqual([{ column1: 1.5 }, { column1: 2.5 }]);
  });

  it("divides by commas where they are elsewhere than in numbers, or decimal is a point", () => {
    expect(guessOf("1,a;b\n2,c;d\n").delimiter).toBe(",");
    expect(guessOf("1,5;2,5\n3,5;4,5\n", { decimal: "." }).delimiter).toBe(",");
    expect(rowsOf('a,b\n"1,5","2,5"\n', { decimal: "," })).toEqual([{ a: 1.5, b: 2.5 }]);
  });

  it("takes no point for a decimal one that divides or quotes cells", () => {
    expect(rowsOf("a.b\n1.2\n", { delimiter: "." })).toEqual([{ a: 1, b: 2 }]);
    expect(rowsOf("a;b\n.1.;2\n", { quote: "." })).toEqual([{ a: 1, b: 2 }]);
  });

  it("takes no comma for a decimal one beside thousands", () => {
    expect(guessOf("a\tb\n1,234\t1,234,567\n5,678\t3\n").decimal).toBe(".");
    // 1,234 alone is 1234 beside tabs, where nothing speaks for decimal commas, and 1.234 beside semicolons.
    expect(guessOf("a\tb\n1,234\t2\n").decimal).toBe(".");
    const table = parseCsv("a\tb\n1,234\t2\n");
    expect(table.toRows()).toEqual([{ a: 1234, b: 2 }]);
    expect(table.warnings.map(({ code }) => code)).toEqual(["ambiguous-numbers"]);
    expect(guessOf("a;b\n1,234;2\n").decimal).toBe(",");
  });

  it("trims nothing where blanks divide or quote cells", () => {
    expect(rowsOf('a b c\n"x y"  2\nz 1 3\n', { delimiter: " " })).toEqual([
      { a: "x y", b: null, c: 2 },
      { a: "z", b: 1, c: 3 },
    ]);
    expect(rowsOf("a,b\n x,y ,2\n", { quote: " " })).toEqual([{ a: "x,y", b: 2 }]);
  });

  it.each([
    [{ delimiter: ";", quote: ";" }, /delimiter must be another character than quote, got ";"/],
    [{ delimiter: ",", decimal: "," }, /delimiter must be another character than decimal, got ","/],
    [{ delimiter: ".", decimal: "." }, /delimiter must be another character than decimal, got "\."/],
    [{ delimiter: "0" }, /delimiter must be no digit, got "0"/],
    [{ quote: ",", decimal: "," }, /quote must be another character than decimal, got ","/],
  ] as const)("refuses %o, in which a character has two meanings", (options, message) => {
    expect(() => parseCsv("a;b\n1;2\n", options)).toThrow(ParameterError);
    expect(() => parseCsv("a;b\n1;2\n", options)).toThrow(message);
  });

  it("guesses no delimiter that is the quote, and no quote that is the delimiter", () => {
    expect(rowsOf("a;b\n|x;y|;2\n", { quote: "|" })).toEqual([{ a: "x;y", b: 2 }]);
    expect(rowsOf("a|b|c|d\n|x|;2\n", { quote: "|", badRows: "skip" })).toEqual([]);
    expect(rowsOf("a'b\n1''\n", { delimiter: "'", badRows: "skip" })).toEqual([]);
    expect(rowsOf("a'b\n'2\n", { delimiter: "'" })).toEqual([{ a: null, b: 2 }]);
  });

  it("reads long digits as `Number` does", () => {
    const texts = ["0.1234567890123456789", "5e-324", "1.7976931348623157e308", "123456789.123456789e-30"];
    expect(rowsOf(`a\n${texts.join("\n")}`).map(({ a }) => a)).toEqual(texts.map(Number));
  });

  it("reads days as Date does, and none that does not exist", () => {
    const days = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(days, (date) => {
        const text = date.toISOString().slice(0, 10);
        const { values } = parseCsv(`d\n${text}`, { types: { d: "date" } }).column("d");
        expect(values[0]).toBe(Date.parse(text));
      }),
    );
    for (const day of [
      "2023-02-29",
      "1900-02-29",
      "2024-13-01",
      "2024-00-10",
      "2024-04-31",
      "2024-1-001",
      "20a4-01-01",
    ])
      expect(() => parseCsv(`d\n${day}`, { types: { d: "date" } }), day).toThrow(FormatError);
    expect(parseCsv("d\n2000-02-29", { types: { d: "date" } }).rows).toBe(1);
  });

  it("reads times in zones up to 23:59 from UTC", () => {
    const timeOf = (zone: string) =>
      parseCsv(`d\n2024-01-01T12:00:00${zone}`, { types: { d: "date" } }).column("d").values[0];
    const noon = Date.UTC(2024, 0, 1, 12);
    expect(timeOf("+05:30")).toBe(noon - 330 * 60_000);
    expect(timeOf("-2359")).toBe(noon + 1439 * 60_000);
    for (const zone of ["+24:00", "-99:00", "+05:60"]) expect(() => timeOf(zone), zone).toThrow(FormatError);
  });

  it("keeps what is too large for a number as an infinity, to be looked at", () => {
    expect(rowsOf("a\n1e999\n-inf\n1").map(({ a }) => a)).toEqual([Infinity, -Infinity, 1]);
  });

  it("leaves identifiers as they are written", () => {
    expect(kindOf("007", "12")).toMatchObject({
      kind: "categorical",
      reason: expect.stringContaining('"007"'),
    });
    expect(kindOf("9007199254740993", "1").kind).toBe("categorical");
    expect(kindOf("0", "0.5", "-0", "10").kind).toBe("numeric");
    expect(parseCsv("a\n007", { types: { a: "number" } }).column("a").values[0]).toBe(7);
  });

  it("takes text that hardly repeats for free text", () => {
    const names = Array.from({ length: 30 }, (_, i) => `person ${i}`);
    expect(kindOf(...names).kind).toBe("text");
    expect(kindOf(...names, ...names).kind).toBe("categorical");
    expect(kindOf(...names.slice(0, 15)).kind).toBe("categorical");
  });

  it("counts no missing cell as a category, however it is written", () => {
    const names = Array.from({ length: 20 }, (_, i) => `person ${i}`);
    expect(kindOf(...names, "NA", "", "?", "null", ...names.slice(0, 9))).toMatchObject({
      kind: "categorical",
      missing: 4,
    });
    expect(kindOf(...names, "another", ...names.slice(0, 9)).kind).toBe("text");
  });

  it("tells what it guessed and why", () => {
    const guess = guessOf("id;name;\n1;a;\n2;;3\n");
    expect(guess).toMatchObject({ delimiter: ";", decimal: ".", header: true, rows: 2, skippedLines: [] });
    expect(String(guess)).toBe(
      [
        '2 rows, divided by ";", names in the first row',
        "id       numeric                 only numbers",
        'name     categorical  1 missing  "a" is not a number; 1 different',
        "column3  numeric      1 missing  only numbers",
      ].join("\n"),
    );
  });

  it("finds out whether there is a row of names", () => {
    expect(parseCsv("1,a\n2,b").columnNames).toEqual(["column1", "column2"]);
    expect(parseCsv("1,a\n2,b").rows).toBe(2);
    expect(parseCsv("1,a\n2,b", { header: true }).columnNames).toEqual(["1", "a"]);
    expect(parseCsv("x,y\n2,b", { header: false }).rows).toBe(2);
    expect(parseCsv("1,a\n2,b", { header: ["n", "letter"] }).columnNames).toEqual(["n", "letter"]);
    expect(() => parseCsv("1,a", { header: ["n", "n"] })).toThrow(ParameterError);
  });

  it("gives columns without a name or with a name twice one of their own", () => {
    expect(parseCsv("a,,a,a.1\n1,2,3,4").columnNames).toEqual(["a", "column2", "a.1", "a.1.1"]);
  });

  it("lets types overrule the guess, and knows them when compiling", () => {
    const table = parseCsv("id,class,name,day\n1,3,Ann,2020-01-01", {
      types: { id: "category", class: "number", name: "text", day: "date" },
    });
    expectTypeOf(table.column("id")).toEqualTypeOf<CategoricalColumn<string>>();
    expectTypeOf(table.column("class")).toEqualTypeOf<NumericColumn>();
    expectTypeOf(table.column("name")).toEqualTypeOf<TextColumn>();
    expectTypeOf(table.column("day")).toEqualTypeOf<DateColumn>();
    expect(table.columnNames.map((name) => table.column(name).kind)).toEqual([
      "categorical",
      "numeric",
      "text",
      "date",
    ]);
    expect(
      parseCsv("a\nyes\nN", { types: { a: "boolean" } })
        .column("a")
        .toArray(),
    ).toEqual([true, false]);
  });

  it.each(["number", "category", "boolean", "date", "text"] as const)(
    "reads a column of no rows as the %s it is said to be",
    (kind) => {
      const table = parseCsv("a\n", { types: { a: kind } });
      expect(table.rows).toBe(0);
      expect(table.column("a").kind).toBe(
        { number: "numeric", category: "categorical" }[kind as string] ?? kind,
      );
    },
  );

  it("reads the named columns only, in the order of the file, whatever the others hold", () => {
    const table = parseCsv("a,b,c\n1,x,2020-01-01\n2,y,2020-01-02", { columns: ["c", "a"] });
    expect(table.columnNames).toEqual(["a", "c"]);
    expect(table.row(1)).toEqual({ a: 2, c: new Date("2020-01-02") });
    expect(() => parseCsv("a,b\n1,2", { columns: ["d"] })).toThrow(
      /columns\[0\] must be one of the columns \("a", "b"\), got "d"/,
    );
  });

  it("tells the quote", () => {
    expect(guessOf("a,b\n'x,y',1").quote).toBe("'");
    expect(guessOf('a,b\n"x,y",1').quote).toBe('"');
    expect(guessOf("a,b\nx,1", { quote: "" }).quote).toBe("");
  });

  it("takes other words for missing entries", () => {
    expect(rowsOf("a\n1\n-999\nNA", { missing: ["-999"] })).toEqual([{ a: "1" }, { a: null }, { a: "NA" }]);
  });

  it("names line and column of what does not fit", () => {
    const wrong = () => parseCsv('a,b\n1,"x\ny"\nz,2', { types: { a: "number" } });
    expect(wrong).toThrow(/column "a" in line 4 must be a number, as types says, got "z"/);
    expect(() => parseCsv("a\n2020-02-30", { types: { a: "date" } })).toThrow(/a date such as/);
    expect(() => parseCsv("a,b\n1,2\n3\n4,5,6")).toThrow(/line 3 must be 2 cells.*There are 2 such rows/);
    expect(() => parseCsv('a,b\n1,"x\n2,3')).toThrow(/quote that opens a cell in line 2/);
    expect(() => parseCsv('a,b\n1,"x"y\n2,3')).toThrow(/quoted cell in line 2/);
    expect(() => parseCsv("")).toThrow(FormatError);
    expect(() => parseCsv("a", { types: { b: "number" } })).toThrow(
      /types\.b must be one of the columns \("a"\)/,
    );
    expect(() => parseCsv("a", { delimiter: ",," })).toThrow(ParameterError);
    // @ts-expect-error No such kind.
    expect(() => parseCsv("a", { types: { a: "integer" } })).toThrow(ParameterError);
    expect(() => parseCsv(12 as never)).toThrow(/a string, a Uint8Array or an ArrayBuffer/);
  });

  it.each([
    ["LF", "\n"],
    ["CR LF", "\r\n"],
    ["CR", "\r"],
  ])("counts lines that end with %s", (_, end) => {
    const text = ["a,b", "", '1,"x', 'y"', "3", "4,5", "z,6", "7", ""].join(end);
    expect(guessOf(text, { badRows: "skip" }).skippedLines).toEqual([5, 8]);
    expect(() => parseCsv(text, { badRows: "skip", types: { a: "number" } })).toThrow(
      /in line 7 must be a number/,
    );
  });

  it("leaves out rows of another width if asked, and says which", () => {
    const guess = guessOf("a,b\n1,2\n3\n4,5,6\n7,8", { badRows: "skip" });
    expect(guess.rows).toBe(2);
    expect(guess.skippedLines).toEqual([3, 4]);
  });

  it("reads back whatever was written", () => {
    const cell = fc
      .string({ unit: "grapheme", maxLength: 8 })
      .filter((text) => text !== "" && !text.includes("\0"));
    const table = fc
      .integer({ min: 1, max: 5 })
      .chain((cols) =>
        fc.tuple(
          fc.array(fc.array(cell, { minLength: cols, maxLength: cols }), { minLength: 1, maxLength: 12 }),
          fc.constantFrom(",", ";", "\t", "|"),
          fc.constantFrom("\n", "\r\n"),
        ),
      );
    fc.assert(
      fc.property(table, ([rows, delimiter, end]) => {
        const quoted = rows.map((row) =>
          row.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter),
        );
        const names = rows[0]!.map((_, j) => `c${j}`);
        const read = parseCsv([names.join(delimiter), ...quoted].join(end), {
          delimiter,
          missing: [],
          types: Object.fromEntries(names.map((name) => [name, "category" as const])),
        });
        expect(read.toRows()).toEqual(
          rows.map((row) => Object.fromEntries(row.map((text, j) => [`c${j}`, text]))),
        );
      }),
    );
  });

  it("never does anything but read or refuse, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom("error", "skip"), (bytes, badRows) => {
        try {
          const table = parseCsv(bytes, { badRows });
          expect(table.rows).toBeGreaterThanOrEqual(0);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
