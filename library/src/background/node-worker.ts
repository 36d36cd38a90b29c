import type { WorkerMessage } from "./messages.js";

/** A worker of `node:worker_threads`, reduced to the members used here. */
export interface NodeWorker {
  on(event: "message", listener: (message: WorkerMessage) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "exit", listener: (code: number) => void): void;
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}

interface NodeProcess {
  readonly versions?: { readonly node?: string };
  readonly env?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: string): unknown;
}

const { process } = globalThis as { process?: NodeProcess };

/** A built-in module of Node, imported in a way that bundlers for browsers do not follow. */
export async function nodeModule<T>(name: string): Promise<T | undefined> {
  if (!process?.versions?.node) return undefined;
  const builtin = process.getBuiltinModule?.(`node:${name}`);
  return (builtin ?? (await import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${name}`))) as T;
}

/** Exists where modules have been turned into CommonJS, as some test runners do. */
declare const __filename: string | undefined;

/** Not written inside `new URL(…)`: browser bundlers would add the file to their output. */
const workerFile = "./worker.js";

/** The worker's script is in the same folder. */
async function workerUrl(): Promise<URL> {
  if (typeof __filename === "string") {
    const { pathToFileURL } = (await nodeModule<{ pathToFileURL(path: string): URL }>("url"))!;
    return new URL(workerFile, pathToFileURL(__filename));
  }
  return new URL(workerFile, (await import("./here.js")).here);
}

/** Undefined outside Node. With `settings` the worker inherits the flags of the program. */
export async function startNodeWorker(settings: boolean): Promise<NodeWorker | undefined> {
  const node = await nodeModule<{ Worker: new (url: URL, options?: object) => NodeWorker }>("worker_threads");
  if (node === undefined) return undefined;
  const url = await workerUrl();
  const { NODE_OPTIONS: _, ...env } = process?.env ?? {};
  return settings ? new node.Worker(url) : new node.Worker(url, { execArgv: [], env });
}
