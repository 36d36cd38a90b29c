import type { FitRequest, WorkerMessage } from "./messages.js";

/** A worker of `node:worker_threads`, as far as it is needed here. */
interface NodeWorker {
  on(event: "message", listener: (message: WorkerMessage) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "exit", listener: (code: number) => void): void;
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}

/** Either platform's worker: what `background(estimator, { worker })` may bring. */
export type AnyWorker = Worker | NodeWorker;
export type WorkerFactory = () => AnyWorker;

/** One worker of either platform, told to one listener at a time. */
export class Channel {
  /** Hears everything the worker says, and an Error when it dies. */
  listener: (message: WorkerMessage | Error) => void = () => {};
  readonly #worker: AnyWorker;
  readonly #ready: Promise<void>;
  #alive = true;

  constructor(worker: AnyWorker) {
    this.#worker = worker;
    let ready: () => void;
    this.#ready = new Promise((resolve) => {
      ready = resolve;
    });
    const hear = (message: WorkerMessage) => (message.kind === "ready" ? ready() : this.listener(message));
    const die = (error: Error) => {
      this.#alive = false;
      this.listener(error);
    };
    if ("on" in worker) {
      worker.on("message", hear);
      worker.on("error", (error) => die(isMissing(error) ? new Error(describeFailure(undefined)) : error));
      worker.on("exit", (code) => die(new Error(`background: the worker ended with code ${code}.`)));
    } else {
      worker.onmessage = (event) => hear(event.data);
      worker.onerror = (event) => die(new Error(describeFailure(event.message)));
      worker.onmessageerror = () => die(new Error("background: the worker's answer could not be read."));
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Messages sent before the worker has its ear open can be lost, so this waits for its sign. */
  async send(request: FitRequest, transfer: readonly ArrayBuffer[]): Promise<void> {
    await this.#ready;
    if (this.#alive) this.#worker.postMessage(request, [...transfer]);
  }

  /** Working: the process waits for the answer. */
  hold(): void {
    if ("ref" in this.#worker) this.#worker.ref();
  }

  /** Idle: the process may end. */
  letGo(): void {
    if ("unref" in this.#worker) this.#worker.unref();
  }

  end(): void {
    this.#alive = false;
    this.listener = () => {};
    this.#worker.terminate();
  }
}

/** Node could not find the worker's file, or something that the file imports. */
const isMissing = ({ code }: Error & { code?: unknown }) => /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(code));

/** Browsers say nothing when a worker's file is not found. */
function describeFailure(message: string | undefined): string {
  return message
    ? `background: the worker failed: ${message}`
    : "background: the worker could not be loaded. If a bundler has moved its file, start it yourself: " +
        "background(estimator, { worker: () => new Worker(…) }), with a script that imports argmax/worker.";
}

interface NodeProcess {
  readonly versions?: { readonly node?: string };
  getBuiltinModule?(name: string): unknown;
}

/** Node's own module, asked for in a way that a browser's bundler does not try to follow. */
export async function nodeModule<T>(name: string): Promise<T | undefined> {
  const { process } = globalThis as { process?: NodeProcess };
  if (!process?.versions?.node) return undefined;
  const builtin = process.getBuiltinModule?.(`node:${name}`);
  return (builtin ?? (await import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${name}`))) as T;
}

/** For Node. Not written inside `new URL(…)`, or browser bundlers would add the bare file to what they publish. */
const workerFile = "./worker.js";

async function startWorker(): Promise<AnyWorker> {
  const node = await nodeModule<{ Worker: new (url: URL) => NodeWorker }>("worker_threads");
  if (node !== undefined) return new node.Worker(new URL(workerFile, import.meta.url));
  // Bundlers recognise this expression, and only in one piece.
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}

/** How long a worker without work is kept for the next fit; starting one costs ~100 ms. */
const IDLE_MILLISECONDS = 5000;

interface Idle {
  readonly channel: Channel;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** At most one idle worker for each way to start one: the usual way, and each factory that callers brought. */
const idle = new Map<WorkerFactory | undefined, Idle>();

export async function takeChannel(factory: WorkerFactory | undefined): Promise<Channel> {
  const waiting = idle.get(factory);
  if (waiting !== undefined) {
    clearTimeout(waiting.timer);
    idle.delete(factory);
    if (waiting.channel.alive) {
      waiting.channel.hold();
      return waiting.channel;
    }
  }
  return new Channel(factory === undefined ? await startWorker() : factory());
}

export function giveBack(factory: WorkerFactory | undefined, channel: Channel): void {
  channel.listener = () => {};
  if (!channel.alive) return;
  if (idle.has(factory)) {
    channel.end();
    return;
  }
  channel.letGo();
  const timer = setTimeout(() => {
    idle.delete(factory);
    channel.end();
  }, IDLE_MILLISECONDS);
  (timer as { unref?(): void }).unref?.();
  idle.set(factory, { channel, timer });
}
