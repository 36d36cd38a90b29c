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

interface ClusterHandlers {
  /** Called once, when the first process listens. */
  listening(address: string): void;
  failed(message: string): void;
}

/**
 * Serves in `workers` processes that share one port, until the signal fires. The program is started again for each worker and must
 * call this there too; it returns when the server has ended.
 */
export async function serveInCluster(
  options: ServerOptions,
  workers: number,
  handlers: ClusterHandlers,
  signal: AbortSignal,
): Promise<void> {
  if (!cluster.isPrimary) return runWorker(options, signal);
  const primary = new Primary(handlers);
  if (signal.aborted) return;
  signal.addEventListener("abort", () => primary.close(), { once: true });
  await primary.run(workers);
}

/** The process that starts the others, passes on their news, and adds up their metrics. */
class Primary {
  readonly #handlers: ClusterHandlers;
  /** Questions for metrics that have no answer yet. */
  readonly #asked = new Map<number, (metrics: object[]) => void>();
  #questions = 0;
  #isAnnounced = false;
  #isClosing = false;
  #ended: () => void = () => {};

  constructor(handlers: ClusterHandlers) {
    this.#handlers = handlers;
  }

  /** Resolves when all processes have ended after `close`. */
  run(workers: number): Promise<void> {
    return new Promise((resolve) => {
      this.#ended = resolve;
      cluster.on("message", (worker, message: Message) => void this.#hear(worker, message));
      cluster.on("exit", () => {
        if (!this.#isClosing) setTimeout(() => this.#isClosing || cluster.fork(), RESTART_DELAY);
        else if (this.#live.length === 0) resolve();
      });
      for (let w = 0; w < workers; w++) cluster.fork();
    });
  }

  close(): void {
    this.#isClosing = true;
    for (const worker of this.#live) send(worker, { type: "argmax:close" });
    if (this.#live.length === 0) this.#ended();
  }

  get #live(): readonly Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  }

  async #hear(worker: Worker, message: Message): Promise<void> {
    switch (message.type) {
      case "argmax:ready":
        if (!this.#isAnnounced) this.#handlers.listening(message.address);
        this.#isAnnounced = true;
        return;
      case "argmax:failed":
        // Later, others answer, and the process is started again.
        if (this.#isAnnounced) return;
        this.#handlers.failed(message.message);
        this.close();
        return;
      case "argmax:metrics?":
        send(worker, { type: "argmax:metrics", id: message.id, text: await this.#metrics() });
        return;
      case "argmax:own":
        this.#asked.get(message.id)?.(message.metrics);
    }
  }

  async #metrics(): Promise<string> {
    const parts = await Promise.all(this.#live.map((worker) => this.#metricsOf(worker)));
    return AggregatorRegistry.aggregate(parts.filter((metrics) => metrics.length > 0)).metrics();
  }

  /** Nothing from a process that does not answer in time. */
  #metricsOf(worker: Worker): Promise<object[]> {
    return new Promise((resolve) => {
      const id = this.#questions++;
      const finish = (metrics: object[]) => {
        clearTimeout(timer);
        this.#asked.delete(id);
        resolve(metrics);
      };
      const timer = setTimeout(() => finish([]), METRICS_TIMEOUT);
      this.#asked.set(id, finish);
      send(worker, { type: "argmax:own?", id });
    });
  }
}

const ignore = () => {};

/** A worker that has just ended gets no message. */
function send(worker: Worker, message: Message): void {
  // With a callback an error is passed to it, and is not an event that would end the program.
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
