import { describe, expect, it } from "vitest";
import { ArgmaxError } from "../core/errors.js";
import {
  Binarizer,
  KBinsDiscretizer,
  LabelEncoder,
  MinMaxScaler,
  Normalizer,
  OneHotEncoder,
  OrdinalEncoder,
  PolynomialFeatures,
  StandardScaler,
  ThresholdBinner,
} from "./index.js";

const X = [
  [1, 2],
  [3, 4],
  [5, 6],
];
const estimators: Record<string, { fit(x: never): object }> = {
  Binarizer: new Binarizer(),
  KBinsDiscretizer: new KBinsDiscretizer(),
  MinMaxScaler: new MinMaxScaler(),
  Normalizer: new Normalizer(),
  OneHotEncoder: new OneHotEncoder(),
  OrdinalEncoder: new OrdinalEncoder(),
  PolynomialFeatures: new PolynomialFeatures(),
  StandardScaler: new StandardScaler(),
  ThresholdBinner: new ThresholdBinner(),
};
const wrong = [null, undefined, 5, "abc", true, {}, () => 1, [null], [5], [{}], new Map(), { length: 2 }];

describe("input of another kind is an error of the library", () => {
  for (const [name, estimator] of Object.entries(estimators)) {
    const model = estimator.fit(X as never) as Record<string, (x: unknown) => unknown>;
    const doors = ["transform", "inverseTransform", "featureNames"].filter((method) => method in model);

    it(`in ${name}: fit, ${doors.join(", ")}`, () => {
      for (const x of wrong) {
        expect(() => estimator.fit(x as never)).toThrow(ArgmaxError);
        for (const method of doors) {
          if (method === "featureNames" && x === undefined) continue;
          expect(() => model[method]!(x), `${method} of ${String(x)}`).toThrow(ArgmaxError);
        }
      }
    });
  }

  it("in LabelEncoder: codes are whole numbers in an array", () => {
    const model = new LabelEncoder().fit(["a", "b"]);
    for (const codes of [null, undefined, 5, "abc", {}, [null], ["0"], ["length"], [0.5], [-1]])
      expect(() => model.inverseTransform(codes as never)).toThrow(ArgmaxError);
    expect(() => model.inverseTransform(null as never)).toThrow(
      "FittedLabelEncoder.inverseTransform: codes must be an array or a typed array, got null.",
    );
    expect(model.inverseTransform(Int32Array.of(1))).toEqual(["b"]);
  });
});
