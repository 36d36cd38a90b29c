import {
  type ColumnPart,
  CsrMatrix,
  columnTransformer,
  featureUnion,
  MinMaxScaler,
  OneHotEncoder,
  pipeline,
  type Remainder,
  SimpleImputer,
  StandardScaler,
  Table,
  TfidfVectorizer,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { casesOf } from "../fixtures.js";

type Row = readonly (string | number | null)[];

interface Expected {
  readonly cells: readonly Row[];
  readonly asked: readonly Row[];
  readonly parts: readonly (readonly [string, readonly number[]])[];
  readonly remainder: string;
  readonly threshold: number;
  readonly sparse: boolean;
  readonly transform: readonly (readonly number[])[];
}

const made: Readonly<Record<string, () => Remainder>> = {
  standard: () => new StandardScaler(),
  minMax: () => new MinMaxScaler(),
  oneHot: () => new OneHotEncoder({ handleUnknown: "ignore" }),
  tfidf: () => new TfidfVectorizer(),
  median: () => pipeline(new SimpleImputer({ strategy: "median" }), new StandardScaler()),
  passthrough: () => "passthrough",
  drop: () => "drop",
};

const names = ["age", "town", "score", "note", "share"];
const tableOf = (rows: readonly Row[]) =>
  Table.fromColumns(new Map(names.map((name, j) => [name, rows.map((row) => row[j]) as number[]])));

describe("columnTransformer is scikit-learn's", () => {
  for (const { name, expected } of casesOf<Expected>("compose")) {
    const { cells, asked, parts, remainder, threshold, sparse, transform } = expected;
    const options = { remainder: made[remainder]!(), sparseThreshold: threshold };
    const build = <C>(columns: (list: readonly number[]) => C) =>
      columnTransformer(
        Object.fromEntries(parts.map(([part, list]) => [part, [made[part]!(), columns(list)] as ColumnPart])),
        options,
      );
    it(`on rows of cells, by number: ${name}`, () => {
      const Z = build((list) => list)
        .fit(cells)
        .transform(asked);
      expect(Z instanceof CsrMatrix).toBe(sparse);
      // Means, deviations and norms are sums in another order.
      expectClose((Z instanceof CsrMatrix ? Z.toDense() : Z).data, transform.flat(), 1e-14);
    });
    it(`on tables, by name, in another order: ${name}`, () => {
      const model = build((list) => list.map((j) => names[j]!)).fit(tableOf(cells));
      const Z = model.transform(tableOf(asked).select([...names].reverse()));
      expectClose((Z instanceof CsrMatrix ? Z.toDense() : Z).data, transform.flat(), 1e-14);
    });
  }
});

interface ExpectedUnion {
  readonly rows: readonly (readonly number[])[];
  readonly asked: readonly (readonly number[])[];
  readonly parts: readonly string[];
  readonly weights: Readonly<Record<string, number>>;
  readonly sparse: boolean;
  readonly transform: readonly (readonly number[])[];
}

describe("featureUnion is scikit-learn's", () => {
  for (const { name, expected } of casesOf<ExpectedUnion>("feature-union")) {
    it(name, () => {
      const { rows, asked, parts, weights, sparse, transform } = expected;
      const transformers = Object.fromEntries(parts.map((part) => [part, made[part]!()]));
      const Z = featureUnion(transformers, { transformerWeights: weights }).fit(rows).transform(asked);
      expect(Z instanceof CsrMatrix).toBe(sparse);
      // Means and deviations are sums in another order.
      expectClose((Z instanceof CsrMatrix ? Z.toDense() : Z).data, transform.flat(), 1e-14);
    });
  }
});
