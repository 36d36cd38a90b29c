import { DuckDBInstance } from "@duckdb/node-api";

/** A DuckDB in memory: rows of SQL as objects. */
export async function openDuckdb() {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  return {
    run: async (sql: string): Promise<void> => {
      await connection.run(sql);
    },
    rows: async (sql: string): Promise<Record<string, unknown>[]> =>
      (await connection.runAndReadAll(sql)).getRowObjectsJS(),
  };
}
