import {
  f1Score,
  GaussianNB,
  LinearDiscriminantAnalysis,
  LogisticRegression,
  logLoss,
  meanAbsoluteError,
  pipeline,
  Ridge,
  r2Score,
  StandardScaler,
} from "argmax";
import { afterAll, describe, expect, it } from "vitest";
import { crossValidateInDatabase, fitInDatabase } from "../../src/index.js";
import { numbersSample, type Sample } from "./cases.js";
import { openDuckdbFits, openLocal, tableOf } from "./databases.js";

const FOLDS = 4;
const databases = [openLocal(), await openDuckdbFits()];

/** A sample with a column of folds, whose names are not their places. */
function folded(sample: Sample): Sample {
  const names = ["north", "east", "south", "west"];
  const part = sample.columns["y"]!.map((_, i) => names[(i * 5 + Math.floor(i / 7)) % FOLDS]!);
  return { ...sample, columns: { ...sample.columns, part } };
}

/** Rows of a sample. */
function rowsOf({ columns, features }: Sample, kept: (i: number) => boolean) {
  const places = [...columns["y"]!.keys()].filter(kept);
  const of = (name: string) => places.map((i) => columns[name]![i]!);
  return {
    X: tableOf(Object.fromEntries(features.map((name) => [name, of(name)]))),
    y: of("y"),
    weights: of("w") as number[],
  };
}

const learners = {
  GaussianNB: () => new GaussianNB(),
  LinearDiscriminantAnalysis: () => new LinearDiscriminantAnalysis(),
  "pipeline(StandardScaler, LogisticRegression)": () =>
    pipeline(new StandardScaler(), new LogisticRegression({ tol: 1e-8 })),
};

for (const database of databases)
  describe(`cross-validation: ${database.name}`, () => {
    afterAll(() => database.close());
    for (const [name, make] of Object.entries(learners))
      for (const weighted of [false, true])
        it(`${name} has the scores of fits in memory${weighted ? ", with weights" : ""}`, async () => {
          const sample = folded(numbersSample("three classes", { weighted, rows: 120 }));
          const found = await crossValidateInDatabase(
            make() as GaussianNB,
            await database.rows(sample.columns),
            {
              features: sample.features,
              target: "y",
              sampleWeight: weighted ? "w" : undefined,
              fold: "part",
              scoring: ["accuracy", "f1Macro", "negLogLoss"],
            },
          );
          const parts = [...new Set(sample.columns["part"] as string[])].sort();
          expect(found.foldRows.length).toBe(FOLDS);
          for (const [f, part] of parts.entries()) {
            const isIn = (i: number) => sample.columns["part"]![i] === part;
            const [test, train] = [rowsOf(sample, isIn), rowsOf(sample, (i) => !isIn(i))];
            const model = make().fit(
              train.X,
              train.y as string[],
              weighted ? { sampleWeight: train.weights } : {},
            );
            const options = weighted ? { sampleWeight: test.weights } : {};
            const predicted = model.predict(test.X);
            const { accuracy, f1Macro, negLogLoss } = found.testScores;
            expect(accuracy![f]).toBeCloseTo(model.score(test.X, test.y as string[], options), 12);
            expect(f1Macro![f]).toBeCloseTo(
              f1Score(test.y as string[], predicted, { ...options, average: "macro" }),
              12,
            );
            const loss = logLoss(test.y as string[], model.predictProba(test.X), options);
            // The models differ by the rounding of sums in another order.
            expect(negLogLoss![f]).toBeCloseTo(-loss, 7);
            expect(found.models[f]!.predict(test.X)).toEqual(predicted);
          }
        });

    it("regressors have theirs", async () => {
      const sample = folded(numbersSample("numbers", { task: "regression", offset: 1e4 }));
      const found = await crossValidateInDatabase(new Ridge(), await database.rows(sample.columns), {
        features: sample.features,
        target: "y",
        fold: "part",
        scoring: ["r2", "negMeanAbsoluteError"],
      });
      const parts = [...new Set(sample.columns["part"] as string[])].sort();
      for (const [f, part] of parts.entries()) {
        const isIn = (i: number) => sample.columns["part"]![i] === part;
        const [test, train] = [rowsOf(sample, isIn), rowsOf(sample, (i) => !isIn(i))];
        const predicted = new Ridge().fit(train.X, train.y as number[]).predict(test.X);
        expect(found.testScore[f]).toBeCloseTo(r2Score(test.y as number[], predicted), 9);
        expect(found.testScores["negMeanAbsoluteError"]![f]).toBeCloseTo(
          -meanAbsoluteError(test.y as number[], predicted),
          9,
        );
      }
    });

    it("ten folds take as many passes as one fit, and two more", async () => {
      const sample = numbersSample("many", { rows: 400 });
      const rows = await database.rows(sample.columns);
      const given = { features: sample.features, target: "y" };
      let passes = 0;
      await fitInDatabase(new GaussianNB(), rows, { ...given, onProgress: (done) => (passes = done.passes) });
      const found = await crossValidateInDatabase(new GaussianNB(), rows, { ...given, cv: 10 });
      expect(found.testScore.length).toBe(10);
      // One counts the rows of the folds, one scores the models; the last of a fit sees that the rows are the same.
      expect(found.passes).toBeLessThanOrEqual(passes + 2);
      // Dealt by their values: about as many in each.
      for (const count of found.foldRows) expect(count).toBeGreaterThan(20);
    });

    it("the first folds alone are those of all", async () => {
      const sample = numbersSample("three classes", { rows: 120 });
      const rows = await database.rows(sample.columns);
      const given = {
        features: sample.features,
        target: "y",
        cv: 4,
        scoring: ["accuracy", "negLogLoss"] as const,
      };
      const all = await crossValidateInDatabase(new GaussianNB(), rows, given);
      for (const tested of [1, 3, 4, 9]) {
        const some = await crossValidateInDatabase(new GaussianNB(), rows, { ...given, tested });
        const count = Math.min(tested, 4);
        expect(some.models.length).toBe(count);
        expect(some.foldRows).toEqual(all.foldRows.slice(0, count));
        expect(some.testScores["accuracy"]).toEqual(all.testScores["accuracy"]!.slice(0, count));
        some.testScores["negLogLoss"]!.forEach((score, f) => {
          // Sums over groups that are put together in another order.
          expect(score).toBeCloseTo(all.testScores["negLogLoss"]![f]!, 10);
        });
      }
      const numbers = numbersSample("numbers", { task: "regression" });
      const of = { features: numbers.features, target: "y", scoring: ["r2", "negMaxError"] as const };
      const ridge = async (tested?: number) =>
        crossValidateInDatabase(new Ridge(), await database.rows(numbers.columns), { ...of, tested });
      const [one, five] = [await ridge(1), await ridge()];
      expect(one.testScore.length).toBe(1);
      expect(one.testScore[0]).toBeCloseTo(five.testScore[0]!, 10);
      expect(one.testScores["negMaxError"]![0]).toBeCloseTo(five.testScores["negMaxError"]![0]!, 9);
      await expect(crossValidateInDatabase(new GaussianNB(), rows, { ...given, tested: 0 })).rejects.toThrow(
        "tested",
      );
    });

    it("the deal is that of the values, not of the order of the rows", async () => {
      const sample = numbersSample("many", { rows: 60 });
      const turned = Object.fromEntries(
        Object.entries(sample.columns).map(([name, cells]) => [name, [...cells].reverse()]),
      );
      const given = { features: sample.features, target: "y", cv: 3 };
      const [a, b] = await Promise.all(
        [sample.columns, turned].map(async (columns) =>
          crossValidateInDatabase(new GaussianNB(), await database.rows(columns), given),
        ),
      );
      expect(a!.foldRows).toEqual(b!.foldRows);
      const other = await crossValidateInDatabase(new GaussianNB(), await database.rows(turned), {
        ...given,
        randomState: 1,
      });
      expect(other.foldRows).not.toEqual(a!.foldRows);
    });

    it("says what is wrong with folds and scorers", async () => {
      const sample = numbersSample("few", { rows: 30 });
      const rows = await database.rows({ ...sample.columns, one: sample.columns["y"]!.map(() => 1) });
      const given = { features: sample.features, target: "y" };
      const fit = (options: object) =>
        crossValidateInDatabase(new GaussianNB(), rows, { ...given, ...options });
      await expect(fit({ cv: 1 })).rejects.toThrow(/cv must be a whole number from 2 to 100, got 1/);
      await expect(fit({ fold: "one" })).rejects.toThrow(/fold "one" must be 2 to 100 values, got 1/);
      await expect(fit({ fold: "x" })).rejects.toThrow(/fold must be a column of the source/);
      await expect(fit({ scoring: "rocAuc" })).rejects.toThrow(/scoring must be one that sums over rows/);
      await expect(fit({ scoring: "r2" })).rejects.toThrow(/scoring must be one for classification/);
    });
  });
