import { statSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { Table as ArrowTable, makeVector, tableToIPC } from "apache-arrow";
import { Random } from "argmax";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/folder.js";
import { Failure } from "../command.js";
import { loadTable } from "./load.js";
import { readSourceOptions } from "./options.js";
import { mostUnpacked } from "./unpacked.js";

const { path: folder, file } = temporaryFolder();

/** Members of gzip that follow each other are one file: 8 kB for every 8 MB. */
const member = gzipSync("1,2\n".repeat(2 << 20));
const bomb = Buffer.concat([gzipSync("a,b\n"), ...Array.from({ length: 36 }, () => member)]);

describe("a small file that becomes a large one", () => {
  test("compressed: is refused when it has unpacked to 256 MB", async () => {
    const path = file("bomb.csv.gz", bomb);
    expect(statSync(path).size).toBeLessThan(2 ** 20);
    const before = process.memoryUsage().rss;
    await expect(loadTable(path)).rejects.toThrow(/bomb\.csv\.gz unpacks to more than 256 MB.*--rows N/s);
    // The bytes that were read, and as many again of chunks that are not yet collected.
    expect(process.memoryUsage().rss - before).toBeLessThan(800 * 2 ** 20);
  });

  test("compressed: its first rows are read without the rest", async () => {
    const { table } = await loadTable(file("first.csv.gz", bomb), { limit: 5 });
    expect(table.rows).toBe(5);
  });

  test("compressed: more is allowed by --max-unpacked, and less forbidden", async () => {
    const path = file("small.csv.gz", gzipSync(`a\n${"1\n".repeat(1 << 20)}`));
    expect((await loadTable(path)).table.rows).toBe(1 << 20);
    await expect(loadTable(path, { maxUnpacked: 2 ** 20 })).rejects.toThrow(/more than 1 MB/);
    expect(readSourceOptions({ "max-unpacked": "512" }).maxUnpacked).toBe(512 * 2 ** 20);
  });

  test("Parquet: is refused by the number of rows in its directory", async () => {
    const path = `${folder}/many.parquet`;
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run(`COPY (SELECT 1 AS a FROM range(40000000)) TO '${path}' (FORMAT parquet)`);
    connection.closeSync();
    expect(statSync(path).size).toBeLessThan(2 ** 20);
    await expect(loadTable(path)).rejects.toThrow(/many\.parquet takes more than 256 MB/);
    expect((await loadTable(path, { limit: 7 })).table.rows).toBe(7);
  });

  test("a table of the usual kind is far from the limit", () => {
    expect(mostUnpacked(1000, {})).toBe(2 ** 28);
    expect(mostUnpacked(10 ** 9, {})).toBe(10 ** 11);
    expect(mostUnpacked(10 ** 9, { maxUnpacked: 5 })).toBe(5);
  });
});

describe("what never ends", () => {
  test("a device is not read", async () => {
    for (const format of [undefined, "arrow", "parquet", "json", "libsvm"] as const)
      await expect(loadTable("/dev/zero", { format })).rejects.toThrow(/\/dev\/zero is a device/);
  });

  test("a pipe of zeros is not text, after its first chunk", async () => {
    let read = 0;
    async function* zeros() {
      for (;;) {
        read++;
        yield new Uint8Array(1 << 16);
      }
    }
    for (const format of ["csv", "libsvm"] as const)
      await expect(loadTable("-", { format, stdin: zeros() })).rejects.toThrow(/not text but binary/);
    expect(read).toBeLessThan(10);
  });

  test("a pipe of rows ends at its limit", async () => {
    const rows = Buffer.from("1,2\n".repeat(1 << 14));
    async function* forever() {
      for (;;) yield rows;
    }
    const options = { stdin: forever(), maxUnpacked: 2 ** 22 };
    await expect(loadTable("-", options)).rejects.toThrow(/standard input has more than 4 MB/);
  });
});

describe("Arrow files with bytes changed", () => {
  test("are a sentence or a table, whatever the bytes are", async () => {
    const stream = tableToIPC(
      new ArrowTable({ a: makeVector(Float64Array.of(1, 2, 3)), b: makeVector(Int32Array.of(1, 2, 3)) }),
      "stream",
    );
    const random = new Random(5);
    for (let k = 0; k < 60; k++) {
      const harmed = Uint8Array.from(stream);
      for (let e = 0; e < 3; e++) harmed[random.below(harmed.length)] = random.below(256);
      const found = await loadTable(file("harmed.arrow", harmed), { format: "arrow" }).catch(
        (error: unknown) => error,
      );
      if (found instanceof Error) expect(found).toBeInstanceOf(Failure);
    }
  });
});
