/** `node contestant.js TASK FILE DIRECTORY`: fits in DuckDB with 1 GB, and prints seconds, peak memory and the objective as JSON. */

import { duckdb, fitInDatabase, toSql } from "@argmax/sql";
import { DuckDBInstance } from "@duckdb/node-api";
import { features, type TaskName, tasks } from "./tasks.js";

const [name, file, directory] = process.argv.slice(2) as [TaskName, string, string];
const { target, make } = tasks[name];
const started = performance.now();
const instance = await DuckDBInstance.create(":memory:", { memory_limit: "1GB", temp_directory: directory });
const connection = await instance.connect();
const from = `read_parquet('${file}')`;
let passes = 0;
const model = await fitInDatabase(make() as never, duckdb(connection).from(from), {
  target,
  features,
  scratch: { directory },
  onProgress: (progress) => {
    passes = progress.passes;
  },
});
const seconds = (performance.now() - started) / 1000;
const rss = process.resourceUsage().maxRSS / 1024;
const { report } = model as { readonly report?: { readonly objective: number } };
process.stdout.write(`${JSON.stringify({ seconds, rss, passes, objective: await objectiveOf() })}\n`);

/** Of boosting the mean squared error, by the model as SQL. */
async function objectiveOf(): Promise<number | undefined> {
  if (name !== "boosting") return report?.objective;
  const { expressions } = toSql(model as object, { dialect: "duckdb", columns: features });
  const error = `(${expressions["prediction"]} - y)`;
  const result = await connection.runAndReadAll(`SELECT avg(${error} * ${error}) AS mse FROM ${from}`);
  return Number(result.getRowObjectsJS()[0]!["mse"]);
}
