import { expect } from "vitest";
import { DataError } from "../../../src/core/errors.js";
import { Table } from "../../../src/data/table/table.js";
import { loadModel, saveModel } from "../../../src/persistence/index.js";
import { problem } from "../data.js";
import type { AnyModel, Check, Subject } from "../subject.js";
import { answers, answersOf, expectError, expectSame, replies } from "../subject.js";

type NamedModel = AnyModel & { readonly featureNamesIn?: readonly string[] | undefined };

/** A problem whose columns differ so much that two of them swapped cannot pass unnoticed. */
function namedProblem(subject: Subject) {
  const { X, y } = problem(subject);
  const column = (j: number) => X.map((row) => row[j]!);
  const cells = { age: column(0), fare: column(1), "sib sp": column(2), größe: column(3) };
  const { age, fare, "sib sp": sibSp, größe } = cells;
  const names = (Object.keys(cells) as (keyof typeof cells)[]).slice(0, X[0]!.length);
  const table = Table.fromColumns(cells).select(names);
  const reordered = Table.fromColumns({ größe, fare, "sib sp": sibSp, age });
  const known = reordered.columnNames.filter((name) => names.includes(name));
  return { X, y, cells, names, table, reordered: reordered.select(known) };
}

export const nameChecks: readonly Check[] = [
  {
    claim: "finds the columns of a table by name, in any order",
    run: (subject) => {
      const { X, y, names, table, reordered } = namedProblem(subject);
      const model = subject.make().fit(table, y) as NamedModel;
      expect(model.featureNamesIn).toEqual(names);
      const expected = answers(model, table);
      expectSame(answers(subject.make().fit(X, y), X), expected, { within: 0 });
      expectSame(answers(model, reordered), expected, { within: 0 });
      expectSame(answers(model, X), expected, { within: 0 });
      if (model.score && y) expect(model.score(reordered, y)).toBe(model.score(table, y));
      for (const none of [reordered.selectRows([]), Table.fromRows([])])
        for (const list of Object.values(replies(model, none))) expect(list.length).toBe(0);
    },
  },
  {
    claim: "takes rows as objects if it was fitted to a table, and names every field that is wrong",
    run: (subject) => {
      const { X, y, names, table, reordered } = namedProblem(subject);
      const model = subject.make().fit(table, y);
      const rows = reordered.toRows();
      expectSame(answers(model, rows), answers(model, table), { within: 0 });
      if (model.score && y) expect(model.score(rows, y)).toBe(model.score(table, y));
      const { age: _, ...ageless } = rows[0] as Record<string, unknown>;
      const last = names.at(-1)!;
      const wrong = [rows[0], { ...ageless, [last]: last === "age" ? undefined : "tall", colour: 1 }];
      const nameless = subject.make().fit(X, y);
      for (const method of answersOf(model)) {
        for (const part of [
          'row 1: "colour" is not a field',
          'row 1: "age" is required',
          // Gaps are gaps in cells of any kind.
          ...(last === "age" || subject.name.startsWith("MissingIndicator")
            ? []
            : [`row 1: "${last}" must be (?:a finite number|a date .*), got "tall"`]),
        ])
          expectError(() => model[method]!(wrong), DataError, new RegExp(part));
        expectError(() => nameless[method]!(rows), DataError, /fit takes Table\.fromRows\(rows\)/);
      }
    },
  },
  {
    claim: "refuses a table that lacks a column of fit or has another one, and names it",
    run: (subject) => {
      const { y, cells, table } = namedProblem(subject);
      const model = subject.make().fit(table, y);
      const refuses = (x: unknown, message: RegExp) => {
        for (const method of answersOf(model)) expectError(() => model[method]!(x), DataError, message);
      };
      refuses(table.drop(["fare"]), /column "fare" must be in X, as in fit, got a table of "age", "sib sp"/);
      const { age, fare, ...rest } = cells;
      refuses(Table.fromColumns({ dogs: age, cats: fare, ...rest }), /column "age" must be in X/);
      const more = Table.fromColumns({ id: age, ...cells });
      refuses(
        more,
        /X must be a table of the columns of fit .*, got one that also has "id"\. X\.drop\(\["id"\]\)/,
      );
    },
  },
  {
    claim: "saves and loads the names of its columns",
    run: (subject) => {
      const { X, y, names, table, reordered } = namedProblem(subject);
      const model = subject.make().fit(table, y);
      const back = loadModel(saveModel(model)) as unknown as NamedModel;
      expect(back.featureNamesIn).toEqual(names);
      expectSame(answers(back, reordered), answers(model, table), { within: 0 });
      expect(saveModel(back)).toEqual(saveModel(model));
      const nameless = loadModel(saveModel(subject.make().fit(X, y))) as unknown as NamedModel;
      expect(nameless.featureNamesIn).toBeUndefined();
    },
  },
  {
    claim: "learns on from the columns of the same names",
    applies: ({ partialFit }) => partialFit,
    run: (subject) => {
      const { y, names, table, reordered } = namedProblem(subject);
      const estimator = subject.make();
      const first = estimator.partialFit!(null, table, y) as NamedModel;
      expect(first.featureNamesIn).toEqual(names);
      const expected = estimator.partialFit!(first, table, y) as NamedModel;
      const model = estimator.partialFit!(first, reordered, y) as NamedModel;
      expect(model.featureNamesIn).toEqual(names);
      expectSame(answers(model, table), answers(expected, table), { within: 0 });
      expectError(
        () => estimator.partialFit!(first, table.drop(["age"]), y),
        DataError,
        /column "age" must be in X, as in fit/,
      );
    },
  },
];
