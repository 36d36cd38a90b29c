import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** What wrk measures. */
export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx, and failures of sockets. */
  readonly errors: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly body: string;
  readonly seconds: number;
  readonly connections: number;
  /** For files of wrk. */
  readonly folder: string;
}

/** Sends the same request over and over on some connections, with Debian's wrk. */
export async function load({ url, body, seconds, connections, folder }: LoadOptions): Promise<LoadResult> {
  const [bodyFile, script] = [join(folder, "body.json"), join(folder, "post.lua")];
  writeFileSync(bodyFile, body);
  writeFileSync(
    script,
    `local file = io.open(${JSON.stringify(bodyFile)}, "rb")
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/json"
`,
  );
  const words = [
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--timeout",
    "30s",
    "--latency",
    "-s",
    script,
    url,
  ];
  const { stdout } = await promisify(execFile)("wrk", words);
  return readWrk(stdout);
}

const UNITS: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3, m: 6e4 };

/** Reads what wrk prints. */
export function readWrk(text: string): LoadResult {
  const percentile = (p: number) => {
    const [, amount, unit] = new RegExp(`^\\s+${p}%\\s+([\\d.]+)(us|ms|s|m)$`, "m").exec(text) ?? [];
    return Number(amount) * UNITS[unit ?? ""]!;
  };
  const [, perSecond] = /^Requests\/sec:\s+([\d.]+)/m.exec(text) ?? [];
  const [, bad = "0"] = /^\s+Non-2xx or 3xx responses: (\d+)/m.exec(text) ?? [];
  const [, ...sockets] =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text) ?? [];
  const errors = [bad, ...sockets].reduce((sum, count) => sum + Number(count), 0);
  return { perSecond: Number(perSecond), p50: percentile(50), p99: percentile(99), errors };
}
