import { afterAll } from "vitest";
import { clickhouseStatements, startClickhouse } from "../clickhouse-server.js";
import { predictsAlike } from "../conformance.js";

const servers = await startClickhouse({
  shards: 1,
  // Models as one expression are longer than what the defaults let through.
  profile: {
    max_query_size: 100_000_000,
    max_ast_elements: 10_000_000,
    max_expanded_ast_elements: 10_000_000,
    max_ast_depth: 10_000,
    output_format_json_quote_denormals: 1,
  },
});
const client = servers.connect(0, { request_timeout: 120_000 });
afterAll(async () => {
  await client.close();
  await servers.close();
});

/** Infinities are text in JSON. */
const cellOf = (cell: unknown): unknown => (cell === "inf" ? Infinity : cell === "-inf" ? -Infinity : cell);

predictsAlike({
  dialect: "clickhouse",
  tableStatements: clickhouseStatements,
  run: async (query) => {
    await client.command({ query });
  },
  rows: async (query) => {
    const result = await client.query({ query, format: "JSONEachRow" });
    const rows = await result.json<Record<string, unknown>>();
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cellOf(cell)])),
    );
  },
});
