import { describe, expect, it } from "vitest";
import { CsvCells, CsvText } from "../numeric/csv/csv-cells.js";
import { withArena } from "../numeric/runtime/arena.js";
import { CellReader } from "./cells.js";

const WORDS = new Map([
  ["false", 0],
  ["true", 1],
]);

/** Cells whose places are detached whenever a column is read, as growing a memory that is not shared detaches them. */
class MovingCells extends CsvCells {
  readonly #views: Int32Array<ArrayBuffer>[] = [];

  override get starts(): Int32Array {
    return this.#view(super.starts);
  }

  override get ends(): Int32Array {
    return this.#view(super.ends);
  }

  #view(values: Int32Array): Int32Array {
    const view = Int32Array.from(values);
    this.#views.push(view);
    return view;
  }

  #move(): void {
    for (const { buffer } of this.#views.splice(0)) structuredClone(buffer, { transfer: [buffer] });
  }

  override numbers(...args: Parameters<CsvCells["numbers"]>): ReturnType<CsvCells["numbers"]> {
    this.#move();
    return super.numbers(...args);
  }

  override days(...args: Parameters<CsvCells["days"]>): ReturnType<CsvCells["days"]> {
    this.#move();
    return super.days(...args);
  }

  override categories(...args: Parameters<CsvCells["categories"]>): ReturnType<CsvCells["categories"]> {
    this.#move();
    return super.categories(...args);
  }
}

function readMoving<T>(text: string, read: (reader: CellReader) => T): T {
  const bytes = new TextEncoder().encode(text);
  return withArena("test", (arena) => {
    const cells = new MovingCells(new CsvText(arena, bytes), { delimiter: 44, quote: 34, trim: true });
    return read(new CellReader(bytes, cells, 0, 34, ".", [new TextEncoder().encode("NA")]));
  });
}

describe("CellReader", () => {
  const text = "true,inf,2020-01-01T00:00,x\nNA,1,1970-01-02,NA\nFalse,NA,NA,y\n";

  it.each([
    ["booleans", 0, (reader: CellReader) => reader.booleans(0, WORDS), [true, null, false]],
    ["numbers", 1, (reader: CellReader) => reader.numbers(1, true), [Infinity, 1, null]],
    ["dates", 2, (reader: CellReader) => reader.dates(2), [Date.UTC(2020, 0, 1), 86_400_000, null]],
    ["categories", 3, (reader: CellReader) => reader.categories(3, 10), ["x", null, "y"]],
    ["texts", 3, (reader: CellReader) => reader.texts(3), ["x", null, "y"]],
  ])("reads %s where growing memory detaches the places of cells", (_, col, read, expected) => {
    const column = readMoving(text, (reader) => {
      reader.text(0, col);
      return read(reader);
    });
    expect((column as { toArray(): unknown[] }).toArray()).toEqual(expected);
  });

  it("names the row that has no boolean, also past the limit of spellings", () => {
    const many = Array.from({ length: 300 }, (_, i) => `true\nx${i}`).join("\n");
    expect(readMoving("true\nNA\nmaybe\n", (reader) => reader.booleans(0, WORDS))).toEqual({ row: 2 });
    expect(readMoving(many, (reader) => reader.booleans(0, WORDS))).toEqual({ row: 1 });
  });
});
