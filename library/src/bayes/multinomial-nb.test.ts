import { describe, expect, it } from "vitest";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { ComplementNB, MultinomialNB } from "./index.js";

describe("MultinomialNB and ComplementNB", () => {
  it("refuse negative counts in fit and predict, and say where", () => {
    for (const estimator of [new MultinomialNB(), new ComplementNB()]) {
      expect(() =>
        estimator.fit(
          [
            [1, 0],
            [2, -1],
          ],
          [0, 1],
        ),
      ).toThrow(/fit: X\[1\]\[1\] must be a count ≥ 0, got -1/);
      const sparse = CsrMatrix.fromRows([[[0, 1]], [[3, -2]]], 4);
      expect(() => estimator.fit(sparse, [0, 1])).toThrow(/X\[1\]\[3\] must be a count ≥ 0, got -2/);
      const model = estimator.fit(
        [
          [1, 0],
          [0, 1],
        ],
        [0, 1],
      );
      expect(() => model.predict([[0, -3]])).toThrow(/predict: X\[0\]\[1\] must be a count ≥ 0/);
    }
  });

  it("refuse sums beyond a double, and answer for rows whose score is beyond one", () => {
    const large = [
      [1e308, 0],
      [1e308, 1e308],
      [0, 1],
    ];
    expect(() => new MultinomialNB().fit(large, [0, 0, 1])).toThrow(/of a sum that fits a double/);
    const model = new MultinomialNB().fit(
      [
        [3, 1],
        [1, 3],
      ],
      ["a", "b"],
    );
    expect(
      model.predict([
        [1.7e308, 1.6e308],
        [1.6e308, 1.7e308],
      ]),
    ).toEqual(["a", "b"]);
    expect(model.predictProba(CsrMatrix.fromDense(Matrix.fromRows([[1.7e308, 1e308]]))).data).toEqual(
      Float64Array.of(1, 0),
    );
  });

  it("an empty document has the posterior of the prior", () => {
    const model = new MultinomialNB().fit(
      [
        [1, 0],
        [0, 1],
        [0, 2],
      ],
      ["a", "b", "b"],
    );
    expect(model.predictProba([[0, 0]]).data[0]).toBeCloseTo(1 / 3, 14);
  });

  it("a single word tells nothing in ComplementNB, with norm too", () => {
    for (const norm of [false, true]) {
      const model = new ComplementNB({ norm }).fit([[1], [5]], ["a", "b"]);
      expect(model.predictProba([[3]]).data).toEqual(Float64Array.of(0.5, 0.5));
    }
  });

  it("topFeatures finds the words that speak for a class", () => {
    const X = [
      [5, 1, 0, 2],
      [4, 0, 1, 2],
      [0, 6, 1, 2],
      [1, 5, 0, 2],
    ];
    const y = ["spam", "spam", "ham", "ham"];
    const featureNames = ["buy", "lunch", "rare", "the"];
    for (const estimator of [new MultinomialNB(), new ComplementNB()]) {
      const [ham, spam] = estimator.fit(X, y).topFeatures(2, { featureNames });
      expect(ham!.label).toBe("ham");
      expect(ham!.features[0]).toMatchObject({ feature: 1, name: "lunch" });
      expect(spam!.features[0]!.name).toBe("buy");
      // (9 + 1) of 19 against (1 + 1) of 21.
      expect(spam!.features[0]!.logRatio).toBeCloseTo(Math.log(10 / 19 / (2 / 21)), 12);
    }
    const model = new MultinomialNB().fit(X, y);
    expect(model.topFeatures(1)[0]!.features[0]!.name).toBe("x1");
    expect(model.topFeatures(200)[0]!.features).toHaveLength(4);
    expect(() => model.topFeatures(0)).toThrow(/k must be an integer ≥ 1/);
    expect(() => model.topFeatures(1, { featureNames: ["a"] })).toThrow(/one name for each of the 4 columns/);
  });
});
