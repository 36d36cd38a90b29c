import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { setThreads, threads } from "argmax";
import { type CsvBlock, csvBlocks } from "../data/formats/csv-stream.js";
import type { DataFile } from "../data/locate.js";
import type { StreamOptions } from "../data/source.js";
import type { TextTableWriter } from "../data/write/write.js";
import { rowsText, type TextFormat } from "../data/write/write-text.js";
import type { Predictor, PredictPlan } from "./predictor.js";
import type { Answer, READY as ReadyMessage, WorkerPlan } from "./worker.js";

/** The first message of a thread; its file runs when it is imported. */
const READY: typeof ReadyMessage = "ready";

/** Blocks that wait for a thread besides the one it works on, so that it never waits for the main thread. */
const QUEUED = 1;
/** More threads than this wait for the disk. */
const MOST_THREADS = 8;

/** The block before which the time left is estimated, from the fastest one: the first ones are slower, since nothing is compiled yet. */
const MEASURED = 7;
/** Milliseconds of work that are worth threads: to start one takes a quarter of it. */
const WORTH_THREADS = 1000;

interface Done {
  readonly rows: number;
  readonly text: string | Uint8Array;
}

/** A thread that predicts blocks in the order in which it gets them. */
class BlockWorker {
  readonly #worker: Worker;
  #isReady = false;
  readonly #waiting: { resolve(answer: Answer): void; reject(error: unknown): void }[] = [];

  constructor(plan: WorkerPlan) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: plan });
    this.#worker.on("message", (message: Answer | typeof READY) => {
      if (message === READY) this.#isReady = true;
      else this.#waiting.shift()!.resolve(message);
    });
    this.#worker.on("error", (error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  /** Blocks that it has; infinitely many until it has started, so that it gets none. */
  get pending(): number {
    return this.#isReady ? this.#waiting.length : Number.POSITIVE_INFINITY;
  }

  predict(bytes: Uint8Array): Promise<Answer> {
    const answer = new Promise<Answer>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#worker.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** What `predictBlocks` works on. */
export interface BlockJob {
  readonly file: DataFile;
  /** Bytes of the file, from which the time left is estimated. */
  readonly size: number;
  /** At most so many threads; undefined for one per core, if much is left to do. */
  readonly threads: number | undefined;
  readonly stream: StreamOptions;
  readonly plan: PredictPlan;
  readonly predictor: Predictor;
  readonly writer: TextTableWriter;
  readonly format: TextFormat;
  onRows(rows: number): void;
}

/**
 * Predicts the blocks of a CSV file and writes them in their order. Reading, predicting and formatting a block needs nothing of the
 * others, so that threads share them, the main one included, if much is left after the first ones.
 */
export async function predictBlocks(job: BlockJob): Promise<number> {
  const { file, stream, plan, predictor, writer, format } = job;
  const workers: BlockWorker[] = [];
  const own = threads();
  const count = job.threads ?? Math.min(MOST_THREADS, availableParallelism());
  const queue: Promise<(rowsBefore: number) => Promise<Done>>[] = [];
  let [rows, bytes, blocks, before, fastest] = [0, 0, 0, 0, Number.POSITIVE_INFINITY];
  /** A block is written while the next one is predicted. */
  let writing = Promise.resolve();
  const writeNext = async () => {
    const done = await (await queue.shift()!)(rows);
    await writing;
    writing = writer.writeText(done.text, done.rows);
    // It is awaited in its turn.
    writing.catch(() => {});
    rows += done.rows;
    job.onRows(rows);
  };
  const most = (QUEUED + 1) * count;
  try {
    for await (const block of csvBlocks(file, stream)) {
      bytes += block.bytes.length;
      blocks++;
      if (block.table !== undefined) {
        await writer.write(predictor(block.table, 0));
        rows = block.table.rows;
        before = performance.now();
        continue;
      }
      if (blocks > 2 && blocks <= MEASURED) {
        const now = performance.now();
        fastest = Math.min(fastest, now - before);
        before = now;
      }
      if (blocks === MEASURED) {
        const left = fastest * ((job.size - bytes) / block.bytes.length);
        if (count > 1 && (job.threads !== undefined || left > WORTH_THREADS)) {
          for (let k = 1; k < count; k++)
            workers.push(new BlockWorker({ csv: block.plan, predict: plan, format }));
          setThreads(1);
        }
      }
      const task = begun(block, workers, predictor, format);
      // It is awaited in its turn; a failure before must not end the program.
      task.catch(() => {});
      queue.push(task);
      while (queue.length > (workers.length === 0 ? 0 : most)) await writeNext();
    }
    while (queue.length > 0) await writeNext();
    await writing;
    return rows;
  } finally {
    setThreads(own);
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

/** Gives a block to the thread with the shortest queue, or predicts it here if all are busy. */
async function begun(
  block: CsvBlock,
  workers: readonly BlockWorker[],
  predictor: Predictor,
  format: TextFormat,
): Promise<(rowsBefore: number) => Promise<Done>> {
  const here = async (rowsBefore: number, bytes?: Uint8Array): Promise<Done> => {
    const batch = await block.read(rowsBefore, bytes);
    return { rows: batch.rows, text: rowsText(format, predictor(batch, rowsBefore)) };
  };
  const [worker] = workers.filter(({ pending }) => pending <= QUEUED).sort((a, b) => a.pending - b.pending);
  if (worker === undefined) {
    const done = await here(0).catch(() => undefined);
    return async (rowsBefore) => done ?? here(rowsBefore);
  }
  const answer = await worker.predict(block.bytes);
  return async (rowsBefore) => ("failed" in answer ? here(rowsBefore, answer.bytes) : answer);
}
