import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { CLUSTERS, features } from "./tasks.js";

/** Twelve bits of a hash of the row and a number, as a number from 0 to 1. */
const uniform = (salt: number) => `((hash(i * 64 + ${salt}) % 1048576) / 1048576.0)`;
/** About normal: three uniform numbers of one hash. */
const normal = (salt: number) =>
  `(((hash(i * 64 + ${salt}) & 1048575) + ((hash(i * 64 + ${salt}) >> 20) & 1048575) + ((hash(i * 64 + ${salt}) >> 40) & 1048575)) / 524288.0 - 3.0)`;

/**
 * Rows about eight centres, in columns of other means and spreads, a label of known odds, and numbers that depend on them in a curve: as a
 * Parquet file.
 */
export async function parquetOf(rows: number, directory: string): Promise<string> {
  const path = join(directory, `rows-${rows}.parquet`);
  if (existsSync(path)) return path;
  mkdirSync(directory, { recursive: true });
  const connection = await (await DuckDBInstance.create(":memory:", { memory_limit: "2GB" })).connect();
  const centre = (j: number) => `((hash(c * 64 + ${j}) % 1024) / 256.0 - 2.0)`;
  const columns = features.map(
    (name, j) => `(${centre(j)} + ${normal(j)}) * ${1 + (j % 5)} + ${j} AS ${name}`,
  );
  const score = features.map((name, j) => `${(((j * 7) % 11) - 5) / 20 / (1 + (j % 5))} * (${name} - ${j})`);
  const made = `SELECT *, (${score.join(" + ")}) AS z FROM (SELECT ${columns.join(", ")}, i FROM (SELECT i, hash(i) % ${CLUSTERS} AS c FROM range(${rows}) t(i)))`;
  const y = `z + 2 * sin(x0) + 0.1 * x1 * x2 + ${normal(40)} AS y`;
  const label = `1 / (1 + exp(-z - 0.3)) > ${uniform(41)} AS label`;
  const part = `${path}.part`;
  await connection.run(
    `COPY (SELECT ${features.join(", ")}, ${y}, ${label} FROM (${made})) TO '${part}' (FORMAT parquet)`,
  );
  connection.closeSync();
  renameSync(part, path);
  return path;
}

/** The columns of the file as raw doubles, for scikit-learn. */
export async function rawColumns(file: string, directory: string): Promise<void> {
  const names = [...features, "y", "label"];
  if (names.every((name) => existsSync(join(directory, `${name}.f64`)))) return;
  mkdirSync(directory, { recursive: true });
  const connection = await (await DuckDBInstance.create(":memory:", { memory_limit: "2GB" })).connect();
  const files = names.map((name) => createWriteStream(join(directory, `${name}.f64`)));
  const list = names.map((name) => `CAST(${name} AS DOUBLE)`).join(", ");
  const stream = await connection.stream(`SELECT ${list} FROM read_parquet('${file}')`);
  for (;;) {
    const chunk = await stream.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (const [c, own] of files.entries()) {
      const values = Float64Array.from(chunk.getColumnValues(c) as number[]);
      if (!own.write(new Uint8Array(values.buffer))) await once(own, "drain");
    }
  }
  await Promise.all(files.map((own) => new Promise((resolve) => own.end(resolve))));
  connection.closeSync();
}
