import { closeSync, openSync, readSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { Failure } from "../command.js";
import { isGlob, matchFiles } from "../data/glob.js";
import { streamingNames } from "./streaming-names.js";

/** A table, its copy in the kernels' memory and a fold of it take about so many bytes per byte of text. */
const BYTES_PER_BYTE = 4;
/** Compressed and columnar files unfold to about so many times their size. */
const UNFOLDED = 5;
const SAMPLED = 2 ** 20;

/** Bytes of memory: those of this machine, or the megabytes that ARGMAX_MEMORY names, as in a container. */
export const memoryOf = (env: Readonly<Record<string, string | undefined>>): number => {
  const given = Number(env["ARGMAX_MEMORY"]);
  return given > 0 ? given * 2 ** 20 : totalmem();
};

/** A source that is larger than what can be learned from at once. */
export class TooLarge extends Failure {
  /** Whether DuckDB can learn from it where it lies. */
  readonly isForDatabase: boolean;

  constructor(message: string, isForDatabase: boolean) {
    super(message);
    this.isForDatabase = isForDatabase;
  }
}

/** Words of a command that works where the data lie, to be pasted; undefined for a command that cannot. */
export type InDatabase = string | undefined;

/** Refuses files that cannot be learned from at once, and says what can be done: `inDatabase` is the command that can. */
export async function requireMemory(
  source: string,
  inDatabase: InDatabase,
  memory: number = totalmem(),
): Promise<void> {
  const files = await filesOf(source);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const isText = files.every(({ path }) => /\.(csv|tsv|txt|ndjson|jsonl|json)$/i.test(path));
  const needed = size * BYTES_PER_BYTE * (isText ? 1 : UNFOLDED);
  if (needed <= memory) return;
  const largest = files.reduce((most, file) => (file.size > most.size ? file : most));
  const rows = isText ? Math.floor((memory / needed) * (size / bytesPerRow(largest.path))) : undefined;
  const digits = rows === undefined ? 0 : 10 ** Math.max(0, Math.floor(Math.log10(rows)) - 1);
  const sample = rows === undefined || rows < 1 ? "--rows N" : `--rows ${Math.floor(rows / digits) * digits}`;
  const streaming = `a model that learns in a stream (argmax train --stream with ${streamingNames().join(", ")})`;
  const isRead = !/\.(arrow|arrows|feather|ipc|svm|svmlight|libsvm|db|sqlite|sqlite3)$/i.test(source);
  const isForDatabase = inDatabase !== undefined && isRead;
  const ways = isForDatabase
    ? `DuckDB can learn from ${files.length === 1 ? "it where it lies" : "them where they lie"}:\n  ${inDatabase}\nOr take a sample (${sample}), or ${streaming}.`
    : `Take a sample (${sample}), or ${streaming}${isRead ? ", or one that DuckDB can learn (argmax train --in-database)" : ""}.`;
  throw new TooLarge(
    `${source} has ${showGigabytes(size)}, which takes about ${showGigabytes(needed)} of memory to learn from at once, and there are ${showGigabytes(memory)}. ${ways}`,
    isForDatabase,
  );
}

/** The plain files that a name stands for; none for anything else. */
async function filesOf(source: string): Promise<{ readonly path: string; readonly size: number }[]> {
  const own = fileOf(source);
  if (own !== undefined) return [own];
  const paths = isGlob(source) && !/^[a-z]+:/.test(source) ? await matchFiles(source) : [];
  return paths.flatMap((path) => fileOf(path) ?? []);
}

function fileOf(path: string): { readonly path: string; readonly size: number } | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? { path, size: found.size } : undefined;
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
