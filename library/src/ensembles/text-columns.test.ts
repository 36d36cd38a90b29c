import { describe, expect, it } from "vitest";
import { DataError, FormatError, ParameterError } from "../core/errors.js";
import type { ModelState } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import type { CategoricalColumn } from "../data/table/column.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import {
  ExtraTreesClassifier,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  RandomForestClassifier,
} from "../index.js";
import { crossValScore } from "../selection/index.js";

/** What penguins weigh, by species, island and sex, some of which is unknown; and the same in codes. */
async function penguins() {
  const { table } = await loadDataset("penguins");
  const birds = table.dropMissing(["bodyMass"]);
  const X = birds.select(["species", "island", "sex", "flipperLength"]);
  const codes = (["species", "island", "sex"] as const).map(
    (name) => birds.column(name) as CategoricalColumn,
  );
  const flippers = birds.column("flipperLength").values;
  const coded = Matrix.fromRows(
    Array.from(flippers, (length, i) => [
      ...codes.map((column) => (column.codes[i]! < 0 ? Number.NaN : column.codes[i]!)),
      length,
    ]),
  );
  return { X, coded, mass: birds.column("bodyMass").values, species: birds.column("species").toArray() };
}

const shops = Table.fromColumns({
  shop: Array.from({ length: 200 }, (_, i) => ["north", "south", "east", null][i % 4]!),
  size: Array.from({ length: 200 }, (_, i) => i % 10),
});
const price = Array.from({ length: 200 }, (_, i) => [9, 3, 7, 1][i % 4]! + (i % 10));

describe("histogram boosting on a table", () => {
  it("weighs penguins as from codes, bit for bit", async () => {
    const { X, coded, mass } = await penguins();
    const model = new HistGradientBoostingRegressor({ maxIter: 30 }).fit(X, mass);
    const byHand = new HistGradientBoostingRegressor({ maxIter: 30, categoricalFeatures: [0, 1, 2] });
    const other = byHand.fit(coded, mass);
    expect(model.predict(X)).toEqual(other.predict(coded));
    expect([...model.stagedPredict(X)].at(-1)).toEqual(model.predict(X));
    expect(model.score(X, mass)).toBeGreaterThan(0.85);
    expect(model.featureNamesIn).toEqual(["species", "island", "sex", "flipperLength"]);
    expect(other.featureNamesIn).toBeUndefined();
  });

  it("names the categories of its nodes", () => {
    const model = new HistGradientBoostingRegressor({ maxIter: 1, maxLeafNodes: 2 }).fit(shops, price);
    const root = model.tree(0)[0]!;
    expect(root).toMatchObject({ feature: 0, categories: [0, 1], categoryNames: ["east", "north"] });
    const back = HistGradientBoostingRegressor.restore(model.toState());
    expect(back.tree(0)).toEqual(model.tree(0));
    const plain = new HistGradientBoostingRegressor({ maxIter: 1, categoricalFeatures: ["size"] });
    const sizes = plain.fit(shops.select(["size"]), price).tree(0)[0]!;
    expect(sizes.categories!.length).toBeGreaterThan(0);
    expect(sizes.categoryNames).toBeUndefined();
  });

  it("refuses more categories than bins by the column's name, and a direction for text", () => {
    const n = 100_000;
    const ids = Table.fromColumns({ id: Array.from({ length: n }, (_, i) => `id ${i}`) });
    const y = Array.from({ length: n }, (_, i) => i % 2);
    expect(() => new HistGradientBoostingClassifier().fit(ids, y)).toThrow(
      /categorical column "id" must be of at most maxBins \(255\) categories, got 100000\. .*table\.drop\(\["id"\]\)/,
    );
    expect(() => new HistGradientBoostingClassifier().fit(ids, y)).toThrow(DataError);
    const rising = new HistGradientBoostingRegressor({ monotonicCst: [1, 0] });
    expect(() => rising.fit(shops, price)).toThrow(/has no order/);
    expect(() => rising.fit(shops, price)).toThrow(ParameterError);
  });

  it("refuses a saved model whose categories have no names", () => {
    const state = new HistGradientBoostingRegressor({ maxIter: 2 }).fit(shops, price).toState();
    const [shop, size] = state.values["columns"] as { name: string }[];
    const forge = (columns: readonly object[]): ModelState => ({
      ...state,
      values: { ...state.values, columns: columns as never },
    });
    expect(HistGradientBoostingRegressor.restore(forge([shop!, size!])).nIter).toBe(2);
    for (const columns of [
      [{ ...shop!, categories: ["east"] }, size!],
      [shop!, { name: "size", kind: "categorical", categories: ["a"] }],
      [shop!],
    ]) {
      expect(() => HistGradientBoostingRegressor.restore(forge(columns))).toThrow(FormatError);
    }
  });
});

describe("forests on a table", () => {
  it("classify species as from codes, out of bag too", async () => {
    const { X, coded, species } = await penguins();
    const table = X.drop(["species"]);
    const rows = coded.selectColumns([1, 2, 3]);
    const params = { nEstimators: 20, oobScore: true };
    const y = species.map(String);
    const model = new RandomForestClassifier(params).fit(table, y);
    const other = new RandomForestClassifier({ ...params, categoricalFeatures: [0, 1] }).fit(rows, y);
    expect(model.predictProba(table).data).toEqual(other.predictProba(rows).data);
    expect(model.apply(table).data).toEqual(other.apply(rows).data);
    expect(model.oobScore).toBe(other.oobScore);
    expect(model.trees[3]!.node(0).split!.categoryNames ?? []).toEqual(
      Array.from(other.trees[3]!.node(0).split!.categories ?? [], (code) =>
        other.trees[3]!.node(0).split!.feature === 0
          ? ["Biscoe", "Dream", "Torgersen"][code]
          : ["female", "male"][code],
      ),
    );
    for (const { model: of } of new ExtraTreesClassifier({ nEstimators: 2 }).steps(table, y))
      expect(of().featureNamesIn).toEqual(["island", "sex", "flipperLength"]);
  });

  it("are compared by folds, in each of which some categories may be new", () => {
    // Each name is there twice: in most folds some test rows have one that was not learned from.
    const names = Table.fromColumns({
      name: Array.from({ length: 60 }, (_, i) => `name ${i % 30}`),
      size: Array.from({ length: 60 }, (_, i) => i % 2),
    });
    const y = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? "even" : "odd"));
    const scores = crossValScore(new RandomForestClassifier({ nEstimators: 10 }), names, y, {
      cv: 3,
    });
    for (const score of scores) expect(score).toBeGreaterThan(0.5);
  });
});
