import { describe, expect, it } from "vitest";
import { DataError, FormatError } from "../../core/errors.js";
import { invalid } from "../../core/params/params.js";
import { type Json, StateReader } from "../../core/state/state.js";
import type { Matrix } from "../matrix.js";
import { CategoricalColumn } from "./column.js";
import { Table } from "./table.js";
import {
  categoricalColumns,
  categoricalFeatures,
  openTable,
  readTableColumns,
  TableColumns,
} from "./table-columns.js";

const gap = Number.NaN;
const people = Table.fromColumns({
  age: [31, null, 45, 20],
  city: ["Rome", "Oslo", null, "Rome"],
  member: [true, false, null, true],
});
const columns = TableColumns.of("test", people);
const read = (saved: Json, cols: number) =>
  readTableColumns(
    new StateReader({ kind: "Test", params: {}, values: { columns: saved }, tensors: {} }),
    cols,
  );

describe("TableColumns", () => {
  it("codes text by its place by code unit, booleans as 0 and 1, and gaps as NaN", () => {
    expect(columns.names).toEqual(["age", "city", "member"]);
    expect(columns.text).toEqual([1]);
    expect(columns.matrix("test", people).toArray()).toEqual([
      [31, 1, 1],
      [gap, 0, 0],
      [45, gap, gap],
      [20, 1, 1],
    ]);
    expect(columns.named(1, [1, 0])).toEqual(["Rome", "Oslo"]);
    expect(columns.named(2, [0])).toEqual(["false"]);
    expect(columns.named(0, [0])).toBeUndefined();
  });

  it("reads other tables by name: what it does not know is missing, and so is a column without any value", () => {
    const other = Table.fromColumns({
      member: [null, null],
      city: ["Bergen", "Rome"],
      age: [1, 2],
    });
    expect(columns.matrix("test", other).toArray()).toEqual([
      [1, gap, gap],
      [2, 1, gap],
    ]);
    const blank = Table.fromColumns({ age: [null], city: [null], member: [null] });
    expect(columns.matrix("test", blank).toArray()).toEqual([[gap, gap, gap]]);
    expect(() =>
      columns.matrix("test", Table.fromColumns({ id: [7], age: [1], city: ["Rome"], member: [true] })),
    ).toThrow(
      'test: X must be a table of the columns of fit ("age", "city", "member"), got one that also has "id". X.drop(["id"]) leaves them out.',
    );
    expect(columns.matrix("test", Table.fromRows([]))).toMatchObject({ rows: 0, cols: 3 });
  });

  it("reads a table of numbers and a matrix alike, where nothing was text", () => {
    const numbers = TableColumns.of("test", people.drop(["city"]));
    const rows = [[1, 0]];
    expect(numbers.read("test", rows)).toBe(rows);
    expect(() => columns.read("test", [[1, 0, 0]])).toThrow(DataError);
  });

  it("gives the same codes whoever made the dictionary", () => {
    const odd = new CategoricalColumn(Int32Array.of(0, 1, 2, 3), ["Rome", "Oslo", "Rome", "Bergen"]);
    const table = Table.fromColumns({ city: odd });
    expect(TableColumns.of("test", table).columns[0]!.categories).toEqual(["Bergen", "Oslo", "Rome"]);
    expect([...TableColumns.of("test", table).matrix("test", table).data]).toEqual([2, 1, 2, 0]);
  });

  it("keeps only the categories that rows have", () => {
    const { x, columns: all } = openTable("test", people);
    const some = (x as Matrix).selectRows([0, 2, 3]);
    const seen = all!.seenIn(some);
    expect(seen.columns.columns[1]!.categories).toEqual(["Rome"]);
    expect([...seen.x.column(1)]).toEqual([0, gap, 0]);
    expect([...some.column(1)]).toEqual([1, gap, 1]);
    expect(all!.seenIn(x as Matrix)).toEqual({ columns: all, x });
  });

  it("is read back from what it says of itself, and nothing else", () => {
    const saved = columns.toJson();
    expect(read(JSON.parse(JSON.stringify(saved)), 3)!.columns).toEqual(columns.columns);
    const city = { name: "city", kind: "categorical", categories: ["a", "b"] };
    const wrong: [Json, number][] = [
      [saved, 2],
      [null, 1],
      [[null], 1],
      [["city"], 1],
      [[{ ...city, kind: "toString" }], 1],
      [[{ ...city, kind: "numeric" }], 1],
      [[{ name: "city", kind: "categorical" }], 1],
      [[{ ...city, categories: ["a", "a"] }], 1],
      [[{ ...city, categories: ["a", 1] }], 1],
      [[{ ...city, name: 1 }], 1],
      [[city, city], 2],
    ];
    for (const [list, cols] of wrong)
      expect(() => read(list, cols), JSON.stringify(list)).toThrow(FormatError);
    const none = new StateReader({ kind: "Test", params: {}, values: {}, tensors: {} });
    expect(readTableColumns(none, 3)).toBeUndefined();
  });
});

describe("categoricalFeatures", () => {
  it("is a list of numbers and names, each once", () => {
    expect(categoricalFeatures.read([2, "city"])).toEqual([2, "city"]);
    expect(categoricalFeatures.read(Int32Array.of(2, 0))).toEqual([2, 0]);
    for (const wrong of [
      ["a", "a"],
      [1, 1],
      [-1],
      [0.5],
      [null],
      "city",
      3,
      new DataView(new ArrayBuffer(8)),
    ])
      expect(categoricalFeatures.read(wrong)).toBe(invalid);
  });

  it("adds to the text of a table", () => {
    expect(categoricalColumns("test", ["member"], 3, columns)).toEqual([1, 2]);
    expect(categoricalColumns("test", [2, "city"], 3, columns)).toEqual([1, 2]);
    expect(categoricalColumns("test", [2, 0], 3, undefined)).toEqual([0, 2]);
  });
});
