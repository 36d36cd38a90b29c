import { LogisticRegression } from "argmax";
import { describe, expect, it } from "vitest";
import { openDuckdb } from "../test/duckdb.js";
import { toSql } from "./index.js";

const database = await openDuckdb();
const model = new LogisticRegression().fit([[1], [2], [3], [4]], ["a", "a", "b", "b"]);

describe("outputs of a SELECT", () => {
  it("are those that are named, under their names", async () => {
    await database.run("CREATE TABLE named AS SELECT i AS size, 'kept' AS label FROM range(1, 5) t(i)");
    const sql = toSql(model, { dialect: "duckdb", columns: ["size"] });
    const select = sql.select("named", {
      keep: ["label"],
      names: { label: "prediction", probability_b: "proba_b" },
    });
    const rows = await database.rows(select);
    expect(Object.keys(rows[0]!)).toEqual(["label", "prediction", "proba_b"]);
    expect(rows.map(({ label }) => label)).toEqual(["kept", "kept", "kept", "kept"]);
    expect(rows.map(({ prediction }) => prediction)).toEqual(["a", "a", "b", "b"]);
  });

  it("that are not there are refused", () => {
    const sql = toSql(model, { dialect: "duckdb", columns: ["size"] });
    expect(() => sql.select("named", { names: { labels: "prediction" } })).toThrow(/label, .*got "labels"/);
  });
});
