import {
  Table as ArrowTable,
  Bool,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  Float32,
  Int32,
  Int64,
  List,
  TimestampMillisecond,
  tableFromArrays,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { tableFromArrow } from "./arrow.js";

const day = new Date(Date.UTC(2024, 1, 29));
const moment = new Date(Date.UTC(2024, 1, 29, 12, 30, 15, 250));

describe("tableFromArrow", () => {
  it("reads every type of column, through the file format too", () => {
    const arrow = new ArrowTable({
      int: vectorFromArray([1, null, 3], new Int32()),
      long: vectorFromArray([1n, 2n, null], new Int64()),
      identifier: vectorFromArray([9007199254740993n, null, 1n], new Int64()),
      single: vectorFromArray([0.5, null, 1], new Float32()),
      yes: vectorFromArray([true, null, false], new Bool()),
      city: vectorFromArray(["Oslo", null, "Rome"], new Utf8()),
      coded: vectorFromArray(["b", "a", null], new Dictionary(new Utf8(), new Int32())),
      day: vectorFromArray([day, null, day], new DateDay()),
      moment: vectorFromArray([moment, null, moment], new TimestampMillisecond()),
    });
    for (const given of [arrow, tableFromIPC(tableToIPC(arrow))]) {
      expect(tableFromArrow(given).toRows()).toEqual([
        {
          int: 1,
          long: 1,
          identifier: "9007199254740993",
          single: 0.5,
          yes: true,
          city: "Oslo",
          coded: "b",
          day,
          moment,
        },
        {
          int: null,
          long: 2,
          identifier: null,
          single: null,
          yes: null,
          city: null,
          coded: "a",
          day: null,
          moment: null,
        },
        {
          int: 3,
          long: null,
          identifier: "1",
          single: 1,
          yes: false,
          city: "Rome",
          coded: null,
          day,
          moment,
        },
      ]);
    }
  });

  it("reads decimals, negative ones too", () => {
    const words = new Uint32Array([12345, 0, 0, 0, -12345 >>> 0, 0xffffffff, 0xffffffff, 0xffffffff]);
    const vector = {
      length: 2,
      nullCount: 0,
      get: (i: number) => words.subarray(4 * i, 4 * i + 4),
      toArray: () => words,
    };
    const type = new Decimal(2, 10);
    const table = { numRows: 2, schema: { fields: [{ name: "price", type }] }, getChild: () => vector };
    expect(tableFromArrow(table).toRows()).toEqual([{ price: 123.45 }, { price: -123.45 }]);
  });

  it("reads chunks as one column, and keeps the order of names", () => {
    const parts = [
      tableFromArrays({ "2": [1, 2], "1": ["x", "y"] }),
      tableFromArrays({ "2": [3], "1": ["z"] }),
    ];
    const table = tableFromArrow(parts[0]!.concat(parts[1]!));
    expect(table.columnNames).toEqual(parts[0]!.schema.fields.map(({ name }) => name));
    expect(table.rows).toBe(3);
  });

  it("refuses what is not a table, and columns that hold lists", () => {
    expect(() => tableFromArrow([] as never)).toThrow(/an Arrow table/);
    const lists = new ArrowTable({
      list: vectorFromArray([[1], [2]], new List(new Field("item", new Int32()))),
    });
    expect(() => tableFromArrow(lists)).toThrow(/column "list" must be numbers.*Leave it out/);
  });
});
