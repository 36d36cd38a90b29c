import { oneOf, ParameterError, show } from "../core/errors.js";
import { flag, readParams } from "../core/params/params.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { catalogue } from "./catalogue.js";
import type { DatasetName, Datasets, Digit, PenguinTable } from "./types.js";

const diabetesParams = {
  scaled: flag({
    default: true,
    doc: "Columns of mean 0 and sum of squares 1, as scikit-learn returns them; when false, the raw measurements.",
  }),
};

/** Only diabetes has a choice. */
type LoadOptions<N extends DatasetName> = N extends "diabetes"
  ? [options?: { readonly scaled?: boolean | undefined }]
  : [];

const loaders: { readonly [N in DatasetName]: (options: unknown) => Promise<Datasets[N]> } = {
  async iris(options) {
    noOptions("iris", options);
    const { rows } = await import("../data/included/iris.js");
    return labelled("iris", rows, ["setosa", "versicolor", "virginica"]);
  },
  async wine(options) {
    noOptions("wine", options);
    const { rows } = await import("../data/included/wine.js");
    return labelled("wine", rows, ["class_0", "class_1", "class_2"]);
  },
  async breastCancer(options) {
    noOptions("breastCancer", options);
    const { rows } = await import("../data/included/breast-cancer.js");
    return labelled("breastCancer", rows, ["malignant", "benign"]);
  },
  async digits(options) {
    noOptions("digits", options);
    const { rows } = await import("../data/included/digits.js");
    // One character per pixel: 0 … 9, a … g.
    const lines = rows.trim().split("\n");
    const X = Matrix.fromRows(
      lines.map((line) => Array.from(line.slice(0, 64), (pixel) => Number.parseInt(pixel, 17))),
    );
    const y = lines.map((line) => Number(line[64]) as Digit);
    const classes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
    return { name: "digits", task: "classification", X, y, classes, ...catalogue.digits };
  },
  async diabetes(options) {
    const { scaled } = readParams('loadDataset("diabetes")', diabetesParams, options ?? {});
    const { rows, mean, deviation } = await import("../data/included/diabetes.js");
    const { X, last } = numeric(rows);
    if (scaled) {
      const root = Math.sqrt(X.rows);
      for (let e = 0; e < X.data.length; e++) {
        const j = e % X.cols;
        X.data[e] = (X.data[e]! - mean[j]!) / deviation[j]! / root;
      }
    }
    return { name: "diabetes", task: "regression", X, y: last, ...catalogue.diabetes };
  },
  async penguins(options) {
    noOptions("penguins", options);
    const { rows } = await import("../data/included/penguins.js");
    const table = penguinTable(rows);
    const measured = table.dropMissing(["billLength", "billDepth", "flipperLength", "bodyMass"]);
    const X = measured.select(["billLength", "billDepth", "flipperLength", "bodyMass"]).toMatrix();
    const species = measured.column("species");
    const y = species.toArray().filter((name) => name !== null);
    return {
      name: "penguins",
      task: "classification",
      X,
      y,
      classes: species.categories,
      table,
      ...catalogue.penguins,
    };
  },
};

/**
 * `const { X, y } = await loadDataset("iris")`. Each dataset is a separate module, imported by the call that
 * loads it, so a bundle without this call carries none of them. Every call returns fresh arrays.
 */
export async function loadDataset<N extends DatasetName>(
  name: N,
  ...[options]: LoadOptions<N>
): Promise<Datasets[N]> {
  if (!Object.hasOwn(loaders, name)) {
    throw new ParameterError("loadDataset", "the name", oneOf(Object.keys(loaders)), show(name));
  }
  return loaders[name](options);
}

/** Names that `loadDataset` accepts. */
export const datasetNames: readonly DatasetName[] = Object.freeze(Object.keys(catalogue) as DatasetName[]);

function noOptions(name: DatasetName, options: unknown): void {
  if (options !== undefined) readParams(`loadDataset("${name}")`, {}, options);
}

/** Lines of comma-separated numbers: X, and the last column as a vector. */
function numeric(rows: string): { X: Matrix; last: Float64Array } {
  const all = Matrix.fromRows(
    rows
      .trim()
      .split("\n")
      .map((line) => line.split(",").map(Number)),
  );
  const features = Array.from({ length: all.cols - 1 }, (_, j) => j);
  return { X: all.selectColumns(features), last: all.column(all.cols - 1) };
}

function labelled<N extends "iris" | "wine" | "breastCancer", L extends Datasets[N]["classes"][number]>(
  name: N,
  rows: string,
  labels: readonly L[],
) {
  const { X, last } = numeric(rows);
  const y = Array.from(last, (code) => labels[code]!);
  const classes = Object.freeze([...labels].sort());
  return { name, task: "classification", X, y, classes, ...catalogue[name] } as const;
}

function penguinTable(rows: string): PenguinTable {
  const cells = rows
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const text = (c: number) => cells.map((line) => line[c] || null);
  const number = (c: number) => cells.map((line) => (line[c] ? Number(line[c]) : null));
  return Table.fromColumns({
    species: text(0),
    island: text(1),
    billLength: number(2),
    billDepth: number(3),
    flipperLength: number(4),
    bodyMass: number(5),
    sex: text(6),
  }) as unknown as PenguinTable;
}
