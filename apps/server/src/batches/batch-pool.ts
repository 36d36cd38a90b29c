import { Worker } from "node:worker_threads";
import type { Answer, Call } from "../answers/call.js";
import { RequestProblem } from "../answers/request-problem.js";
import type { ServedModel } from "../model/served-model.js";
import type { FromWorker, ToWorker } from "./messages.js";

/** Tests run the source, of which a worker needs the compiled file. */
const script = import.meta.url.endsWith(".ts")
  ? new URL("../../dist/batches/batch-worker.js", import.meta.url)
  : new URL("./batch-worker.js", import.meta.url);

interface BatchPoolOptions {
  readonly size: number;
  /** Calls that may wait; more are refused with 503. */
  readonly maxWaiting: number;
  /** Milliseconds after which a call is given up and its worker replaced. */
  readonly timeout: number;
  /** Megabytes of objects that a worker may hold; beyond, the call is refused with 413 and the worker replaced. */
  readonly memory: number;
}

interface Job {
  readonly model: ServedModel;
  readonly body: Uint8Array;
  readonly call: Call;
  /** When it began to wait. */
  readonly since: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

interface Member {
  readonly worker: Worker;
  readonly loaded: Set<string>;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
}

const tooMuch = () =>
  new RequestProblem(413, "The request takes more memory than allowed. Send fewer rows at a time.");

/** Seconds that a refused client should wait. */
export const RETRY_AFTER = 1;

/**
 * Worker threads that answer calls with large bodies, so that the event loop stays free for small ones. They are started when the
 * first such call comes and load a model when they first need it.
 */
export class BatchPool {
  readonly #options: BatchPoolOptions;
  readonly #members: Member[] = [];
  readonly #waiting: Job[] = [];
  #closed = false;

  constructor(options: BatchPoolOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#members.filter(({ job }) => job !== undefined).length;
  }

  /** The answer to a call. The body is moved to the worker: nobody else may use it afterwards. */
  answer(model: ServedModel, body: Uint8Array, call: Call): Promise<Answer> {
    if (this.#waiting.length >= this.#options.maxWaiting)
      return Promise.reject(new RequestProblem(503, "Too many large requests are waiting; try again."));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ model, body, call, since: performance.now(), resolve, reject });
      this.#next();
    });
  }

  /** Drops a model that is no longer served. */
  unload({ key }: ServedModel): void {
    for (const { worker, loaded } of this.#members)
      if (loaded.delete(key)) worker.postMessage({ type: "unload", key } satisfies ToWorker);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#members.map(({ worker }) => worker.terminate()));
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#closed) return;
    let member = this.#members.find(({ job }) => job === undefined);
    if (member === undefined && this.#members.length < this.#options.size) member = this.#start();
    if (member === undefined) return;
    const job = this.#waiting.shift()!;
    if (performance.now() - job.since <= this.#options.timeout) {
      this.#send(member, job);
      return;
    }
    job.reject(this.#tooSlow());
    this.#next();
  }

  #send(member: Member, job: Job): void {
    const { worker, loaded } = member;
    const { key, name, version, bytes } = job.model;
    member.job = job;
    member.timer = setTimeout(() => this.#giveUp(member), this.#options.timeout);
    const post = (message: ToWorker, moved: ArrayBuffer[] = []) => worker.postMessage(message, moved);
    if (!loaded.has(key)) {
      loaded.add(key);
      post({ type: "load", key, name, version, bytes });
    }
    // A small buffer is a view of a shared one, which cannot be moved.
    const owns = job.body.byteLength === job.body.buffer.byteLength;
    post({ type: "call", key, body: job.body, call: job.call }, owns ? [job.body.buffer as ArrayBuffer] : []);
  }

  #start(): Member {
    const worker = new Worker(script, {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memory },
    });
    const member: Member = { worker, loaded: new Set(), job: undefined, timer: undefined };
    worker.on("message", (message: FromWorker) => {
      const job = this.#free(member);
      if (message.type === "answer") job?.resolve(message.answer);
      else job?.reject(new Error(message.message));
      this.#next();
    });
    worker.on("error", (error: NodeJS.ErrnoException) =>
      this.#replace(member, error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch() : error),
    );
    worker.on("exit", () => this.#replace(member, new Error("A batch worker ended.")));
    worker.unref();
    this.#members.push(member);
    return member;
  }

  /** The job that a member has finished. */
  #free(member: Member): Job | undefined {
    const { job } = member;
    clearTimeout(member.timer);
    member.job = undefined;
    return job;
  }

  #giveUp(member: Member): void {
    this.#replace(member, this.#tooSlow());
    void member.worker.terminate();
  }

  #tooSlow(): RequestProblem {
    return new RequestProblem(503, `The request took longer than ${this.#options.timeout / 1000} s.`);
  }

  #replace(member: Member, error: unknown): void {
    const index = this.#members.indexOf(member);
    if (index < 0) return;
    this.#members.splice(index, 1);
    this.#free(member)?.reject(error);
    this.#next();
  }
}
