import { rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { Table } from "argmax";
import { UsageError } from "../../command.js";
import { writeFailure } from "../../write-failure.js";
import { endingOf, formatOfEnding } from "../locate.js";
import { listed } from "../nearest.js";
import { fileSink, gzipSink, streamSink } from "./sinks.js";
import { type TextTableWriter, textWriter } from "./write-text.js";

export const outputFormats = ["csv", "tsv", "json", "ndjson", "parquet", "arrow"] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Writes a table batch by batch. Every batch has the columns of the first. */
export interface TableWriter {
  write(batch: Table): Promise<void>;
  /** Ends the output; only now is there a file of that name. */
  close(): Promise<void>;
  /** Leaves no file behind. */
  discard(): Promise<void>;
}

interface WriteOptions {
  /** For standard output, or a file whose name does not tell. */
  readonly format?: OutputFormat | undefined;
  /** Where output without a file goes. */
  readonly out?: Writable | undefined;
}

export type { TextTableWriter };

/** Whether a writer takes rows that are text already. */
export const isTextWriter = (writer: TableWriter): writer is TextTableWriter => "writeText" in writer;

/** Opens a file by its name (`out.parquet`, `out.csv.gz`), or standard output if there is no path or it is `-`. */
export async function openWriter(path: string | undefined, options: WriteOptions = {}): Promise<TableWriter> {
  const format = options.format ?? formatOf(path);
  if (path === undefined || path === "-") {
    if (format === "parquet" || format === "arrow")
      throw new UsageError(`${format} is not for a terminal: give a file with -o.`);
    return textWriter(format, streamSink(options.out ?? process.stdout));
  }
  const temporary = `${path}.${process.pid}.partial`;
  try {
    return renamed(path, temporary, await openTemporary(format, path, temporary));
  } catch (error) {
    throw writeFailure(path, error);
  }
}

async function openTemporary(format: OutputFormat, path: string, temporary: string): Promise<TableWriter> {
  if (format === "parquet") return (await import("./write-parquet.js")).parquetWriter(temporary);
  const file = await fileSink(temporary);
  if (format === "arrow") return (await import("./write-arrow.js")).arrowWriter(file);
  return textWriter(format, isGzip(path) ? gzipSink(file) : file);
}

const isGzip = (path: string) => /\.gz$/i.test(path);

export function formatOf(path: string | undefined): OutputFormat {
  if (path === undefined || path === "-") return "csv";
  const ending = endingOf(path);
  const format = formatOfEnding(ending);
  const found = outputFormats.find((one) => one === format);
  if (found === undefined || (isGzip(path) && (found === "parquet" || found === "arrow")))
    throw new UsageError(
      `The format of ${path} is not known: end its name in ${listed(outputFormats.map((one) => `.${one}`))}.`,
    );
  return found;
}

/** Under its name the file is whole or not there: it is written under another and renamed at the end. */
function renamed<W extends TableWriter | TextTableWriter>(path: string, temporary: string, writer: W): W {
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      throw writeFailure(path, error);
    }
  };
  return {
    ...writer,
    ...("writeText" in writer && {
      writeText: (text: string | Uint8Array, rows: number) => guarded(() => writer.writeText(text, rows)),
    }),
    write: (batch: Table) => guarded(() => writer.write(batch)),
    close: () =>
      guarded(async () => {
        await writer.close();
        await rename(temporary, path);
      }),
    discard: async () => {
      await writer.discard();
      await rm(temporary, { force: true });
    },
  };
}
