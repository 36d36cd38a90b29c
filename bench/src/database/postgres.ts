/**
 * `node bench/dist/database/postgres.js`: what a pass costs in PostgreSQL. A logistic gradient with and without the fence behind the subquery that
 * computes probabilities, and the bytes that leave a shard in a pass. Starts a server of its own; prints markdown.
 */

import { type Database, type DatabaseRows, fitInDatabase, postgres, shards } from "@argmax/sql";
import { GaussianNB, LinearDiscriminantAnalysis, LogisticRegression } from "argmax";
import { maxOf } from "argmax/numeric";
import type pg from "pg";
import { type BenchServer, type Meter, meteredPort, startServer } from "./postgres-server.js";

const FENCED = { rows: 120_000, columns: 10 };
const SHARDED = { rows: 40_000, columns: 20 };
const SHARDS = 2;

const names = (count: number) => Array.from({ length: count }, (_, j) => `x${j}`);

/** Columns about 0, and a label that depends on them; rows of different `seed` are others. */
function tableOf(name: string, { rows, columns }: typeof FENCED, seed: number): string {
  const x = names(columns).map(
    (column, j) => `sin((i + ${seed}) * ${(j + 1) * 12.9898}) * ${1 + (j % 3)} AS ${column}`,
  );
  const score = names(columns).map((column, j) => `${((j * 7) % 5) - 2} * ${column}`);
  const y = `(${score.join(" + ")} + 3 * sin(i * 78.233) > 0) AS y`;
  return `CREATE UNLOGGED TABLE ${name} AS SELECT *, ${y}, ${seed}::float8 AS shard FROM (SELECT i, ${x.join(", ")} FROM generate_series(1, ${rows}) AS t(i)) AS made; ANALYZE ${name}`;
}

/** The SELECT of the last pass of a fit that computes probabilities. */
async function gradientSelect(client: pg.Client): Promise<string> {
  const statements: string[] = [];
  const query = client.query.bind(client) as (given: unknown) => unknown;
  const noting = Object.assign(Object.create(client) as pg.Client, {
    query: (given: { readonly text?: string }) => {
      statements.push(given.text ?? String(given));
      return query(given);
    },
  });
  await fitInDatabase(new LogisticRegression({ maxIter: 3 }), postgres(noting).table("rows"), {
    target: "y",
    features: names(FENCED.columns),
  });
  const found = statements.filter((text) => text.includes("exp(")).at(-1)!;
  return found.slice(
    found.indexOf("SELECT"),
    found.lastIndexOf(";") > 0 ? found.lastIndexOf(";") : undefined,
  );
}

/** The median of five runs, in milliseconds, after one that warms up. */
async function timeOf(client: pg.Client, select: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 6; run++) {
    const started = performance.now();
    await client.query(select);
    if (run > 0) times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[2]!;
}

async function fence(server: BenchServer): Promise<void> {
  const client = await server.connect();
  await client.query(tableOf("rows", FENCED, 0));
  const fenced = await gradientSelect(client);
  const open = fenced.replaceAll(" OFFSET 0", "");
  console.log(`A pass of a logistic regression over ${FENCED.rows} rows of ${FENCED.columns} columns:\n`);
  console.log("| subquery | exp() in the plan | ms |\n|---|---|---|");
  for (const [label, select] of [
    ["with OFFSET 0", fenced],
    ["without", open],
  ] as const) {
    const plan = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN (VERBOSE) ${select}`);
    const calls = plan.rows.map((row) => row["QUERY PLAN"].split("exp(").length - 1);
    const count = calls.reduce((sum, n) => sum + n, 0);
    console.log(`| ${label} | ${count} | ${(await timeOf(client, select)).toFixed(0)} |`);
  }
  await client.end();
}

/** The rows of a source, and what its shards send. */
class MeteredRows {
  readonly rows: DatabaseRows;
  passes = 0;
  /** Of one shard in one pass. */
  most = 0;
  /** Of one shard that sends rows. */
  sampled = 0;

  constructor(given: DatabaseRows, meters: readonly Meter[]) {
    const sent = (before: readonly number[] = meters.map(() => 0)) =>
      meters.map((meter, s) => meter.sent - before[s]!);
    const { engine } = given;
    const opened: DatabaseRows["engine"]["open"] = async (source, options) => {
      const session = await engine.open(source, options);
      return {
        columns: session.columns,
        isSnapshot: session.isSnapshot,
        close: () => session.close(),
        sums: async (queries, own) => {
          const before = sent();
          const answers = await session.sums(queries, own);
          this.passes++;
          this.most = Math.max(this.most, maxOf(sent(before)));
          return answers;
        },
        batches: (...own) => this.#counted(session.batches(...own), sent),
      };
    };
    this.rows = { ...given, engine: { dialect: engine.dialect, open: opened } };
  }

  async *#counted<T>(blocks: AsyncIterable<T>, sent: (before?: readonly number[]) => number[]) {
    const before = sent();
    try {
      yield* blocks;
    } finally {
      // Who wants the first block only asks for no more.
      this.sampled = Math.max(this.sampled, maxOf(sent(before)));
    }
  }
}

/** Databases of a server as hosts of their own, behind ports that count. */
async function shardedDatabases(server: BenchServer, client: pg.Client) {
  const columns = [...names(SHARDED.columns).map((name) => `${name} float8`), "y boolean", "shard float8"];
  await client.query(
    `CREATE EXTENSION postgres_fdw; CREATE TABLE parts (i int, ${columns.join(", ")}) PARTITION BY LIST (shard)`,
  );
  const meters = [];
  for (let s = 0; s < SHARDS; s++) {
    await client.query(`CREATE DATABASE shard${s}`);
    const meter = await meteredPort(server.port);
    const there = await server.connect(`shard${s}`);
    await there.query(tableOf("part", SHARDED, s));
    await there.end();
    await client.query(
      `CREATE SERVER shard${s} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '${meter.port}', dbname 'shard${s}');
       CREATE USER MAPPING FOR reader SERVER shard${s} OPTIONS (user 'reader', password_required 'false');
       CREATE FOREIGN TABLE part${s} PARTITION OF parts FOR VALUES IN (${s}) SERVER shard${s} OPTIONS (table_name 'part')`,
    );
    meters.push(meter);
  }
  return meters;
}

async function bytes(server: BenchServer): Promise<void> {
  const client = await server.connect();
  const meters = await shardedDatabases(server, client);
  const others = await Promise.all(meters.map(({ port }, s) => server.connect(`shard${s}`, port)));
  const part = (database: Database) => database.table("part");
  const plain = [new GaussianNB(), new LinearDiscriminantAnalysis()];
  const sources = [
    ["shards()", shards(...others.map((own) => part(postgres(own)))), [...plain, new LogisticRegression()]],
    ["postgres_fdw, shardedBy()", postgres(client).table("parts").shardedBy("shard"), plain],
  ] as const;
  const megabytes = (SHARDED.rows * (SHARDED.columns + 1) * 8) / 1e6;
  console.log(
    `\nBytes that leave a shard of ${SHARDED.rows} rows of ${SHARDED.columns} columns, ${megabytes.toFixed(0)} MB as doubles:\n`,
  );
  console.log(
    "| rows | estimator | passes | most bytes in a pass | bytes of a sample |\n|---|---|---|---|---|",
  );
  for (const [label, rows, estimators] of sources)
    for (const estimator of estimators) {
      const metered = new MeteredRows(rows, meters);
      const options = { target: "y", features: names(SHARDED.columns) };
      await fitInDatabase(estimator as GaussianNB, metered.rows, options);
      console.log(
        `| ${label} | ${estimator.id} | ${metered.passes} | ${metered.most} | ${metered.sampled} |`,
      );
    }
  for (const own of [client, ...others]) await own.end();
  for (const meter of meters) meter.close();
}

const server = await startServer();
try {
  await fence(server);
  await bytes(server);
} finally {
  await server.close();
}
