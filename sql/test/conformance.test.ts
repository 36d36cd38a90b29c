import { afterAll } from "vitest";
import { type Database, predictsAlike } from "./conformance.js";
import { openDuckdb } from "./duckdb.js";
import { startPostgres } from "./postgres-server.js";

async function openPostgres(): Promise<Database> {
  const server = await startPostgres();
  const client = await server.connect();
  afterAll(async () => {
    await client.end();
    await server.close();
  });
  const rows = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
  return {
    dialect: "postgres",
    rows,
    run: async (sql) => {
      await rows(sql);
    },
  };
}

predictsAlike({ dialect: "duckdb", ...(await openDuckdb()) });
predictsAlike(await openPostgres());
