import { describe, expect, it } from "vitest";
import { DataError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { BernoulliNB } from "./index.js";

describe("BernoulliNB", () => {
  it("counts the zeros of sparse rows as ones when the threshold is below 0", () => {
    const X = [
      [0, -3, 1],
      [2, 0, 0],
      [-5, 0, 4],
      [0, -1, -2],
    ];
    const y = ["a", "a", "b", "b"];
    const estimator = new BernoulliNB({ binarize: -0.5 });
    const [dense, sparse] = [estimator.fit(X, y), estimator.fit(CsrMatrix.fromDense(Matrix.fromRows(X)), y)];
    expect(dense.featureCount.toArray()).toEqual([
      [2, 1, 2],
      [1, 1, 1],
    ]);
    expect(sparse.featureCount).toEqual(dense.featureCount);
  });

  it("takes 0 and 1 only when it is not told to binarize", () => {
    const estimator = new BernoulliNB({ binarize: null });
    expect(() => estimator.fit([[0], [0.5]], [0, 1])).toThrow(
      "BernoulliNB.fit: X[1][0] must be 0 or 1 when binarize is null, got 0.5. binarize: 0 makes it so.",
    );
    expect(() => estimator.fit([[0], [1]], [0, 1]).predict([[2]])).toThrow(DataError);
  });

  it("P(0) does not vanish where P(1) rounds to 1", () => {
    const X = Array.from({ length: 1_000_000 }, () => Float64Array.of(1));
    const y = Int32Array.from(X, (_, i) => i % 2);
    const model = new BernoulliNB({ alpha: 0 }).fit(X, y);
    expect(model.logLikelihood([[0]]).data[0]).toBeCloseTo(Math.log(1e-10 / 500_000), 6);
  });

  it("topFeatures compares fractions of rows", () => {
    const model = new BernoulliNB().fit(
      [
        [1, 0],
        [1, 1],
        [0, 1],
      ],
      ["a", "a", "b"],
    );
    const [a] = model.topFeatures(1);
    expect(a!.features[0]!.logRatio).toBeCloseTo(Math.log(3 / 4 / (1 / 3)), 12);
  });
});
