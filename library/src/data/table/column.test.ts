import { describe, expect, it } from "vitest";
import { DataError, ShapeError } from "../../core/errors.js";
import { BooleanColumn, CategoricalColumn, DateColumn, NumericColumn, TextColumn } from "./column.js";

describe("Column", () => {
  const columns = [
    new NumericColumn(Float64Array.of(1, Number.NaN)),
    new CategoricalColumn(Int32Array.of(1, -1), ["a", "b"]),
    new BooleanColumn(Uint8Array.of(1, 2)),
    new DateColumn(Float64Array.of(0, Number.NaN)),
    new TextColumn(["x", null]),
  ];

  it.each(columns.map((column) => [column.kind, column] as const))(
    "selects rows of a %s one",
    (_, column) => {
      const [first] = column.toArray();
      const chosen = column.selectRows(Int32Array.of(1, 0, 0));
      expect(chosen.kind).toBe(column.kind);
      expect(chosen.toArray()).toEqual([null, first, first]);
      expect(chosen.missing).toBe(1);
      expect(column.selectRows([]).length).toBe(0);
    },
  );

  it("counts missing and infinite numbers wherever they are", () => {
    for (let length = 1; length < 10; length++) {
      for (let at = 0; at < length; at++) {
        const values = Float64Array.from({ length }, (_, i) => i);
        expect(new NumericColumn(values)).toMatchObject({ missing: 0, infinite: 0 });
        values[at] = Number.NEGATIVE_INFINITY;
        expect(new NumericColumn(values)).toMatchObject({ missing: 0, infinite: 1 });
        values[(at + 1) % length] = Number.NaN;
        expect(new NumericColumn(values)).toMatchObject({ missing: 1, infinite: length > 1 ? 1 : 0 });
      }
    }
  });

  it.each(columns.map((column) => [column.kind, column] as const))(
    "refuses rows that a %s one does not have",
    (_, column) => {
      for (const row of [2, -1, 0.5, Number.NaN, "0" as never]) {
        expect(() => column.selectRows([0, row]), String(row)).toThrow(ShapeError);
        expect(() => column.selectRows([0, row])).toThrow(
          /Column\.selectRows: indices\[1\] must be a row from 0 to 1/,
        );
      }
    },
  );

  it("refuses codes without a category", () => {
    for (const code of [2, -2]) {
      const make = () => new CategoricalColumn(Int32Array.of(0, -1, code), ["a", "b"]);
      expect(make).toThrow(DataError);
      expect(make).toThrow(`codes[2] must be below 2, the number of categories, or -1`);
      expect(make).toThrow(`got ${code}`);
    }
    expect(new CategoricalColumn(Int32Array.of(-1), []).toArray()).toEqual([null]);
    expect(() => new CategoricalColumn(Int32Array.of(0), undefined as never)).toThrow(DataError);
  });

  it("refuses flags that are not booleans", () => {
    const make = () => new BooleanColumn(Uint8Array.of(0, 1, 2, 5));
    expect(make).toThrow(DataError);
    expect(make).toThrow("values[3] must be 0, 1 or 2 (missing), got 5");
    expect(new BooleanColumn(Uint8Array.of(0, 1, 2, 2)).missing).toBe(2);
  });
});
