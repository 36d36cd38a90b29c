import { existsSync } from "node:fs";
import { Server as NetServer } from "node:net";
import { dirname } from "node:path";
import type { FastifyInstance } from "fastify";
import { BatchPool } from "./batches/batch-pool.js";
import { Dispatcher } from "./batches/dispatcher.js";
import { Admission } from "./http/admission.js";
import { addRoutes, createApp } from "./http/app.js";
import { tokenCheck } from "./http/authorization.js";
import type { Context } from "./http/context.js";
import { Metrics } from "./http/metrics.js";
import { watchFolders } from "./model/folder-watch.js";
import { ModelStore } from "./model/model-store.js";
import { readSettings, type ServerOptions, ServerOptionsError, type Settings } from "./options.js";

/** A server of models. */
export interface ModelServer {
  /** The Fastify instance, for routes and hooks of your own before `listen`. */
  readonly app: FastifyInstance;
  readonly store: ModelStore;
  readonly metrics: Metrics;
  /** Starts to accept connections; returns the address. */
  listen(): Promise<string>;
  /** Looks at the model files now, without waiting for the next look. */
  reload(): Promise<void>;
  /** Ends: not ready, no new connections, every request that has arrived is answered. */
  close(): Promise<void>;
}

/** What a worker needs for the library and models, and for each byte of a body: JSON of rows takes about 16 bytes per byte. */
const WORKER_MEGABYTES = 512;
const WORKER_BYTES_PER_BYTE = 16;

/** Loads the models and prepares the server; it accepts connections after `listen`. */
export async function createServer(options: ServerOptions): Promise<ModelServer> {
  const settings = readSettings(options);
  const app = createApp(settings);
  const pool = new BatchPool({
    size: settings.batchWorkers,
    maxWaiting: settings.maxWaiting,
    timeout: settings.timeout,
    memory: WORKER_MEGABYTES + WORKER_BYTES_PER_BYTE * Math.ceil(settings.maxBody / 2 ** 20),
  });
  const store = createStore(settings, app, pool, (name) => metrics.loadFailed(name));
  const admission = new Admission(settings.maxConcurrent, settings.maxPerClient);
  const metrics = new Metrics({ store, pool, inFlight: () => admission.count });
  let accepting = true;
  const hasToken = tokenCheck(settings.tokens);
  const context: Context = {
    settings,
    store,
    pool,
    dispatcher: new Dispatcher(pool),
    admission,
    metrics,
    isAuthorized: ({ headers }) => hasToken(headers.authorization),
    isAccepting: () => accepting,
  };
  addRoutes(app, context);
  await firstScan(settings, store);
  const folders = [settings.folder ?? [], settings.files.map((file) => dirname(file))].flat();
  const watch = watchFolders([...new Set(folders)], settings.pollInterval, () => store.scan());
  let closing: Promise<void> | undefined;
  const close = async () => {
    accepting = false;
    watch.stop();
    await wait(settings.drainDelay);
    await drain(app, () => admission.count);
    await app.close();
    await pool.close();
  };
  return {
    app,
    store,
    metrics,
    listen: () => app.listen({ host: settings.host, port: settings.port }),
    reload: () => store.scan(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function createStore(
  { files, folder }: Settings,
  { log }: FastifyInstance,
  pool: BatchPool,
  loadFailed: (name: string) => void,
): ModelStore {
  return new ModelStore(files, folder, {
    loaded: ({ name, version, kind }, path, milliseconds) =>
      log.info({ model: name, version, kind, path, milliseconds: Math.round(milliseconds) }, "model loaded"),
    unloaded: (model) => {
      pool.unload(model);
      log.info({ model: model.name, version: model.version }, "model unloaded");
    },
    scanFailed: (message) => log.error({ message }, "model files could not be listed"),
    failed: (problem) => {
      loadFailed(problem.name);
      log.error({ ...problem }, "model file could not be loaded");
    },
  });
}

/** Files that were named must load; those of a folder may follow later. */
async function firstScan({ files }: Settings, store: ModelStore): Promise<void> {
  await store.scan();
  if (store.scanProblem !== undefined) throw new ServerOptionsError(store.scanProblem);
  const bad = store.problems.find(({ path }) => files.includes(path));
  if (bad !== undefined) throw new ServerOptionsError(`${bad.path}: ${bad.message}`);
  for (const file of files) if (!existsSync(file)) throw new ServerOptionsError(`${file} does not exist.`);
}

/** Milliseconds in which a request that is on its way on an open connection may arrive. */
const LAST_ANSWERS = 500;

/**
 * Stops accepting connections, then answers what arrives on those that are open. Each answer says "connection: close"; connections
 * that send nothing for LAST_ANSWERS are closed.
 */
async function drain(app: FastifyInstance, inFlight: () => number): Promise<void> {
  const { server } = app;
  if (!server.listening) return;
  // Not server.close(), which would at once close connections that are idle but may have a request on its way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const start = performance.now();
  const idle = async () => {
    for (;;) {
      await wait(20);
      const open = await new Promise<number>((resolve) =>
        server.getConnections((_, count) => resolve(count)),
      );
      if (open === 0) return;
      if (inFlight() === 0 && performance.now() - start > LAST_ANSWERS) return;
    }
  };
  await Promise.race([closed, idle()]);
  server.closeIdleConnections();
}
