import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type CategoryColumn, type ColumnData, cellText, columnOf, lengthOf, missingIn } from "../table.js";
import { readTable } from "./read-table.js";
import { sampleRows } from "./sample.js";

const fixture = (name: string): Blob =>
  new Blob([readFileSync(new URL(`../../../test/fixtures/${name}`, import.meta.url))]);

const read = (text: string | Uint8Array, name = "t.csv") =>
  readTable(new Blob([text as BlobPart]), name, () => {});

const texts = (column: ColumnData | undefined): string[] =>
  Array.from({ length: lengthOf(column!) }, (_, i) => cellText(column!, i));

const names = ({ data }: Awaited<ReturnType<typeof read>>) => data.columns.map(({ name }) => name);

describe("readTable of delimited text", () => {
  it.each([
    ["commas", "a,b\n1,x\n2,y\n"],
    ["semicolons and decimal commas", "a;b\n1,5;x\n2,5;y\n"],
    ["tabs", "a\tb\n1\tx\n2\ty"],
    ["bars", "a|b\n1|x\n2|y\n"],
    ["CR LF", "a,b\r\n1,x\r\n2,y\r\n"],
    ["a mark of the byte order", "\ufeffa,b\n1,x\n2,y\n"],
  ])("reads %s", async (_, text) => {
    const { data, notes } = await read(text);
    expect(data).toMatchObject({ name: "t", rows: 2 });
    expect(data.columns.map(({ name, kind }) => [name, kind])).toEqual([
      ["a", "number"],
      ["b", "category"],
    ]);
    expect(notes).toEqual([]);
  });

  it.each(["utf-16le", "utf-16be"])("reads %s with and without its mark", async (encoding) => {
    const text = "größe,land\n1,Ö\n2,Å\n";
    const little = Buffer.from(text, "utf16le");
    const bytes = encoding === "utf-16le" ? little : Buffer.from(little).swap16();
    const mark = encoding === "utf-16le" ? [0xff, 0xfe] : [0xfe, 0xff];
    for (const given of [bytes, Buffer.concat([Buffer.from(mark), bytes])])
      expect(texts(columnOf((await read(given)).data, "land"))).toEqual(["Ö", "Å"]);
  });

  it("reads bytes that are not UTF-8 as Windows-1252 and says so", async () => {
    const { data, notes } = await read(Buffer.from("name,n\nM\xfcller,1\nJos\xe9,2\n", "latin1"));
    expect(texts(data.columns[0])).toEqual(["Müller", "José"]);
    expect(notes).toEqual([expect.stringContaining("Windows-1252")]);
  });

  it("unpacks gzip and hashes the file as it is", async () => {
    const packed = gzipSync("a,b\n1,x\n2,y\n");
    const { data, sha256 } = await read(packed, "t.csv.gz");
    expect(data).toMatchObject({ name: "t", rows: 2 });
    const digest = await crypto.subtle.digest("SHA-256", packed);
    expect(sha256).toBe(Buffer.from(digest).toString("hex"));
  });

  it("leaves out ragged rows and names their lines", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i},x`);
    rows[4] = "4,x,extra";
    rows[9] = "9";
    const { data, notes } = await read(`a,b\n${rows.join("\n")}\n`);
    expect(data.rows).toBe(38);
    expect(notes).toEqual([
      "2 rows have another number of cells than the first and were left out: lines 6, 11.",
    ]);
  });

  it.each([
    ["nothing", "", "t.csv is empty."],
    ["names alone", "a,b\n", "t has names of columns but no row below them."],
    ["mostly ragged rows", "a,b\n1,2,3\n1,2,3\n4,5\n", /2 of 3 rows have another number of cells.*line 2/],
    ["ragged rows alone", "a, in cm,b\n1,2\n3,4\n", /2 of 2 rows have another number of cells.*line 2/],
    ["a quote without end", 'a,b\n1,"x\n2,y\n3,z\n', /quote that opens a cell in line 2/],
    ["a spreadsheet", "PK\u0003\u0004....", /Excel/],
    ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]), /picture/],
    ["other bytes", Buffer.from([1, 0, 0, 7, 0, 9, 1, 1]), /neither text nor Parquet/],
    ["broken gzip", Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), /gzip.*damaged/],
  ])("refuses %s in one sentence", async (_, given, message) => {
    await expect(read(given)).rejects.toThrow(message);
  });

  it("keeps hostile names and cells as text", async () => {
    const bad = "<img src=x onerror=alert(1)>";
    const { data } = await read(
      `${bad},__proto__,constructor,,a,a,${"n".repeat(500)}\n${Array.from({ length: 3 }, (_, i) => `${bad},=1+${i},@SUM(A1),-x,${i},${i},${"c".repeat(i * 2 ** 20)}`).join("\n")}\n`,
    );
    const found = data.columns.map(({ name }) => name);
    expect(found.slice(0, 6)).toEqual([bad, "__proto__", "constructor", "column4", "a", "a.1"]);
    expect(found[6]).toHaveLength(200);
    expect(texts(columnOf(data, "__proto__"))).toEqual(["=1+0", "=1+1", "=1+2"]);
    expect(texts(data.columns[6])[2]).toHaveLength(2 * 2 ** 20);
  });

  it("reads ten thousand columns", async () => {
    const row = (of: (j: number) => string) => Array.from({ length: 10_000 }, (_, j) => of(j)).join(",");
    const { data } = await read([row((j) => `c${j}`), row(String), row((j) => String(j + 0.5))].join("\n"));
    expect(data.columns).toHaveLength(10_000);
    expect(cellText(data.columns[9_999]!, 1)).toBe("9999.5");
  });

  it("shows dates as dates", async () => {
    const { data } = await read("day,v\n2024-02-29,1\n2024-03-01T12:30:00Z,2\n");
    expect(texts(data.columns[0])).toEqual(["2024-02-29", "2024-03-01T12:30"]);
  });

  it("reads NA as a code among codes of two letters, and says so", async () => {
    const codes = ["AO", "BW", "CD", "EG", "KE", "NA", "NG", "TZ", "ZA", "NA"];
    const rows = (list: readonly string[]) =>
      ["country,size,mark", ...list.map((code, i) => `${code},${i},${i % 3 === 0 ? "NA" : "good"}`)].join(
        "\n",
      );
    const { data, notes } = await read(rows([...codes, ...codes]), "countries.csv");
    const [country, , mark] = data.columns as [CategoryColumn, unknown, CategoryColumn];
    expect(country.levels).toContain("NA");
    expect(country.codes).not.toContain(-1);
    // Words are not codes.
    expect(mark.levels).toEqual(["good"]);
    expect(notes).toEqual(["In country, NA is read as a code like the others, not as a missing entry."]);
    const without = codes.map((code) => (code === "NA" ? "" : code));
    const gaps = await read(rows([...without, ...without]), "countries.csv");
    expect((gaps.data.columns[0] as CategoryColumn).codes.filter((code) => code < 0)).toHaveLength(4);
    expect(gaps.notes).toEqual([]);
  });
});

describe("readTable of JSON", () => {
  it.each([
    ["a list of objects", '[{"a":1,"b":"x"},{"b":"y","a":2}]'],
    ["an object of lists", '{"a":[1,2],"b":["x","y"]}'],
    ["an object per line", '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
    ["lists with names first", '[["a","b"],[1,"x"],[2,"y"]]'],
    ["a list inside of an object", '{"data":[{"a":1,"b":"x"},{"a":2,"b":"y"}]}'],
  ])("reads %s", async (_, text) => {
    const { data } = await read(text, "t.json");
    expect(data.columns.map(({ name, kind }) => [name, kind])).toEqual([
      ["a", "number"],
      ["b", "category"],
    ]);
    expect(texts(data.columns[1])).toEqual(["x", "y"]);
  });

  it("has missing cells where a key is absent, null or empty, and JSON where cells are nested", async () => {
    const { data } = await read('[{"a":1,"c":true},{"a":null,"b":"","d":{"x":[1]}},{"b":"z","__proto__":5}]');
    expect(names({ data, notes: [], sha256: "" })).toEqual(["a", "c", "b", "d", "__proto__"]);
    expect(data.columns.map(missingIn)).toEqual([2, 2, 2, 2, 2]);
    expect(texts(columnOf(data, "d"))).toEqual(["", '{"x":[1]}', ""]);
    expect(texts(columnOf(data, "c"))[0]).toBe("true");
  });

  it.each([
    ['[{"a":1},\n{"a":}]', /not valid JSON in line 2, column 6/],
    ['[{"a":1},\n{"b" 2}]', /line 2, column 6/],
    ['[{"a":1}\n{"b":2}]', /line 2, column 1/],
    ["[[1,]]", /line 1, column 5/],
    ['[{"a":"x\ny"}]', /line 1, column 7/],
    ['[{"a":1}', /line 1, column 9/],
    ['{"a":1}\n{"a":2}\n{"a":', "Line 3 is not valid JSON"],
    ['[{"a":1},7]', "Row 2 is not an object"],
    ['{"a":[1,2],"b":[1]}', "Column “b” has 1 cells where others have 2"],
    ["[[1,2],[3]]", "Row 2 has 1 cells where the first has 2"],
    ["[]", "has no rows"],
  ])("refuses %s", async (text, message) => {
    await expect(read(text, "t.json")).rejects.toThrow(message);
  });
});

describe("readTable of Parquet", () => {
  it("reads numbers, dates, flags, texts and nested cells", async () => {
    const { data } = await readTable(fixture("orders.parquet"), "orders.parquet", () => {});
    expect(data).toMatchObject({ name: "orders", rows: 120 });
    expect(data.columns.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      "id: number",
      "weight: number",
      "steps: number",
      "day: number",
      "active: category",
      "colour: category",
      "pair: text",
    ]);
    const row = (i: number) => data.columns.map((column) => cellText(column, i));
    expect(row(0)).toEqual(["0", "", "0", "2024-01-01", "true", "red", "[0,1]"]);
    expect(row(51)).toEqual(["51", "4", "79", "2024-01-02", "false", "red", "[51,52]"]);
    expect(missingIn(data.columns[1]!)).toBe(11);
  });

  it.each(["zstd", "gzip", "brotli", "lz4_raw"])("reads files packed with %s", async (codec) => {
    const { data } = await readTable(fixture(`${codec}.parquet`), "packed.parquet", () => {});
    expect(data.rows).toBe(500);
    const row = (i: number) => data.columns.map((column) => cellText(column, i));
    expect([row(0), row(499)]).toEqual([
      ["0", "0", "red"],
      ["499", "124.75", "a longer word"],
    ]);
  });

  it("says that a file is damaged", async () => {
    await expect(
      readTable(fixture("orders.parquet").slice(0, 900), "orders.parquet", () => {}),
    ).rejects.toThrow(/damaged/);
  });
});

describe("sampleRows", () => {
  const slices = async function* (text: string, length: number) {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += length) yield bytes.slice(at, at + length);
  };

  it("keeps the names and about the wanted fraction of rows, from the whole file, with line breaks inside of quotes", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i},"line\nbreak ${i}"`);
    const found = await sampleRows(slices(`n,t\n${rows.join("\n")}`, 1000), 0.1, true, () => {});
    const { data } = await readTable(new Blob([found!.bytes as BlobPart]), "s.csv", () => {});
    expect(found!.rows).toBe(20_000);
    expect(data.rows).toBeGreaterThan(1850);
    expect(data.rows).toBeLessThan(2150);
    const numbers = (data.columns[0] as { values: Float64Array }).values;
    const mean = numbers.reduce((sum, value) => sum + value, 0) / data.rows;
    expect(Math.abs(mean - 10_000)).toBeLessThan(500);
    expect(cellText(data.columns[1]!, 3)).toBe(`line\nbreak ${numbers[3]}`);
  });

  it("gives up where a quote never closes", async () => {
    expect(await sampleRows(slices('a,b\n1,5" pipe\n2,x\n', 7), 1, true, () => {})).toBeUndefined();
    expect((await sampleRows(slices('a,b\n1,5" pipe\n2,x\n', 7), 1, false, () => {}))!.rows).toBe(2);
  });
});
