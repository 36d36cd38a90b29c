import type { Answer, Ask, FromWorker, News, TaskName, ToWorker } from "./protocol.js";
import { copiedBytes, isTable } from "./shared-table.js";

interface RunOptions<K extends TaskName> {
  /** Keys of what the worker must hold. */
  readonly needs?: readonly string[];
  readonly onNews?: (news: News<K>) => void;
  readonly onStart?: () => void;
  readonly signal?: AbortSignal;
  /** Short work that someone waits for: one worker more than usual may run, so that it does not stand behind a long fit. */
  readonly urgent?: boolean;
}

/** Someone stopped the work. */
export class Stopped extends Error {}

/** A worker whose files did not arrive is started again, this often and after this long, each time twice as long as before. */
const ATTEMPTS = 5;
const PAUSE = 100;

/** How long a worker may take to notice that it should stop before another takes its place. */
const PATIENCE = 60;

interface Job {
  readonly id: number;
  readonly task: TaskName;
  readonly ask: unknown;
  readonly options: RunOptions<TaskName>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Part {
  readonly message: ToWorker;
  readonly bytes: number;
}

/** Bytes that one task of the page copies. */
const COPIED_AT_ONCE = 2 ** 21;

/** Tables are sent column by column. */
function holdMessages(key: string, value: unknown): Part[] {
  if (!isTable(value)) return [{ message: { type: "hold", key, value }, bytes: 0 }];
  return [
    { message: { type: "hold", key, value: { ...value, columns: [] } }, bytes: 0 },
    ...value.columns.map((column) => ({
      message: { type: "column", key, column } as const,
      bytes: copiedBytes(column),
    })),
  ];
}

interface Seat {
  worker: Worker;
  readonly held: Set<string>;
  job: Job | undefined;
  /** How often workers in this seat have ended before they said anything; undefined once one has. */
  failedStarts: number | undefined;
}

/**
 * Workers that take jobs in turn. A job that is stopped gives what it has, if its worker notices in time; else the worker is ended and a new
 * one started, so that stopping always works, with shared memory and without.
 */
export class Pool {
  readonly #seats: Seat[] = [];
  readonly #queue: Job[] = [];
  readonly #values = new Map<string, unknown>();
  #next = 1;

  constructor(
    private readonly start: () => Worker,
    private readonly size: number,
  ) {}

  /** How many jobs can run at a time. */
  get width(): number {
    return this.size;
  }

  /** Keeps something for the jobs that need it. */
  hold(key: string, value: unknown): void {
    this.#values.set(key, value);
  }

  /** Forgets it, here and in all workers. */
  drop(key: string): void {
    this.#values.delete(key);
    for (const { worker, held } of this.#seats)
      if (held.delete(key)) worker.postMessage({ type: "drop", key } satisfies ToWorker);
  }

  get busy(): number {
    return this.#queue.length + this.#seats.filter(({ job }) => job !== undefined).length;
  }

  run<K extends TaskName>(task: K, ask: Ask<K>, options: RunOptions<K> = {}): Promise<Answer<K>> {
    const { signal } = options;
    return new Promise<Answer<K>>((resolve, reject) => {
      if (signal?.aborted) {
        reject(new Stopped());
        return;
      }
      const job = { id: this.#next++, task, ask, options, resolve, reject } as unknown as Job;
      signal?.addEventListener("abort", () => this.#stop(job), { once: true });
      this.#queue.push(job);
      this.#assign();
    });
  }

  #stop(job: Job): void {
    const at = this.#queue.indexOf(job);
    if (at >= 0) {
      this.#queue.splice(at, 1);
      job.reject(new Stopped());
      return;
    }
    const seat = this.#seats.find((one) => one.job === job);
    if (seat === undefined) return;
    seat.worker.postMessage({ type: "stop", id: job.id } satisfies ToWorker);
    setTimeout(() => {
      if (seat.job === job) this.#replace(seat, new Stopped());
    }, PATIENCE);
  }

  #assign(): void {
    for (;;) {
      const running = this.#seats.filter(({ job }) => job !== undefined).length;
      const next = this.#queue.findIndex(
        ({ options }) => running < this.size + (options.urgent === true ? 1 : 0),
      );
      if (next < 0) return;
      let seat = this.#seats.find(({ job }) => job === undefined);
      if (seat === undefined) {
        seat = this.#seated({ held: new Set(), job: undefined, failedStarts: 0 });
        this.#seats.push(seat);
      }
      const copied = this.#give(seat, this.#queue.splice(next, 1)[0]!);
      // A table may be large: the page takes a breath between two copies of it.
      if (copied && this.#queue.length > 0) {
        setTimeout(() => this.#assign());
        return;
      }
    }
  }

  /** Sends what the job needs, then the job. Returns whether there was something to send. */
  #give(seat: Seat, job: Job): boolean {
    seat.job = job;
    const missing = (job.options.needs ?? []).filter((key) => !seat.held.has(key));
    for (const key of missing) seat.held.add(key);
    const parts = missing.flatMap((key) => holdMessages(key, this.#values.get(key)));
    const ask = { message: { type: "ask", id: job.id, task: job.task, ask: job.ask } as const, bytes: 0 };
    this.#send(seat, job, [...parts, ask]);
    return missing.length > 0;
  }

  /** Posting copies: a large table is sent in several tasks of the page. Ends early if the worker was replaced. */
  #send(seat: Seat, job: Job, parts: readonly Part[]): void {
    const { worker } = seat;
    let bytes = 0;
    for (const [k, part] of parts.entries()) {
      worker.postMessage(part.message);
      bytes += part.bytes;
      if (bytes < COPIED_AT_ONCE || k === parts.length - 1) continue;
      setTimeout(() => {
        if (seat.job === job && seat.worker === worker) this.#send(seat, job, parts.slice(k + 1));
      });
      return;
    }
    job.options.onStart?.();
  }

  #seated(seat: Omit<Seat, "worker">): Seat {
    const worker = this.start();
    const whole = Object.assign(seat, { worker });
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if (whole.worker !== worker) return;
      whole.failedStarts = undefined;
      this.#receive(whole, data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (whole.worker !== worker) return;
      const { failedStarts } = whole;
      if (failedStarts !== undefined && failedStarts < ATTEMPTS && !event.message)
        this.#startAgain(whole, failedStarts);
      else this.#replace(whole, new Error(event.message || "The worker could not be started."));
    });
    return whole;
  }

  /** Gives the job of the seat, whether it is there already or comes meanwhile, to another worker. */
  #startAgain(seat: Seat, failedStarts: number): void {
    const { worker } = seat;
    worker.terminate();
    seat.failedStarts = failedStarts + 1;
    const next = () => {
      // Somebody stopped the job meanwhile: the seat is taken.
      if (seat.worker !== worker) return;
      this.#seated(seat);
      seat.held.clear();
      if (seat.job !== undefined) this.#give(seat, seat.job);
    };
    setTimeout(next, PAUSE * 2 ** failedStarts);
  }

  #receive(seat: Seat, message: FromWorker): void {
    const { job } = seat;
    if (job === undefined || job.id !== message.id) return;
    if (message.type === "news") {
      if (!job.options.signal?.aborted) job.options.onNews?.(message.news as News<TaskName>);
      return;
    }
    seat.job = undefined;
    if (message.type === "answer") job.resolve(message.answer);
    else job.reject(job.options.signal?.aborted ? new Stopped() : new Error(message.message));
    this.#assign();
  }

  #replace(seat: Seat, reason: Error): void {
    const { job } = seat;
    seat.worker.terminate();
    seat.held.clear();
    seat.job = undefined;
    seat.failedStarts = 0;
    this.#seated(seat);
    job?.reject(reason);
    this.#assign();
  }
}

/** One core is left to the page. */
export const poolSize = (cores: number): number => Math.max(1, Math.min(8, cores - 1));
