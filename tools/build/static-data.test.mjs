import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kernelBytes } from "../../library/src/numeric/runtime/kernel-text.ts";
import { checkStaticData, staticBase, staticPages, staticRanges } from "./static-data.mjs";

const generated = new URL("../../library/src/numeric/generated/", import.meta.url);

/** A module with a memory of one page and one data segment of the given length. */
const moduleWith = (offset, length) =>
  Uint8Array.from([
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...[5, 3, 1, 0, 1],
    ...[
      11,
      8 + length,
      1,
      0,
      0x41,
      (offset & 127) | 128,
      ((offset >> 7) & 127) | 128,
      offset >> 14,
      0x0b,
      length,
    ],
    ...new Array(length).fill(7),
  ]);

test("a data segment is found where the engine puts it", () => {
  const wasm = moduleWith(3072, 20);
  expect(WebAssembly.validate(wasm)).toBe(true);
  expect(staticRanges(wasm)).toEqual([[3072, 3092]]);
});

test("data outside a family's place is refused", () => {
  expect(() => checkStaticData("a", 1, moduleWith(3072, 100))).not.toThrow();
  expect(() => checkStaticData("a", 0, moduleWith(3072, 100))).toThrow(
    /kernel a: static data must be in 2048 bytes/,
  );
  expect(() => checkStaticData("a", 1, moduleWith(5100, 100))).toThrow(/got 5100 … 5200/);
});

test("there is room for any number of families", () => {
  expect(staticPages(19)).toBe(1);
  expect(staticPages(256)).toBe(9);
  for (const count of [1, 24, 31, 32, 256])
    expect(staticBase(count)).toBeLessThanOrEqual(65536 * staticPages(count));
});

test("the static data of the kernels does not overlap, and lies below the memory that is handed out", async () => {
  const files = readdirSync(generated).filter((file) => file.endsWith(".wasm.ts"));
  const ranges = files.flatMap((file) => {
    const text = readFileSync(new URL(file, generated), "utf8").match(/^const text: string = "(.*)";$/m)?.[1];
    return text ? staticRanges(kernelBytes(text)) : [];
  });
  ranges.sort(([a], [b]) => a - b);
  expect(ranges.length).toBeGreaterThan(1);
  for (let r = 1; r < ranges.length; r++) expect(ranges[r][0]).toBeGreaterThanOrEqual(ranges[r - 1][1]);
  const pages = readFileSync(new URL("memory.layout.ts", generated), "utf8").match(
    /STATIC_PAGES = (\d+);/,
  )[1];
  expect(ranges.at(-1)[1]).toBeLessThanOrEqual(65536 * Number(pages));
});
