import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { type Column, formatSvmlight, parseCsv, Table } from "argmax";
import { loadDataset } from "argmax/datasets";
import sqlite from "node-sqlite3-wasm";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.js";
import { loadTable } from "../load.js";
import type { SourceOptions } from "../source.js";
import { streamTables } from "../stream.js";
import { openWriter } from "../write/write.js";

const { path: folder, file } = temporaryFolder();

/** Every kind of column, entries missing in each, and text that needs quotes. */
const rows = Array.from({ length: 60 }, (_, i) => ({
  number: i === 3 ? null : i / 7 - 2,
  flag: i === 4 ? null : i % 3 === 0,
  day: i === 5 ? null : new Date(Date.UTC(2024, 0, 1 + i)),
  time: i === 6 ? null : new Date(Date.UTC(2024, 0, 1, i % 24, 30, i % 60, 250)),
  city: i === 7 ? null : ["Oslo", 'Rome, "eternal"', "Zürich\nAltstadt"][i % 3]!,
  note: i === 8 ? null : `note ${i}, with a comma and ünïcödé`,
}));
const columnOf = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]) as never;
const original = parseCsvTable();

function parseCsvTable(): Table {
  const cell = (value: unknown) =>
    value === null
      ? ""
      : value instanceof Date
        ? value.toISOString()
        : `"${String(value).replaceAll('"', '""')}"`;
  const names = Object.keys(rows[0]!);
  return parseCsv(
    [names.join(","), ...rows.map((row) => Object.values(row).map(cell).join(","))].join("\n"),
  ) as Table;
}

const contents = (table: Table) =>
  Object.fromEntries(
    table.columnNames.map((name) => {
      const column = table.column(name) as Column;
      return [name, { kind: column.kind, entries: column.toArray() }];
    }),
  );

async function written(name: string, batches: readonly Table[]): Promise<string> {
  const path = join(folder, name);
  const writer = await openWriter(path);
  for (const batch of batches) await writer.write(batch);
  await writer.close();
  return path;
}

/** The lines of a file, compressed by zstd. */
async function compress(path: string): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect();
  const lines = "header = false, delim = '\u0001', quote = '', escape = ''";
  await connection.run(
    `COPY (FROM read_csv('${path}', columns = {'line': 'VARCHAR'}, auto_detect = false, ${lines})) ` +
      `TO '${path}.zst' (FORMAT csv, ${lines.replaceAll(" =", "")}, COMPRESSION zstd)`,
  );
}

const halves = (table: Table) => [table.head(25), table.tail(table.rows - 25)];

async function streamed(
  path: string,
  options: SourceOptions & { batchRows?: number } = {},
): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const batch of streamTables(path, options)) all.push(...batch.toRows());
  return all;
}

describe("the same table through every format", () => {
  test("the example has every kind of column", () => {
    expect(original.columnNames.map((name) => (original.column(name) as Column).kind)).toEqual([
      "numeric",
      "boolean",
      "date",
      "date",
      "categorical",
      "text",
    ]);
    expect(contents(Table.fromColumns({ number: columnOf("number") }))).toEqual({
      number: contents(original)["number"],
    });
  });

  test.each(["csv", "tsv", "csv.gz", "json", "ndjson", "ndjson.gz", "parquet", "arrow", "feather"])(
    "%s",
    async (ending) => {
      const path = await written(`same.${ending}`, halves(original));
      const { table, name, remarks } = await loadTable(path);
      expect({ name, remarks }).toEqual({ name: "same", remarks: [] });
      expect(contents(table)).toEqual(contents(original));
      expect(await streamed(path)).toEqual(original.toRows());
      expect(await streamed(path, { batchRows: 7 })).toEqual(original.toRows());
      expect((await loadTable(path, { limit: 9, columns: ["city", "number"] })).table.toRows()).toEqual(
        original.select(["number", "city"]).head(9).toRows(),
      );
    },
  );

  test("Parquet with the types of other programs", async () => {
    const path = join(folder, "types.parquet");
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(
      `COPY (SELECT 1.25::DECIMAL(10, 2) AS decimal, 7::TINYINT AS small, 3::HUGEINT AS huge, 9007199254740993 AS long,
        DATE '2024-02-29' AS day, TIMESTAMPTZ '2024-02-29 12:00:00+02' AS zoned, TIMESTAMP_NS '2024-02-29 12:00:00.123456789' AS fine,
        'a'::ENUM('a', 'b') AS word, uuid '00000000-0000-0000-0000-000000000001' AS id, NULL::VARCHAR AS nothing)
      TO '${path}' (FORMAT parquet)`,
    );
    expect((await loadTable(path)).table.row(0)).toEqual({
      decimal: 1.25,
      small: 7,
      huge: 3,
      long: "9007199254740993",
      day: new Date("2024-02-29"),
      zoned: new Date("2024-02-29T10:00:00Z"),
      fine: new Date("2024-02-29T12:00:00.123Z"),
      word: "a",
      id: "00000000-0000-0000-0000-000000000001",
      nothing: null,
    });
  });

  test("zstd, of CSV and NDJSON", async () => {
    for (const ending of ["csv", "ndjson"]) {
      const path = await written(`z.${ending}`, [original]);
      await compress(path);
      const loaded = await loadTable(`${path}.zst`);
      expect(loaded.name).toBe("z");
      expect(contents(loaded.table)).toEqual(contents(original));
      expect(await streamed(`${path}.zst`)).toEqual(original.toRows());
    }
  });

  test("SQLite, by --table, by URL, or the only table", async () => {
    const path = join(folder, "same.db");
    const database = new sqlite.Database(path);
    database.exec("CREATE TABLE t (number REAL, city TEXT, note TEXT, big INTEGER)");
    for (const row of rows)
      database.run("INSERT INTO t VALUES (?, ?, ?, ?)", [row.number, row.city, row.note, 9007199254740993n]);
    const expected = original.select(["number", "city", "note"]);
    for (const [source, options] of [
      [path, {}],
      [path, { table: "t" }],
      [`sqlite:${path}?table=t`, {}],
    ] as const) {
      const { table } = await loadTable(source, options);
      expect(contents(table.drop(["big"]))).toEqual(contents(expected));
      expect(table.column("big").at(0)).toBe("9007199254740993");
      expect(
        await streamed(source, { ...options, batchRows: 11, columns: ["number", "city", "note"] }),
      ).toEqual(expected.toRows());
    }
    database.exec("CREATE TABLE u (a)");
    database.close();
    await expect(loadTable(path)).rejects.toThrow(
      /same\.db has 2 tables: choose one with --table \(t, u\)\./,
    );
    await expect(loadTable(path, { table: "tt" })).rejects.toThrow('has no table "tt". Did you mean "t"?');
  });

  test("LIBSVM files, whose target is the label", async () => {
    const { X, y } = await loadDataset("diabetes");
    const { table, target } = await loadTable(file("d.svm", formatSvmlight(X, y)));
    expect([table.rows, table.cols, target]).toEqual([442, 11, "label"]);
    expect(table.column("label").toArray()).toEqual(Array.from(y));
    expect(table.column("x3").toArray()).toEqual(Array.from(X.column(2)));
  });

  test("standard input, plain and compressed, as CSV unless --format says otherwise", async () => {
    const path = await written("in.csv", [original]);
    const packed = file("in.gz", gzipSync(readFileSync(path)));
    for (const one of [path, packed]) {
      const { table, name } = await loadTable("-", { stdin: createReadStream(one, { highWaterMark: 100 }) });
      expect(name).toBe("stdin");
      expect(contents(table)).toEqual(contents(original));
    }
    const parquet = await written("in.parquet", [original]);
    const { table } = await loadTable("-", { stdin: createReadStream(parquet), format: "parquet" });
    expect(contents(table)).toEqual(contents(original));
    expect(await streamed("-", { stdin: createReadStream(path, { highWaterMark: 9 }) })).toEqual(
      original.toRows(),
    );
  });

  test("a glob is one table, in the order of the names", async () => {
    const [a, b] = halves(original) as [Table, Table];
    for (const ending of ["csv", "parquet"]) {
      await written(`part-1.${ending}`, [a]);
      await written(`part-2.${ending}`, [b]);
      expect(contents((await loadTable(join(folder, `part-*.${ending}`))).table)).toEqual(contents(original));
      expect(await streamed(join(folder, `part-[12].${ending}`))).toEqual(original.toRows());
    }
    await expect(loadTable(join(folder, "part-*"))).rejects.toThrow(/must match files of one format/);
    await expect(loadTable(join(folder, "none-*.csv"))).rejects.toThrow(/There is no file that matches/);
    file("part-3.csv", "number,flag\n1,true\n");
    await expect(loadTable(join(folder, "part-*.csv"))).rejects.toThrow(
      /part-3\.csv must have the columns of .*part-1\.csv: "day" is missing\./,
    );
  });

  test("included datasets by name, with their target", async () => {
    for (const [name, size, target] of [
      ["iris", [150, 5], "species"],
      ["titanic", [1309, 14], "survived"],
      ["penguins", [344, 7], "species"],
    ] as const) {
      const loaded = await loadTable(name);
      expect([loaded.table.rows, loaded.table.cols]).toEqual(size);
      expect(loaded.target).toBe(target);
    }
    expect(await streamed("iris", { batchRows: 40 })).toEqual((await loadTable("iris")).table.toRows());
  });
});

describe("streams", () => {
  test("a long CSV file with quoted line breaks gives the rows of the whole, with constant kinds", async () => {
    const lines = Array.from({ length: 180_000 }, (_, i) =>
      i % 1000 === 7
        ? `${i},"a\nb, ""c""",2024-01-0${1 + (i % 9)},"${i} x"`
        : `${i / 8},c${i % 5},2024-02-0${1 + (i % 9)},t${i}`,
    );
    const path = file("long.csv", `x,c,d,t\n${lines.join("\n")}\n`);
    const whole = parseCsv(readFileSync(path)) as Table;
    const kinds = new Set<string>();
    let rowsSeen = 0;
    const sums = { x: 0, d: 0 };
    let text = "";
    for await (const batch of streamTables(path, { batchRows: 20_000 })) {
      expect(batch.rows).toBeLessThanOrEqual(20_000);
      kinds.add(batch.columnNames.map((name) => (batch.column(name) as Column).kind).join());
      for (const value of batch.column("x").toArray() as number[]) sums.x += value;
      for (const value of batch.column("d").toArray() as number[]) sums.d += value;
      text += batch.column("c").at(batch.rows - 1);
      rowsSeen += batch.rows;
    }
    expect([...kinds]).toEqual(["numeric,categorical,date,text"]);
    expect(rowsSeen).toBe(whole.rows);
    const sum = (name: string) =>
      (whole.column(name).toArray() as number[]).reduce((all, value) => all + value, 0);
    expect(sums).toEqual({ x: sum("x"), d: sum("d") });
    expect(text.length).toBeGreaterThan(0);
  });

  test("a cell far down that is of another kind is named by its line", async () => {
    const path = file("far.csv", `a,b\n${"1.5,2.25\n".repeat(600_000)}x,3\n`);
    await expect(streamed(path)).rejects.toThrow(
      /far\.csv, line 600002, column "a": the cell must be a number, as in other rows, got "x"\./,
    );
    expect((await loadTable(path)).table.column("a").kind).toBe("categorical");
  });

  test("kinds that are given are read, and need not be guessed", async () => {
    const path = file("kinds.csv", "a,b\n1,2\n3,4\n");
    for await (const batch of streamTables(path, { kinds: { a: "categorical", b: "numeric" } }))
      expect(batch.toRows()).toEqual([
        { a: "1", b: 2 },
        { a: "3", b: 4 },
      ]);
    const parquet = await written("kinds.parquet", [parseCsv("a,b\n1,x\n3,y\n") as Table]);
    for await (const batch of streamTables(parquet, { kinds: { a: "categorical" } }))
      expect(batch.column("a").toArray()).toEqual(["1", "3"]);
    await expect(
      (async () => {
        for await (const _ of streamTables(parquet, { kinds: { b: "numeric" } }));
      })(),
    ).rejects.toThrow(/kinds\.parquet, row 1, column "b": the cell must be a number, got "x"\./);
  });
});

test("a file appears whole or not at all", async () => {
  const path = join(folder, "atomic.csv");
  writeFileSync(path, "old\n");
  const writer = await openWriter(path);
  await writer.write(original);
  expect(readFileSync(path, "utf8")).toBe("old\n");
  await writer.discard();
  expect(readFileSync(path, "utf8")).toBe("old\n");
  const again = await openWriter(path);
  await again.write(original);
  await again.close();
  expect(readFileSync(path, "utf8").split("\n")[0]).toBe("number,flag,day,time,city,note");
  await expect(openWriter(join(folder, "none", "x.csv"))).rejects.toThrow(/there is no such folder/);
  await expect(openWriter(join(folder, "x.xlsx"))).rejects.toThrow(/end its name in \.csv/);
});
