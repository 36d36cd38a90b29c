import { afterEach, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { limits } from "../../numeric/rows/dense-rows.js";
import { saveModel } from "../../persistence/index.js";
import { MLPClassifier } from "../mlp-classifier.js";

const usual = limits.residentBytes;
afterEach(() => {
  limits.residentBytes = usual;
});

it("rows that do not fit the kernels' memory give the same bits as rows that do", () => {
  const random = new Random(8);
  const X = new Matrix(
    Float64Array.from({ length: 300 * 7 }, () => random.normal()),
    300,
    7,
  );
  const y = Array.from({ length: 300 }, (_, i) => (X.at(i, 0) * X.at(i, 1) > 0 ? "same" : "other"));
  const estimator = new MLPClassifier({ hiddenLayerSizes: [9], maxIter: 5, batchSize: 32 });
  const resident = saveModel(estimator.fit(X, y));
  limits.residentBytes = 1000;
  expect(saveModel(estimator.fit(X, y))).toEqual(resident);
});

it("rows of mostly zeros, which products skip, give the same bits as rows whose zeros are multiplied", () => {
  const random = new Random(9);
  const [n, d] = [400, 120];
  const X = new Matrix(
    Float64Array.from({ length: n * d }, () => (random.uniform() < 0.9 ? 0 : random.normal())),
    n,
    d,
  );
  const y = Array.from({ length: n }, (_, i) => (X.at(i, 0) > X.at(i, 1) ? "more" : "less"));
  // Products of 200 × 120 × 60 are large enough to skip zeros; streamed rows never do.
  const estimator = new MLPClassifier({ hiddenLayerSizes: [60], maxIter: 5 });
  const skipped = saveModel(estimator.fit(X, y));
  limits.residentBytes = 1000;
  expect(saveModel(estimator.fit(X, y))).toEqual(skipped);
});
