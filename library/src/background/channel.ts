import { ParameterError, show } from "../core/errors.js";
import type { WorkerMessage, WorkerRequest } from "./messages.js";
import { type NodeWorker, startNodeWorker } from "./node-worker.js";

/** A worker of a page, reduced to the members used here: the declarations need no types of the DOM. */
interface PageWorker {
  onmessage: unknown;
  onerror: unknown;
  onmessageerror: unknown;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

/** A worker of either platform, as the option `worker` of `background` returns it. */
export type AnyWorker = PageWorker | NodeWorker;
export type WorkerFactory = () => AnyWorker;

/** Messages of the worker, and its end. */
export type ChannelMessage = WorkerMessage | { readonly kind: "died"; readonly error: Error };

/** One worker of either platform, with one listener at a time. */
export class Channel {
  listener: (message: ChannelMessage) => void = () => {};
  /** Whether the worker has started; false if it died before. Messages sent earlier can be lost. */
  readonly ready: Promise<boolean>;
  readonly #worker: AnyWorker;
  #death: Error | undefined;

  constructor(worker: AnyWorker) {
    this.#worker = worker;
    let settle: (started: boolean) => void;
    this.ready = new Promise((resolve) => {
      settle = resolve;
    });
    const hear = (message: WorkerMessage) =>
      message.kind === "ready" ? settle(true) : this.listener(message);
    const die = (error: Error) => {
      this.#death ??= error;
      settle(false);
      this.listener({ kind: "died", error });
    };
    if ("on" in worker) {
      worker.on("message", hear);
      worker.on("error", (error) => die(isMissing(error) ? new Error(describeFailure(undefined)) : error));
      worker.on("exit", (code) => die(new Error(`background: the worker ended with code ${code}.`)));
    } else {
      worker.onmessage = (event: MessageEvent<WorkerMessage>) => hear(event.data);
      worker.onerror = (event: ErrorEvent) => die(new Error(describeFailure(event.message)));
      worker.onmessageerror = () => die(new Error("background: the worker's answer could not be read."));
    }
  }

  get alive(): boolean {
    return this.#death === undefined;
  }

  async send(request: WorkerRequest, transfer: readonly ArrayBuffer[]): Promise<void> {
    await this.ready;
    if (this.#death) throw this.#death;
    this.#worker.postMessage(request, [...transfer]);
  }

  /** Busy: keeps the process alive until the answer. */
  hold(): void {
    if ("ref" in this.#worker) this.#worker.ref();
  }

  /** Idle: lets the process end. */
  letGo(): void {
    if ("unref" in this.#worker) this.#worker.unref();
  }

  end(): void {
    this.#death ??= new Error("background: the worker was ended.");
    this.listener = () => {};
    this.#worker.terminate();
  }
}

/** Node could not find the worker's file, or something that the file imports. */
const isMissing = ({ code }: Error & { code?: unknown }) => /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(code));

/** Browsers report no message when a worker's file is not found, or when the page's policy forbids it. */
function describeFailure(message: string | undefined): string {
  return message
    ? `background: the worker failed: ${message}`
    : "background: the worker could not be loaded. If a bundler has moved its file, start it yourself: " +
        "background(estimator, { worker: () => new Worker(…) }), with a script that imports argmax/worker. " +
        "If the page has a content security policy, allow worker-src 'self' blob:.";
}

/**
 * The default worker. In Node it starts without the program's own flags: `--input-type=module` or a file loaded by `-r` can
 * prevent its start. If it does not start without them either (Yarn's Plug'n'Play requires such a file), it is started with them.
 */
async function openChannel(): Promise<Channel> {
  const worker = await startNodeWorker(false);
  if (worker === undefined) return new Channel((await import("./here.js")).startWebWorker());
  const channel = new Channel(worker);
  if (await channel.ready) return channel;
  return new Channel((await startNodeWorker(true))!);
}

/** How long a worker without work is kept for the next fit; starting one costs ~100 ms. */
const IDLE_MILLISECONDS = 5000;
/** The maximum number of threads. */
const MOST_IDLE = 8;

interface Idle {
  readonly channel: Channel;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Idle workers per factory; undefined is the default one. */
const idle = new Map<WorkerFactory | undefined, Idle[]>();

/** Anything else would never report that it is ready. */
function requireWorker(worker: AnyWorker): AnyWorker {
  const { postMessage, terminate } = (worker ?? {}) as Partial<PageWorker>;
  if (typeof postMessage === "function" && typeof terminate === "function") return worker;
  const expected = "a worker (a Worker of the page, or of node:worker_threads)";
  throw new ParameterError("background", "what the option worker returns", expected, show(worker));
}

export async function takeChannel(factory: WorkerFactory | undefined): Promise<Channel> {
  for (let waiting = idle.get(factory)?.pop(); waiting; waiting = idle.get(factory)?.pop()) {
    clearTimeout(waiting.timer);
    if (!waiting.channel.alive) continue;
    waiting.channel.hold();
    return waiting.channel;
  }
  return factory === undefined ? openChannel() : new Channel(requireWorker(factory()));
}

export function giveBack(factory: WorkerFactory | undefined, channel: Channel): void {
  channel.listener = () => {};
  if (!channel.alive) return;
  const list = idle.get(factory) ?? [];
  idle.set(factory, list);
  if (list.length >= MOST_IDLE) {
    channel.end();
    return;
  }
  channel.letGo();
  const timer = setTimeout(() => {
    list.splice(
      list.findIndex((entry) => entry.channel === channel),
      1,
    );
    if (list.length === 0) idle.delete(factory);
    channel.end();
  }, IDLE_MILLISECONDS);
  (timer as { unref?(): void }).unref?.();
  list.push({ channel, timer });
}
