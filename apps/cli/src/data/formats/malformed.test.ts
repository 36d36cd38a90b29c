import { createReadStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Column, parseCsv } from "argmax";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.js";
import { Failure, UsageError } from "../../command.js";
import { loadTable } from "../load.js";
import { whyUnreadable } from "../locate.js";
import { readSourceOptions } from "../options.js";
import type { SourceOptions } from "../source.js";
import { streamTables } from "../stream.js";
import { splitTarget } from "../target.js";
import { openWriter } from "../write/write.js";

const { path: folder, file } = temporaryFolder();

async function streamed(path: string, options: SourceOptions = {}): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const batch of streamTables(path, options)) all.push(...batch.toRows());
  return all;
}

/** The one sentence of the error, the same whether the file is read as a whole or in batches; folders are left out. */
async function refusal(path: string, options: SourceOptions = {}): Promise<string> {
  const whole = await loadTable(path, options).catch((error: unknown) => error);
  const parts = await streamed(path, options).catch((error: unknown) => error);
  expect(whole).toBeInstanceOf(Failure);
  expect((parts as Error).message).toBe((whole as Error).message);
  expect((whole as Error).message).not.toContain("\n");
  return (whole as Error).message.replaceAll(`${folder}/`, "");
}

const rowsOf = async (path: string, options: SourceOptions = {}) => {
  const { table, remarks } = await loadTable(path, options);
  expect(await streamed(path, options)).toEqual(table.toRows());
  return {
    rows: table.toRows() as unknown[],
    remarks: remarks.map((text) => text.replaceAll(`${folder}/`, "")),
  };
};

const utf16 = (text: string, little: boolean) => {
  const bytes = Buffer.from(text, "utf16le");
  return little ? bytes : bytes.swap16();
};

describe("files that can be read", () => {
  const two = [
    { a: 1, b: "å" },
    { a: 2, b: "😀" },
  ];

  test.each([
    ["a mark of the byte order", Buffer.from("\ufeffa,b\n1,å\n2,😀\n")],
    ["UTF-16, little-endian", utf16("\ufeffa,b\n1,å\n2,😀\n", true)],
    ["UTF-16, big-endian", utf16("\ufeffa,b\n1,å\n2,😀\n", false)],
    ["line breaks of Windows", Buffer.from("a,b\r\n1,å\r\n2,😀\r\n")],
    ["line breaks of old Macs", Buffer.from("a,b\r1,å\r2,😀\r")],
    ["no line break at the end", Buffer.from("a;b\n1;å\n2;😀")],
    ["blank lines", Buffer.from("\n\na|b\n1|å\n\n2|😀\n\n")],
  ])("%s", async (what, bytes) => {
    expect((await rowsOf(file(`${what.length}.csv`, bytes))).rows).toEqual(two);
  });

  test("names that are empty or there twice are made unique, with a remark", async () => {
    const { rows, remarks } = await rowsOf(file("names.csv", "a,,a\n1,2,3\n"));
    expect(rows).toEqual([{ a: 1, column2: 2, "a.1": 3 }]);
    expect(remarks).toEqual([
      "names.csv: 1 column has no name and got one.",
      'names.csv: several columns are named "a"; the later ones end in .1, .2, ….',
    ]);
  });

  test("a file without names has names made, with a remark", async () => {
    const { rows, remarks } = await rowsOf(file("none.csv", "1,2\n3,4\n"));
    expect(rows[1]).toEqual({ column1: 3, column2: 4 });
    expect(remarks).toEqual([
      "none.csv: the first row has a number, so that columns are named column1, column2, ….",
    ]);
  });

  test("decimal commas", async () => {
    expect((await rowsOf(file("commas.csv", "a;b\n1,5;2\n-0,25;3\n"))).rows).toEqual([
      { a: 1.5, b: 2 },
      { a: -0.25, b: 3 },
    ]);
  });

  test("line breaks, delimiters and quotes in quotes, also in the names", async () => {
    const { rows, remarks } = await rowsOf(file("quotes.csv", '"a\nb",c\n"x, ""y""\nz",1\n'));
    expect(rows).toEqual([{ "a\nb": 'x, "y"\nz', c: 1 }]);
    expect(remarks).toEqual([]);
  });

  test("ten thousand columns", async () => {
    const names = Array.from({ length: 10_000 }, (_, k) => `c${k}`);
    const line = names.map((_, k) => k).join(",");
    const { table } = await loadTable(file("wide.csv", `${names.join(",")}\n${`${line}\n`.repeat(30)}`));
    expect([table.rows, table.cols, table.column("c9999").at(29)]).toEqual([30, 10_000, 9999]);
  });

  test("a column of a million distinct strings is free text", async () => {
    const path = file("distinct.csv", `id\n${Array.from({ length: 1e6 }, (_, i) => `k${i}`).join("\n")}\n`);
    const { table } = await loadTable(path);
    expect([table.rows, (table.column("id") as Column).kind, table.column("id").at(999_999)]).toEqual([
      1e6,
      "text",
      "k999999",
    ]);
  });

  test("columns that should be text stay as they are written", async () => {
    const path = file("codes.csv", "zip,n\n1234,1\n5678,2\n");
    expect((await rowsOf(path, { asText: ["zip"] })).rows).toEqual([
      { zip: "1234", n: 1 },
      { zip: "5678", n: 2 },
    ]);
  });

  test("rows of another width are left out if asked, with a remark", async () => {
    const { rows, remarks } = await rowsOf(file("skip.csv", "a,b\n1,2\n3\n4,5\n"), { badRows: "skip" });
    expect(rows).toEqual([
      { a: 1, b: 2 },
      { a: 4, b: 5 },
    ]);
    expect(remarks).toEqual(["skip.csv: 1 rows of another width were left out (lines 3)."]);
  });
});

describe("files that cannot be read are refused in one sentence", () => {
  test.each<[string, string | Uint8Array, string]>([
    [
      "ragged.csv",
      "a,b\n1,2\n3\n4,5,6\n",
      'ragged.csv, line 3: the row must have 2 cells, as in the first row (divided by ","), got 1. There are 2 such rows. ' +
        "Correct the file, give another --delimiter, or leave such rows out with --bad-rows skip.",
    ],
    [
      "mixed.csv",
      "a,b,c\n1,2,3\n4;5;6\n",
      'mixed.csv, line 3: the row must have 3 cells, as in the first row (divided by ","), got 1. ' +
        "Correct the file, give another --delimiter, or leave such rows out with --bad-rows skip.",
    ],
    ["empty.csv", "", "empty.csv is empty: it has no rows."],
    ["blank.csv", "\n\n\n", "blank.csv is empty: it has no rows."],
    ["header.csv", "a,b\n", "header.csv has names of columns, but no rows."],
    [
      "huge.csv",
      "a,b\n1,2\n3,1e999\n",
      'huge.csv, row 2, column "b": the cell must be a finite number, got Infinity. Correct the cell, leave it empty, or ' +
        'read the column as text: --text "b".',
    ],
    [
      "open.csv",
      'a,b\n1,"x\n2,3\n',
      "open.csv, line 2: the quote that opens a cell must be closed by another one, got none up to the end. Correct the file.",
    ],
    [
      "garbage.csv",
      Uint8Array.from({ length: 999 }, (_, k) => (k * 7919) % 256),
      "garbage.csv is not text but binary data. If it is of another format, give it: --format parquet, arrow or sqlite.",
    ],
    [
      "sheet.csv",
      Buffer.from("PK\u0003\u0004…"),
      "sheet.csv is a ZIP or Excel file, which is not read. Save its sheet as CSV, or unpack it first.",
    ],
    [
      "half.csv",
      gzipSync("a,b\n1,2\n").subarray(0, 20),
      "half.csv is damaged: its gzip stream cannot be read (unexpected end of file).",
    ],
    [
      "empty.json",
      "[]",
      'empty.json must hold at least one row, as [{"a": 1, "b": 2}, …] or as one object per line.',
    ],
    ["broken.libsvm", "1 1:2\n1 x\n", 'broken.libsvm, a feature in line 2 must be index:value, got "x".'],
  ])("%s", async (name, content, sentence) => {
    expect(await refusal(file(name, content))).toBe(sentence);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ["broken.json", '[{"a": 1}, {"a": ', /^broken\.json cannot be read as json: Malformed JSON in file/],
    ["broken.parquet", "PAR1garbage", /^broken\.parquet cannot be read as parquet: .*broken\.parquet/],
    ["broken.arrow", "ARROW1\0\0garbage garbage", /^broken\.arrow cannot be read as Arrow: ./],
    ["broken.db", "SQLite format 3\0garbage", /^broken\.db cannot be read: ./],
    [
      "nested.ndjson",
      '{"a": 1, "b": [1, 2]}\n',
      /^nested\.ndjson, column "b" holds values of type BIGINT\[\], which are not cells/,
    ],
  ])("%s", async (name, content, sentence) => {
    expect(await refusal(file(name, content))).toMatch(sentence);
  });

  test("a table without rows", async () => {
    const path = join(folder, "none.parquet");
    const writer = await openWriter(path);
    await writer.write(parseCsv("a\n", { types: { a: "number" } }));
    await writer.close();
    expect(await refusal(path)).toBe("none.parquet has no rows.");
  });

  test("what is not there, with what is near", async () => {
    file("titanic.csv", "a\n1\n");
    expect(await refusal(join(folder, "titanic.cvs"))).toBe(
      'There is no file "titanic.cvs". Did you mean "titanic.csv"?',
    );
    expect(await refusal("peguins")).toBe('There is no file "peguins". Did you mean "penguins"?');
    expect(await refusal(join(folder, "none", "x.csv"))).toMatch(/there is no folder/);
  });

  test("a folder, and a file of somebody else", async () => {
    mkdirSync(join(folder, "data"));
    expect(await refusal(join(folder, "data"))).toBe(
      'data is a folder. Give a file in it, or several: "data/*.csv".',
    );
    // A test that runs as root can read everything.
    expect(await whyUnreadable("x.csv", "EACCES")).toBe(
      "x.csv cannot be read by this user: permission denied. Change its permissions, or copy it.",
    );
  });

  test("columns that are not there", async () => {
    const path = file("columns.csv", "age,fare\n1,2\n");
    const sentence = 'columns.csv has no column "afe". Did you mean "age"? The columns are age, fare.';
    expect(await refusal(path, { columns: ["afe"] })).toBe(sentence);
    expect(await refusal(path, { asText: ["afe"] })).toBe(sentence);
    await expect(loadTable("iris", { columns: ["specie"] })).rejects.toThrow('Did you mean "species"?');
  });

  test("standard input is named as what it is", async () => {
    const stdin = createReadStream(file("in.csv", "a,b\n1\n"));
    await expect(loadTable("-", { stdin })).rejects.toThrow(
      /^standard input, line 2: the row must have 2 cells/,
    );
  });
});

describe("splitTarget", () => {
  const loaded = async (text: string) => loadTable(file("target.csv", text));

  test("divides the table, and leaves out rows without a target", async () => {
    const { X, y, target, remarks } = splitTarget(await loaded("a,b\n1,x\n2,\n3,y\n"), "b");
    expect({ rows: X.toRows(), y, target, remarks }).toEqual({
      rows: [{ a: 1 }, { a: 3 }],
      y: ["x", "y"],
      target: "b",
      remarks: ["1 row has no b and was left out."],
    });
    expect(splitTarget(await loadTable("iris"), undefined).target).toBe("species");
  });

  test("names what is wrong", async () => {
    const table = await loaded("survived,age\n1,2\n");
    expect(() => splitTarget(table, "suvrived")).toThrow(
      'target has no column "suvrived". Did you mean "survived"? The columns are survived, age.',
    );
    expect(() => splitTarget(table, undefined)).toThrow(UsageError);
    const none = await loaded("a,b\n1,\n2,\n");
    expect(() => splitTarget(none, "b")).toThrow('Column "b" of target has no entries');
    const alone = await loaded("a\n1\n");
    expect(() => splitTarget(alone, "a")).toThrow("there is nothing to predict it from");
  });
});

test("options of the command line", () => {
  expect(
    readSourceOptions({ delimiter: "tab", rows: "10", columns: ['a,"b, c"', "d"], text: ["e"] }),
  ).toMatchObject({
    delimiter: "\t",
    limit: 10,
    columns: ["a", "b, c", "d"],
    asText: ["e"],
    badRows: "error",
  });
  for (const values of [{ format: "xml" }, { delimiter: ",," }, { rows: "0" }, { "bad-rows": "keep" }])
    expect(() => readSourceOptions(values)).toThrow(UsageError);
});

describe("encodings", () => {
  const latin1 = Buffer.from("Name,Age\nMüller,31\nMöller,45\n", "latin1");

  test("a file that is not UTF-8 is refused with the encoding that it looks like, which an option reads", async () => {
    const path = file("latin.csv", latin1);
    expect(await refusal(path)).toBe(
      'latin.csv, line 2: the text must be UTF-8, got the byte 0xFC, as Windows-1252 (Latin-1) has it ("Müller,31"). ' +
        "Give --encoding windows-1252 if that is right, or save the file as UTF-8.",
    );
    const options = readSourceOptions({ encoding: "latin1" });
    expect((await rowsOf(path, options)).rows).toEqual([
      { Name: "Müller", Age: 31 },
      { Name: "Möller", Age: 45 },
    ]);
    expect(() => readSourceOptions({ encoding: "klingon" })).toThrow(UsageError);
  });

  test("Excel's first line is read, whole and in batches", async () => {
    const path = file("excel.csv", "sep=;\r\na;b\r\n1,5;x\r\n2,5;y\r\n");
    expect((await rowsOf(path)).rows).toEqual([
      { a: 1.5, b: "x" },
      { a: 2.5, b: "y" },
    ]);
  });

  test("numbers that are written as text are numbers, in every format", async () => {
    const csv = file(
      "prices.csv",
      'price,when\n"1,234.50",5/31/2026\n"$2",x\n'.replace('"$2"', '"2.25"').replace(",x", ",1/2/2026"),
    );
    const json = file(
      "prices.json",
      '[{"price":"1234.50","when":"2026-05-31"},{"price":"2.25","when":"2026-01-02"}]',
    );
    for (const path of [csv, json]) {
      const { table } = await loadTable(path);
      expect((table.column("price" as never) as Column).toArray()).toEqual([1234.5, 2.25]);
      expect((table.column("when" as never) as Column).kind).toBe("date");
    }
    const { table } = await loadTable(csv);
    expect(table.warnings.map(({ code }) => code)).toEqual(["converted-numbers", "converted-dates"]);
  });
});
