import { describe, expect, it } from "vitest";
import { openDuckdb } from "../../test/duckdb.js";
import { dialects } from "../dialects/index.js";
import { sumsOf } from "../engines/sql-session.js";
import { type Expression, multiply, number, shared, subtract } from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { layered } from "./layers.js";
import { sumPlan } from "./sum-plan.js";

const column = (name: string): Expression => ({ kind: "column", name, type: "number", as: "number" });
const [a, b, c] = [column("a"), column("b"), column("c")] as const;
const database = await openDuckdb();
await database.run(
  "CREATE TABLE rows AS SELECT i AS a, i % 7 AS b, i % 3 AS c, i AS unread FROM range(100) t(i)",
);
const run = async (statement: string) =>
  (await database.rows(statement)).map((row) => Object.values(row) as never);
const within = (limits: object) => ({
  ...dialects.duckdb,
  limits: { ...dialects.duckdb.limits, ...limits },
});

const key = { of: c, type: "number" } as const;
const u = shared(subtract(a, number(50)));
const queries = [
  { groupBy: [key], aggregates: [sumOf(a), sumOf(multiply(u, u)), { kind: "max", of: a } as const] },
  { groupBy: [], aggregates: [sumOf(b)] },
  { groupBy: [{ ...key }], aggregates: [sumOf(b), sumOf(a), { kind: "min", of: b } as const] },
];

describe("sumPlan", () => {
  it("asks for sums of the same groups in one SELECT, each once", () => {
    const { statements, parts } = sumPlan(dialects.duckdb, queries, "rows");
    expect(statements).toHaveLength(1);
    expect(parts.map(({ aggregates }) => aggregates.length)).toEqual([5, 1]);
  });

  it("splits what is too long or too wide, and puts the answers together", async () => {
    const sorted = async (limits: object) => {
      const answers = await sumsOf(within(limits), queries, "rows", run);
      return answers.map((groups) => groups.sort((x, y) => Number(x.keys[0]) - Number(y.keys[0])));
    };
    const expected = await sorted({});
    expect(expected[0]!.map(({ count }) => count)).toEqual([34, 33, 33]);
    expect(expected[2]![0]!.values).toEqual(Float64Array.from([101, 1683, 0]));
    expect(await sorted({ aggregates: 2 })).toEqual(expected);
    expect(await sorted({ characters: 400 })).toEqual(expected);
    expect(await sorted({ characters: 1 })).toEqual(expected);
    expect(sumPlan(within({ characters: 1 }), queries, "rows").statements).toHaveLength(6);
  });

  it("does not put together what was counted differently", async () => {
    const changes = async (statement: string) => {
      const rows = await run(statement);
      await database.run("INSERT INTO rows VALUES (1, 1, 1, 1)");
      return rows;
    };
    await expect(sumsOf(within({ characters: 1 }), queries, "rows", changes)).rejects.toThrow(
      "The rows have changed between two statements of a pass.",
    );
  });
});

describe("layered", () => {
  it("reads only the columns that are needed above", () => {
    const v = shared(multiply(u, b));
    const { source, print } = layered(dialects.postgres, [multiply(v, v), u, c], "rows");
    const selects = source.split(/\(?SELECT /).slice(1);
    // The outer one keeps two columns and makes one of them and another, which it needs no more.
    expect(selects.map((select) => select.match(/ AS "_argmax_\d+"/g)!.length)).toEqual([1, 3]);
    expect(selects[0]).toMatch(/^"_argmax_\d", "_argmax_\d", \("_argmax_\d" \* "_argmax_\d"\) AS/);
    expect([multiply(v, v), u, c].map(print)).toEqual([
      expect.stringMatching(/^\("_argmax_(\d)" \* "_argmax_\1"\)$/),
      expect.stringMatching(/^"_argmax_\d"$/),
      expect.stringMatching(/^"_argmax_\d"$/),
    ]);
  });

  it("has as many columns as a subquery may have, and repeats the simplest otherwise", () => {
    const many = Array.from({ length: 20 }, (_, e) => shared(subtract(a, number(e))));
    const roots = [...many, ...many];
    const { source } = layered(
      { ...dialects.postgres, limits: { ...dialects.postgres.limits, columns: 5 } },
      roots,
      "rows",
    );
    // Five and the column that the others are made of.
    expect(source.match(/ AS "_argmax_\d+"/g)).toHaveLength(6);
  });
});
