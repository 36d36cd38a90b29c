import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { splitterFromJson, splitters } from "../../../src/data/splitters/registry.js";

interface Case {
  readonly splitter: string;
  readonly params: Readonly<Record<string, number | readonly number[]>>;
  /** Only the first rows; null is all. */
  readonly rows: number | null;
  readonly folds: readonly { readonly train: readonly number[]; readonly test: readonly number[] }[];
}

const { y, groups, cases } = JSON.parse(
  readFileSync(new URL("../fixtures/splitters.json", import.meta.url), "utf8"),
) as { y: number[]; groups: number[]; cases: Case[] };

describe("folds are those of scikit-learn, row by row", () => {
  test.each(cases.map((c) => [`${c.splitter} ${JSON.stringify(c.params).slice(0, 60)}`, c] as const))(
    "%s",
    (_, { splitter, params, rows, folds }) => {
      const n = rows ?? y.length;
      const own = splitterFromJson({ splitter, params })!;
      const found = own.split(new Float64Array(n), y.slice(0, n), groups.slice(0, n));
      expect(found.map(({ train, test }) => ({ train: [...train], test: [...test] }))).toEqual(folds);
    },
  );

  test("for every splitter that draws no random numbers", () => {
    const drawn = /Shuffle|Repeated/;
    const named = new Set(cases.map(({ splitter }) => splitter));
    expect(splitters.map(({ id }) => id).filter((id) => !drawn.test(id) && !named.has(id))).toEqual([]);
  });
});
