import { expect, test } from "vitest";
import type { Board } from "../../state/document.js";
import type { Standing } from "../../state/standings.js";
import { arranged } from "./arrange.js";

const row = (
  id: string,
  estimator: string,
  mean: number | undefined,
  fitMilliseconds?: number,
  state = "done",
) =>
  ({
    model: { id, estimator, params: {} },
    run: {
      state,
      trained: fitMilliseconds === undefined ? undefined : { fitMilliseconds, canPredict: false },
    },
    mean,
  }) as unknown as Standing;

/** As `standings` gives them: from the best on. */
const rows = [
  row("m1", "SVC", 0.9, 30),
  row("m2", "GaussianNB", 0.8, 1),
  row("m3", "LogisticRegression", 0.8, 20),
  row("m4", "AdaBoostClassifier", undefined),
];

const order = (board: Partial<Board>) =>
  arranged(rows, { sort: "score", reversed: false, pinned: [], ...board }).map(({ model }) => model.id);

test("the best comes first, or last; what is not known yet is last either way", () => {
  expect(order({})).toEqual(["m1", "m2", "m3", "m4"]);
  expect(order({ reversed: true })).toEqual(["m2", "m3", "m1", "m4"]);
  expect(order({ sort: "fit" })).toEqual(["m2", "m3", "m1", "m4"]);
  expect(order({ sort: "fit", reversed: true })).toEqual(["m1", "m3", "m2", "m4"]);
});

test("a model that could not be measured is not the fastest, nor is one that predicts nothing", () => {
  const failed = row("m5", "SVC", undefined, 0.1, "failed");
  const by = (sort: Board["sort"]) =>
    arranged([failed, ...rows], { sort, reversed: false, pinned: [] }).map(({ model }) => model.id);
  expect(by("fit").slice(0, 3)).toEqual(["m2", "m3", "m1"]);
  expect(by("predict")).toEqual(["m5", "m1", "m2", "m3", "m4"]);
});

test("names are sorted as they are read, not as classes are called", () => {
  // AdaBoost, Logistic regression, Naive Bayes, SVM
  expect(order({ sort: "name" })).toEqual(["m4", "m3", "m2", "m1"]);
});

test("pinned rows are on top, in the same order", () => {
  expect(order({ pinned: ["m4", "m3"] })).toEqual(["m3", "m4", "m1", "m2"]);
});
