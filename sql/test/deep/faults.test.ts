import { GaussianNB, LinearDiscriminantAnalysis, LogisticRegression } from "argmax";
import { AbortError, ParameterError } from "argmax/core";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clickhouse,
  type DatabaseFitOptions,
  type DatabaseRows,
  DataChangedError,
  fitInDatabase,
  postgres,
  shards,
} from "../../src/index.js";
import { type ClickhouseServers, clickhouseStatements, startClickhouse } from "../clickhouse-server.js";
import { numbersSample } from "../fit/cases.js";
import { tableOf } from "../fit/databases.js";
import { expectSameState } from "../fit/states.js";
import { type PostgresServer, startPostgres } from "../postgres-server.js";
import { type Network, network } from "./hosts.js";

if (process.getuid?.() !== 0)
  throw new Error("Hosts are network namespaces here, which only root makes: run the deep tests as root.");
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const { columns, features } = numbersSample("two classes", { classes: 2, rows: 120 });
const given = { features, target: "y" };
const expected = new GaussianNB()
  .fit(tableOf(Object.fromEntries(features.map((name) => [name, columns[name]!]))), columns["y"] as string[])
  .toState();

type Model = { toState(): typeof expected };
const isRight = (model: unknown) => expectSameState((model as Model).toState(), expected, { within: 1e-10 });

const fit = (rows: DatabaseRows, options: DatabaseFitOptions = {}) =>
  fitInDatabase(new GaussianNB(), rows, { ...given, timeoutMs: 3000, retries: 4, ...options });

/** The same rows, and what `read` counts while a pass adds them up, at most. */
function measured(rows: DatabaseRows, read: () => readonly number[]) {
  const found = { most: 0, rows };
  const open: typeof rows.engine.open = async (...given) => {
    const session = await rows.engine.open(...given);
    return {
      ...session,
      columns: session.columns,
      isSnapshot: session.isSnapshot,
      batches: (...asked) => session.batches(...asked),
      close: () => session.close(),
      sums: async (...asked) => {
        const before = read();
        const answers = await session.sums(...asked);
        found.most = Math.max(found.most, ...read().map((bytes, h) => bytes - before[h]!));
        return answers;
      },
    };
  };
  found.rows = { ...rows, engine: { dialect: rows.engine.dialect, open } };
  return found;
}

/** Does something once, after the first pass. */
function afterFirstPass(run: () => unknown): DatabaseFitOptions {
  let isDone = false;
  return {
    onProgress: () => {
      if (!isDone) void run();
      isDone = true;
    },
  };
}

describe("PostgreSQL on three hosts", () => {
  let net: Network;
  let coordinator: pg.Client;
  const servers: PostgresServer[] = [];
  const admins: pg.Client[] = [];
  afterAll(async () => {
    for (const host of net.hosts) host.plug(true);
    await Promise.allSettled(admins.map((admin) => admin.end()));
    for (const server of servers) await server.close();
    net.remove();
  });

  const wide = Array.from({ length: 20 }, (_, j) => `x${j}`);
  const types = 'i int, "x one" float8, "x""2" float8, x3 float8, y text, w float8, shard int';
  const wideTypes = `${wide.map((name) => `${name} float8`).join(", ")}, y int, shard int`;
  beforeAll(async () => {
    net = network(3);
    for (const { address, prefix } of net.hosts) {
      const server = await startPostgres({ address, prefix });
      const admin = await server.connect();
      admin.on("error", () => undefined);
      servers.push(server);
      admins.push(admin);
    }
    coordinator = admins[0]!;
    await coordinator.query(`CREATE EXTENSION postgres_fdw;
      CREATE TABLE trips (${types}) PARTITION BY LIST (shard);
      CREATE TABLE wide (${wideTypes}) PARTITION BY LIST (shard);`);
    for (const [shard, admin] of admins.entries()) {
      const rows = columns["y"]!.flatMap((_, i) => (i % 3 === shard ? [i] : []));
      const lines = rows.map((i) =>
        [
          i,
          ...["x one", 'x"2', "x3"].map((name) => `${columns[name]![i]}e0`),
          `'${columns["y"]![i]}'`,
          `${columns["w"]![i]}e0`,
          shard,
        ].join(", "),
      );
      const part = (name: string) => `${name}_${shard === 0 ? 0 : "here"}`;
      await admin.query(`CREATE TABLE ${part("trips")} (${types}); INSERT INTO ${part("trips")} VALUES ${lines.map((line) => `(${line})`).join(", ")};
        CREATE TABLE ${part("wide")} (${wideTypes});
        INSERT INTO ${part("wide")} SELECT ${wide.map(() => "random()").join(", ")}, (random() < 0.5)::int, ${shard} FROM generate_series(1, 20000);
        ANALYZE`);
      if (shard === 0) {
        for (const name of ["trips", "wide"])
          await admin.query(`ALTER TABLE ${name} ATTACH PARTITION ${name}_0 FOR VALUES IN (0)`);
        continue;
      }
      const { hostname, port } = new URL(servers[shard]!.url);
      await coordinator.query(`CREATE SERVER s${shard} FOREIGN DATA WRAPPER postgres_fdw
          OPTIONS (host '${hostname}', port '${port}', dbname 'postgres', connect_timeout '2');
        CREATE USER MAPPING FOR reader SERVER s${shard} OPTIONS (user 'reader', password 'secret')`);
      for (const name of ["trips", "wide"])
        await coordinator.query(`CREATE FOREIGN TABLE ${name}_${shard} PARTITION OF ${name} FOR VALUES IN (${shard})
          SERVER s${shard} OPTIONS (table_name '${name}_here'); ANALYZE ${name}_${shard}`);
    }
  });

  /** Through the first host, which asks the others. */
  const foreign = (settings: object = {}) => {
    const pool = new pg.Pool({ connectionString: servers[0]!.url, ...settings });
    pool.on("error", () => undefined);
    return {
      pool,
      rows: postgres(pool).table("trips").shardedBy("shard"),
      wide: postgres(pool).table("wide").shardedBy("shard"),
    };
  };
  /** Each host for itself. */
  const direct = (name = "trips") => {
    const pools = servers.map(
      (server) => new pg.Pool({ connectionString: server.url, connectionTimeoutMillis: 2000 }),
    );
    for (const pool of pools) pool.on("error", () => undefined);
    const parts = pools.map((pool, shard) => postgres(pool).table(`${name}_${shard === 0 ? 0 : "here"}`));
    return { rows: shards(...parts), end: () => Promise.allSettled(pools.map((pool) => pool.end())) };
  };

  it("sends sums, not rows: at most 64 KB per pass and host of 20 columns", async () => {
    const { pool, wide: rows } = foreign();
    const own = direct("wide");
    const found: Record<string, number> = {};
    for (const [way, from, estimators] of [
      ["foreign", rows, [new GaussianNB(), new LinearDiscriminantAnalysis()]],
      ["shards", own.rows, [new GaussianNB(), new LinearDiscriminantAnalysis(), new LogisticRegression()]],
    ] as const)
      for (const estimator of estimators) {
        const hosts = way === "foreign" ? net.hosts.slice(1) : net.hosts;
        const counter = measured(from, () => hosts.map((host) => host.sent()));
        await fitInDatabase(estimator as GaussianNB, counter.rows, { target: "y", features: wide });
        found[`${way} ${estimator.id}`] = counter.most;
      }
    console.log("bytes per pass and host:", JSON.stringify(found));
    for (const bytes of Object.values(found)) expect(bytes).toBeLessThanOrEqual(65_536);
    await pool.end();
    await own.end();
  });

  it("comes to the model of memory, through foreign tables and directly", async () => {
    const { pool, rows } = foreign();
    const own = direct();
    isRight(await fit(rows));
    isRight(await fit(own.rows));
    await pool.end();
    await own.end();
  });

  for (const way of ["foreign tables", "connections"] as const) {
    const opened = () => {
      if (way === "connections") return direct();
      const { pool, rows } = foreign();
      return { rows, end: () => pool.end() };
    };

    it(`goes on after a host was killed and started again, by ${way}`, async () => {
      const { rows, end } = opened();
      let restarted: Promise<unknown> | undefined;
      const model = await fit(
        rows,
        afterFirstPass(() => {
          restarted = servers[2]!.kill().then(() => servers[2]!.restart());
        }),
      );
      await restarted;
      isRight(model);
      await end();
    });

    it(`makes no model without a host, by ${way}`, async () => {
      const { rows, end } = opened();
      await servers[2]!.kill();
      const started = Date.now();
      await expect(fit(rows, { retries: 2 })).rejects.toThrow(/^PostgreSQL: /);
      expect(Date.now() - started).toBeLessThan(15_000);
      await servers[2]!.restart();
      isRight(await fit(rows));
      await end();
    });

    it(`waits for a host whose link is down as long as a pass may take, by ${way}`, async () => {
      const { rows, end } = opened();
      isRight(await fit(rows));
      net.hosts[1]!.plug(false);
      const started = Date.now();
      await expect(fit(rows, { retries: 0, timeoutMs: 1500 })).rejects.toThrow(
        /took longer than|does not answer|timeout|PostgreSQL: /,
      );
      expect(Date.now() - started).toBeLessThan(12_000);
      const again = fit(rows, { timeoutMs: 1500, retries: 6 });
      await pause(2000);
      net.hosts[1]!.plug(true);
      isRight(await again);
      await end();
    });
  }

  it("goes on after somebody cancels a pass", async () => {
    const { pool } = foreign({ application_name: "cancelled" });
    const slow = "SELECT t.* FROM trips t, (SELECT pg_sleep(0.7)) AS paused";
    const cancelling = pause(300).then(() =>
      coordinator.query(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'cancelled'",
      ),
    );
    isRight(await fit(postgres(pool).query(slow)));
    await cancelling;
    await pool.end();
  });

  it("sees the rows of its beginning on all hosts, and refuses others after a lost connection", async () => {
    const insert = () => admins[1]!.query("INSERT INTO trips_here SELECT * FROM trips_here WHERE i = 1");
    const { pool, rows } = foreign({ application_name: "inserted" });
    let inserted: Promise<unknown> | undefined;
    isRight(
      await fit(
        rows,
        afterFirstPass(() => {
          inserted = insert();
        }),
      ),
    );
    await inserted;
    const slow = postgres(pool).query("SELECT t.* FROM trips t, (SELECT pg_sleep(0.3)) AS paused");
    const fitting = fit(
      slow,
      afterFirstPass(() =>
        insert().then(() =>
          coordinator.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'inserted'",
          ),
        ),
      ),
    );
    await expect(fitting).rejects.toThrow(DataChangedError);
    await admins[1]!.end().catch(() => undefined);
    admins[1] = await servers[1]!.connect();
    await admins[1].query(
      "DELETE FROM trips_here WHERE ctid NOT IN (SELECT min(ctid) FROM trips_here GROUP BY i)",
    );
    isRight(await fit(rows));
    await pool.end();
  });

  it("tells no password in its messages", async () => {
    const wrong = servers[0]!.url.replace("secret", "hunter22").replace(/:\d+\//, ":1/");
    const pool = new pg.Pool({ connectionString: wrong });
    const error = await fit(postgres(pool).table("trips"), { retries: 0 }).then(
      () => undefined,
      (e: Error) => e,
    );
    expect(error).toBeDefined();
    expect(`${error!.message} ${error!.stack} ${JSON.stringify(error)}`).not.toContain("hunter22");
    await pool.end();
  });
});

describe("ClickHouse on two hosts", () => {
  type Client = ReturnType<ClickhouseServers["connect"]>;
  let net: Network;
  let servers: ClickhouseServers;
  let clients: Client[];
  let first: Client;
  let second: Client;
  beforeAll(async () => {
    net = network(2);
    servers = await startClickhouse({ shards: 2, hosts: net.hosts });
    clients = servers.urls.map((_, shard) => servers.connect(shard, { request_timeout: 10_000 }));
    [first, second] = clients as [Client, Client];
  });
  afterAll(async () => {
    for (const host of net.hosts) host.plug(true);
    for (const client of clients) await client.close();
    await servers.close();
    net.remove();
  });

  async function table(name: string): Promise<DatabaseRows> {
    for (const [shard, client] of clients.entries())
      for (const query of clickhouseStatements(name, columns, shard, 2)) await client.command({ query });
    return clickhouse(first).table(`${name}_all`);
  }
  /** Rows that take their time. */
  const slow = (name: string, seconds = 0.01) =>
    clickhouse(first).query(`SELECT * FROM ${name}_all WHERE sleepEachRow(${seconds}) = 0`);
  const running = async () => {
    const result = await first.query({
      query:
        "SELECT query FROM system.processes WHERE query LIKE '%sleepEachRow%' AND query NOT LIKE '%system.processes%'",
      format: "JSONEachRow",
    });
    return (await result.json()).length;
  };

  it("sends sums, not rows", async () => {
    const names = Array.from({ length: 20 }, (_, j) => `x${j}`);
    const declared = names.map((name) => `${name} Float64`).join(", ");
    const drawn = names.map((name, j) => `rand(${j + 1}) / 4294967296 AS ${name}`).join(", ");
    for (const client of clients)
      for (const query of [
        `CREATE TABLE wide (${declared}, y UInt8) ENGINE = MergeTree ORDER BY tuple()`,
        "CREATE TABLE wide_all AS wide ENGINE = Distributed(shards, default, wide, 1)",
        `INSERT INTO wide SELECT ${drawn}, rand(99) % 2 AS y FROM numbers(20000)`,
      ])
        await client.command({ query });
    const counter = measured(clickhouse(first).table("wide_all"), () => [net.hosts[1]!.sent()]);
    for (const estimator of [new GaussianNB(), new LinearDiscriminantAnalysis(), new LogisticRegression()])
      await fitInDatabase(estimator as GaussianNB, counter.rows, { target: "y", features: names });
    console.log("bytes per pass:", counter.most);
    expect(counter.most).toBeLessThanOrEqual(65_536);
  });

  it("comes to the model of memory", async () => {
    isRight(await fit(await table("plain")));
  });

  it("refuses rows that were inserted or changed between two passes", async () => {
    const inserted = await table("inserted");
    await expect(
      fit(
        inserted,
        afterFirstPass(() =>
          second.command({ query: "INSERT INTO inserted SELECT * FROM inserted LIMIT 1" }),
        ),
      ),
    ).rejects.toThrow(DataChangedError);
    await table("updated");
    const update = 'ALTER TABLE updated UPDATE "x one" = 0 WHERE i = 7';
    await expect(
      fit(
        slow("updated"),
        afterFirstPass(() => second.command({ query: update })),
      ),
    ).rejects.toThrow(DataChangedError);
  });

  it("cancels on the server when it is aborted", async () => {
    await table("aborted");
    const aborter = new AbortController();
    const fitting = fit(slow("aborted", 0.02), { signal: aborter.signal, timeoutMs: 60_000 });
    const refused = expect(fitting).rejects.toThrow(AbortError);
    for (let tries = 0; (await running()) === 0 && tries < 100; tries++) await pause(20);
    aborter.abort();
    await refused;
    for (let tries = 0; (await running()) > 0 && tries < 60; tries++) await pause(50);
    expect(await running()).toBe(0);
  });

  it("has a time limit per pass, on the server too", async () => {
    await table("late");
    await expect(fit(slow("late", 0.04), { timeoutMs: 300, retries: 1 })).rejects.toThrow(
      /took longer than 300 ms|Timeout/,
    );
    for (let tries = 0; (await running()) > 0 && tries < 100; tries++) await pause(50);
    expect(await running()).toBe(0);
  });

  it("refuses a profile that leaves out shards and cannot be overruled", async () => {
    const profile = { skip_unavailable_shards: 1, readonly: 1 };
    const strict = await startClickhouse({ shards: 1, profile });
    const client = strict.connect();
    await expect(fit(clickhouse(client).from("system.one"))).rejects.toThrow(ParameterError);
    await expect(fit(clickhouse(client).from("system.one"))).rejects.toThrow(
      "skip_unavailable_shards = 1, which readonly = 1 does not let a query change",
    );
    await client.close();
    await strict.close();
  });

  it("makes no model without a host, even where a profile skips it", async () => {
    const rows = await table("skipped");
    const skipping = servers.connect(0, {
      request_timeout: 10_000,
      clickhouse_settings: { skip_unavailable_shards: 1 },
    });
    isRight(await fit(rows));
    net.hosts[1]!.plug(false);
    const started = Date.now();
    for (const client of [first, skipping])
      await expect(
        fit(clickhouse(client).table("skipped_all"), { retries: 1, timeoutMs: 4000 }),
      ).rejects.toThrow(/ClickHouse: |took longer than/);
    expect(Date.now() - started).toBeLessThan(40_000);
    const again = fit(rows, { retries: 6, timeoutMs: 3000 });
    await pause(1000);
    net.hosts[1]!.plug(true);
    isRight(await again);
    await skipping.close();
  });

  it("fails where a host is killed within a pass", async () => {
    await table("killed");
    const fitting = fit(slow("killed", 0.02), { retries: 0, timeoutMs: 20_000 });
    await pause(300);
    servers.processes[1]!.kill("SIGKILL");
    await expect(fitting).rejects.toThrow(/ClickHouse: /);
  });
});
