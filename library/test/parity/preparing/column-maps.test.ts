import { FunctionTransformer, type Matrix, SplineTransformer } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { casesOf, dataOf } from "../fixtures.js";

interface Mapped {
  readonly asked: readonly (readonly number[])[];
  readonly transform: readonly (readonly number[])[];
}

const is = (wanted: string) => (fixture: { readonly estimator: string }) => fixture.estimator === wanted;

describe("FunctionTransformer is scikit-learn's", () => {
  type Expected = Mapped & { readonly inverse: readonly (readonly number[])[] };
  for (const { name, params, expected } of casesOf<Expected>("column-maps").filter(
    is("FunctionTransformer"),
  )) {
    it(name, () => {
      const model = new FunctionTransformer(params as never).fit(expected.asked);
      // A unit or two in the last place, on either side.
      const Z = model.transform(expected.asked);
      expectClose((Z as Matrix).data, expected.transform.flat(), 1e-15);
      expectClose((model.inverseTransform(Z) as Matrix).data, expected.inverse.flat(), 1e-14);
    });
  }
});

describe("SplineTransformer is scikit-learn's: knots, values and names", () => {
  type Expected = Mapped & {
    readonly knots: readonly (readonly number[])[];
    readonly names: readonly string[];
  };
  for (const fixture of casesOf<Expected>("column-maps").filter(is("SplineTransformer"))) {
    const { name, params, expected } = fixture;
    it(name, async () => {
      const { X, fitOptions } = await dataOf<number>(fixture);
      const model = new SplineTransformer(params as never).fit(X, fitOptions);
      // The same sums in the same order, but for the steps between evenly spaced knots.
      model.knots.forEach((knots, j) => {
        expectClose(knots, expected.knots[j]!, 1e-15);
      });
      expect(model.featureNames()).toEqual(expected.names);
      expectClose(model.transform(expected.asked).data, expected.transform.flat(), 1e-13);
    });
  }
});
