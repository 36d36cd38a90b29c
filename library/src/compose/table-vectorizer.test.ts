import { describe, expect, it } from "vitest";
import { DataError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { LogisticRegression } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { OrdinalEncoder, TargetEncoder } from "../preprocessing/index.js";
import { crossValidate, GridSearch } from "../selection/index.js";
import { tableVectorizer } from "./index.js";

const n = 120;
const random = new Random(2);
const words = "quick brown fox jumps over lazy dogs while seven cats sleep".split(" ");
const rows = Array.from({ length: n }, (_, i) => ({
  id: 1000 + i,
  code: `c${i}x`,
  age: i % 9 === 0 ? null : 20 + random.below(50),
  town: i % 11 === 0 ? null : ["Oslo", "Rome", "Bonn"][random.below(3)]!,
  shop: `shop ${random.below(60)}`,
  member: random.uniform() < 0.4,
  joined: new Date(Date.UTC(2020 + random.below(3), random.below(12), 1 + random.below(28))),
  note: Array.from({ length: 6 }, () => words[random.below(words.length)]!).join(" ") + ` ${i}`,
  version: "v2",
}));
const table = Table.fromRows(rows);
const y = rows.map(({ town, age }) => ((town === "Oslo") === (age ?? 40) > 45 ? "stay" : "go"));

describe("tableVectorizer", () => {
  const model = tableVectorizer().fit(table, y);

  it("treats every column as its content asks for, and says why", () => {
    expect(
      model.choices.map(({ column, treatment, reason }) => `${column}: ${treatment}, ${reason}`),
    ).toEqual([
      "id: drop, numbers the rows: consecutive integers, each once",
      "code: drop, names the rows: every entry occurs once",
      "age: numbers, numbers, 14 of 120 missing",
      "town: categories, 3 categories, 11 of 120 missing",
      `shop: manyCategories, ${new Set(rows.map(({ shop }) => shop)).size} categories, more than 40`,
      "member: booleans, true or false",
      "joined: dates, dates",
      "note: texts, free text of about 7 words",
      'version: drop, constant, "v2"',
    ]);
    expect(String(model).split("\n").slice(0, 5)).toEqual([
      "FittedTableVectorizer",
      `  features  9 → ${model.nOutputs}, dense`,
      "  id        dropped: numbers the rows: consecutive integers, each once",
      "  code      dropped: names the rows: every entry occurs once",
      "  age       SimpleImputer, StandardScaler: numbers, 14 of 120 missing",
    ]);
  });

  it("is sparse if few entries are stored, with the same numbers", () => {
    const sparse = tableVectorizer({ sparseThreshold: 1 }).fit(table, y).transform(table);
    expect((sparse as CsrMatrix).toDense()).toEqual(model.transform(table));
    const remarks = Table.fromColumns({
      remark: Array.from({ length: 100 }, (_, i) => `word${i} and other${(7 * i) % 50} things${i}`),
    });
    const few = tableVectorizer().fit(remarks).transform(remarks) as CsrMatrix;
    expect(few.values.length).toBeLessThan(0.1 * few.rows * few.cols);
  });

  it("names its outputs after the columns", () => {
    const names = model.featureNames();
    expect(names.length).toBe(model.nOutputs);
    expect(names.slice(0, 11)).toEqual(
      "age member town_Bonn town_Oslo town_Rome town_null shop joined_time joined_year joined_month joined_day".split(
        " ",
      ),
    );
    expect(names).toContain("fox");
  });

  it("gives finite numbers, for new rows with gaps and categories that it has not seen too", () => {
    const other = Table.fromRows([
      { ...rows[3]!, town: "Lima", shop: "nowhere", age: null, note: "" },
      { ...rows[4]!, id: 7, note: "unheard words" },
    ]);
    const Z = model.transform(other.select([...other.columnNames].reverse()));
    const dense = Z instanceof CsrMatrix ? Z.toDense() : Z;
    expect(dense.data.every(Number.isFinite)).toBe(true);
    const at = (name: string) => model.featureNames().indexOf(name);
    expect(["Bonn", "Oslo", "Rome", "null"].map((town) => dense.at(0, at(`town_${town}`)))).toEqual([
      0, 0, 0, 0,
    ]);
    // Columns that are dropped may be absent.
    expect(model.transform(other.drop(["id", "code", "version"]))).toEqual(model.transform(other));
  });

  it("encodes many categories by the other folds in a pipeline, and by their numbers without y", () => {
    const shops = table.select(["shop"]);
    const encoded = tableVectorizer({ scale: false }).fitTransform(shops, y);
    expect(encoded).toEqual(new TargetEncoder().fitTransform(shops, y));
    const coded = tableVectorizer({ scale: false }).fitTransform(shops);
    const codes = new OrdinalEncoder({
      handleUnknown: "useEncodedValue",
      unknownValue: -1,
      encodedMissingValue: -2,
    });
    expect(coded).toEqual(codes.fitTransform(shops));
  });

  it("does with a kind or a column what it is told", () => {
    const own = tableVectorizer({
      columns: { id: "passthrough", note: "drop", town: new OrdinalEncoder() },
      dates: "drop",
      manyCategories: "drop",
    }).fit(table.dropMissing(["town"]));
    expect(own.featureNames()).toEqual(["age", "member", "id", "town"]);
    expect(own.choices[0]).toMatchObject({ treatment: "given", reason: "as given" });
    expect(() => tableVectorizer({ columns: { twon: "drop" } }).fit(table)).toThrow(
      /the names in columns must be columns of X, which has "id", .* got "twon"/,
    );
  });

  it("trains a classifier, is searched through and saved", () => {
    const steps = pipeline(["columns", tableVectorizer()], ["logistic", new LogisticRegression()]);
    const fitted = steps.fit(table, y);
    const loaded = loadModel(saveModel(fitted));
    expect(loaded.predictProba!(table).data).toEqual(fitted.predictProba(table).data);
    const { testScore } = crossValidate(steps, table, y, { cv: 4 });
    expect(testScore.length).toBe(4);
    const search = new GridSearch({ estimator: steps, grid: { "columns.maxCategories": [5, 100] }, cv: 3 });
    expect(search.fit(table, y).results.length).toBe(2);
  });

  it("takes rows of cells and matrices, whose columns have numbers", () => {
    const cells = tableVectorizer().fit([
      ["a", 1],
      ["b", 2],
      ["c", null],
    ]);
    expect(cells.choices.map(({ column, treatment }) => [column, treatment])).toEqual([
      [0, "categories"],
      [1, "numbers"],
    ]);
    const Z = tableVectorizer().fitTransform(Matrix.fromRows([[1], [3]]));
    expect((Z as Matrix).toArray()).toEqual([[-1], [1]]);
  });

  it("refuses a table of which nothing is left", () => {
    expect(() => tableVectorizer().fit(table.select(["id", "version"]))).toThrow(DataError);
    expect(() => tableVectorizer().fit(table.select(["id", "version"]))).toThrow(
      /only columns that are dropped: "id" \(numbers the rows.*\), "version" \(constant, "v2"\)/,
    );
  });
});
