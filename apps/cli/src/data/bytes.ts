import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Failure } from "../command.js";
import { requireText } from "./formats/encoding.js";
import { type Compression, compressionOf, type DataFile, whyUnreadable } from "./locate.js";
import type { SourceOptions } from "./source.js";
import { requireUnpacked } from "./unpacked.js";

/** Bytes that are read from a file at once: large, since every chunk costs a turn of the event loop. */
const CHUNK = 1 << 20;

/** Bytes of a pipe that are read as a whole. */
const LONGEST_PIPE = 2 ** 30;

/**
 * All bytes of a file of text, decompressed. A small file that unpacks to a large one is refused, and so is a pipe that does not end
 * or is not text.
 */
export async function readWhole(file: DataFile, options: SourceOptions): Promise<Uint8Array> {
  const { maxUnpacked = LONGEST_PIPE } = options;
  const isFile = file.path !== undefined && (await stat(file.path)).isFile();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readBounded(file, options)) {
    if (chunks.length === 0) requireText(file.label, chunk, options.encoding);
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxUnpacked && !isFile)
      throw new Failure(
        `${file.label} has more than ${Math.round(maxUnpacked / 2 ** 20)} MB. Read a part of it with --rows N, save it as a ` +
          "file first, or allow more: --max-unpacked MB.",
      );
  }
  return Buffer.concat(chunks, length);
}

/** The bytes of a file or of standard input, decompressed: an error as soon as they are far more than the compressed ones. */
export async function* readBounded(file: DataFile, options: SourceOptions): AsyncGenerator<Uint8Array> {
  const packed = { bytes: 0 };
  let length = 0;
  for await (const chunk of readBytes(file, options.stdin, packed)) {
    length += chunk.length;
    if (packed.bytes > 0) requireUnpacked(file.label, "unpacks to", length, packed.bytes, options);
    yield chunk;
  }
}

/** The bytes of a file or of standard input, decompressed. `packed` counts those of a compressed one before. */
export async function* readBytes(
  file: DataFile,
  stdin: AsyncIterable<Uint8Array> = process.stdin,
  packed = { bytes: 0 },
): AsyncGenerator<Uint8Array> {
  const raw =
    file.path === undefined
      ? peeked(stdin)
      : { chunks: fileChunks(file.path), compression: file.compression };
  const { chunks, compression } = await raw;
  if (compression === undefined) yield* chunks;
  else if (compression === "gzip") yield* gunzipped(file.label, counted(chunks, packed));
  else {
    packed.bytes = (await stat(file.path!)).size;
    yield* unzstd(file);
  }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  out: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    out.bytes += chunk.length;
    yield chunk;
  }
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
  const { zstdLines } = await import("./formats/duckdb.js");
  yield* zstdLines(path!, label);
}
