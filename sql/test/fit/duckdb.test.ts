import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { DecisionTreeClassifier, GaussianNB } from "argmax";
import { describe, expect, it } from "vitest";
import { duckdb, fitInDatabase } from "../../src/index.js";
import { tableStatements } from "../tables.js";
import { numbersSample } from "./cases.js";

const { columns } = numbersSample("two classes", { classes: 2 });
const options = { target: "y", features: ["x one", "x3"] };

describe("duckdb", () => {
  it("reads in a transaction that is open, and leaves it open", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    for (const statement of ["BEGIN", ...tableStatements("rows", columns)]) await connection.run(statement);
    await fitInDatabase(new GaussianNB(), duckdb(connection).table("rows"), options);
    await connection.run("ROLLBACK");
    await expect(connection.run("SELECT * FROM rows")).rejects.toThrow("rows does not exist");
  });

  it("fits several models at the same time on one connection", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    for (const statement of tableStatements("rows", columns)) await connection.run(statement);
    const rows = duckdb(connection).table("rows");
    const models = await Promise.all([0, 1, 2].map(() => fitInDatabase(new GaussianNB(), rows, options)));
    expect(models[1]!.toState()).toEqual(models[0]!.toState());
    await connection.run("CREATE TABLE other AS SELECT 1");
  });

  it("sees the rows of its beginning, whatever others write", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const [connection, other] = [await instance.connect(), await instance.connect()];
    for (const statement of tableStatements("rows", columns)) await connection.run(statement);
    let changed: Promise<unknown> | undefined;
    const before = await fitInDatabase(new GaussianNB(), duckdb(other).table("rows"), options);
    const during = await fitInDatabase(new GaussianNB(), duckdb(connection).table("rows"), {
      ...options,
      onProgress: () => {
        changed ??= other.run("DELETE FROM rows WHERE i < 9");
      },
    });
    await changed;
    expect(during.toState()).toEqual(before.toState());
  });

  it("reads in a transaction that nothing is written in", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    for (const statement of [...tableStatements("rows", columns), "CREATE SEQUENCE numbers"])
      await connection.run(statement);
    const writes = duckdb(connection).query("SELECT *, nextval('numbers') AS n FROM rows");
    await expect(fitInDatabase(new GaussianNB(), writes, options)).rejects.toThrow(/read-only/);
    // The connection is as good as before.
    await connection.run("CREATE TABLE other AS SELECT 1");
  });

  it("parses a file of text once per pass, and only the columns that a pass reads", async () => {
    const folder = mkdtempSync(join(tmpdir(), "argmax-csv-"));
    const file = join(folder, "rows.csv");
    try {
      const connection = await (await DuckDBInstance.create(":memory:")).connect();
      for (const statement of tableStatements("rows", columns)) await connection.run(statement);
      await connection.run(`COPY rows TO '${file}' (HEADER)`);
      const statements: string[] = [];
      const seen = new Proxy(connection, {
        get: (own, name) => {
          const found = own[name as keyof typeof own] as unknown;
          if (typeof found !== "function") return found;
          return (sql: string) => {
            statements.push(sql);
            return found.call(own, sql);
          };
        },
      });
      const make = () => new DecisionTreeClassifier({ maxDepth: 2 });
      const expected = await fitInDatabase(make(), duckdb(connection).table("rows"), options);
      const found = await fitInDatabase(make(), duckdb(seen).from(`'${file}'`), options);
      expect(found.toState()).toEqual(expected.toState());
      const several = statements.filter((sql) => sql.includes("UNION ALL"));
      expect(several.length).toBeGreaterThan(1);
      for (const sql of several) {
        expect(sql.split(file)).toHaveLength(2);
        expect(sql).toMatch(/AS MATERIALIZED \(SELECT (?!.*"w".* FROM '|\*)/);
        const plan = await connection.runAndReadAll(`EXPLAIN ${sql}`);
        expect(String(plan.getRowObjectsJS()[0]!["explain_value"]).match(/Function:/g)).toHaveLength(1);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("tells labels apart that differ behind a NUL character", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run(
      "CREATE TABLE rows AS SELECT i::DOUBLE AS x, 'a' || chr(0) || (i > 4)::INT AS y FROM range(10) t(i)",
    );
    const model = await fitInDatabase(new GaussianNB(), duckdb(connection).table("rows"), { target: "y" });
    expect(model.classes).toEqual(["a\0" + "0", "a\0" + "1"]);
    expect(model.predict([[0], [9]])).toEqual(["a\0" + "0", "a\0" + "1"]);
  });
});
