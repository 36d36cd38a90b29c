import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AbortError, type FoldMemory, type FoldRecord, type Table } from "argmax";
import { Failure } from "../command.js";
import { writeFailure } from "../write-failure.js";

/**
 * The folds that a comparison or a search has measured, in a file: a first line that says what is measured, then a line of JSON per fold. Each
 * line is written at once, so that whatever ends the program costs at most the folds that run.
 */
export class Journal implements FoldMemory {
  readonly #records = new Map<string, FoldRecord>();
  #isOpen = false;

  private constructor(
    readonly path: string,
    readonly fingerprint: string,
    /** Milliseconds that earlier runs have taken. */
    public elapsed: number,
  ) {}

  /** With `resume`, what is in the file counts if it is of the same data and options. */
  static open(path: string, fingerprint: string, resume: boolean): Journal {
    const journal = new Journal(path, fingerprint, 0);
    if (resume) journal.#read();
    return journal;
  }

  get size(): number {
    return this.#records.size;
  }

  recall(key: string): FoldRecord | undefined {
    return this.#records.get(key);
  }

  remember(key: string, record: FoldRecord): void {
    this.#records.set(key, record);
    this.#guarded(() => {
      this.#open();
      appendFileSync(this.path, this.#line({ key, ...record }));
    });
  }

  /** Adds the time of this run, for a budget that several runs share. */
  addElapsed(milliseconds: number): void {
    if (this.#isOpen) this.#guarded(() => appendFileSync(this.path, this.#line({ elapsed: milliseconds })));
  }

  /** What is known from the run before; undefined if nothing is. */
  get note(): string | undefined {
    return this.size === 0 ? undefined : `${this.#folds()} known from the run before.`;
  }

  /** The error of a run, or how to go on after it was stopped: by the command line `again`. */
  errorOf(error: unknown, again: string): unknown {
    if (!(error instanceof AbortError)) return error;
    return new Failure(
      this.size === 0
        ? "Stopped before the first fold was measured."
        : `Stopped. ${this.#folds()} kept in ${this.path}. To go on:\n  ${again}`,
    );
  }

  #folds(): string {
    return this.size === 1 ? "1 fold is" : `${this.size} folds are`;
  }

  /** The work is done: nothing is left to resume. */
  remove(): void {
    rmSync(this.path, { force: true });
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const lines = [...this.#records].slice(0, -1).map(([key, record]) => this.#line({ key, ...record }));
    const head = `${JSON.stringify({ argmax: "folds", version: 2, fingerprint: this.fingerprint })}\n`;
    const elapsed = this.elapsed > 0 ? [this.#line({ elapsed: this.elapsed })] : [];
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, [head, ...elapsed, ...lines].join(""));
  }

  /** Lines name their run: another one at the same time may write to the same file. */
  #line(entry: object): string {
    return `${JSON.stringify({ run: this.#run, ...entry })}\n`;
  }

  get #run(): string {
    return this.fingerprint.slice(0, 16);
  }

  #guarded(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw writeFailure(this.path, error);
    }
  }

  #read(): void {
    if (!existsSync(this.path))
      throw new Failure(
        `There is nothing to resume: ${this.path} does not exist. Run the command without --resume.`,
      );
    const [head, ...lines] = readFileSync(this.path, "utf8").split("\n");
    if (parse(head)?.["argmax"] !== "folds")
      throw new Failure(
        `${this.path} is not a file of an interrupted run. Run the command without --resume.`,
      );
    if (parse(head)!["fingerprint"] !== this.fingerprint)
      throw new Failure(
        `${this.path} is of other data or options, so that its folds do not count here. Repeat the command as it was, or run it without --resume.`,
      );
    for (const line of lines) {
      const entry = parse(line);
      if (entry?.["run"] !== this.#run) continue;
      if (typeof entry?.["elapsed"] === "number") this.elapsed += entry["elapsed"];
      const record = readRecord(entry);
      if (record !== undefined) this.#records.set(entry!["key"] as string, record);
    }
  }
}

/** Undefined for a line that was cut off when the program was ended. */
function parse(line: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line ?? "");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function readRecord(entry: Readonly<Record<string, unknown>> | undefined): FoldRecord | undefined {
  const { key, testScores, fitTime, scoreTime } = entry ?? {};
  if (typeof key !== "string" || !Array.isArray(testScores)) return undefined;
  if (typeof fitTime !== "number" || typeof scoreTime !== "number") return undefined;
  // JSON has no NaN.
  return {
    testScores: testScores.map((score) => (score === null ? Number.NaN : Number(score))),
    fitTime,
    scoreTime,
  };
}

/** A digest of data and options: the same for the same work. */
export function fingerprintOf(X: Table, y: readonly unknown[], options: unknown): string {
  const hash = createHash("sha256");
  const names: readonly string[] = X.columnNames;
  for (const name of names) {
    const column = X.column(name) as { kind: string; values?: unknown; toArray(): unknown[] };
    hash.update(`${JSON.stringify(name)} ${column.kind}\n`);
    if (column.values instanceof Float64Array)
      hash.update(new Uint8Array(column.values.buffer, column.values.byteOffset, column.values.byteLength));
    else hash.update(JSON.stringify(column.toArray()));
  }
  hash.update(JSON.stringify(y)).update(JSON.stringify(options));
  return hash.digest("hex");
}
