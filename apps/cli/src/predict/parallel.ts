import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { setThreads, threads } from "argmax";
import { type CsvBlock, csvBlocks } from "../data/csv-stream.js";
import type { DataFile } from "../data/locate.js";
import type { StreamOptions } from "../data/source.js";
import type { TextTableWriter } from "../data/write.js";
import { rowsText, type TextFormat } from "../data/write-text.js";
import type { Predictor, PredictPlan } from "./predictor.js";
import type { Answer, WorkerPlan } from "./worker.js";

/** Blocks that wait for a thread besides the one it works on, so that it never waits for the main thread. */
const QUEUED = 2;
/** More threads than this wait for the disk. */
const MOST_THREADS = 8;

interface Done {
  readonly rows: number;
  readonly text: string | Uint8Array;
}

/** A thread that predicts blocks in the order in which it gets them. */
class BlockWorker {
  readonly #worker: Worker;
  readonly #waiting: { resolve(answer: Answer): void; reject(error: unknown): void }[] = [];

  constructor(plan: WorkerPlan) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: plan });
    this.#worker.on("message", (answer: Answer) => this.#waiting.shift()!.resolve(answer));
    this.#worker.on("error", (error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  get pending(): number {
    return this.#waiting.length;
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

/**
 * Predicts the blocks of a CSV file in several threads, the main one included, and writes them in their order. Reading, predicting and
 * formatting a block needs nothing of the others.
 */
export async function predictBlocks(
  file: DataFile,
  stream: StreamOptions,
  plan: PredictPlan,
  predictor: Predictor,
  writer: TextTableWriter,
  format: TextFormat,
  onRows: (rows: number) => void,
): Promise<number> {
  const workers: BlockWorker[] = [];
  const own = threads();
  const queue: Promise<(rowsBefore: number) => Promise<Done>>[] = [];
  let rows = 0;
  const writeFirst = async () => {
    const done = await (await queue.shift()!)(rows);
    await writer.writeText(done.text, done.rows);
    rows += done.rows;
    onRows(rows);
  };
  const most = (QUEUED + 1) * Math.min(MOST_THREADS, availableParallelism());
  try {
    for await (const block of csvBlocks(file, stream)) {
      if (block.table !== undefined) {
        for (let k = 1; k < Math.min(MOST_THREADS, availableParallelism()); k++)
          workers.push(new BlockWorker({ csv: block.plan, predict: plan, format }));
        setThreads(1);
        await writer.write(predictor(block.table, 0));
        rows = block.table.rows;
        continue;
      }
      queue.push(begun(block, workers, predictor, format));
      if (queue.length > most) await writeFirst();
    }
    while (queue.length > 0) await writeFirst();
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
