import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type ClickHouseClient, createClient } from "@clickhouse/client";
import type { Cell } from "./tables.js";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** Servers of ClickHouse that know each other as the shards of the cluster `shards`, installed where they are missing. */
export interface ClickhouseServers {
  readonly urls: readonly string[];
  /** A client of the first, or of another one. */
  connect(shard?: number, settings?: object): ClickHouseClient;
  readonly processes: readonly ChildProcess[];
  close(): Promise<void>;
}

export interface ClickhouseOptions {
  readonly shards: number;
  /** The host of a shard, where not all are on this one, and what its server is started with. */
  readonly hosts?: readonly { readonly address: string; readonly prefix: readonly string[] }[];
  /** Settings of the profile of all users. */
  readonly profile?: Readonly<Record<string, string | number>>;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

/** An element of a configuration, with others inside. */
const xml = (content: object): string =>
  Object.entries(content)
    .map(([name, inside]) => {
      const all = Array.isArray(inside) ? inside : [inside];
      return all
        .map((one) => `<${name}>${typeof one === "object" ? xml(one) : String(one)}</${name}>`)
        .join("");
    })
    .join("");

function writeConfiguration(
  folder: string,
  address: string,
  ports: readonly number[],
  shards: readonly object[],
  profile: object,
): string {
  const [http, tcp, interserver] = ports;
  mkdirSync(join(folder, "data"), { recursive: true });
  mkdirSync(join(folder, "tmp"), { recursive: true });
  const users = {
    profiles: { default: { max_threads: 2, ...profile } },
    users: {
      default: { password: "", networks: { ip: "::/0" }, profile: "default", quota: "default" },
      reader: { password: "secret", networks: { ip: "::/0" }, profile: "default", quota: "default" },
    },
    quotas: { default: { interval: { duration: 3600, queries: 0 } } },
  };
  writeFileSync(join(folder, "users.xml"), `<yandex>${xml(users)}</yandex>`);
  const configuration = {
    logger: { level: "warning", log: join(folder, "log.txt"), errorlog: join(folder, "errors.txt") },
    http_port: http,
    tcp_port: tcp,
    interserver_http_port: interserver,
    listen_host: address,
    path: `${join(folder, "data")}/`,
    tmp_path: `${join(folder, "tmp")}/`,
    users_config: join(folder, "users.xml"),
    default_profile: "default",
    default_database: "default",
    mark_cache_size: 10_000_000,
    timezone: "UTC",
    remote_servers: { shards: { shard: shards } },
  };
  const file = join(folder, "config.xml");
  writeFileSync(file, `<yandex>${xml(configuration)}</yandex>`);
  return file;
}

async function answered(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const isUp = await fetch(`${url}/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    if (attempt === 150 || server.exitCode !== null) throw new Error("ClickHouse has not started.");
    await pause(200);
  }
}

export async function startClickhouse({
  shards,
  hosts = [],
  profile = {},
}: ClickhouseOptions): Promise<ClickhouseServers> {
  const installer = join(repository, "tools/build/debian.mjs");
  const run = spawnSync(process.execPath, [installer, "clickhouse-server"], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`ClickHouse is missing.\n${run.stderr}`);
  const folder = mkdtempSync(join(tmpdir(), "argmax-clickhouse-"));
  const places = Array.from({ length: shards }, (_, s) => hosts[s] ?? { address: "127.0.0.1", prefix: [] });
  const ports: number[][] = [];
  for (const _ of places) ports.push([await freePort(), await freePort(), await freePort()]);
  const members = places.map(({ address }, s) => ({ replica: { host: address, port: ports[s]![1] } }));
  const servers = places.map(({ address, prefix }, s) => {
    const own = join(folder, `shard-${s}`);
    const file = writeConfiguration(own, address, ports[s]!, members, profile);
    const [program, ...words] = [...prefix, "clickhouse-server", `--config-file=${file}`];
    return spawn(program!, words, { stdio: "ignore", cwd: own });
  });
  const urls = places.map(({ address }, s) => `http://${address}:${ports[s]![0]}`);
  await Promise.all(urls.map((url, s) => answered(url, servers[s]!)));
  return {
    urls,
    processes: servers,
    connect: (shard = 0, settings = {}) =>
      createClient({ url: urls[shard]!, username: "reader", password: "secret", ...settings }),
    close: async () => {
      await Promise.all(
        servers.map(async (server) => {
          if (server.exitCode !== null || server.signalCode !== null) return;
          const ended = new Promise((resolve) => server.once("exit", resolve));
          server.kill("SIGKILL");
          await ended;
        }),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const quoted = (quote: string, inside: string) => quote + inside.replace(/[\\'"`]/g, "\\$&") + quote;

/** A literal with all its digits: ClickHouse reads numbers of VALUES with fewer. */
function literal(cell: Cell): string {
  if (cell === null || Number.isNaN(cell)) return "NULL";
  if (typeof cell === "string") return quoted("'", cell);
  if (typeof cell === "boolean") return cell ? "1" : "0";
  return /e/.test(String(cell)) ? String(cell) : `${cell}e0`;
}

/** Statements that make a table of the rows of one shard, and one of the engine Distributed of all rows. */
export function clickhouseStatements(
  name: string,
  columns: Readonly<Record<string, readonly Cell[]>>,
  shard = 0,
  shards = 1,
): string[] {
  const names = ["i", ...Object.keys(columns)];
  const cells = Object.values(columns);
  const isText = (list: readonly Cell[]) => typeof list.find((cell) => cell !== null) === "string";
  const types = ["UInt32", ...cells.map((list) => (isText(list) ? "Nullable(String)" : "Nullable(Float64)"))];
  const declared = names.map((column, c) => `${quoted('"', column)} ${types[c]}`).join(", ");
  const places = cells[0]!.flatMap((_, i) => (i % shards === shard ? [i] : []));
  const lists = [places.map(String), ...cells.map((list) => places.map((i) => literal(list[i]!)))];
  const values = lists.map((list, c) => `CAST([${list.join(", ")}] AS Array(${types[c]}))[number + 1]`);
  return [
    `CREATE TABLE ${name} (${declared}) ENGINE = MergeTree ORDER BY i`,
    `CREATE TABLE ${name}_all AS ${name} ENGINE = Distributed(shards, default, ${name}, i)`,
    `INSERT INTO ${name} SELECT ${values.join(", ")} FROM numbers(${places.length})`,
  ];
}
