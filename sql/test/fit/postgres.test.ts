import { GaussianNB, LinearDiscriminantAnalysis, LogisticRegression } from "argmax";
import { AbortError, DataError, ParameterError } from "argmax/core";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { DataChangedError, fitInDatabase, postgres } from "../../src/index.js";
import { startPostgres } from "../postgres-server.js";
import { tableStatements } from "../tables.js";
import { mixedSample, numbersSample } from "./cases.js";
import { nextTable } from "./databases.js";
import { expectSameState } from "./states.js";

const server = await startPostgres();
const admin = await server.connect();
afterAll(async () => {
  await admin.end();
  await server.close();
});

const { columns } = numbersSample("two classes", { classes: 2 });
const options = { target: "y", features: ["x one", "x3"] };

/** A table, and one of the seconds that `slowly` waits. */
async function table(pause = 0): Promise<string> {
  const name = nextTable();
  const pauses = `CREATE TABLE ${name}_pause AS SELECT ${pause} AS s`;
  await admin.query([...tableStatements(name, columns), pauses].join("; "));
  return name;
}

/** What a connection of the tests runs, by its name. */
const running = async (name: string): Promise<string[]> =>
  (
    await admin.query<{ query: string }>(
      "SELECT query FROM pg_stat_activity WHERE application_name = $1 AND state <> 'idle'",
      [name],
    )
  ).rows.map(({ query }) => query);

async function until(found: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await found()); tries++) {
    if (tries === 100) throw new Error("It has not come to that.");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function poolOf(name: string, settings: object = {}) {
  const pool = new pg.Pool({ connectionString: server.url, application_name: name, ...settings });
  pool.on("error", () => undefined);
  return pool;
}

const terminate = (name: string) =>
  admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [name]);

/** A source whose passes take as long as the seconds in a table say. */
const slowly = (name: string) =>
  `SELECT t.* FROM ${name} t, (SELECT pg_sleep(s) FROM ${name}_pause) AS paused`;

describe("postgres", () => {
  it("takes a client, a client of a pool and a pool, and gives them back", async () => {
    const name = await table();
    const pool = await poolOf("back", { max: 1 });
    const first = await fitInDatabase(new GaussianNB(), postgres(pool).table(name), options);
    const client = await pool.connect();
    const second = await fitInDatabase(new GaussianNB(), postgres(client).table(name), options);
    expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect(client.listenerCount("error")).toBe(0);
    client.release();
    expect(second.toState()).toEqual(first.toState());
    await pool.end();
  });

  it("reads in a transaction that nothing is written in", async () => {
    const name = await table();
    await admin.query(`CREATE SEQUENCE ${name}_numbers`);
    const writes = postgres(admin).query(`SELECT *, nextval('${name}_numbers') AS n FROM ${name}`);
    await expect(fitInDatabase(new GaussianNB(), writes, options)).rejects.toThrow(
      "cannot execute nextval() in a read-only transaction",
    );
    const { rows } = await admin.query("SHOW transaction_read_only");
    expect(rows).toEqual([{ transaction_read_only: "off" }]);
  });

  it("leaves a transaction open that was open before, with its settings", async () => {
    const name = await table();
    await admin.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL statement_timeout = 12345; INSERT INTO ${name} VALUES (-1, 0, 0, 0, 'ash', 1)`,
    );
    await fitInDatabase(new GaussianNB(), postgres(admin).table(name), options);
    expect((await admin.query("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "12345ms" }]);
    await admin.query(`INSERT INTO ${name} VALUES (-2, 0, 0, 0, 'ash', 1)`);
    await admin.query("COMMIT");
    expect((await admin.query(`SELECT * FROM ${name} WHERE i < 0`)).rows).toHaveLength(2);
  });

  it("sees the rows of its beginning, whatever others write", async () => {
    const name = await table();
    const before = await fitInDatabase(new GaussianNB(), postgres(admin).table(name), options);
    const pool = await poolOf("snapshot");
    let writes: Promise<unknown> | undefined;
    const during = await fitInDatabase(new GaussianNB(), postgres(pool).table(name), {
      ...options,
      onProgress: () => {
        writes ??= admin.query(`UPDATE ${name} SET "x one" = 0; DELETE FROM ${name} WHERE i < 20`);
      },
    });
    await writes;
    expect(during.toState()).toEqual(before.toState());
    await pool.end();
  });

  it("cancels on the server when it is aborted", async () => {
    const name = await table(60);
    const client = new pg.Client({ connectionString: server.url, application_name: "aborted" });
    await client.connect();
    const aborter = new AbortController();
    const fit = fitInDatabase(new GaussianNB(), postgres(client).query(slowly(name)), {
      ...options,
      signal: aborter.signal,
    });
    const refused = expect(fit).rejects.toThrow(AbortError);
    await until(async () => (await running("aborted")).some((query) => query.includes("pg_sleep")));
    aborter.abort();
    await refused;
    // The connection that cancels may be there a little longer.
    await until(async () => (await running("aborted")).length === 0);
    // The connection is as good as before.
    await fitInDatabase(new GaussianNB(), postgres(client).table(name), options);
    await client.end();
  });

  it("leaves no transaction where it is aborted between two passes, or as one ends", async () => {
    const name = await table();
    const client = await server.connect();
    for (const wait of [undefined, 1, 2, 3, 5, 8]) {
      const aborter = new AbortController();
      if (wait !== undefined) setTimeout(() => aborter.abort(), wait);
      const fit = fitInDatabase(new LogisticRegression(), postgres(client).table(name), {
        ...options,
        signal: aborter.signal,
        onProgress: () => wait ?? aborter.abort(),
      });
      await fit.catch((error) => expect(error).toBeInstanceOf(AbortError));
      await client.query(`CREATE TABLE ${name}_after AS SELECT 1 AS one`);
      await client.query(`DROP TABLE ${name}_after`);
    }
    await client.end();
  });

  it("tries a pass again that took too long, in the same snapshot", async () => {
    const name = await table(60);
    const pool = await poolOf("late");
    const late = fitInDatabase(new GaussianNB(), postgres(pool).query(slowly(name)), {
      ...options,
      timeoutMs: 150,
      retries: 1,
    });
    await expect(late).rejects.toThrow(/took longer than 150 ms|statement timeout/);
    await until(async () => (await running("late")).length === 0);
    await pool.end();
  });

  it("waits for a connection of a pool as long as for a pass", async () => {
    const name = await table();
    const pool = await poolOf("exhausted", { max: 1 });
    const held = await pool.connect();
    const waits = fitInDatabase(new GaussianNB(), postgres(pool).table(name), {
      ...options,
      timeoutMs: 100,
      retries: 1,
    });
    await expect(waits).rejects.toThrow("No connection of the pool was free for 100 ms.");
    const later = fitInDatabase(new GaussianNB(), postgres(pool).table(name), options);
    held.release();
    await later;
    expect(pool.idleCount).toBe(1);
    await pool.end();
  });

  for (const kind of ["client", "pool"] as const)
    it(`goes on with another connection where a ${kind} loses its own, if the rows are the same`, async () => {
      const name = await table(0.1);
      const expected = await fitInDatabase(new GaussianNB(), postgres(admin).table(name), options);
      const own =
        kind === "pool"
          ? await poolOf("lost")
          : new pg.Client({ connectionString: server.url, application_name: "lost" });
      if (own instanceof pg.Client) await own.connect();
      let ended: Promise<unknown> | undefined;
      const model = await fitInDatabase(new GaussianNB(), postgres(own).query(slowly(name)), {
        ...options,
        onProgress: () => {
          ended ??= terminate("lost");
        },
      });
      expect(ended).toBeDefined();
      expect(model.toState()).toEqual(expected.toState());
      await own.end();
    });

  it("never makes a model of other rows than it began with", async () => {
    for (const change of ["DELETE FROM # WHERE i = 3", 'UPDATE # SET "x one" = "x one" + 1e-6 WHERE i = 3']) {
      const name = await table(0.1);
      const pool = await poolOf("changed");
      let isChanged = false;
      const fit = fitInDatabase(new GaussianNB(), postgres(pool).query(slowly(name)), {
        ...options,
        onProgress: () => {
          if (!isChanged) void admin.query(change.replace("#", name)).then(() => terminate("changed"));
          isChanged = true;
        },
      });
      await expect(fit).rejects.toThrow(DataChangedError);
      await pool.end();
    }
  });

  it("holds one fit per connection", async () => {
    const name = await table();
    const both = [0, 1].map(() => fitInDatabase(new GaussianNB(), postgres(admin).table(name), options));
    const [first, second] = await Promise.allSettled(both);
    expect(first!.status).toBe("fulfilled");
    expect((second as PromiseRejectedResult).reason).toBeInstanceOf(ParameterError);
  });

  it("refuses what it cannot read, by name", async () => {
    const name = nextTable();
    await admin.query(
      `CREATE TABLE ${name} AS SELECT 1 AS a, ARRAY[1] AS list, '1 day'::interval AS span, true AS y`,
    );
    for (const feature of ["list", "span"])
      await expect(
        fitInDatabase(new GaussianNB(), postgres(admin).table(name), { target: "y", features: [feature] }),
      ).rejects.toThrow(DataError);
  });

  it("lets foreign servers add up their own rows, where the shard key is known", async () => {
    const name = await shardedTable();
    const client = await server.connect();
    const statements: string[] = [];
    const query = client.query.bind(client) as (given: { text: string }) => unknown;
    Object.assign(client, {
      query: (given: { text: string }) => {
        statements.push(given.text);
        return query(given);
      },
    });
    const rows = postgres(client).table(name).shardedBy("shard");
    const numbers = ["x one", 'x"2', "x3", "open"];
    for (const [estimator, features, target = "y"] of [
      [new GaussianNB(), numbers],
      [new LogisticRegression(), numbers],
      [new LinearDiscriminantAnalysis(), numbers],
      [new LogisticRegression(), ["x one"], "town"],
      [new GaussianNB(), ["x3"], "open"],
    ] as const) {
      const given = { target, features };
      const model = await fitInDatabase(estimator as GaussianNB, rows, given);
      const expected = await fitInDatabase(
        estimator as GaussianNB,
        postgres(admin).table(`${name}_local`),
        given,
      );
      expectSameState(model.toState(), expected.toState(), { within: 1e-8 });
    }
    await client.end();
    await admin.query("SET enable_partitionwise_aggregate = on");
    // A fence is where more is computed of a row than it costs to fetch it.
    const sums = statements.filter((text) => text.includes("_argmax_v") && !text.includes("OFFSET 0"));
    expect(sums.length).toBeGreaterThan(10);
    for (const text of sums) {
      const select = /^SAVEPOINT argmax_pass; (.*); RELEASE/s.exec(text)![1]!;
      const { rows: plan } = await admin.query<{ "QUERY PLAN": string }>(`EXPLAIN (VERBOSE) ${select}`);
      const lines = plan.map((row) => row["QUERY PLAN"]);
      const scans = lines.filter((line) => line.includes("Foreign Scan"));
      expect(
        scans.filter((line) => line.includes(" on ")),
        select,
      ).toEqual([]);
      expect(lines.join("\n")).toContain("Relations: Aggregate on");
    }
  });
});

/** A table whose rows are on two foreign servers, and the same rows as a table of its own. */
async function shardedTable(): Promise<string> {
  const name = nextTable();
  const number = numbersSample("two classes", { classes: 2 }).columns;
  const mixed = mixedSample("categories").columns;
  const all = {
    "x one": number["x one"]!,
    'x"2': number['x"2']!,
    x3: number["x3"]!,
    town: mixed["town"]!.map((town) => town ?? "none"),
    open: mixed["open"]!,
    y: number["y"]!,
    shard: number["y"]!.map((_, i) => i % 2),
  };
  const declared =
    'i INTEGER, "x one" float8, "x""2" float8, x3 float8, town text, open boolean, y text, shard float8';
  await admin.query(tableStatements(`${name}_local`, all).join("; "));
  await admin.query(
    `CREATE EXTENSION IF NOT EXISTS postgres_fdw; CREATE TABLE ${name} (${declared}) PARTITION BY LIST (shard)`,
  );
  for (const shard of [0, 1]) {
    const part = `${name}_${shard}`;
    await admin.query(`CREATE DATABASE ${part}`);
    const there = new pg.Client({ connectionString: server.url.replace(/postgres$/, part) });
    await there.connect();
    const kept = Object.fromEntries(
      Object.entries(all).map(([column, cells]) => [column, cells.filter((_, i) => i % 2 === shard)]),
    );
    await there.query(tableStatements("part", kept).join("; "));
    await there.end();
    const { port, hostname } = new URL(server.url);
    await admin.query(
      `CREATE SERVER ${part} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${hostname}', port '${port}', dbname '${part}', fdw_tuple_cost '10')`,
    );
    await admin.query(
      `CREATE USER MAPPING FOR reader SERVER ${part} OPTIONS (user 'reader', password 'secret')`,
    );
    await admin.query(
      `CREATE FOREIGN TABLE ${part} PARTITION OF ${name} FOR VALUES IN (${shard}) SERVER ${part} OPTIONS (table_name 'part')`,
    );
  }
  return name;
}
