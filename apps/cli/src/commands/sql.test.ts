import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { loadModel, type Table } from "argmax";
import { beforeAll, describe, expect, test } from "vitest";
import { writeModels } from "../../test/support/files.js";
import { temporaryFolder } from "../../test/support/folder.js";
import { runProgram } from "../../test/support/program.js";
import { loadTable } from "../data/load.js";

const { path: folder } = temporaryFolder();
const argmax = (...words: string[]) => runProgram(folder, ...words);

beforeAll(() => writeModels(folder), 60_000);

describe("sql", () => {
  test("is a SELECT with which DuckDB predicts what the model does", async () => {
    const { status, stdout } = argmax("sql", "iris.safetensors", "--dialect", "duckdb", "--from", "flowers");
    expect(status).toBe(0);
    const { table } = await loadTable("iris");
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const columns = table.columnNames.filter((name) => name !== "species");
    const cells = (i: number) => columns.map((name) => `${table.column(name).at(i)}`).join(", ");
    const names = columns.map((name) => `"${name}"`).join(", ");
    await connection.run(
      `CREATE TABLE flowers AS SELECT * FROM (VALUES ${Array.from(
        { length: table.rows },
        (_, i) => `(${cells(i)})`,
      ).join(", ")}) AS t(${names})`,
    );
    const rows = (await connection.runAndReadAll(stdout)).getRowObjectsJS();
    const model = loadModel(readFileSync(join(folder, "iris.safetensors"))) as unknown as {
      predict(x: Table): unknown[];
    };
    expect(rows.map(({ label }) => label)).toEqual(model.predict(table.drop(["species"])));
  });

  test("is written to a file, with columns of the table and the table's name", () => {
    const words = [
      "sql",
      "iris.safetensors",
      "--dialect",
      "postgres",
      "--from",
      "garden.flowers",
      "--keep",
      "id",
    ];
    expect(argmax(...words, "-o", "score.sql")).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "iris.safetensors → score.sql\n",
    });
    const text = readFileSync(join(folder, "score.sql"), "utf8");
    expect(text).toMatch(/^SELECT \S+ AS "id", .*FROM garden\.flowers OFFSET 0\)/s);
    expect(text).toContain('AS "label"');
  });

  test("names the databases, and says what SQL cannot express", () => {
    expect(argmax("sql", "iris.safetensors")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--dialect is missing: duckdb, postgres, clickhouse."),
    });
    expect(argmax("sql", "iris.safetensors", "--dialect", "oracle").stderr).toContain("duckdb");
    argmax("train", "iris", "-m", "k-neighbors", "-o", "near.safetensors");
    expect(argmax("sql", "near.safetensors", "--dialect", "duckdb")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("a search for the nearest training rows"),
    });
  });
});
