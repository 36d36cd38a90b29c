import { describe, expect, test } from "vitest";
import { NumericColumn, TextColumn } from "./column.js";
import { guessTarget, guessTask } from "./guess-target.js";
import { identifierLikelihood } from "./identifier-column.js";
import { Table } from "./table.js";

const numbers = (n: number, of: (i: number) => number) =>
  new NumericColumn(Float64Array.from({ length: n }, (_, i) => of(i)));

describe("identifierLikelihood", () => {
  test("row numbers are identifiers, in any order; ages, measures and counts are not", () => {
    const likelihood = (name: string, of: (i: number) => number, n = 50) =>
      identifierLikelihood(name, numbers(n, of));
    expect(likelihood("", (i) => i + 1)).toBe("likely");
    expect(likelihood("x", (i) => 1000 - i)).toBe("likely");
    expect(likelihood("customerId", (i) => 1000 * i)).toBe("certain");
    expect(likelihood("id", (i) => Math.max(1, i))).toBe("certain");
    expect(likelihood("age", (i) => 20 + (i % 30))).toBeUndefined();
    expect(likelihood("length", (i) => i + 0.5)).toBeUndefined();
    expect(likelihood("population", (i) => 1000 * i)).toBeUndefined();
    expect(likelihood("x", (i) => i, 10)).toBeUndefined();
  });

  test("text without blanks that differs in every row is one; sentences and repeated words are not", () => {
    const texts = (of: (i: number) => string) => new TextColumn(Array.from({ length: 30 }, (_, i) => of(i)));
    expect(
      identifierLikelihood(
        "key",
        texts((i) => `k${i}`),
      ),
    ).toBe("certain");
    expect(
      identifierLikelihood(
        "key",
        texts((i) => `k${i % 29}`),
      ),
    ).toBeUndefined();
    expect(
      identifierLikelihood(
        "note",
        texts((i) => `a note of ${i}`),
      ),
    ).toBeUndefined();
  });
});

describe("guessTarget", () => {
  const varied = Array.from({ length: 30 }, (_, i) => (i * 7) % 11);
  test("is a column with a usual name, else y, else the last; never an identifier, a constant or free text", () => {
    expect(guessTarget(Table.fromColumns({ a: varied, Price: varied, b: varied }))).toBe("Price");
    expect(guessTarget(Table.fromColumns({ y: varied, a: varied, b: varied }))).toBe("y");
    expect(guessTarget(Table.fromColumns({ x: varied, y: varied, b: varied }))).toBe("b");
    const last = { a: varied, rowId: varied.map((_, i) => i), same: varied.map(() => 1) };
    expect(guessTarget(Table.fromColumns(last))).toBe("a");
    expect(guessTarget(Table.fromColumns({ same: varied.map(() => 1) }))).toBeUndefined();
  });

  test("at most 20 whole numbers, texts and booleans are classes", () => {
    expect(guessTask(varied)).toBe("classification");
    expect(guessTask(Array.from({ length: 21 }, (_, i) => i))).toBe("regression");
    expect(guessTask([0.5, 1])).toBe("regression");
    expect(guessTask([true, false])).toBe("classification");
    expect(guessTask(["a", "b"])).toBe("classification");
  });
});
