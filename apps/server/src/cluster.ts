import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import type { ServerOptions } from "./options.js";
import { createServer, type ModelServer } from "./server.js";

/** Messages between the processes of a cluster. */
type Message =
  | { readonly type: "argmax:ready"; readonly address: string }
  | { readonly type: "argmax:failed"; readonly message: string }
  /** A worker that is asked for /metrics asks for those of all. */
  | { readonly type: "argmax:metrics?"; readonly id: number }
  | { readonly type: "argmax:metrics"; readonly id: number; readonly text: string }
  /** The primary asks each worker for its own. */
  | { readonly type: "argmax:own?"; readonly id: number }
  | { readonly type: "argmax:own"; readonly id: number; readonly metrics: object[] }
  | { readonly type: "argmax:close" };

/** Milliseconds for a worker to report its metrics; one that is busy longer is left out. */
const METRICS_TIMEOUT = 1000;

/** Milliseconds before a process that ended is replaced, so that one that cannot start does not keep a core busy. */
const RESTART_DELAY = 500;

export interface ClusterHandlers {
  /** Called once, when the first process listens. */
  listening(address: string): void;
  failed(message: string): void;
}

/**
 * Serves in `workers` processes that share one port. Call it in the program that is started again for each worker: the primary
 * returns a handle to close all of them; in a worker it returns when the worker has ended.
 */
export async function serveInCluster(
  options: ServerOptions,
  workers: number,
  handlers: ClusterHandlers,
  signal: AbortSignal,
): Promise<void> {
  if (cluster.isPrimary) await runPrimary(workers, handlers, signal);
  else await runWorker(options, signal);
}

async function runPrimary(workers: number, handlers: ClusterHandlers, signal: AbortSignal): Promise<void> {
  let closing = false;
  let announced = false;
  let collected = 0;
  const waiting = new Map<number, (metrics: object[]) => void>();
  const own = (worker: Worker) =>
    new Promise<object[]>((resolve) => {
      const id = collected++;
      const finish = (metrics: object[]) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(metrics);
      };
      const timer = setTimeout(() => finish([]), METRICS_TIMEOUT);
      waiting.set(id, finish);
      send(worker, { type: "argmax:own?", id });
    });
  const live = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const allMetrics = async () => {
    const parts = (await Promise.all(live().map(own))).filter((metrics) => metrics.length > 0);
    return AggregatorRegistry.aggregate(parts).metrics();
  };
  const close = () => {
    closing = true;
    for (const worker of live()) send(worker, { type: "argmax:close" });
  };
  const onMessage = async (worker: Worker, message: Message) => {
    switch (message.type) {
      case "argmax:ready":
        if (!announced) handlers.listening(message.address);
        announced = true;
        return;
      case "argmax:failed":
        // Later, others answer, and the process is started again.
        if (announced) return;
        handlers.failed(message.message);
        close();
        return;
      case "argmax:metrics?":
        send(worker, { type: "argmax:metrics", id: message.id, text: await allMetrics() });
        return;
      case "argmax:own":
        waiting.get(message.id)?.(message.metrics);
    }
  };
  await new Promise<void>((resolve) => {
    cluster.on("message", (worker, message: Message) => void onMessage(worker, message));
    cluster.on("exit", () => {
      if (!closing) setTimeout(() => closing || cluster.fork(), RESTART_DELAY);
      else if (live().length === 0) resolve();
    });
    for (let w = 0; w < workers; w++) cluster.fork();
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
  });
}

const ignore = () => {};

/** A worker that has just ended cannot be told anything. */
function send(worker: Worker, message: Message): void {
  // With a callback an error is passed to it, and is no event that would end the program.
  if (worker.isConnected()) worker.send(message, ignore);
}

async function runWorker(options: ServerOptions, signal: AbortSignal): Promise<void> {
  const tell = (message: Message) =>
    process.connected && process.send?.(message, undefined, undefined, ignore);
  let asked = 0;
  const waiting = new Map<number, (text: string) => void>();
  const metricsText = () =>
    new Promise<string>((resolve) => {
      const id = asked++;
      waiting.set(id, resolve);
      tell({ type: "argmax:metrics?", id });
    });
  let server: ModelServer;
  try {
    server = await createServer({ ...options, metricsText });
    tell({ type: "argmax:ready", address: await server.listen() });
  } catch (error) {
    tell({ type: "argmax:failed", message: (error as Error).message });
    process.disconnect();
    return;
  }
  await new Promise<void>((resolve) => {
    const close = () => void server.close().then(resolve);
    process.on("message", async (message: Message) => {
      if (message.type === "argmax:close") close();
      if (message.type === "argmax:metrics") {
        waiting.get(message.id)?.(message.text);
        waiting.delete(message.id);
      }
      if (message.type === "argmax:own?") {
        const metrics = (await server.metrics.registry.getMetricsAsJSON()) as object[];
        tell({ type: "argmax:own", id: message.id, metrics });
      }
    });
    process.on("disconnect", close);
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
  });
  if (process.connected) process.disconnect();
}
