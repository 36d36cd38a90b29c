import { describe, expect, it } from "vitest";
import { BaggingClassifier } from "../../bagging/index.js";
import { HistGradientBoostingClassifier } from "../../boosting/index.js";
import { columnTransformer, tableVectorizer } from "../../compose/index.js";
import type { FittedProbabilisticClassifier, MatrixLike } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import { RandomForestClassifier } from "../../forests/index.js";
import { LinearRegression, LogisticRegression } from "../../linear/index.js";
import { CalibratedClassifier, StackingClassifier, VotingClassifier } from "../../meta/index.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { pipeline } from "../../pipeline/index.js";
import { DateParts, OneHotEncoder, StandardScaler } from "../../preprocessing/index.js";
import { GridSearch } from "../../selection/index.js";
import { DecisionTreeClassifier } from "../../trees/index.js";
import type { Matrix } from "../matrix.js";
import { TextColumn } from "./column.js";
import { RowsError } from "./row-cells.js";
import { Table } from "./table.js";

const n = 60;
const cells = {
  age: Array.from({ length: n }, (_, i) => (i % 9 === 8 ? null : 20 + ((7 * i) % 40))),
  city: Array.from({ length: n }, (_, i) => ["Rome", "Oslo", "Bonn"][i % 3]!),
  member: Array.from({ length: n }, (_, i) => i % 2 === 0),
  joined: Array.from({ length: n }, (_, i) => new Date(Date.UTC(2020, i % 12, 1 + (i % 28)))),
  note: new TextColumn(Array.from({ length: n }, (_, i) => ["good and fast", "late and bad"][i % 2]!)),
};
const table = Table.fromColumns(cells);
const y = Array.from({ length: n }, (_, i) => (i % 2 ? "no" : "yes"));
const rows = table.toRows();
/** As a request has them: dates are text. */
const asJson = JSON.parse(JSON.stringify(rows)) as object[];

const vectorized = () => pipeline(tableVectorizer(), new LogisticRegression());
/** One type for all of them: the compiler gives up on their union. */
interface Fittable {
  fit(x: Table, y: readonly string[]): Asked;
}
type Asked = FittedProbabilisticClassifier<string> & { predictProba(x: MatrixLike): Matrix };

const estimators: Record<string, unknown> = {
  "a pipeline": vectorized(),
  "a column transformer": pipeline(
    columnTransformer({
      dates: [new DateParts(), ["joined"]],
      towns: [new OneHotEncoder(), ["city"]],
      numbers: [new StandardScaler(), ["member"]],
    }),
    new LogisticRegression(),
  ),
  "a vote": new VotingClassifier({ estimators: { a: vectorized(), b: vectorized() } }),
  "a stack": new StackingClassifier({ estimators: { a: vectorized(), b: vectorized() }, cv: 2 }),
  "calibrated probabilities": new CalibratedClassifier({ estimator: vectorized(), cv: 2 }),
  bagging: new BaggingClassifier({ estimator: vectorized(), nEstimators: 3 }),
  "a search": new GridSearch({ estimator: vectorized(), grid: { "1.C": [1] }, cv: 2 }),
};

describe("rows as objects", () => {
  it("model.predict([{ age: 20, city: 'Rome' }]) is what the table gives", () => {
    const small = Table.fromRows([
      { age: 20, city: "Rome" },
      { age: 60, city: "Oslo" },
      { age: 25, city: "Rome" },
      { age: 70, city: "Rome" },
    ]);
    const target = ["a", "b", "a", "b"];
    for (const estimator of [
      vectorized(),
      new DecisionTreeClassifier(),
      new RandomForestClassifier({ nEstimators: 5 }),
    ]) {
      const model = estimator.fit(small, target);
      expect(model.predict([{ age: 20, city: "Rome" }])).toEqual(model.predict(small.head(1)));
      expect(model.predict([{ city: "Rome", age: null }]).length).toBe(1);
      expect(model.predict([{ age: 21, city: "Atlantis" }]).length).toBe(1);
      interface Person {
        age: number;
        city: string;
      }
      const people: Person[] = [{ age: 20, city: "Rome" }];
      expect(model.predictProba(people).data).toEqual(model.predictProba(small.head(1)).data);
    }
  });

  it.each(Object.entries(estimators))(
    "%s takes them, dates as ISO text too, and after loading",
    (_, estimator) => {
      const model = (estimator as Fittable).fit(table as unknown as Table, y);
      for (const one of [model, loadModel(saveModel(model)) as unknown as Asked]) {
        const expected = one.predictProba(table).data;
        expect(one.predictProba(rows).data).toEqual(expected);
        expect(one.predictProba(asJson).data).toEqual(expected);
        expect(one.predict(asJson)).toEqual(one.predict(table));
      }
      expect(model.score(asJson, y)).toBe(model.score(table, y));
    },
  );

  it("every bad field is named in one error", () => {
    const model = vectorized().fit(table, y);
    const bad = [
      { ...asJson[0], age: "twenty", joined: "soon", colour: 3 },
      { city: 7, member: 1, joined: "2020-02-30", note: "fine" },
    ];
    let error: unknown;
    try {
      model.predict(bad);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(RowsError);
    expect(error).toBeInstanceOf(DataError);
    expect((error as RowsError).problems).toEqual([
      { row: 0, field: "colour", message: "is not a field of this model" },
      { row: 0, field: "age", message: 'must be a finite number, got "twenty"' },
      {
        row: 0,
        field: "joined",
        message: 'must be a date as ISO 8601 text or milliseconds since 1970, got "soon"',
      },
      { row: 1, field: "age", message: "is required" },
      { row: 1, field: "city", message: "must be text, got 7" },
      { row: 1, field: "member", message: "must be true or false, got 1" },
      {
        row: 1,
        field: "joined",
        message: 'must be a date as ISO 8601 text or milliseconds since 1970, got "2020-02-30"',
      },
    ]);
    expect((error as Error).message).toMatch(
      /the rows must be objects with the columns of fit, got row 0: "colour" is not a field of this model; row 0: "age" must/,
    );
  });

  it("numbers and booleans, where columns are numbers", () => {
    const people = Table.fromColumns({ age: [20, 30, 40], member: [true, false, true] });
    const model = new LinearRegression().fit(people, [1, 2, 3]);
    expect(model.predict([{ member: true, age: 20 }])).toEqual(model.predict(people.head(1)));
    const trees = new HistGradientBoostingClassifier({ maxIter: 3 }).fit(people, ["a", "b", "a"]);
    expect(trees.predict([{ member: true, age: 20 }])).toEqual(trees.predict(people.head(1)));
    expect(() => model.predict([{ age: "20" }])).toThrow(
      'row 0: "age" must be a finite number, got "20"; row 0: "member" is required',
    );
  });

  it("a model of a matrix, and fit, say that names need a table", () => {
    const model = new LinearRegression().fit([[1], [2]], [1, 2]);
    expect(() => model.predict([{ age: 20 }])).toThrow(
      /X\[0\] must be a row of numbers, got \{ age \}\. Rows by name are for .* fit takes Table\.fromRows\(rows\)/,
    );
    expect(() => new LinearRegression().fit([{ age: 20 }], [1])).toThrow(/fit takes Table\.fromRows\(rows\)/);
    expect(() => vectorized().fit([{ age: 20 }], ["a"])).toThrow(/fit takes Table\.fromRows\(rows\)/);
  });
});
