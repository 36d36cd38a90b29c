import { selectRows } from "argmax/data";
import { LogisticRegression } from "argmax/linear";
import { VotingClassifier } from "argmax/meta";
import { accuracyScore } from "argmax/metrics";
import { pipeline } from "argmax/pipeline";
import { SimpleImputer, StandardScaler } from "argmax/preprocessing";
import { StratifiedKFold } from "argmax/selection";
import { SVC } from "argmax/svm";
import { DecisionTreeClassifier } from "argmax/trees";
import { expect, test } from "vitest";
import { heldTables, quietContext, speciesRoles } from "../../../test/worker-context.js";
import { categoryColumn } from "../../data/table.js";
import { firstDocument } from "../../state/document.js";
import { resolveModel } from "../../state/resolve-model.js";
import { train, trainingRows } from "./train.js";

const held = await heldTables("penguins");
const context = quietContext(held);
const roles = speciesRoles;
const numbers = (name: string, values: number[]) => ({
  name,
  kind: "number",
  values: Float64Array.from(values),
});
const measured = (kind: "folds" | "holdout", folds: number) =>
  train(
    { roles, model: { estimator: "GaussianNB", params: {} }, split: { kind, folds, seed: 3 }, preview: null },
    context,
  );

test("a single split holds out the first of its folds, with the proportion of every class", async () => {
  const once = await measured("holdout", 4);
  const all = await measured("folds", 4);
  expect(once.scores).toEqual(all.scores.slice(0, 1));
  expect(once.held!.rows.length).toBe(86);
  expect(all.held!.rows.length).toBe(344);
  const sizes = [0, 1, 2].map((c) => once.held!.truth.filter((one) => one === c).length);
  expect(sizes).toEqual([38, 17, 31]);
  // What was held out is answered as by the same fold of the others.
  const places = once.held!.rows.map((row) => all.held!.rows.indexOf(row));
  expect(once.held!.predicted).toEqual(Float64Array.from(places, (e) => all.held!.predicted[e]!));
});

test("a table that is too small for its folds says so, and what to do", async () => {
  const few = { name: "few", rows: 2, columns: [numbers("x", [1, 2]), categoryColumn("class", ["a", "b"])] };
  held.set("few", few);
  const ask = { model: { estimator: "GaussianNB", params: {} }, preview: null };
  const small = { ...roles, table: "few", features: ["x"], target: "class" };
  const learn = (kind: "folds" | "time", folds: number) =>
    train({ ...ask, roles: small, split: { kind, folds, seed: 0 } }, context);
  await expect(learn("folds", 5)).rejects.toThrow(
    "2 rows are too few for 5 folds: choose fewer folds in Data, or a larger table.",
  );
  await expect(learn("time", 2)).rejects.toThrow("2 rows are too few for 2 folds");
});

test("a vote of models of the bench is the library's own, each member scaled as it needs inside the folds", async () => {
  const own = {
    id: "m7",
    estimator: "VotingClassifier",
    params: { estimators: [{ model: "m1" }, { model: "m2" }, { model: "m4" }], voting: "soft" },
  };
  const { features, target } = roles;
  const bench = { models: [...firstDocument.models, own], features, target, classes: ["a", "b", "c"] };
  const found = await train(
    {
      roles,
      model: resolveModel(own, bench).spec!,
      split: { kind: "folds", folds: 4, seed: 3 },
      preview: null,
    },
    context,
  );
  const vote = pipeline(
    new SimpleImputer({ strategy: "median" }),
    new VotingClassifier({
      estimators: {
        logistic: pipeline(new StandardScaler(), new LogisticRegression()),
        svm: pipeline(new StandardScaler(), new SVC()),
        tree: new DecisionTreeClassifier({ maxDepth: 4 }),
      },
      voting: "soft",
    }),
  );
  const { x, y } = trainingRows(held.table("penguins"), roles);
  const labels = y as string[];
  const splitter = new StratifiedKFold({ nSplits: 4, shuffle: true, randomState: 3 });
  const scores = splitter.split(x, labels).map(({ train: rows, test: out }) => {
    const model = vote.fit(
      selectRows(x, rows),
      Array.from(rows, (i) => labels[i]!),
    );
    return accuracyScore(
      Array.from(out, (i) => labels[i]!),
      model.predict(selectRows(x, out)),
    );
  });
  expect(found.scores).toEqual(scores);
  const all = vote.fit(x, labels);
  expect(found.fitted.scores).toEqual(all.predictProba(x).data);
});
