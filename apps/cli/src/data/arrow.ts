import { Table as ArrowTable, type DataType, RecordBatchReader } from "apache-arrow";
import { ArgmaxError, type Table, tableFromArrow } from "argmax";
import { Failure } from "../command.js";
import { readBytes } from "./bytes.js";
import type { DataFile } from "./locate.js";
import { requireNames } from "./names.js";
import type { SourceOptions } from "./source.js";

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
      const chosen = options.columns === undefined ? table : table.select([...options.columns]);
      yield tableFromArrow(chosen as never);
    }
  } catch (error) {
    if (error instanceof Failure || options.signal?.aborted) throw error;
    if (error instanceof ArgmaxError)
      throw new Failure(`${label}: ${error.subject} must be ${error.expected}, got ${error.received}.`);
    throw new Failure(`${label} cannot be read as Arrow: ${(error as Error).message.split("\n")[0]}.`);
  }
}
