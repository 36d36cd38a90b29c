import { describe, expect, expectTypeOf, it } from "vitest";
import { DataError, ShapeError } from "../../core/errors.js";
import { BooleanColumn, CategoricalColumn, type DateColumn, NumericColumn, TextColumn } from "./column.js";
import { Table } from "./table.js";
import { describeTable } from "./table-summary.js";

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

describe("looking at and changing a table", () => {
  const ships = Table.fromColumns({
    name: new TextColumn(["Ann", "Bo", null, "Cy"]),
    size: [4, 1, 3, 2],
    flag: ["no", "dk", "no", null],
    built: [new Date(0), null, new Date(86_400_000), new Date(Number.NaN)],
  });

  it("has columns of dates and free text", () => {
    expectTypeOf(ships.column("name")).toEqualTypeOf<TextColumn>();
    expectTypeOf(ships.column("built")).toEqualTypeOf<DateColumn>();
    expectTypeOf(ships.row(0).name).toEqualTypeOf<string | null>();
    expect(ships.column("built").toArray()).toEqual([0, null, 86_400_000, null]);
    expect(ships.column("built").toDates()[2]).toEqual(new Date(86_400_000));
    expect(ships.column("built").missing).toBe(2);
    expect(ships.row(1)).toEqual({ name: "Bo", size: 1, flag: "dk", built: null });
    expect(String(ships)).toContain("1970-01-02");
    expect(() => new TextColumn([1] as never)).toThrow(/values\[0\] must be a string or null/);
    expect(() => Table.fromColumns({ x: [new Date(), 1] as never })).toThrow(
      /a date like the rows before it/,
    );
  });

  it("keeps models from reading dates and free text", () => {
    expect(() => ships.toMatrix()).toThrow(/column "name" must be numeric or boolean, got free text/);
    expect(() => ships.select(["built"]).toMatrix()).toThrow(/got dates/);
  });

  it("filters rows", () => {
    expect(
      ships
        .filter(({ size }) => size! > 2)
        .column("size")
        .toArray(),
    ).toEqual([4, 3]);
    expect(ships.filter(() => false).rows).toBe(0);
    expect(ships.filter(() => false).columnNames).toEqual(ships.columnNames);
    expect(() => ships.filter(3 as never)).toThrow(/a function of a row/);
  });

  it("maps rows", () => {
    const half = ships.map(({ size, flag }) => ({ half: size! / 2, flag }));
    expectTypeOf(half.column("half")).toEqualTypeOf<NumericColumn>();
    expect(half.toRows()[3]).toEqual({ half: 1, flag: null });
  });

  it("shows the first and last rows", () => {
    expect(ships.head(2).column("size").toArray()).toEqual([4, 1]);
    expect(ships.tail(1).column("size").toArray()).toEqual([2]);
    expect(ships.head(100).rows).toBe(4);
    expect(ships.tail(100).rows).toBe(4);
    expect(() => ships.head(-1)).toThrow(DataError);
  });

  it("adds and replaces columns", () => {
    const more = ships.with({ double: ({ size }) => 2 * size!, size: ["a", "b", "c", "d"] });
    expectTypeOf(more.column("double")).toEqualTypeOf<NumericColumn>();
    expect(more.columnNames).toEqual(["name", "size", "flag", "built", "double"]);
    expect(more.row(1)).toMatchObject({ size: "b", double: 2 });
    expect(() => ships.with({ x: [1] })).toThrow(/column "x" must be as long as the table \(4\)/);
  });

  it("renames columns", () => {
    const renamed = ships.rename({ flag: "country" });
    expectTypeOf(renamed.column("country")).toEqualTypeOf<CategoricalColumn<"no" | "dk">>();
    expect(renamed.columnNames).toEqual(["name", "size", "country", "built"]);
    expect(() => ships.rename({ flag: "name" })).toThrow(/one that no other column has/);
    expect(() => ships.rename({ nothing: "x" } as never)).toThrow(/one of the columns/);
  });

  it("describes columns as pandas does", () => {
    const figures = describeTable(ships);
    expectTypeOf(figures.column("mean")).toEqualTypeOf<NumericColumn>();
    // pandas: Series([4, 1, 3, 2]).describe()
    expect(figures.row(1)).toEqual({
      name: "size",
      kind: "numeric",
      missing: 0,
      distinct: 4,
      mean: 2.5,
      deviation: Math.sqrt(5 / 3),
      min: 1,
      quarter: 1.75,
      median: 2.5,
      threeQuarters: 3.25,
      max: 4,
      top: "1",
      frequency: 1,
    });
    expect(figures.row(2)).toMatchObject({
      name: "flag",
      missing: 1,
      distinct: 2,
      top: "no",
      frequency: 2,
      mean: null,
    });
    expect(figures.row(3)).toMatchObject({ kind: "date", missing: 2, distinct: 2 });
    expect(describeTable(Table.fromColumns({ x: [null, null] })).row(0)).toMatchObject({
      distinct: 0,
      mean: null,
      top: null,
    });
  });

  it("keeps the order of a Map, also of names that look like integers", () => {
    const table = Table.fromColumns(
      new Map([
        ["b", [1]],
        ["1", [2]],
      ]),
    );
    expect(table.columnNames).toEqual(["b", "1"]);
  });

  it("says how tables are made where `new` is tried", () => {
    const Constructor = Table as unknown as new (columns: unknown) => Table;
    for (const columns of [{ a: [1, 2] }, new Map([["a", [1, 2]]]), undefined]) {
      expect(() => new Constructor(columns)).toThrow(DataError);
      expect(() => new Constructor(columns)).toThrow(/must be made by Table\.fromColumns or Table\.fromRows/);
    }
  });
});
