import type { ClickHouseClient } from "@clickhouse/client";
import { Failure } from "../command.js";
import { withoutPassword } from "../data/formats/postgres.js";
import type { SourceOptions } from "../data/source.js";

interface OpenClickhouse {
  readonly client: ClickHouseClient;
  readonly label: string;
  close(): Promise<void>;
}

/** The ports of HTTP and HTTPS, which the client speaks. */
const PORTS = { "clickhouse:": 8123, "clickhouses:": 8443 } as const;

/** A client for `clickhouse://user:password@host:8123/database`; `clickhouses:` is the same through TLS. */
export async function openClickhouse(
  source: string,
  { limit, signal }: SourceOptions,
): Promise<OpenClickhouse> {
  const label = withoutPassword(source);
  const { ClickHouseLogLevel, createClient } = await import("@clickhouse/client");
  let url: URL;
  try {
    url = new URL(source);
  } catch {
    throw new Failure(`${label} is not an address as clickhouse://user:password@host:8123/database.`);
  }
  const isSecure = url.protocol === "clickhouses:";
  const port = url.port || PORTS[isSecure ? "clickhouses:" : "clickhouse:"];
  const database = decodeURIComponent(url.pathname.slice(1));
  const client = createClient({
    url: `${isSecure ? "https" : "http"}://${url.hostname}:${port}`,
    ...(url.username !== "" && { username: decodeURIComponent(url.username) }),
    ...(url.password !== "" && { password: decodeURIComponent(url.password) }),
    ...(database !== "" && { database }),
    application: "argmax",
    request_timeout: 3_600_000,
    log: { level: ClickHouseLogLevel.OFF },
    // The first rows are the same in every pass only if they are read in the same order.
    ...(limit !== undefined && { clickhouse_settings: { max_threads: 1 } }),
  });
  signal?.throwIfAborted();
  return { client, label, close: () => client.close() };
}
