import { IsotonicRegression } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { casesOf } from "../fixtures.js";

interface IsotonicCase {
  readonly name: string;
  readonly weighted: boolean;
  readonly params: {
    readonly increasing?: boolean | "auto";
    readonly y_min?: number;
    readonly y_max?: number;
  };
  readonly inputs: Readonly<Record<"x" | "y" | "z" | "sampleWeight", readonly number[]>>;
  readonly expected: Readonly<Record<"predict" | "thresholds" | "values", readonly number[]>> & {
    readonly increasing: boolean;
  };
}

describe("IsotonicRegression is scikit-learn's", () => {
  for (const fixture of casesOf("isotonic") as unknown as readonly IsotonicCase[])
    it(fixture.name, () => {
      const { inputs, expected, weighted } = fixture;
      const { increasing, y_min: yMin, y_max: yMax } = fixture.params;
      const column = (list: readonly number[]) => list.map((value) => [value]);
      const options = weighted ? { sampleWeight: inputs.sampleWeight } : {};
      const model = new IsotonicRegression({ increasing, yMin, yMax }).fit(
        column(inputs.x),
        inputs.y,
        options,
      );
      expect(model.increasing).toBe(expected.increasing);
      // Means of the same numbers in another order.
      expectClose(model.xThresholds, expected.thresholds, 1e-12);
      expectClose(model.yThresholds, expected.values, 1e-12);
      expectClose(model.predict(column(inputs.z)), expected.predict, 1e-12);
    });
});
