import zlib from "node:zlib";
import type { Data, DataType } from "apache-arrow";
import { Table as ArrowTable, CompressionType, compressionRegistry, RecordBatchReader } from "apache-arrow";
import { ArgmaxError, checkArrowOffsets, checkedArrowChunks, type Table, tableFromArrow } from "argmax";
import { Failure } from "../../command.js";
import { readBounded } from "../bytes.js";
import type { DataFile } from "../locate.js";
import { requireNames } from "../names.js";
import type { SourceOptions } from "../source.js";
import { mostUnpacked } from "../unpacked.js";
import { decodeLz4Frame } from "./lz4.js";

/** zstd is in Node from 22.15 on. */
const { zstdDecompressSync } = zlib as {
  zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;
};

function decodeZstd(bytes: Uint8Array, length: number): Uint8Array {
  if (zstdDecompressSync !== undefined) return zstdDecompressSync(bytes, { maxOutputLength: length });
  throw new Error(
    "its buffers are compressed by zstd, which needs Node 22.15 or later; LZ4 and Parquet do not",
  );
}

/**
 * A codec that unpacks to the length that stands before a buffer, and to no more: `checkedArrowChunks` has added up these lengths. The
 * decoder gives the bytes behind it.
 */
const bounded = (decode: (bytes: Uint8Array, length: number) => Uint8Array) => ({
  decode(bytes: Uint8Array): Uint8Array {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset - 8).getBigInt64(0, true));
    // The smallest limit that zlib takes is 1.
    const unpacked = decode(bytes, Math.max(1, length));
    if (unpacked.length !== length)
      throw new Error(`a buffer of ${length} bytes unpacks to ${unpacked.length}`);
    return unpacked;
  },
});

// Feather files of pandas are compressed by LZ4.
compressionRegistry.set(CompressionType.LZ4_FRAME, bounded(decodeLz4Frame));
compressionRegistry.set(CompressionType.ZSTD, bounded(decodeZstd));

/** What a batch has after it was unpacked, which could not be checked before. */
function checkOffsets({ length, valueOffsets, values, children, typeIds, dictionary }: Data): void {
  // Offsets of a union are in any order, and each is of one entry.
  if (valueOffsets?.length > 0 && typeIds === undefined)
    checkArrowOffsets(valueOffsets.subarray(0, length + 1), values?.length ?? children[0]?.length ?? 0);
  for (const child of children) checkOffsets(child);
  for (const entries of dictionary?.data ?? []) checkOffsets(entries);
}

/** The record batches of an Arrow file or stream (Feather of version 2 is the same). */
export async function* arrowTables(file: DataFile, options: SourceOptions): AsyncGenerator<Table> {
  const { label } = file;
  try {
    const bytes = checkedArrowChunks(readBounded(file, options), {
      unpacked: (packed) => mostUnpacked(packed, options),
    });
    const reader = await RecordBatchReader.from<Record<string, DataType>>(bytes);
    await reader.open();
    const names = reader.schema.fields.map(({ name }) => name);
    requireNames(label, [...(options.columns ?? []), ...(options.asText ?? [])], names);
    for await (const batch of reader) {
      options.signal?.throwIfAborted();
      checkOffsets(batch.data);
      const table = new ArrowTable(batch);
      const { columns } = options;
      const chosen =
        columns === undefined ? table : table.select(names.filter((name) => columns.includes(name)));
      yield tableFromArrow(chosen);
    }
  } catch (error) {
    if (error instanceof Failure || options.signal?.aborted) throw error;
    if (error instanceof ArgmaxError) {
      const { code, subject, expected, received } = error;
      const why = code === "format" ? `${label} cannot be read as Arrow` : label;
      const advice = expected.includes("unpack") ? " Allow more with --max-unpacked MB." : "";
      throw new Failure(`${why}: ${subject} must be ${expected}, got ${received}.${advice}`);
    }
    throw new Failure(`${label} cannot be read as Arrow: ${(error as Error).message.split("\n")[0]}.`);
  }
}
