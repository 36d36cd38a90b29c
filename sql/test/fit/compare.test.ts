import {
  DummyClassifier,
  DummyRegressor,
  GaussianNB,
  KNeighborsClassifier,
  LogisticRegression,
} from "argmax";
import { afterAll, describe, expect, it } from "vitest";
import { compareInDatabase, fitInDatabase, preparedInDatabase } from "../../src/index.js";
import { mixedSample } from "./cases.js";
import { openDuckdbFits } from "./databases.js";

const database = await openDuckdbFits({ optimizes: false });

describe("models side by side in a database", () => {
  afterAll(() => database.close());

  it("the usual ones on a table of categories and gaps", async () => {
    const sample = mixedSample("mixed", { rows: 200 });
    const rows = await database.rows(sample.columns);
    const seen: string[] = [];
    const comparison = await compareInDatabase(rows, {
      features: sample.features,
      target: "y",
      task: "classification",
      cv: 2,
      scratch: {},
      onModel: (name, scores) => {
        if (scores) seen.push(name);
      },
    });
    expect(comparison.models.map(({ name }) => name).sort()).toEqual([...seen].sort());
    expect(seen).toContain("LogisticRegression");
    expect(seen).toContain("HistGradientBoostingClassifier");
    const named = Object.fromEntries(comparison.leftOut.map(({ name, because }) => [name, because]));
    expect(named["KNeighborsClassifier"]).toBe("it does not learn from sums over rows");
    expect(named["RandomForestClassifier"]).toMatch(/hundreds of passes/);
    expect(comparison.baseline).toBeGreaterThan(0.3);
    expect(comparison.best.mean).toBeGreaterThan(comparison.baseline!);
    expect(String(comparison)).toMatch(/accuracy\s+± 95 %/);
  });

  it("models of one's own, of which the impossible is named", async () => {
    const sample = mixedSample("mixed", { rows: 80 });
    const rows = await database.rows(sample.columns);
    const given = { features: ["price", "open"], target: "y", cv: 2, task: "classification" } as const;
    const { models, leftOut } = await compareInDatabase(rows, {
      ...given,
      models: { bayes: new GaussianNB(), neighbours: new KNeighborsClassifier() },
    });
    expect(models.map(({ name }) => name)).toEqual(["bayes"]);
    expect(leftOut.map(({ name }) => name)).toEqual(["neighbours"]);
    const none = compareInDatabase(rows, { ...given, models: { neighbours: new KNeighborsClassifier() } });
    await expect(none).rejects.toThrow(/the models must be one or more that can be fitted/);
  });

  it("labels of text and booleans are classes, numbers are not", async () => {
    const { columns } = mixedSample("mixed", { rows: 40 });
    const rows = await database.rows(columns);
    const models = { constant: new DummyClassifier() };
    const { task } = await compareInDatabase(rows, { features: ["price"], target: "open", models });
    expect(task).toBe("classification");
    const other = { constant: new DummyRegressor() };
    expect((await compareInDatabase(rows, { features: ["price"], target: "y", models: other })).task).toBe(
      "regression",
    );
  });

  it("an estimator gets the steps that the columns need", async () => {
    const sample = mixedSample("mixed", { rows: 80 });
    const rows = await database.rows(sample.columns);
    const given = { features: sample.features, target: "y" };
    const ready = await preparedInDatabase(new LogisticRegression(), rows, given);
    const model = await fitInDatabase(ready as LogisticRegression, rows, given);
    const X = sample.features.map((name) => sample.columns[name]!);
    const first = Object.fromEntries(sample.features.map((name, j) => [name, X[j]![0]!]));
    expect([0, 1]).toContain(model.predict([first] as never)[0]);
  });
});
