import type { Column } from "argmax";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../sql/test/postgres-server.js";
import { loadTable } from "../../src/data/load.js";
import { streamTables } from "../../src/data/stream.js";

let server: PostgresServer;
let url = "";

beforeAll(async () => {
  server = await startPostgres();
  url = server.url;
  const client = await server.connect();
  await client.query(`
    CREATE TABLE kinds (
      "Number" double precision, whole bigint, exact numeric(10, 2), flag boolean, day date, moment timestamp,
      zoned timestamptz, city text, note varchar, list jsonb, key bigint
    );
    INSERT INTO kinds SELECT
      CASE WHEN i = 3 THEN NULL ELSE i / 8.0 END, i, i + 0.25, i % 2 = 0, date '2024-01-01' + i,
      timestamp '2024-01-01 12:30:00.25' + i * interval '1 day', timestamptz '2024-01-01 12:00:00+02', 'city ' || i % 3,
      'note ' || i, '{"a": 1}', 9007199254740993
    FROM generate_series(1, 50) i;
    CREATE SCHEMA other;
    CREATE TABLE other.long AS SELECT i, i % 7 AS k, 'row ' || i % 5 AS c FROM generate_series(1, 400000) i;
    CREATE TABLE nothing (a int);
  `);
  await client.end();
});

afterAll(() => server.close());

describe("a table of PostgreSQL", () => {
  test("has numbers, booleans, dates in UTC, categories and text", async () => {
    const { table, name } = await loadTable(url, { table: "kinds" });
    expect(name).toBe("kinds");
    const kinds = table.columnNames.map((column) => `${column} ${(table.column(column) as Column).kind}`);
    expect(kinds).toEqual([
      "Number numeric",
      "whole numeric",
      "exact numeric",
      "flag boolean",
      "day date",
      "moment date",
      "zoned date",
      "city categorical",
      "note text",
      "list categorical",
      "key categorical",
    ]);
    expect(table.row(3)).toEqual({
      Number: 0.5,
      whole: 4,
      exact: 4.25,
      flag: true,
      day: new Date("2024-01-05"),
      moment: new Date("2024-01-05T12:30:00.250Z"),
      zoned: new Date("2024-01-01T10:00:00Z"),
      city: "city 1",
      note: "note 4",
      list: '{"a":1}',
      key: "9007199254740993",
    });
    expect(table.column("Number").at(2)).toBeNull();
  });

  test("is read in batches through a cursor, in any schema", async () => {
    let [rows, sum, largest] = [0, 0, 0];
    for await (const batch of streamTables(url, {
      table: "other.long",
      batchRows: 10_000,
      columns: ["k", "i"],
    })) {
      // In the order of the table.
      expect(batch.columnNames).toEqual(["i", "k"]);
      rows += batch.rows;
      largest = Math.max(largest, batch.rows);
      for (const value of batch.column("i").toArray() as number[]) sum += value;
    }
    expect({ rows, largest, sum }).toEqual({ rows: 400_000, largest: 10_000, sum: (400_000 * 400_001) / 2 });
    expect((await loadTable(url, { table: "other.long", limit: 7 })).table.rows).toBe(7);
  });

  test("that cannot be read is named in one sentence, without the password", async () => {
    const refusal = (options: { table?: string; columns?: string[] }, from = url) =>
      loadTable(from, options).then(
        () => "",
        (error: Error) => error.message,
      );
    expect(await refusal({ table: "kind" })).toMatch(
      /, table kind cannot be read: relation "kind" does not exist\.$/,
    );
    expect(await refusal({ table: "kinds", columns: ["citi"] })).toMatch(
      /has no column "citi"\. Did you mean "city"\?/,
    );
    expect(await refusal({ table: "nothing" })).toBe("nothing has no rows.");
    expect(await refusal({})).toBe("A PostgreSQL database needs --table NAME.");
    const closed = url.replace(/:\d+\//, ":1/");
    expect(await refusal({ table: "kinds" }, closed)).toMatch(/cannot be read: .*ECONNREFUSED/);
    expect(await refusal({ table: "kinds" }, closed)).not.toContain("secret");
  });
});
