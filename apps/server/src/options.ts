import { availableParallelism } from "node:os";

export interface ServerOptions {
  /** Model files: `NAME.safetensors` or `NAME@VERSION.safetensors`. */
  readonly files?: readonly string[] | undefined;
  /** A folder of model files, which may change while the server runs. */
  readonly folder?: string | undefined;
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** 0: any free port. */
  readonly port?: number | undefined;
  /** Bearer tokens, one of which every request needs. */
  readonly tokens?: readonly string[] | undefined;
  /** Allows an address that other machines reach, without tokens. */
  readonly insecure?: boolean | undefined;
  /** Key and certificate as PEM. */
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer } | undefined;
  /** Bytes of a body, and of a line of NDJSON. */
  readonly maxBody?: number | undefined;
  /** Rows of a request. A stream of NDJSON has no limit, but ends after `streamTimeout`. */
  readonly maxRows?: number | undefined;
  /** Requests that are answered at the same time; more get 503. */
  readonly maxConcurrent?: number | undefined;
  /** Requests of one client (token or address) at the same time; more get 429. By default half of maxConcurrent, and 16 at least. */
  readonly maxPerClient?: number | undefined;
  /** Large requests that wait for a worker; more get 503. */
  readonly maxWaiting?: number | undefined;
  /** Milliseconds for a body or the next line of a stream to arrive, and for a large request to be computed. */
  readonly timeout?: number | undefined;
  /** Milliseconds that a stream of NDJSON may take from its first line to its last answer. */
  readonly streamTimeout?: number | undefined;
  /** Worker threads for large requests. */
  readonly batchWorkers?: number | undefined;
  /** Milliseconds between looks at the model files, besides events of the file system. */
  readonly pollInterval?: number | undefined;
  /** Milliseconds between "not ready" and the end of listening, for load balancers to notice. */
  readonly drainDelay?: number | undefined;
  readonly logLevel?: LogLevel | undefined;
  /** Where log lines go; standard output by default. */
  readonly logStream?: { write(line: string): void } | undefined;
  /** Text of /metrics; that of this server by default. Several processes add up theirs. */
  readonly metricsText?: (() => Promise<string>) | undefined;
}

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

type Optional = "files" | "folder" | "tls" | "logStream" | "metricsText";
export type Settings = Required<{
  [K in Exclude<keyof ServerOptions, Optional>]: NonNullable<ServerOptions[K]>;
}> &
  Pick<ServerOptions, Exclude<Optional, "files">> & { readonly files: readonly string[] };

const defaults: Settings = {
  files: [],
  host: "127.0.0.1",
  port: 8080,
  tokens: [],
  insecure: false,
  maxBody: 32 << 20,
  maxRows: 100_000,
  maxConcurrent: 512,
  maxPerClient: 256,
  maxWaiting: 64,
  timeout: 30_000,
  streamTimeout: 600_000,
  // One core stays with the event loop.
  batchWorkers: Math.max(1, Math.min(4, availableParallelism() - 1)),
  pollInterval: 2000,
  drainDelay: 0,
  logLevel: "info",
};

/** A mistake in the options, in one sentence. */
export class ServerOptionsError extends Error {
  override readonly name = "ServerOptionsError";
  readonly code = "options";
}

/** The options with defaults; throws a ServerOptionsError if they contradict each other or are out of range. */
export function readSettings(options: ServerOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const unknown = Object.keys(given).find((name) => !knownOptions.has(name));
  if (unknown !== undefined) throw new ServerOptionsError(`There is no option ${JSON.stringify(unknown)}.`);
  const { maxConcurrent = defaults.maxConcurrent } = options;
  const maxPerClient = Math.max(LEAST_PER_CLIENT, Math.floor(maxConcurrent / 2));
  const settings = { ...defaults, maxPerClient, ...given } as Settings;
  for (const [name, least] of Object.entries(integers)) {
    const value = settings[name as keyof typeof integers];
    if (!Number.isSafeInteger(value) || value < least)
      throw new ServerOptionsError(`${name} must be an integer ≥ ${least}, got ${value}.`);
  }
  if (settings.files.length === 0 && settings.folder === undefined)
    throw new ServerOptionsError("There is nothing to serve: name model files, or a folder of them.");
  if (settings.tokens.some((token) => token.length < SHORTEST_TOKEN))
    throw new ServerOptionsError(`A token must have at least ${SHORTEST_TOKEN} characters.`);
  checkAddress(settings);
  return settings;
}

/** So that a browser, or a service with a few connections, is never refused. */
const LEAST_PER_CLIENT = 16;

const knownOptions = new Set([...Object.keys(defaults), "folder", "tls", "logStream", "metricsText"]);

const integers = {
  port: 0,
  maxBody: 1,
  maxRows: 1,
  maxConcurrent: 1,
  maxPerClient: 1,
  maxWaiting: 1,
  timeout: 1,
  streamTimeout: 1,
  batchWorkers: 1,
  pollInterval: 10,
  drainDelay: 0,
} as const;

/** 96 bits in hexadecimal would be 24 characters; shorter ones are guessed. */
const SHORTEST_TOKEN = 16;

/** Whether only this machine reaches an address. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

function checkAddress({ host, tokens, insecure }: Settings): void {
  if (isLoopback(host) || tokens.length > 0 || insecure) return;
  throw new ServerOptionsError(
    `Other machines reach ${host}: give a token that clients must send, or --insecure to let anyone use the models.`,
  );
}
