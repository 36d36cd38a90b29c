import {
  GaussianNB,
  LinearRegression,
  MiniBatchKMeans,
  MLPClassifier,
  SGDClassifier,
  SGDRegressor,
  Table,
} from "argmax";
import { type Label, ParameterError } from "argmax/core";
import { afterAll, describe, expect, it } from "vitest";
import {
  batches,
  type DatabaseRows,
  DataChangedError,
  local,
  partialFitInDatabase,
} from "../../src/index.js";
import { mixedSample, numbersSample } from "./cases.js";
import { type Columns, openDuckdbFits, openPostgresFits, tableOf } from "./databases.js";
import { expectSameState } from "./states.js";

const pick = (columns: Columns, names: readonly string[], rows: readonly number[]): Table =>
  tableOf(Object.fromEntries(names.map((name) => [name, rows.map((i) => columns[name]![i]!)])));

/** Row numbers in blocks. */
const blocksOf = (rows: number, size: number): number[][] =>
  Array.from({ length: Math.ceil(rows / size) }, (_, b) =>
    Array.from({ length: Math.min(size, rows - b * size) }, (_, e) => b * size + e),
  );

for (const database of [await openDuckdbFits(), await openPostgresFits()])
  describe(`batches of ${database.name}`, () => {
    afterAll(() => database.close());

    it("are all rows with their types, in blocks of one size", async () => {
      const { columns, features, target } = mixedSample("a table");
      const rows = await database.rows(columns);
      const found: { X: Table; y: unknown; w: Float64Array | undefined }[] = [];
      const options = { features, target, sampleWeight: "w", batchSize: 40 };
      for await (const { X, y, sampleWeight } of batches(rows, options))
        found.push({ X, y, w: sampleWeight });
      expect(found.map(({ X }) => X.rows)).toEqual([40, 40, 10]);
      for (const [b, places] of blocksOf(90, 40).entries()) {
        const { X, y, w } = found[b]!;
        const expected = pick(columns, features, places);
        for (const name of features)
          expect(X.column(name).toArray()).toEqual(expected.column(name).toArray());
        expect(X.column("town")).toMatchObject({
          kind: "categorical",
          categories: ["ash", "birch", "cedar", "elm", "fir"],
        });
        expect(Array.from(y as number[])).toEqual(places.map((i) => columns["y"]![i]));
        expect(Array.from(w!)).toEqual(places.map((i) => columns["w"]![i]));
      }
    });

    it("come in another order each epoch where they are mixed", async () => {
      const { columns, features, target } = numbersSample("numbers", { task: "regression" });
      const rows = await database.rows(columns);
      const orders: string[] = [];
      const estimator = {
        params: {},
        toJSON: () => ({}),
        partialFit: (_: unknown, X: Table) => {
          orders.push(X.column("x3").toArray().join(" "));
          return {} as never;
        },
      };
      await partialFitInDatabase(estimator, rows, { features, target, shuffle: true, epochs: 2 });
      expect(orders[0]).not.toBe(orders[1]);
      const sorted = orders.map((order) => order.split(" ").sort().join(" "));
      expect(sorted[0]).toBe(sorted[1]);
      expect(sorted[0]!.split(" ")).toHaveLength(90);
    });

    for (const make of [
      () => new GaussianNB(),
      () => new SGDClassifier({ randomState: 3 }),
      () => new MLPClassifier({ hiddenLayerSizes: [5], randomState: 3, dtype: "float64" }),
    ])
      it(`teach ${make().id} what the same blocks teach it in memory`, async () => {
        // Sorted by class: the first block has one class only.
        const { columns, features } = numbersSample("three classes");
        const order = columns["y"]!.map((_, i) => i).sort((a, b) =>
          columns["y"]![a]! < columns["y"]![b]! ? -1 : 1,
        );
        const sorted = Object.fromEntries(
          Object.entries(columns).map(([name, cells]) => [name, order.map((i) => cells[i]!)]),
        );
        const rows = await database.rows(sorted);
        const seen: number[] = [];
        const found = await partialFitInDatabase(make() as GaussianNB, rows, {
          features,
          target: "y",
          sampleWeight: "w",
          batchSize: 25,
          epochs: 2,
          onProgress: ({ epoch, rows: done, totalRows }) => seen.push(epoch * totalRows + done),
        });
        expect(seen).toEqual([25, 50, 75, 90, 115, 140, 165, 180]);
        const classes = [...new Set(sorted["y"] as string[])].sort();
        let model: ReturnType<GaussianNB["partialFit"]> | null = null;
        for (let epoch = 0; epoch < 2; epoch++)
          for (const places of blocksOf(90, 25))
            model = (make() as GaussianNB).partialFit(
              model as never,
              pick(sorted, features, places),
              places.map((i) => sorted["y"]![i]!) as Label[],
              { classes, sampleWeight: places.map((i) => sorted["w"]![i]!) as number[] },
            );
        expectSameState(found.toState(), model!.toState(), { within: 0 });
      });

    it("teach a regressor and a clusterer", async () => {
      const { columns, features } = numbersSample("numbers", { task: "regression" });
      const rows = await database.rows(columns);
      const regressor = new SGDRegressor({ randomState: 1 });
      const numbers = await partialFitInDatabase(regressor, rows, { features, target: "y" });
      const whole = pick(
        columns,
        features,
        columns["y"]!.map((_, i) => i),
      );
      const expected = regressor.partialFit(null, whole, columns["y"] as number[]);
      expect(numbers.toState()).toEqual(expected.toState());
      const clusters = new MiniBatchKMeans({ nClusters: 2, randomState: 1 });
      const centres = await partialFitInDatabase(clusters, rows, { features });
      expect(centres.toState()).toEqual(clusters.partialFit(null, whole).toState());
    });
  });

describe("partialFitInDatabase", () => {
  const table = local(Table.fromColumns({ a: [1, 2, 3], y: [1, 2, 3] }));

  it("says what cannot learn in parts, and which options are wrong", async () => {
    await expect(
      partialFitInDatabase(new LinearRegression() as never, table, { target: "y" }),
    ).rejects.toThrow(
      "partialFitInDatabase: the estimator must be one with partialFit, got LinearRegression. Fit it by fitInDatabase",
    );
    for (const options of [{ epochs: 0 }, { batchSize: 1.5 }, { features: ["b"] }])
      await expect(
        partialFitInDatabase(new SGDRegressor(), table, { target: "y", ...options }),
      ).rejects.toThrow(ParameterError);
    await expect(partialFitInDatabase(new SGDRegressor(), table)).rejects.toThrow(ParameterError);
  });

  it("counts the rows of each epoch", async () => {
    const engine = {
      dialect: "duckdb" as const,
      open: async (...given: Parameters<DatabaseRows["engine"]["open"]>) => {
        const session = await table.engine.open(...given);
        const batches: typeof session.batches = (columns, options) =>
          session.batches(columns, { ...options, limit: 2 });
        return { ...session, batches };
      },
    };
    const short = { ...table, engine };
    await expect(partialFitInDatabase(new SGDRegressor(), short, { target: "y" })).rejects.toThrow(
      DataChangedError,
    );
  });
});
