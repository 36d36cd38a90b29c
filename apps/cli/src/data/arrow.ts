import zlib from "node:zlib";
import {
  Table as ArrowTable,
  CompressionType,
  compressionRegistry,
  type DataType,
  RecordBatchReader,
} from "apache-arrow";
import { ArgmaxError, type Table, tableFromArrow } from "argmax";
import { Failure } from "../command.js";
import { readBytes } from "./bytes.js";
import type { DataFile } from "./locate.js";
import { decodeLz4Frame } from "./lz4.js";
import { requireNames } from "./names.js";
import type { SourceOptions } from "./source.js";

/** zstd is in Node from 22.15 on. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array };

function decodeZstd(bytes: Uint8Array): Uint8Array {
  if (zstdDecompressSync !== undefined) return zstdDecompressSync(bytes);
  throw new Error(
    "its buffers are compressed by zstd, which needs Node 22.15 or later; LZ4 and Parquet do not",
  );
}

// Feather files of pandas are compressed by LZ4.
compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: decodeLz4Frame });
compressionRegistry.set(CompressionType.ZSTD, { decode: decodeZstd });

/** The record batches of an Arrow file or stream (Feather of version 2 is the same). */
export async function* arrowTables(file: DataFile, options: SourceOptions): AsyncGenerator<Table> {
  const { label } = file;
  try {
    const reader = await RecordBatchReader.from<Record<string, DataType>>(readBytes(file, options.stdin));
    await reader.open();
    const names = reader.schema.fields.map(({ name }) => name);
    requireNames(label, [...(options.columns ?? []), ...(options.asText ?? [])], names);
    for await (const batch of reader) {
      options.signal?.throwIfAborted();
      const table = new ArrowTable(batch);
      const { columns } = options;
      const chosen =
        columns === undefined ? table : table.select(names.filter((name) => columns.includes(name)));
      yield tableFromArrow(chosen as never);
    }
  } catch (error) {
    if (error instanceof Failure || options.signal?.aborted) throw error;
    if (error instanceof ArgmaxError)
      throw new Failure(`${label}: ${error.subject} must be ${error.expected}, got ${error.received}.`);
    throw new Failure(`${label} cannot be read as Arrow: ${(error as Error).message.split("\n")[0]}.`);
  }
}
