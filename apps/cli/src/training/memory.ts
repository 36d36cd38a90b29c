import { closeSync, openSync, readSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { Failure } from "../command.js";
import { streamingNames } from "./streaming-names.js";

/** A table, its copy in the kernels' memory and a fold of it take about so many bytes per byte of text. */
const BYTES_PER_BYTE = 4;
/** Compressed and columnar files unfold to about so many times their size. */
const UNFOLDED = 5;
const SAMPLED = 2 ** 20;

/** Refuses a file that cannot be learned from at once, and says what can be done. */
export function requireMemory(source: string, memory: number = totalmem()): void {
  const size = sizeOf(source);
  if (size === undefined) return;
  const isText = /\.(csv|tsv|txt|ndjson|jsonl|json)$/i.test(source);
  const needed = size * BYTES_PER_BYTE * (isText ? 1 : UNFOLDED);
  if (needed <= memory) return;
  const rows = isText ? Math.floor((memory / needed) * (size / bytesPerRow(source))) : undefined;
  const digits = rows === undefined ? 0 : 10 ** Math.max(0, Math.floor(Math.log10(rows)) - 1);
  const sample = rows === undefined || rows < 1 ? "--rows N" : `--rows ${Math.floor(rows / digits) * digits}`;
  throw new Failure(
    `${source} has ${showGigabytes(size)}, which takes about ${showGigabytes(needed)} of memory to learn from at once, and there are ${showGigabytes(memory)}. ` +
      `Take a sample (${sample}), or a model that learns in a stream (argmax train --stream with ${streamingNames().join(", ")}).`,
  );
}

/** Bytes of a plain file; undefined for anything else. */
function sizeOf(source: string): number | undefined {
  try {
    const found = statSync(source);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

function bytesPerRow(path: string): number {
  const file = openSync(path, "r");
  try {
    const start = new Uint8Array(SAMPLED);
    const count = readSync(file, start, 0, SAMPLED, 0);
    let lines = 0;
    for (let e = 0; e < count; e++) if (start[e] === 10) lines++;
    return count / Math.max(1, lines);
  } finally {
    closeSync(file);
  }
}

const showGigabytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toPrecision(3)} MB` : `${(bytes / 1e9).toPrecision(3)} GB`;
