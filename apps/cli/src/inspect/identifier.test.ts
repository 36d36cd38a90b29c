import { NumericColumn, Table, TextColumn } from "argmax";
import { describe, expect, test } from "vitest";
import { isIdentifier } from "./identifier.js";

const counted = (n: number, of: (i: number) => number) =>
  new NumericColumn(Float64Array.from({ length: n }, (_, i) => of(i)));

describe("isIdentifier", () => {
  test("row numbers are identifiers, in any order; ages, measures and counts are not", () => {
    expect(
      isIdentifier(
        "",
        counted(50, (i) => i + 1),
      ),
    ).toBe(true);
    expect(
      isIdentifier(
        "x",
        counted(50, (i) => 1000 - i),
      ),
    ).toBe(true);
    expect(
      isIdentifier(
        "age",
        counted(50, (i) => 20 + (i % 30)),
      ),
    ).toBe(false);
    expect(
      isIdentifier(
        "length",
        counted(50, (i) => i + 0.5),
      ),
    ).toBe(false);
    expect(
      isIdentifier(
        "population",
        counted(50, (i) => 1000 * i),
      ),
    ).toBe(false);
    expect(
      isIdentifier(
        "customerId",
        counted(50, (i) => 1000 * i),
      ),
    ).toBe(true);
    expect(
      isIdentifier(
        "x",
        counted(10, (i) => i),
      ),
    ).toBe(false);
  });

  test("text without blanks that differs in every row is one; sentences and repeated words are not", () => {
    const texts = (of: (i: number) => string) => Array.from({ length: 30 }, (_, i) => of(i));
    expect(isIdentifier("key", new TextColumn(texts((i) => `k${i}`)))).toBe(true);
    expect(isIdentifier("key", Table.fromColumns({ key: texts((i) => `k${i % 29}`) }).column("key"))).toBe(
      false,
    );
    expect(isIdentifier("note", new TextColumn(texts((i) => `a note of ${i}`)))).toBe(false);
  });
});
