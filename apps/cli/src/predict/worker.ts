import { parentPort, workerData } from "node:worker_threads";
import { setThreads } from "argmax";
import { type CsvPlan, readBlock } from "../data/formats/csv-stream.js";
import { rowsText, type TextFormat } from "../data/write/write-text.js";
import { openModel } from "../model-file.js";
import { type PredictPlan, predictorOf } from "./predictor.js";

/** What a thread is started with. */
export interface WorkerPlan {
  readonly csv: CsvPlan;
  readonly predict: PredictPlan;
  readonly format: TextFormat;
}

/** The first message of a thread: from now on it takes blocks. */
export const READY = "ready";

/** The answer to a block: its rows as text; or, if they could not be predicted, the block again. */
export type Answer =
  | { readonly rows: number; readonly text: Uint8Array }
  | { readonly failed: true; readonly bytes: Uint8Array };

const { csv, predict, format } = workerData as WorkerPlan;
// Every core has a block of its own.
setThreads(1);
const predictor = predictorOf(predict, await openModel(predict.model));

parentPort!.on("message", (bytes: Uint8Array) => {
  try {
    const batch = readBlock(csv, bytes, 0);
    const written = rowsText(format, predictor(batch, 0));
    const text = typeof written === "string" ? Buffer.from(written) : written;
    answer({ rows: batch.rows, text }, text);
  } catch {
    // The main thread reads the block again, and knows the lines before it.
    answer({ failed: true, bytes }, bytes);
  }
});

parentPort!.postMessage(READY);

function answer(message: Answer, { buffer }: Uint8Array): void {
  parentPort!.postMessage(message, [buffer as ArrayBuffer]);
}
