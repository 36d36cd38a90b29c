import {
  Table as ArrowTable,
  makeVector,
  Null,
  tableFromIPC,
  tableToIPC,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { mutated, outcome, validArrow } from "../../../test/support/arrow-mutations.js";
import { Random } from "../../core/numbers/random.js";
import { checkArrow, checkArrowOffsets, checkedArrowChunks } from "./check-arrow.js";

const stream = tableToIPC(
  new ArrowTable({
    a: makeVector(Float64Array.of(1, 2, 3)),
    b: makeVector(Float64Array.of(4, 5, 6)),
  }),
  "stream",
);

/** The stream with every word of 32 bits that equals `from` replaced, one at a time. */
function replaced(bytes: Uint8Array, from: number, to: number): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places = Array.from({ length: bytes.length >> 2 }, (_, k) => 4 * k);
  return places
    .filter((at) => view.getUint32(at, true) === from)
    .map((at) => {
      const out = Uint8Array.from(bytes);
      new DataView(out.buffer).setUint32(at, to, true);
      return out;
    });
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const joined = async (chunks: AsyncIterable<Uint8Array>): Promise<number[]> => {
  const out: number[] = [];
  for await (const chunk of chunks) for (const byte of chunk) out.push(byte);
  return out;
};

describe("checkArrow", () => {
  it("accepts streams and files of every kind of column", () => {
    for (const bytes of validArrow()) expect(() => checkArrow(bytes)).not.toThrow();
  });

  it("refuses a length of 24 that was changed to 151, wherever it is", () => {
    const harmed = replaced(stream, 24, 151);
    expect(harmed.length).toBeGreaterThan(0);
    for (const bytes of harmed) expect(outcome(bytes)).not.toBe("undecodable");
    expect(harmed.some((bytes) => outcome(bytes) === "refused")).toBe(true);
  });

  it("refuses rows without bytes, which would be any number of rows", () => {
    const table = new ArrowTable({ none: vectorFromArray(new Array(100_000).fill(null), new Null()) });
    expect(() => checkArrow(tableToIPC(table))).toThrow(/at most 16 entries per byte/);
  });

  it("refuses texts whose offsets descend, each of which could be all of the data", () => {
    expect(() => checkArrowOffsets(Int32Array.of(0, 9, 0, 9), 9)).toThrow(/offsets that ascend/);
    expect(() => checkArrowOffsets(BigInt64Array.of(0n, 4n, 10n), 9)).toThrow(/offsets that ascend/);
    expect(() => checkArrowOffsets(Int32Array.of(0, 9, 9), 9)).not.toThrow();
  });

  it("refuses bytes that are not Arrow", () => {
    for (const text of ["", "no arrow", "ARROW1", "ARROW1\0\0ARROW1\0\0\0\0ARROW1"])
      expect(() => checkArrow(new TextEncoder().encode(text)), text).toThrow(/Arrow/);
  });

  it("checks chunks as it checks the whole, and yields them again", async () => {
    for (const bytes of validArrow())
      for (const size of [1, 7, 64, 10_000]) {
        const out = await joined(checkedArrowChunks(inChunks(bytes, size)));
        expect(tableFromIPC(Uint8Array.from(out)).numRows).toBe(tableFromIPC(bytes).numRows);
      }
    const cut = checkedArrowChunks(inChunks(stream.subarray(0, 300), 50));
    await expect(joined(cut)).rejects.toThrow(/whole messages/);
  });

  it("leaves no mutation that the decoder hangs on (10,000 of them)", () => {
    const random = new Random(1);
    const valid = validArrow();
    const counts = { refused: 0, undecodable: 0, table: 0 };
    let slowest = 0;
    for (let k = 0; k < 10_000; k++) {
      const start = performance.now();
      counts[outcome(mutated(valid[k % valid.length]!, random))]++;
      slowest = Math.max(slowest, performance.now() - start);
    }
    // A mutation that the decoder trusted took 10 s and more; a pause of the machine takes less than one.
    expect(slowest).toBeLessThan(1000);
    expect(counts.refused).toBeGreaterThan(1000);
    expect(counts.table).toBeGreaterThan(1000);
  });
});
