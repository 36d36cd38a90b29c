import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Failure } from "../command.js";
import { type Compression, compressionOf, type DataFile, whyUnreadable } from "./locate.js";

/** Bytes that are read from a file at once: large, since every chunk costs a turn of the event loop. */
const CHUNK = 1 << 20;

/** The bytes of a file or of standard input, decompressed. */
export async function* readBytes(
  file: DataFile,
  stdin: AsyncIterable<Uint8Array> = process.stdin,
): AsyncGenerator<Uint8Array> {
  const raw =
    file.path === undefined
      ? peeked(stdin)
      : { chunks: fileChunks(file.path), compression: file.compression };
  const { chunks, compression } = await raw;
  if (compression === undefined) yield* chunks;
  else if (compression === "gzip") yield* gunzipped(file.label, chunks);
  else yield* unzstd(file);
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new Failure(await whyUnreadable(path, (error as NodeJS.ErrnoException).code));
  }
}

/** Standard input has no name; its first bytes show whether it is compressed. */
async function peeked(
  stdin: AsyncIterable<Uint8Array>,
): Promise<{ chunks: AsyncIterable<Uint8Array>; compression: Compression | undefined }> {
  const iterator = stdin[Symbol.asyncIterator]();
  const first = await iterator.next();
  const start = first.done ? new Uint8Array() : first.value;
  const compression = compressionOf(start);
  if (compression === "zstd")
    throw new Failure("Standard input is compressed by zstd: decompress it with `zstd -dc`.");
  async function* all() {
    yield start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { chunks: all(), compression };
}

async function* gunzipped(label: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK });
  // Errors of both ends arrive at the reader of `gunzip`.
  pipeline(Readable.from(chunks), gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${label} is damaged: its gzip stream cannot be read (${(error as Error).message}).`);
  }
}

/** Node 20 has no zstd; DuckDB has, and gives the lines of the file. */
async function* unzstd({ path, label }: DataFile): AsyncGenerator<Uint8Array> {
  const { zstdLines } = await import("./duckdb.js");
  yield* zstdLines(path!, label);
}
