import {
  Bool,
  type DataType,
  Field,
  Float64,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import type { Column, Table } from "argmax";
import { columnsOf } from "../columns.js";
import type { ByteSink } from "./sinks.js";
import type { TableWriter } from "./write.js";

const typeOf = ({ kind }: Column): DataType => {
  if (kind === "numeric") return new Float64();
  if (kind === "boolean") return new Bool();
  // A dictionary would have to be the same in every batch.
  return kind === "date" ? new TimestampMillisecond() : new Utf8();
};

/** An Arrow file, one record batch per table. */
export function arrowWriter(sink: ByteSink): TableWriter {
  const writer = new RecordBatchFileWriter();
  let schema: Schema | undefined;
  const copied = (async () => {
    for await (const chunk of writer) await sink.write(chunk);
  })();
  copied.catch(() => {});
  return {
    async write(batch) {
      schema ??= new Schema(columnsOf(batch).map(([name, column]) => new Field(name, typeOf(column), true)));
      writer.write(recordBatch(schema, batch));
      // Lets the copy catch up, so that no more than a batch waits in memory.
      await new Promise((resolve) => setImmediate(resolve));
    },
    async close() {
      writer.finish();
      await copied;
      await sink.close();
    },
    discard: () => sink.discard(),
  };
}

function recordBatch(schema: Schema, batch: Table): RecordBatch {
  const children = columnsOf(batch).map(
    ([, column]) => vectorFromArray(entriesOf(column), typeOf(column)).data[0]!,
  );
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: batch.rows, nullCount: 0, children }),
  );
}

/** Dates are milliseconds in Arrow too. */
const entriesOf = (column: Column): readonly unknown[] => column.toArray();
