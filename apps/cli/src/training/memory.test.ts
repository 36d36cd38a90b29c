import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { requireMemory } from "./memory.js";

const folder = mkdtempSync(join(tmpdir(), "argmax-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a file that does not fit is refused with a sample that does", () => {
  const path = join(folder, "rows.csv");
  writeFileSync(path, `a,b\n${"12,345678\n".repeat(10_000)}`);
  expect(() => requireMemory(path)).not.toThrow();
  expect(() => requireMemory(path, 100_000)).toThrow(
    /has 0\.100 MB, which takes about 0\.400 MB .* there are 0\.100 MB\. Take a sample \(--rows 2[45]00\), or .*gaussian-nb/,
  );
});

test("what is not a plain file is left to the reader", () => {
  expect(() => requireMemory("iris", 1)).not.toThrow();
  expect(() => requireMemory("-", 1)).not.toThrow();
  expect(() => requireMemory(folder, 1)).not.toThrow();
});

test("a compressed file unfolds", () => {
  const path = join(folder, "rows.parquet");
  writeFileSync(path, new Uint8Array(1000));
  expect(() => requireMemory(path, 20_000)).not.toThrow();
  expect(() => requireMemory(path, 19_999)).toThrow("--rows N");
});
