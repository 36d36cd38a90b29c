import {
  Binarizer,
  CsrMatrix,
  type FittedKBinsDiscretizer,
  type FittedPolynomialFeatures,
  KBinsDiscretizer,
  type Matrix,
  Normalizer,
  OneHotEncoder,
  OrdinalEncoder,
  PolynomialFeatures,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Case, casesOf, dataOf, rowOf } from "../fixtures.js";

type Cell = string | number | boolean;

interface Expected {
  readonly transform: readonly (readonly number[])[];
  readonly names?: readonly string[];
  readonly cells?: readonly (readonly Cell[])[];
  readonly asked?: readonly (readonly Cell[])[];
  readonly rows?: readonly number[];
  /** Empty for a constant column. */
  readonly edges?: readonly (readonly number[])[];
  readonly powers?: readonly (readonly number[])[];
}

const cases = casesOf<Expected>("encoders");
const dense = (Z: Matrix | CsrMatrix) => (Z instanceof CsrMatrix ? Z.toDense() : Z);

describe("encoders of cells are scikit-learn's", () => {
  for (const { name, estimator, params, expected } of cases.filter((c) => c.expected.cells)) {
    it(`outputs and their names, exactly: ${name}`, () => {
      const model =
        estimator === "OneHotEncoder"
          ? new OneHotEncoder(params as never).fit(expected.cells!)
          : new OrdinalEncoder(params as never).fit(expected.cells!);
      const Z = model.transform(expected.asked!);
      expect(Z instanceof CsrMatrix).toBe(estimator === "OneHotEncoder" && params.sparseOutput !== false);
      expect(dense(Z).toArray()).toEqual(expected.transform);
      expect(model.featureNames()).toEqual(expected.names);
    });
  }
});

const classes = { Binarizer, KBinsDiscretizer, Normalizer, PolynomialFeatures } as const;

/** The first columns of a set, where a case asks for fewer. */
function narrowed(X: Matrix | CsrMatrix, { data }: Case<Expected>): Matrix | CsrMatrix {
  const { columns } = data as { columns?: number };
  if (columns === undefined) return X;
  const first = (X as CsrMatrix).toDense().selectColumns(Array.from({ length: columns }, (_, j) => j));
  return CsrMatrix.fromDense(first);
}

describe("transformers of numbers are scikit-learn's", () => {
  for (const fixture of cases.filter((c) => c.expected.rows)) {
    const { name, estimator, params, expected } = fixture;
    it(`${name}`, async () => {
      const X = narrowed((await dataOf<number>(fixture)).X, fixture);
      const model = new classes[estimator as keyof typeof classes](params as never).fit(X);
      const Z = model.transform(X) as Matrix | CsrMatrix;
      expect(Z instanceof CsrMatrix).toBe(
        estimator === "KBinsDiscretizer" ? (params.encode ?? "onehot") === "onehot" : X instanceof CsrMatrix,
      );
      const ours = expected.rows!.map((i) => rowOf(Z, i));
      // Bins, products and powers are exact; a norm is a sum of squares in another order.
      if (estimator === "Normalizer") expectClose(ours.flat(), expected.transform.flat(), 1e-15);
      else if (estimator === "PolynomialFeatures") expectClose(ours.flat(), expected.transform.flat(), 1e-15);
      else expect(ours).toEqual(expected.transform);
      if (expected.names) expect(model.featureNames()).toEqual(expected.names);
      if (expected.powers)
        expect((model as FittedPolynomialFeatures).powers.toArray()).toEqual(expected.powers);
      expected.edges?.forEach((edges, j) => {
        const own = (model as FittedKBinsDiscretizer).binEdges[j]!;
        if (edges.length === 0) expect(own[0]).toBe(own[1]);
        // Centres of clusters are means of hundreds of rows.
        else expectClose(own, edges, params.strategy === "kmeans" ? 1e-13 : 0);
      });
    });
  }
});
