import { expect, it } from "vitest";
import type { ModelEntry } from "./document.js";
import { distinction, modelLabel, modelName, settingsOrId } from "./model-names.js";

const entry = (id: string, estimator: string, params: ModelEntry["params"] = {}): ModelEntry => ({
  id,
  estimator,
  params,
});

it("a model is told from others of its kind by what is set, or by its id", () => {
  const models = [
    entry("m1", "LogisticRegression"),
    entry("m2", "LogisticRegression", { C: 0.1, penalty: { name: "l1", settings: { alpha: 1 } } }),
    entry("m3", "VotingClassifier", { estimators: [{ model: "m1" }, { model: "m2" }] }),
    entry("m4", "VotingClassifier", { estimators: [{ model: "m1" }, { estimator: "SVC" }], voting: "soft" }),
    entry("m5", "MLPClassifier", { hiddenLayerSizes: [8, 4] }),
    entry("m6", "MLPClassifier", { hiddenLayerSizes: [8, 4] }),
    entry("m7", "SVC", { C: 2 }),
  ];
  expect(models.map((model) => distinction(model, models))).toEqual([
    "m1",
    "C 0.1, penalty l1",
    "m3",
    "voting soft",
    "hiddenLayerSizes 8, 4 (m5)",
    "hiddenLayerSizes 8, 4 (m6)",
    "",
  ]);
  // The leaderboard shows what is set of every model.
  expect(models.slice(5).map((model) => settingsOrId(model, models))).toEqual([
    "hiddenLayerSizes 8, 4 (m6)",
    "C 2",
  ]);
  expect(settingsOrId(entry("m8", "GaussianNB"), models)).toBe("");
  expect(modelLabel(models[0]!, models)).toBe("Logistic regression, m1");
});

it("names that every object has are not known models", () => {
  expect(["constructor", "__proto__", "toString"].map((name) => typeof modelName(name))).toEqual([
    "string",
    "string",
    "string",
  ]);
});
