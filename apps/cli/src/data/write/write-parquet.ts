import { rm } from "node:fs/promises";
import {
  BOOLEAN,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTimestampMillisecondsValue,
  type DuckDBType,
  type DuckDBValue,
  TIMESTAMP_MS,
  VARCHAR,
} from "@duckdb/node-api";
import type { Column, Table } from "argmax";
import { columnsOf } from "../columns.js";
import { quotedName, quotedText } from "../formats/duckdb.js";
import type { TableWriter } from "./write.js";

/** DuckDB's vectors have this many rows at most. */
const CHUNK = 2048;

const typeOf = ({ kind }: Column): DuckDBType =>
  ({ numeric: DOUBLE, boolean: BOOLEAN, date: TIMESTAMP_MS, categorical: VARCHAR, text: VARCHAR })[kind];

/**
 * A Parquet file through a database on disk beside it: DuckDB writes Parquet from a query only, and the rows may be more than fit
 * into memory.
 */
export async function parquetWriter(path: string): Promise<TableWriter> {
  const store = `${path}.duckdb`;
  const instance = await DuckDBInstance.create(store, { autoinstall_known_extensions: "false" });
  const connection = await instance.connect();
  let appender: Awaited<ReturnType<typeof connection.createAppender>> | undefined;
  let types: readonly DuckDBType[] = [];
  const end = async () => {
    connection.closeSync();
    instance.closeSync();
    await rm(store, { force: true });
    await rm(`${store}.wal`, { force: true });
  };
  const begin = async (batch: Table) => {
    types = columnsOf(batch).map(([, column]) => typeOf(column));
    const columns = batch.columnNames.map((name, k) => `${quotedName(name)} ${types[k]}`);
    await connection.run(`CREATE TABLE written (${columns.join(", ")})`);
    return connection.createAppender("written");
  };
  return {
    async write(batch) {
      appender ??= await begin(batch);
      const columns = columnsOf(batch).map(([, column]) => column);
      for (let from = 0; from < batch.rows; from += CHUNK) {
        const rows = Math.min(CHUNK, batch.rows - from);
        const chunk = DuckDBDataChunk.create(types, rows);
        for (const [k, column] of columns.entries()) chunk.setColumnValues(k, valuesOf(column, from, rows));
        appender.appendDataChunk(chunk);
      }
      appender.flushSync();
    },
    async close() {
      appender?.closeSync();
      await connection.run(`COPY written TO ${quotedText(path)} (FORMAT parquet)`);
      await end();
    },
    discard: end,
  };
}

function valuesOf(column: Column, from: number, rows: number): DuckDBValue[] {
  const isDate = column.kind === "date";
  return Array.from({ length: rows }, (_, r) => {
    const cell = column.at(from + r);
    return isDate && cell !== null
      ? new DuckDBTimestampMillisecondsValue(BigInt(+cell))
      : (cell as DuckDBValue);
  });
}
