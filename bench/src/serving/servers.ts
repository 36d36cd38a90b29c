import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Contestant {
  readonly name: "argmax" | "scikit-learn";
  readonly url: string;
  /** Where large batches go. */
  readonly batchPath: (model: string) => string;
  stop(): void;
}

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Debian's interpreter, which has its packages. */
const PYTHON = "/usr/bin/python3";

const ports = { argmax: 18_311, "scikit-learn": 18_312 } as const;

export const startArgmax = (folder: string): Promise<Contestant> =>
  start("argmax", process.execPath, [
    path("../../../apps/cli/dist/main.js"),
    "serve",
    "--models",
    join(folder, "models"),
    "--port",
    String(ports.argmax),
    "--log-level",
    "warn",
  ]);

export const startFastApi = (folder: string): Promise<Contestant> =>
  start("scikit-learn", PYTHON, [
    path("../../python/serve_sklearn.py"),
    join(folder, "data.json"),
    String(ports["scikit-learn"]),
  ]);

async function start(
  name: Contestant["name"],
  program: string,
  words: readonly string[],
): Promise<Contestant> {
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"] });
  const url = `http://127.0.0.1:${ports[name]}`;
  await answering(child, `${url}/healthz`);
  const task = name === "argmax" ? "predict" : "batch";
  return {
    name,
    url,
    batchPath: (model) => `${url}/v1/models/${model}/${task}`,
    stop: () => void child.kill(),
  };
}

/** Resolves when the server answers; importing scikit-learn and fitting takes seconds. */
async function answering(child: ChildProcess, url: string): Promise<void> {
  const end = performance.now() + 120_000;
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`The server at ${url} ended with code ${child.exitCode}.`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`There is no answer at ${url}.`);
}
