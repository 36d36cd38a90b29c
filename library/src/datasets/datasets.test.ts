import { createHash } from "node:crypto";
import { describe, expect, expectTypeOf, it } from "vitest";
import { ParameterError } from "../core/errors.js";
import * as breastCancer from "../data/included/breast-cancer.js";
import * as diabetes from "../data/included/diabetes.js";
import * as digits from "../data/included/digits.js";
import * as iris from "../data/included/iris.js";
import * as wine from "../data/included/wine.js";
import { type DatasetName, type Digit, datasetNames, loadDataset } from "./index.js";

/** SHA-256 of X and y as little-endian doubles, as tools/datasets/write.py takes it from scikit-learn's arrays. */
function digest(X: Float64Array, y: Float64Array): string {
  return createHash("sha256").update(new Uint8Array(X.buffer)).update(new Uint8Array(y.buffer)).digest("hex");
}

describe("loadDataset", () => {
  it("gives scikit-learn's numbers, bit for bit", async () => {
    const coded = async (name: "iris" | "wine" | "breastCancer" | "digits", order: readonly unknown[]) => {
      const { X, y } = await loadDataset(name);
      return digest(
        X.data,
        Float64Array.from(y as readonly unknown[], (label) => order.indexOf(label)),
      );
    };
    expect(await coded("iris", ["setosa", "versicolor", "virginica"])).toBe(iris.digest);
    expect(await coded("wine", ["class_0", "class_1", "class_2"])).toBe(wine.digest);
    expect(await coded("breastCancer", ["malignant", "benign"])).toBe(breastCancer.digest);
    expect(await coded("digits", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe(digits.digest);
    const scaled = await loadDataset("diabetes");
    expect(digest(scaled.X.data, scaled.y)).toBe(diabetes.digest);
    const raw = await loadDataset("diabetes", { scaled: false });
    expect(digest(raw.X.data, raw.y)).toBe(diabetes.rawDigest);
  });

  it.each<[DatasetName, number, number]>([
    ["iris", 150, 4],
    ["wine", 178, 13],
    ["breastCancer", 569, 30],
    ["digits", 1797, 64],
    ["diabetes", 442, 10],
    ["penguins", 342, 4],
  ])("describes %s", async (name, rows, cols) => {
    const dataset = await loadDataset(name);
    expect(dataset.name).toBe(name);
    expect(dataset.X.shape).toEqual([rows, cols]);
    expect(dataset.y).toHaveLength(rows);
    expect(dataset.featureNames).toHaveLength(cols);
    for (const text of [dataset.targetName, dataset.description, dataset.source, dataset.licence]) {
      expect(text.length).toBeGreaterThan(3);
    }
    if (dataset.task === "classification") {
      expect([...new Set<string | number>(dataset.y)].sort()).toEqual(dataset.classes);
    }
  });

  it("knows the labels at compile time", async () => {
    expectTypeOf((await loadDataset("iris")).y).toEqualTypeOf<("setosa" | "versicolor" | "virginica")[]>();
    expectTypeOf((await loadDataset("digits")).y).toEqualTypeOf<Digit[]>();
    expectTypeOf((await loadDataset("diabetes")).y).toEqualTypeOf<Float64Array>();
    expectTypeOf((await loadDataset("penguins")).table.column("sex").at(0)).toEqualTypeOf<
      "female" | "male" | null
    >();
  });

  it("gives the penguins as a table too, with what is missing", async () => {
    const { table } = await loadDataset("penguins");
    expect(table.rows).toBe(344);
    expect(table.column("sex").missing).toBe(11);
    expect(table.column("bodyMass").missing).toBe(2);
    expect(table.column("island").categories).toEqual(["Biscoe", "Dream", "Torgersen"]);
    expect(table.row(0)).toEqual({
      species: "Adelie",
      island: "Torgersen",
      billLength: 39.1,
      billDepth: 18.7,
      flipperLength: 181,
      bodyMass: 3750,
      sex: "male",
    });
  });

  it("gives fresh arrays every time", async () => {
    const first = await loadDataset("iris");
    first.X.data[0] = 99;
    expect((await loadDataset("iris")).X.data[0]).toBe(5.1);
  });

  it("refuses other names and options that a dataset does not have", async () => {
    expect(datasetNames).toContain("iris");
    await expect(loadDataset("boston" as "iris")).rejects.toThrow(
      'loadDataset: the name must be "iris", "wine", "breastCancer", "digits", "diabetes" or "penguins", got "boston".',
    );
    await expect(loadDataset("toString" as "iris")).rejects.toThrow(ParameterError);
    // @ts-expect-error: only diabetes has it
    await expect(loadDataset("iris", { scaled: true })).rejects.toThrow(ParameterError);
  });
});
