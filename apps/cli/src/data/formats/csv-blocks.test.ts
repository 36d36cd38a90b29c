import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.js";
import { plainBlocks, rowBlocks } from "./csv-blocks.js";

const { path: folder } = temporaryFolder();
const marks = () => ({ delimiter: 44, quote: 34 });

/** Cells with everything that may mislead: quotes within, delimiters and line breaks in quotes. */
const cell = fc.oneof(
  fc.constantFrom("", "1", "x y", 'a"b', " "),
  fc
    .string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "é"), maxLength: 6 })
    .map((text) => `"${text.replaceAll('"', '""')}"`),
);
const row = fc.tuple(cell, cell).map((cells) => cells.join(","));
const file = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 12 }),
  end: fc.constantFrom("\n", "\r\n"),
  size: fc.integer({ min: 1, max: 40 }),
  chunk: fc.integer({ min: 1, max: 9 }),
});

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function texts(blocks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const all: string[] = [];
  for await (const block of blocks) all.push(Buffer.from(block).toString());
  return all;
}

describe("blocks of a CSV file are whole rows, and together the file", () => {
  test.each(["from chunks", "from a file on disk"])("%s", async (how) => {
    const path = join(folder, "blocks.csv");
    await fc.assert(
      fc.asyncProperty(file, async ({ rows, end, size, chunk }) => {
        const text = rows.map((one) => one + end).join("");
        const bytes = Buffer.from(text);
        if (how === "from a file on disk") writeFileSync(path, bytes);
        const blocks = await texts(
          how === "from chunks"
            ? rowBlocks("x", chunksOf(bytes, chunk), marks, size)
            : plainBlocks(path, "x", marks, size),
        );
        expect(blocks.join("")).toBe(text);
        // The ends of blocks are ends of rows.
        const ends = new Set<number>();
        let at = 0;
        for (const one of rows) {
          at += one.length + end.length;
          ends.add(at);
        }
        let position = 0;
        for (const block of blocks) {
          position += block.length;
          expect(ends.has(position)).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
