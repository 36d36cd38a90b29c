import { CompressionType, compressionRegistry, RecordBatchFileWriter, tableFromArrays } from "apache-arrow";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.js";
import { loadTable } from "../load.js";
import { decodeLz4Frame } from "./lz4.js";

const { file } = temporaryFolder();

/** Written by the program lz4 1.9. */
const frame = Buffer.from(
  "BCJNGGRApzoAAADRdG8gYmUgb3Igbm90IA0A8ggsIHRoYXQgaXMgdGhlIHF1ZXN0aW9uOx0ADyoAEh9hAQALUGFhYWFhAAAAABnlscg=",
  "base64",
);
const line = "to be or not to be, that is the question; ";

/** A frame of one stored block. */
function stored(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 0, 0, 0, 0]);
  head.writeUInt32LE((bytes.length | 0x80000000) >>> 0, 7);
  return Buffer.concat([head, bytes, Buffer.alloc(4)]);
}

describe("decodeLz4Frame", () => {
  test("decodes matches, also those that overlap themselves", () => {
    expect(Buffer.from(decodeLz4Frame(frame)).toString()).toBe(`${line}${line}${"a".repeat(36)}`);
  });

  test("decodes stored blocks", () => {
    const bytes = Uint8Array.from({ length: 999 }, (_, k) => (k * 31) % 256);
    expect(decodeLz4Frame(stored(bytes))).toEqual(bytes);
  });

  test("refuses what is damaged", () => {
    expect(() => decodeLz4Frame(frame.subarray(1))).toThrow("not an LZ4 frame");
    expect(() => decodeLz4Frame(frame.subarray(0, 30))).toThrow("ends too early");
    const wrong = Uint8Array.from(frame);
    wrong.set([0x10, 0x61, 0xff, 0xff], 11);
    expect(() => decodeLz4Frame(wrong)).toThrow("damaged");
  });
});

test("Feather files with compressed buffers are read", async () => {
  await import("./arrow.js");
  compressionRegistry.set(CompressionType.LZ4_FRAME, { encode: stored, decode: decodeLz4Frame });
  const columns = {
    a: Float64Array.from({ length: 500 }, (_, i) => i / 3),
    b: Int32Array.from({ length: 500 }, (_, i) => i),
  };
  const writer = new RecordBatchFileWriter({ compressionType: CompressionType.LZ4_FRAME });
  writer.write(tableFromArrays(columns));
  writer.finish();
  const { table } = await loadTable(file("packed.feather", writer.toUint8Array(true)));
  expect(table.column("a").toArray()).toEqual(Array.from(columns.a));
  expect(table.column("b").at(499)).toBe(499);
});
