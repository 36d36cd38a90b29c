import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { memoryOf, requireMemory } from "./memory.js";

const folder = mkdtempSync(join(tmpdir(), "argmax-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

const command = "argmax train rows.csv --in-database";

test("a file that does not fit is refused with a command and a sample that do", async () => {
  const path = join(folder, "rows.csv");
  writeFileSync(path, `a,b\n${"12,345678\n".repeat(10_000)}`);
  await requireMemory(path, command);
  await expect(requireMemory(path, undefined, 100_000)).rejects.toThrow(
    /has 0\.100 MB, which takes about 0\.400 MB .* there are 0\.100 MB\. Take a sample \(--rows 2[45]00\), or .*gaussian-nb/,
  );
  await expect(requireMemory(path, command, 100_000)).rejects.toThrow(
    /0\.100 MB\. DuckDB can learn from it where it lies:\n {2}argmax train rows\.csv --in-database\nOr take a sample \(--rows 2[45]00\)/,
  );
});

test("what is not a plain file is left to the reader", async () => {
  for (const source of ["iris", "-", folder, join(folder, "*.nothing"), "postgres://host/name"])
    await requireMemory(source, command, 1);
});

test("a compressed file unfolds, and the files of a pattern add up", async () => {
  for (const name of ["a.parquet", "b.parquet"]) writeFileSync(join(folder, name), new Uint8Array(1000));
  await requireMemory(join(folder, "a.parquet"), command, 20_000);
  await expect(requireMemory(join(folder, "a.parquet"), command, 19_999)).rejects.toThrow("--rows N");
  const both = join(folder, "*.parquet");
  await requireMemory(both, command, 40_000);
  await expect(requireMemory(both, command, 39_999)).rejects.toThrow("from them where they lie");
});

test("a format that DuckDB does not read gets no such command", async () => {
  writeFileSync(join(folder, "rows.arrow"), new Uint8Array(1000));
  await expect(requireMemory(join(folder, "rows.arrow"), command, 1)).rejects.toThrow(/There|Take a sample/);
  await expect(requireMemory(join(folder, "rows.arrow"), command, 1)).rejects.not.toThrow("DuckDB");
});

test("the memory is that of the machine, or what the environment says", () => {
  expect(memoryOf({ ARGMAX_MEMORY: "3" })).toBe(3 * 2 ** 20);
  expect(memoryOf({ ARGMAX_MEMORY: "" })).toBe(totalmem());
});
