import type { Table } from "argmax";
import pg from "pg";
import { Failure } from "../../command.js";
import { type DatabaseCell, tableOfCells } from "../cells.js";
import { requireNames } from "../names.js";
import type { SourceOptions } from "../source.js";

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Types of PostgreSQL by their number (pg_type.dat). The driver returns int8 and numeric as text, and dates in local time. */
const INT8 = 20;
const NUMERIC = 1700;
const DATE = 1082;
const TIMESTAMP = 1114;

const types = {
  getTypeParser(oid: number, format?: string) {
    if (oid === INT8) return (text: string) => BigInt(text);
    if (oid === NUMERIC) return (text: string) => Number(text);
    if (oid === DATE || oid === TIMESTAMP)
      return (text: string) => new Date(oid === DATE ? `${text}T00:00:00Z` : `${text.replace(" ", "T")}Z`);
    return pg.types.getTypeParser(oid, format as "text");
  },
};

/** The rows of a table of PostgreSQL, through a cursor: only one batch is in memory. */
export async function* postgresTables(
  url: string,
  table: string,
  options: SourceOptions,
  batchRows: number,
): AsyncGenerator<Table> {
  const client = new pg.Client({ connectionString: url, types });
  const where = `${withoutPassword(url)}, table ${table}`;
  try {
    await client.connect();
    const from = table.split(".").map(quoted).join(".");
    const { fields } = await client.query({ text: `SELECT * FROM ${from} LIMIT 0`, rowMode: "array" });
    const known = fields.map(({ name }) => name);
    requireNames(where, [...(options.columns ?? []), ...(options.asText ?? [])], known);
    const names = known.filter((name) => options.columns?.includes(name) ?? true);
    const limit = options.limit === undefined ? "" : ` LIMIT ${options.limit}`;
    await client.query("BEGIN READ ONLY");
    await client.query(
      `DECLARE argmax_rows NO SCROLL CURSOR FOR SELECT ${names.map(quoted).join(", ")} FROM ${from}${limit}`,
    );
    for (;;) {
      options.signal?.throwIfAborted();
      const { rows } = await client.query<DatabaseCell[]>({
        text: `FETCH ${batchRows} FROM argmax_rows`,
        rowMode: "array",
      });
      if (rows.length === 0) break;
      yield tableOfCells(
        names,
        rows.map((row) => row.map(plain)),
      );
    }
  } catch (error) {
    if (error instanceof Failure || options.signal?.aborted) throw error;
    const { message, code } = error as Error & { code?: string };
    throw new Failure(`${where} cannot be read: ${message || code || "the connection failed"}.`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Objects and lists, as of json columns, are text. */
const plain = (cell: DatabaseCell): DatabaseCell =>
  typeof cell === "object" && cell !== null && !(cell instanceof Date) && !(cell instanceof Uint8Array)
    ? JSON.stringify(cell)
    : cell;

export const withoutPassword = (url: string): string => url.replace(/(?<=\/\/[^:/@]*):[^@/]*@/, "@");
