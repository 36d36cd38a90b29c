import { DuckDBInstance } from "@duckdb/node-api";
import { GaussianNB, pipeline, Table, tableVectorizer } from "argmax";
import { expect, it } from "vitest";
import { duckdb, fitInDatabase, toSql } from "../../src/index.js";
import { expectSameState } from "./states.js";

const rows = Array.from({ length: 80 }, (_, i) => ({
  sent: i % 9 === 4 ? null : new Date(Date.UTC(2020 + (i % 4), (i * 5) % 12, 1 + (i % 28), i % 24)),
  day: new Date(Date.UTC(2024, 0, 1 + ((i * 7) % 60))),
  late: i % 3 === 0,
}));

it("columns of dates are learned and predicted as in memory", async () => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const literal = (date: Date | null) => (date === null ? "NULL" : `'${date.toISOString().slice(0, 19)}'`);
  const lines = rows.map(({ sent, day, late }, i) => `(${i}, ${literal(sent)}, ${literal(day)}, ${late})`);
  await connection.run("CREATE TABLE mail (i INTEGER, sent TIMESTAMP, day DATE, late BOOLEAN)");
  await connection.run(`INSERT INTO mail VALUES ${lines.join(", ")}`);
  const make = () => pipeline(tableVectorizer({ sparseThreshold: 0 }), new GaussianNB());
  const table = Table.fromRows(rows);
  const X = table.select(["sent", "day"]);
  const expected = make().fit(X, table.column("late"));
  const source = duckdb(connection).table("mail");
  const model = await fitInDatabase(make(), source, { target: "late", features: ["sent", "day"] });
  expectSameState(model.toState(), expected.toState(), { within: 1e-8 });
  const sql = toSql(model, { dialect: "duckdb", types: { sent: "date", day: "date" } });
  const answers = await connection.runAndReadAll(`${sql.select("mail", { keep: ["i"] })} ORDER BY i`);
  expect(answers.getRowObjectsJS().map(({ label }) => label)).toEqual(expected.predict(X));
  connection.closeSync();
});
