import { parseCsv } from "argmax/csv";
import type { ClassSample, Matrix } from "argmax/data";
import { makeBlobs, makeCircles, makeMoons, makeSpirals, makeXor } from "argmax/data";
import { loadCsv, loadDataset } from "argmax/datasets";
import { targetAsClasses } from "../../data/guess-roles.js";
import { tableData } from "../../data/library-table.js";
import type { IncludedSet, Shape, Source } from "../../data/source.js";
import { type ColumnData, categoryColumn, type TableData } from "../../data/table.js";
import type { Ask } from "../protocol.js";

/** An included set, a generated shape, or painted points. */
export async function table({ source }: Ask<"table">): Promise<TableData> {
  switch (source.kind) {
    case "included":
      return included(source.name);
    case "generated":
      return generated(source);
    case "painted": {
      const { points } = source;
      return {
        name: "painted points",
        rows: points.length,
        columns: [
          numberColumn(
            "x",
            points.map(([x]) => x),
          ),
          numberColumn(
            "y",
            points.map(([, y]) => y),
          ),
          categoryColumn(
            "class",
            points.map(([, , label]) => letterOf(label)),
          ),
        ],
      };
    }
    case "file":
      throw new Error(`Drop ${source.name} here: files stay on the computer of whoever opened them.`);
  }
}

const numberColumn = (name: string, values: ArrayLike<number>): ColumnData => ({
  name,
  kind: "number",
  values: Float64Array.from(values),
});

/** Classes of points are A, B, C, … */
const letterOf = (label: number): string => String.fromCharCode(65 + label);

async function included(name: IncludedSet): Promise<TableData> {
  if (name === "titanic") return targetAsClasses(tableData(name, parseCsv((await loadCsv("titanic")).csv)));
  const set = await loadDataset(name);
  if ("table" in set) return tableData(name, set.table);
  const { X, y } = set as { X: Matrix; y: ArrayLike<string | number> };
  const names: readonly string[] =
    "featureNames" in set
      ? (set.featureNames as readonly string[])
      : Array.from({ length: X.cols }, (_, j) => `pixel ${Math.floor(j / 8) + 1}.${(j % 8) + 1}`);
  const target: string = "targetName" in set ? String(set.targetName) : "target";
  const columns = names.map((column, j) =>
    numberColumn(
      column,
      Float64Array.from({ length: X.rows }, (_, i) => X.data[i * X.cols + j]!),
    ),
  );
  const labels = Array.from(y);
  const last =
    set.task === "regression"
      ? numberColumn(target, labels as number[])
      : categoryColumn(target, labels.map(String));
  return { name, rows: X.rows, columns: [...columns, last] };
}

const makers: {
  readonly [S in Shape]: (nSamples: number, noise: number, randomState: number) => ClassSample;
} = {
  moons: (nSamples, noise, randomState) => makeMoons({ nSamples, noise, randomState }),
  rings: (nSamples, noise, randomState) =>
    makeCircles({ nSamples, noise: noise / 2, factor: 0.5, randomState }),
  spirals: (nSamples, noise, randomState) => makeSpirals({ nSamples, noise: noise / 4, randomState }),
  blobs: (nSamples, noise, randomState) =>
    makeBlobs({ nSamples, centers: 3, clusterStd: 0.2 + 4 * noise, randomState }),
  xor: (nSamples, noise, randomState) => makeXor({ nSamples, noise, randomState }),
};

/** Points of a shape, of which the first class has the given share. */
function generated({ shape, rows, noise, balance, seed }: Extract<Source, { kind: "generated" }>): TableData {
  const wanted = Math.round(rows * balance);
  // As many as are needed of the class with the larger share.
  const made = Math.ceil(3.2 * Math.max(wanted, rows - wanted));
  const { X, y } = makers[shape](made, noise, seed);
  const chosen: number[] = [];
  let first = 0;
  for (let i = 0; i < X.rows && chosen.length < rows; i++) {
    const isFirst = Number(y[i]) === 0;
    if (isFirst ? first === wanted : chosen.length - first === rows - wanted) continue;
    if (isFirst) first++;
    chosen.push(i);
  }
  return {
    name: shape,
    rows: chosen.length,
    columns: [
      numberColumn(
        "x",
        chosen.map((i) => X.data[2 * i]!),
      ),
      numberColumn(
        "y",
        chosen.map((i) => X.data[2 * i + 1]!),
      ),
      categoryColumn(
        "class",
        chosen.map((i) => letterOf(Number(y[i]))),
      ),
    ],
  };
}
