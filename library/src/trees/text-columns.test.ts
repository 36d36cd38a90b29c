import { describe, expect, it } from "vitest";
import { FormatError } from "../core/errors.js";
import type { ModelState } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import type { CategoricalColumn } from "../data/table/column.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "./index.js";

const towns = Table.fromColumns({
  height: [1, 2, 3, 4, 5, 6],
  town: ["Rome", "Oslo", "Cairo", "Bergen", "Oslo", "Rome"],
});
const degrees = [16, 6, 22, 8, 6, 16];

describe("text columns of a table", () => {
  it("are parted by name: islands and sexes of penguins", async () => {
    const { table } = await loadDataset("penguins");
    const birds = table.dropMissing(["bodyMass"]);
    const X = birds.drop(["species"]);
    const y = birds.column("species").toArray().map(String);
    const model = new DecisionTreeClassifier({ maxDepth: 3 }).fit(X, y);
    expect(model.featureNamesIn).toEqual(X.columnNames);
    expect(model.score(X, y)).toBeGreaterThan(0.96);
    expect(model.rules()).toContain("island in {Biscoe}\n");
    const { island, sex } = { island: birds.column("island"), sex: birds.column("sex") };
    const code = (column: CategoricalColumn, i: number) =>
      column.codes[i]! < 0 ? Number.NaN : column.codes[i]!;
    const numbers = X.drop(["island", "sex"]).toMatrix();
    const coded = Matrix.fromRows(numbers.toArray().map((row, i) => [code(island, i), ...row, code(sex, i)]));
    const byHand = new DecisionTreeClassifier({ maxDepth: 3, categoricalFeatures: [0, 5] }).fit(coded, y);
    expect(model.tree.grown).toEqual(byHand.tree.grown);
    expect(model.predictProba(X).data).toEqual(byHand.predictProba(coded).data);
    const reversed = X.select([...X.columnNames].reverse());
    expect(model.predict(reversed)).toEqual(byHand.predict(coded));
    // The species is still there.
    expect(() => model.predict(birds)).toThrow(/got one that also has "species"\. X\.drop\(\["species"\]\)/);
  });

  it("are named in rules, drawings and nodes", () => {
    const model = new DecisionTreeRegressor({ maxDepth: 1 }).fit(towns.drop(["height"]), degrees);
    expect(model.rules()).toBe(
      "|--- town in {Bergen, Oslo}\n|   |--- 6.667\n|--- town not in {Bergen, Oslo}\n|   |--- 18.00\n",
    );
    expect(model.toDot()).toContain('[label="town in {Bergen, Oslo}\\n');
    expect(model.toSvg()).toContain(">town in {Bergen, Oslo}</text>");
    const json = JSON.parse(JSON.stringify(model));
    expect(json.featureNames).toEqual(model.featureNamesIn);
    expect(json.nodes[0].split.categoryNames).toEqual(["Bergen", "Oslo"]);
    expect(model.rules({ featureNames: ["place"] })).toContain("place in {Bergen, Oslo}");
    expect(model.tree.node(0).split).toMatchObject({ categoryNames: ["Bergen", "Oslo"] });
    expect([...model.tree.node(0).split!.categories!]).toEqual([0, 2]);
    const back = loadModel(saveModel(model)) as typeof model;
    expect(back.rules()).toBe(model.rules());
  });

  it("are quoted in rules where a name could be read as something else, and cut in drawings", () => {
    const odd = ["a, b", "{", "", " x", "plain name", 'say "hi"', "two\nlines"];
    const table = Table.fromColumns({ word: [...odd, "z"] });
    const model = new DecisionTreeRegressor({ maxDepth: 1 }).fit(table, [0, 0, 0, 0, 0, 0, 0, 9]);
    expect(model.rules().split("\n")[0]).toBe(
      '|--- word in {"", " x", "a, b", plain name, "say \\"hi\\"", "two\\nlines", "{"}',
    );
    const [whole, cut] = /<title>(word in [^<]*)<\/title>([^<]*)<\/text>/.exec(model.toSvg())!.slice(1);
    expect(cut).toHaveLength(27);
    expect(cut!.endsWith("…") && whole!.startsWith(cut!.slice(0, -1))).toBe(true);
  });

  it("go where gaps go if fit has not seen them", () => {
    const table = Table.fromColumns({ town: ["Oslo", "Oslo", "Rome", "Rome", null, null] });
    const model = new DecisionTreeRegressor().fit(table, [1, 1, 2, 2, 9, 9]);
    const asked = Table.fromColumns({ town: ["Oslo", "Rome", null, "Paris"] });
    expect([...model.predict(asked)]).toEqual([1, 2, 9, 9]);
  });

  it("have the categories of the rows that are learned from, not of the table they were taken from", () => {
    const some = towns.selectRows([0, 1, 4, 5]);
    expect((some.column("town") as CategoricalColumn).categories).toHaveLength(4);
    const model = new DecisionTreeRegressor().fit(some, [16, 6, 6, 16]);
    expect(model.tree.columns!.columns[1]!.categories).toEqual(["Oslo", "Rome"]);
  });

  it("may have a hundred thousand categories", () => {
    const n = 100_000;
    const names = Array.from({ length: n }, (_, i) => `name ${i}`);
    const y = names.map((_, i) => (i * 7919) % 2);
    const table = Table.fromColumns({ name: names });
    const model = new DecisionTreeClassifier().fit(table, y);
    expect(model.leafCount).toBe(2);
    expect(model.predict(table)).toEqual(y);
    const back = loadModel(saveModel(model)) as typeof model;
    expect(back.predict(table.selectRows([5, 77_777]))).toEqual([y[5], y[77_777]]);
    expect(model.rules().split("\n")[0]).toMatch(/^\|--- name in \{(name \d+, ){8}… 50000\}$/);
  });

  it("may be mixed with booleans, which rules name too", () => {
    const table = Table.fromColumns({ member: [true, false, true, false, null], age: [1, 2, 3, 4, 5] });
    const y = [1, 0, 1, 0, 1];
    const model = new DecisionTreeRegressor({ maxDepth: 1 }).fit(table, y);
    expect(model.rules()).toMatch(/^\|--- member is false\n.*\n\|--- member is true\n/);
    const group = new DecisionTreeRegressor({ maxDepth: 1, categoricalFeatures: ["member"] }).fit(table, y);
    expect(group.rules()).toMatch(/^\|--- member in \{false\}\n/);
    expect([...group.predict(table)]).toEqual([...model.predict(table)]);
  });

  it("are not forged: a saved tree that lists a category without a name is refused", () => {
    const state = new DecisionTreeRegressor({ maxDepth: 1 }).fit(towns, degrees).toState();
    const [height, town] = state.values["columns"] as { name: string }[];
    const forged: ModelState[] = [
      {
        ...state,
        values: { ...state.values, columns: [height!, { ...town!, categories: ["Bergen"] }] } as never,
      },
      { ...state, values: { ...state.values, columns: [height!] as never } },
    ];
    expect(DecisionTreeRegressor.restore(state).rules()).toContain("town in {Bergen, Oslo}");
    for (const wrong of forged) expect(() => DecisionTreeRegressor.restore(wrong)).toThrow(FormatError);
  });
});

describe("a table of numbers", () => {
  it("is learned from like its matrix, and its names are kept", async () => {
    const { X, y, featureNames } = await loadDataset("iris");
    const table = Table.fromColumns(Object.fromEntries(featureNames.map((name, j) => [name, X.column(j)])));
    const model = new DecisionTreeClassifier({ maxDepth: 2 }).fit(table, y);
    const plain = new DecisionTreeClassifier({ maxDepth: 2 }).fit(X, y);
    expect(model.tree.grown).toEqual(plain.tree.grown);
    expect(model.rules()).toBe(plain.rules({ featureNames }));
    expect(model.predict(X)).toEqual(plain.predict(X));
    expect(model.predict(table.select([...table.columnNames].reverse()))).toEqual(plain.predict(X));
    expect(plain.featureNamesIn).toBeUndefined();
    // A model that has learned from a matrix knows no names, and takes columns as they come.
    expect(plain.predict(table)).toEqual(plain.predict(X));
  });
});
