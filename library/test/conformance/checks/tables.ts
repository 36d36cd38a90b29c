import { expect } from "vitest";
import { DataError, ParameterError } from "../../../src/core/errors.js";
import { Matrix } from "../../../src/data/matrix.js";
import { Table } from "../../../src/data/table/table.js";
import { loadModel, saveModel } from "../../../src/persistence/index.js";
import { problem } from "../data.js";
import { type AnyModel, answers, type Check, expectError, expectSame, type Subject } from "../subject.js";

/** Estimators that part categories say so by taking their columns. */
const partsCategories: NonNullable<Check["applies"]> = (_, { type }) =>
  Object.hasOwn(type.table, "categoricalFeatures");

const towns = ["Oslo", "Rome", "Ålesund", "Cairo", "日本"];

/** Numbers, text that tells much about y, and booleans, each with gaps; and the same with text coded by hand, its place by code unit. */
function tableProblem(subject: Subject) {
  // So many that every estimator splits, also those with large leaves.
  const { X, y } = problem(subject, { rows: 240 });
  const order = [...towns].sort((a, b) => (a < b ? -1 : 1));
  const ranked = [...y!].sort((a, b) => (a < b ? -1 : 1));
  const third = (i: number) => Math.floor((3 * ranked.indexOf(y![i]!)) / ranked.length);
  const cells = {
    size: X.map(([a], i) => (i % 11 === 3 ? null : a!)),
    town: X.map((_, i) => (i % 7 === 2 ? null : towns[(2 * third(i) + (i % 3 === 0 ? 1 : 0)) % 5]!)),
    sunny: X.map(([, , c], i) => (i % 13 === 5 ? null : c! > 3)),
    height: X.map((row) => row[3]!),
  };
  const coded = X.map((_, i) => {
    const { size, town, sunny, height } = cells;
    const code = town[i] === null ? Number.NaN : order.indexOf(town[i]!);
    const yes = sunny[i] === null ? Number.NaN : Number(sunny[i]);
    return [size[i] ?? Number.NaN, code, yes, height[i]!];
  });
  return { table: Table.fromColumns(cells), cells, y, coded: Matrix.fromRows(coded) };
}

const withCategories = (subject: Subject, list: readonly (number | string)[]) =>
  subject.build({ ...subject.make().params, categoricalFeatures: list });

export const tableChecks: readonly Check[] = [
  {
    claim: "learns from a table's text what it learns from codes, bit for bit, and null is a gap",
    applies: partsCategories,
    run: (subject) => {
      const { table, y, coded } = tableProblem(subject);
      const expected = answers(withCategories(subject, [1]).fit(coded, y), coded);
      expectSame(answers(subject.make().fit(table, y), table), expected, { within: 0 });
      expectSame(answers(withCategories(subject, ["town"]).fit(table, y), table), expected, { within: 0 });
      const both = answers(withCategories(subject, [1, 2]).fit(coded, y), coded);
      expectSame(answers(withCategories(subject, ["sunny"]).fit(table, y), table), both, { within: 0 });
      expectSame(answers(withCategories(subject, [2]).fit(table, y), table), both, { within: 0 });
    },
  },
  {
    claim: "finds the columns of a table with text by name, whatever their order",
    applies: partsCategories,
    run: (subject) => {
      const { table, cells, y } = tableProblem(subject);
      const model = subject.make().fit(table, y);
      const { size, town, sunny, height } = cells;
      const other = Table.fromColumns({
        sunny,
        height,
        town,
        size,
      });
      expectSame(answers(model, other), answers(model, table), { within: 0 });
      const one = table.selectRows([9]);
      for (const [method, list] of Object.entries(answers(model, table))) {
        const width = list.length / table.rows;
        const own = list.slice(9 * width, 10 * width) as Float64Array;
        expectSame({ [method]: answers(model, one)[method]! }, { [method]: own }, { within: 1e-12 });
      }
      for (const none of [table.selectRows([]), Table.fromRows([])])
        for (const list of Object.values(answers(model, none))) expect(list.length).toBe(0);
    },
  },
  {
    claim: "takes a category that it has not learned from for a gap",
    applies: partsCategories,
    run: (subject) => {
      const { table, cells, y } = tableProblem(subject);
      const gone = cells.town.map((town) => (town === "Rome" ? 0 : 1));
      const model = subject.make().fit(table, y, { sampleWeight: gone });
      const asked = (town: string) => Table.fromColumns({ ...cells, town: cells.town.map(() => town) });
      const gaps = Table.fromColumns({ ...cells, town: cells.town.map(() => null) });
      expectSame(answers(model, asked("Atlantis")), answers(model, gaps), { within: 0 });
      expectSame(answers(model, asked("Rome")), answers(model, gaps), { within: 0 });
      // Rows that are gone leave no trace, nor do categories that a table has and its rows have not.
      const rows = gone.flatMap((weight, i) => (weight > 0 ? [i] : []));
      const targets = rows.map((i) => (y as number[])[i]!);
      const without = subject.make().fit(table.selectRows(rows), targets);
      expectSame(answers(without, table), answers(model, table), subject.agreement);
      expect(without.toState().values["columns"]).toEqual(model.toState().values["columns"]);
    },
  },
  {
    claim: "refuses a table without a column of fit or with another kind, and numbers for text, by name",
    applies: partsCategories,
    run: (subject) => {
      const { table, cells, y, coded } = tableProblem(subject);
      const model = subject.make().fit(table, y);
      const refuses = (x: unknown, message: RegExp) =>
        expectError(() => model.predict!(x), DataError, message);
      refuses(table.drop(["town" as never]), /column "town" must be in X, as in fit, got a table of "size"/);
      const towns = Array.from(coded.column(1), (code) => code);
      refuses(
        Table.fromColumns({ ...cells, town: towns }),
        /column "town" must be text, as in fit, got numbers/,
      );
      refuses(
        Table.fromColumns({ ...cells, size: cells.town }),
        /column "size" must be numbers, as in fit, got text/,
      );
      refuses(coded, /X must be a table with the columns of fit, where "town" was text/);
      const named = withCategories(subject, ["twon"]);
      expectError(() => named.fit(table, y), ParameterError, /categoricalFeatures\[0\] must be .*"town"/);
      expectError(() => named.fit(coded, y), ParameterError, /Only the columns of a Table have names/);
    },
  },
  {
    claim: "saves and loads the columns of its table",
    applies: partsCategories,
    run: (subject) => {
      const { table, y } = tableProblem(subject);
      const model = subject.make().fit(table, y) as AnyModel & { featureNamesIn?: readonly string[] };
      expect(model.featureNamesIn).toEqual(["size", "town", "sunny", "height"]);
      const bytes = saveModel(model);
      const back = loadModel(bytes) as unknown as typeof model;
      expect(answers(back, table)).toEqual(answers(model, table));
      expect(back.featureNamesIn).toEqual(model.featureNamesIn);
      expect(saveModel(back)).toEqual(bytes);
    },
  },
];
