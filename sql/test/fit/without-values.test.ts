import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, it } from "vitest";
import { batches, duckdb, withoutValues } from "../../src/index.js";

const instance = await DuckDBInstance.create(":memory:");
const connection = await instance.connect();
await connection.run(`
  CREATE TABLE given AS SELECT * FROM (VALUES
    (1, 'it''s', true, 0.5), (2, NULL, false, 'NaN'::DOUBLE), (3, 'b', NULL, NULL), (4, 'c', true, -1)
  ) t(i, word, flag, size)
`);
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

it.each([
  ["word", "text", ["it's", null], [3, 4]],
  ["word", "text", ["c"], [1, 2, 3]],
  ["flag", "boolean", [true], [2, 3]],
  ["flag", "boolean", [null], [1, 2, 4]],
  // NaN is a gap, as it is for learners.
  ["size", "number", [null], [1, 4]],
  ["size", "number", [-1, 0.5], [2, 3]],
] as const)("rows without %s (%s) %j", async (name, type, values, kept) => {
  const rows = withoutValues(duckdb(connection).table("given"), { name, type }, values);
  const found: number[] = [];
  for await (const { X } of batches(rows, { features: ["i"] }))
    found.push(...(X.column("i").toArray() as number[]));
  expect(found.sort()).toEqual(kept);
});
