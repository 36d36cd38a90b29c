import { readFileSync } from "node:fs";
import { createServer, type LogLevel, logLevels, type ServerOptions, serveInCluster } from "@argmax/server";
import { defineCommand, Failure, readChoice, readDuration, readInteger, UsageError } from "../command.js";
import { safeJson } from "../terminal/foreign-text.js";

export const serve = defineCommand({
  description: [
    "Answers requests for predictions over HTTP: a plain API under /v1, the Open Inference Protocol under /v2, a page to try models at /, " +
      "and /openapi.json, /metrics, /healthz and /readyz.",
    "A file is called NAME.safetensors or NAME@VERSION.safetensors; a folder may also hold NAME/VERSION.safetensors. " +
      "Files that change are loaded again while the server runs; one that cannot be loaded leaves the earlier model in use.",
    "Tokens are also read from ARGMAX_TOKENS, separated by commas.",
  ],
  args: [{ name: "MODEL", doc: "Model files", optional: true, many: true }],
  options: {
    models: { type: "string", value: "DIR", doc: "A folder of model files" },
    host: { type: "string", value: "ADDRESS", default: "127.0.0.1", doc: "Address to listen on" },
    port: { type: "string", short: "p", value: "N", default: "8080", doc: "Port; 0 for any that is free" },
    "token-file": {
      type: "string",
      value: "FILE",
      doc: "Bearer tokens, one per line; every request needs one",
    },
    insecure: { type: "boolean", doc: "Let other machines use the models without a token" },
    "tls-key": { type: "string", value: "FILE", doc: "Private key as PEM, for HTTPS" },
    "tls-cert": { type: "string", value: "FILE", doc: "Certificate as PEM, for HTTPS" },
    workers: { type: "string", value: "N", default: "1", doc: "Processes that share the port" },
    "max-body": { type: "string", value: "MB", default: "32", doc: "Megabytes of a request" },
    "max-rows": { type: "string", value: "N", default: "100000", doc: "Rows of a request" },
    "max-concurrent": { type: "string", value: "N", default: "512", doc: "Requests at a time, per process" },
    "max-per-client": {
      type: "string",
      value: "N",
      doc: "Requests of one token or address at a time; half of --max-concurrent, and 16 at least",
    },
    timeout: {
      type: "string",
      value: "TIME",
      default: "30s",
      doc: "For a request, or the next line of a stream, to arrive and be computed",
    },
    "stream-timeout": {
      type: "string",
      value: "TIME",
      default: "10m",
      doc: "For a stream of NDJSON from beginning to end",
    },
    "drain-delay": {
      type: "string",
      value: "TIME",
      doc: "Between SIGTERM and the end of listening, for load balancers",
    },
    "log-level": {
      type: "string",
      value: "LEVEL",
      default: "info",
      doc: `${logLevels.join(", ")}; debug has a line per request`,
    },
  },
  examples: [
    { words: "serve iris.safetensors", doc: "One model on port 8080 of this machine" },
    { words: "serve --models models --port 9000", doc: "All models of a folder" },
  ],
  async run({ values, args, terminal, signal }) {
    const workers = readInteger("workers", values.workers, 1, 256);
    const options: ServerOptions = {
      files: args,
      folder: values.models,
      host: values.host,
      port: readInteger("port", values.port, 0, 65_535),
      tokens: readTokens(values["token-file"]),
      insecure: values.insecure,
      tls: readTls(values["tls-key"], values["tls-cert"]),
      maxBody: readInteger("max-body", values["max-body"], 1, 1 << 12) << 20,
      maxRows: readInteger("max-rows", values["max-rows"], 1, Number.MAX_SAFE_INTEGER),
      maxConcurrent: readInteger("max-concurrent", values["max-concurrent"], 1, Number.MAX_SAFE_INTEGER),
      maxPerClient:
        values["max-per-client"] === undefined
          ? undefined
          : readInteger("max-per-client", values["max-per-client"], 1, Number.MAX_SAFE_INTEGER),
      timeout: readDuration("timeout", values.timeout),
      streamTimeout: readDuration("stream-timeout", values["stream-timeout"]),
      drainDelay:
        values["drain-delay"] === undefined ? 0 : readDuration("drain-delay", values["drain-delay"]),
      logLevel: readChoice<LogLevel>("log-level", values["log-level"], logLevels),
      // Standard output is for results; the log goes where progress goes.
      logStream: { write: (line) => void process.stderr.write(safeJson(line)) },
    };
    const listening = (address: string) => {
      terminal.emit({ type: "listening", address });
      terminal.print(`Listening on ${address}`);
    };
    if (workers > 1) {
      let failure: string | undefined;
      const failed = (message: string) => {
        failure = message;
      };
      await serveInCluster(options, workers, { listening, failed }, signal);
      if (failure !== undefined) throw new Failure(failure);
      return;
    }
    const server = await createServer(options);
    listening(await server.listen());
    await aborted(signal);
    await server.close();
  },
});

/** Resolves at Ctrl-C or SIGTERM. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

function readTokens(file: string | undefined): string[] {
  const lines = file === undefined ? [] : readText("token-file", file).split(/\r?\n/);
  const tokens = [...lines, ...(process.env.ARGMAX_TOKENS ?? "").split(",")].map((token) => token.trim());
  const found = tokens.filter((token) => token !== "");
  if (file !== undefined && found.length === 0) throw new UsageError(`${file} has no token.`);
  return found;
}

function readTls(key: string | undefined, cert: string | undefined): ServerOptions["tls"] {
  if (key === undefined && cert === undefined) return undefined;
  if (key === undefined || cert === undefined) throw new UsageError("--tls-key and --tls-cert go together.");
  return { key: readText("tls-key", key), cert: readText("tls-cert", cert) };
}

function readText(option: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--${option}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
