import { describe, expect, it } from "vitest";
import { Random } from "../../core/random.js";
import { Table } from "../../data/table.js";
import { MLPClassifier, MLPRegressor, NeuralClassifier } from "../index.js";

const random = new Random(5);
const X = Array.from({ length: 60 }, () => [random.normal(), random.normal(), random.normal()]);
const y = X.map(([a, b]) => (a! > 0.3 ? "p" : b! > 0 ? "q" : "r"));

describe("training that goes on", () => {
  it("changes the model also where the earlier training kept its best weights", () => {
    const before = new MLPClassifier({ maxIter: 3, earlyStopping: true }).fit(X, y);
    const after = new MLPClassifier({ maxIter: 150, learningRateInit: 0.01 }).fit(X, y, { resume: before });
    expect(after.score(X, y)).toBeGreaterThan(0.95);
    expect(after.training.best).toBeUndefined();
    expect(after.validationScores).toEqual([]);
  });

  it("finds a table's columns by the names of the model", () => {
    const columns = { a: X.map((row) => row[0]!), b: X.map((row) => row[1]!), c: X.map((row) => row[2]!) };
    const [one, other] = [Table.fromColumns(columns), Table.fromColumns(columns).select(["c", "a", "b"])];
    for (const estimator of [MLPClassifier, NeuralClassifier]) {
      const begun = new estimator({ maxIter: 2 }).fit(one, y);
      const [first, second] = [one, other].map((x) =>
        new estimator({ maxIter: 4 }).fit(x, y, { resume: begun as never }),
      );
      expect(second!.featureNamesIn).toEqual(["a", "b", "c"]);
      expect(second!.predictProba(one).data).toEqual(first!.predictProba(one).data);
    }
    const numbers = X.map(([a, b]) => a! - b!);
    const begun = new MLPRegressor({ maxIter: 2 }).fit(one, numbers);
    const [first, second] = [one, other].map((x) =>
      new MLPRegressor({ maxIter: 4 }).fit(x, numbers, { resume: begun }),
    );
    expect(second!.predict(one)).toEqual(first!.predict(one));
  });

  it("refuses labels of other classes", () => {
    const other = y.map((label) => (label === "p" ? "z" : label));
    for (const estimator of [MLPClassifier, NeuralClassifier]) {
      const begun = new estimator({ maxIter: 1 }).fit(X, y);
      expect(() => new estimator({ maxIter: 2 }).fit(X, other, { resume: begun as never })).toThrow(
        'y must be labels of the classes of the model to go on from, ["p", "q", "r"], got ["q", "r", "z"].',
      );
    }
  });
});
