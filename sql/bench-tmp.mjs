import { duckdb, fitInDatabase } from "@argmax/sql";
import { DuckDBInstance } from "@duckdb/node-api";
import { QuantileTransformer, RobustScaler } from "argmax";

const connection = await (await DuckDBInstance.create(":memory:")).connect();
await connection.run("SET threads=1");
await connection.run(
  "CREATE TABLE t AS SELECT " +
    Array.from(
      { length: 20 },
      (_, j) => `sqrt(-2*ln(random()+1e-300))*cos(6.283*random())*${j + 1} AS x${j}`,
    ).join(", ") +
    " FROM range(1000000)",
);
for (const [name, e] of [
  ["robust", new RobustScaler()],
  ["quantiles 100", new QuantileTransformer({ nQuantiles: 100 })],
  ["quantiles 1000", new QuantileTransformer()],
]) {
  const t = process.cpuUsage();
  const w = Date.now();
  let passes = 0;
  await fitInDatabase(e, duckdb(connection).table("t"), {
    onProgress: (p) => {
      passes = p.passes;
    },
  });
  console.log(name, passes, "passes", Date.now() - w, "ms wall", process.cpuUsage(t).user / 1e3, "cpu");
}
