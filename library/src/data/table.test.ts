import { describe, expect, expectTypeOf, it } from "vitest";
import { DataError, ShapeError } from "../core/errors.js";
import { BooleanColumn, CategoricalColumn, NumericColumn } from "./column.js";
import { Table } from "./table.js";

const people = Table.fromColumns({
  age: [31, null, 45],
  city: ["Oslo", "Rome", undefined],
  member: [true, null, false],
});

describe("Table", () => {
  it("gives every column the type of its values", () => {
    expect(people.column("age")).toBeInstanceOf(NumericColumn);
    expect(people.column("city")).toBeInstanceOf(CategoricalColumn);
    expect(people.column("member")).toBeInstanceOf(BooleanColumn);
    expectTypeOf(people.column("age")).toEqualTypeOf<NumericColumn>();
    expectTypeOf(people.column("member")).toEqualTypeOf<BooleanColumn>();
  });

  it("shows missing entries as null and counts them", () => {
    expect(people.column("age").toArray()).toEqual([31, null, 45]);
    expect(people.column("city").at(2)).toBeNull();
    expect(people.column("member").at(1)).toBeNull();
    expect(people.column("age").missing).toBe(1);
    expect(people.missing).toBe(3);
  });

  it("codes text by sorted categories", () => {
    const { codes, categories } = Table.fromColumns({ x: ["b", "a", "b"] }).column("x");
    expect(categories).toEqual(["a", "b"]);
    expect([...codes]).toEqual([1, 0, 1]);
  });

  it("is the same built from rows; an absent key is missing", () => {
    const rows: { age?: number; city?: string; member?: boolean }[] = [
      { age: 31, city: "Oslo", member: true },
      { city: "Rome" },
      { age: 45, member: false },
    ];
    const table = Table.fromRows(rows);
    expect(table.columnNames).toEqual(["age", "city", "member"]);
    expect(table.toRows()).toEqual(people.toRows());
    expectTypeOf(table.column("city")).toEqualTypeOf<CategoricalColumn<string>>();
  });

  it("selects and drops columns, in types too", () => {
    const table = people.select(["member", "age"]);
    expect(table.columnNames).toEqual(["member", "age"]);
    expect(people.drop(["city"]).columnNames).toEqual(["age", "member"]);
    // @ts-expect-error: there is no such column
    expect(() => people.select(["name"])).toThrow(
      'Table.select: the name must be one of the columns (age, city, member), got "name".',
    );
    // @ts-expect-error: it is not in the selection
    expect(() => table.column("city")).toThrow(DataError);
  });

  it("selects rows in any order and drops incomplete ones", () => {
    expect(people.selectRows([2, 0]).column("age").toArray()).toEqual([45, 31]);
    expect(people.dropMissing().rows).toBe(1);
    expect(people.dropMissing(["age"]).toRows()).toEqual([
      { age: 31, city: "Oslo", member: true },
      { age: 45, city: null, member: false },
    ]);
    expect(() => people.selectRows([3])).toThrow(ShapeError);
    expect(() => people.row(-1)).toThrow(ShapeError);
    for (const name of people.columnNames) expect(() => people.column(name).at(3)).toThrow(ShapeError);
  });

  it("becomes a matrix with booleans as 0 and 1 and missing entries as NaN", () => {
    expect(people.drop(["city"]).toMatrix().toArray()).toEqual([
      [31, 1],
      [Number.NaN, Number.NaN],
      [45, 0],
    ]);
  });

  it("says which text column stands in the way of a matrix", () => {
    expect(() => people.toMatrix()).toThrow(
      'Table.toMatrix: column "city" must be numeric or boolean, got text ("Oslo", "Rome").',
    );
  });

  it("refuses columns of mixed types or different lengths", () => {
    expect(() => Table.fromColumns({ x: [1, "a"] as never })).toThrow(
      'Table.fromColumns: column "x", row 1, must be a number like the rows before it, or null, got "a".',
    );
    expect(() => Table.fromColumns({ x: [{}] as never })).toThrow(DataError);
    expect(() => Table.fromColumns({ x: 3 as never })).toThrow(DataError);
    expect(() => Table.fromColumns({ x: [1], y: [1, 2] })).toThrow(
      'Table.fromColumns: column "y" must be as long as "x" (1), got 2 entries.',
    );
    expect(() => Table.fromRows([[1, 2]])).toThrow(DataError);
    expect(() => Table.fromRows([null as never])).toThrow(DataError);
  });

  it("treats a column without any value as numeric", () => {
    expect(Table.fromColumns({ x: [null, null] }).column("x")).toBeInstanceOf(NumericColumn);
  });

  it("cannot be confused by a column called __proto__", () => {
    const table = Table.fromRows([JSON.parse('{"__proto__": 1, "x": 2}')]);
    expect(table.columnNames).toEqual(["__proto__", "x"]);
    expect(Object.prototype).not.toHaveProperty("x");
  });
});
