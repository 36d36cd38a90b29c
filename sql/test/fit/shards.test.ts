import { DuckDBInstance } from "@duckdb/node-api";
import { GaussianNB, Table } from "argmax";
import { describe, expect, it } from "vitest";
import { duckdb, fitInDatabase, local, shards } from "../../src/index.js";
import { tableStatements } from "../tables.js";
import { type FitDatabase, nextTable } from "./databases.js";
import { families } from "./families/index.js";
import { fitsAlike } from "./fits-alike.js";

const connection = await (await DuckDBInstance.create(":memory:")).connect();

/** Every second row on another server. */
const database: FitDatabase = {
  name: "two sources",
  rows: async (columns) => {
    const parts = [0, 1].map(async (shard) => {
      const name = nextTable();
      const own = Object.entries(columns).map(([column, cells]) => [
        column,
        cells.filter((_, i) => i % 2 === shard),
      ]);
      for (const statement of tableStatements(name, Object.fromEntries(own))) await connection.run(statement);
      return duckdb(connection).table(name);
    });
    return shards(...(await Promise.all(parts)));
  },
  close: () => Promise.resolve(connection.closeSync()),
};

fitsAlike(database, { bayes: families["bayes"]!, linear: families["linear"]!.slice(0, 2) }, { inTurn: true });

describe("shards", () => {
  const part = (columns: Record<string, number[]>) => local(Table.fromColumns(columns));

  it("are of the same columns and the same kind of database", async () => {
    const rows = shards(part({ a: [1], y: [0] }), part({ b: [1], y: [1] }));
    await expect(fitInDatabase(new GaussianNB(), rows, { target: "y" })).rejects.toThrow(
      "shards: the parts must be of the same columns: a number, y number, got b number, y number.",
    );
    expect(() => shards()).toThrow("the parts must be of one kind of database, got none");
  });

  it("give blocks of rows in an order of all", async () => {
    const rows = shards(part({ a: [5, 1, 4] }), part({ a: [2, 6, 3] }));
    const session = await rows.engine.open(rows.source, { timeoutMs: 1000 });
    const a = { kind: "column", name: "a", type: "number", as: "number" } as const;
    const found: number[][] = [];
    const options = { timeoutMs: 1000, rows: 2, orderBy: a, limit: 5 };
    for await (const [block] of session.batches([{ of: a, type: "number" }], options))
      found.push([...(block as Float64Array)]);
    expect(found).toEqual([[1, 2], [3, 4], [5]]);
  });
});
