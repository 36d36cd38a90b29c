import { expect, test } from "vitest";
import { factsSource, startersOf, titleOf } from "./estimator-facts.mjs";

test("a title is the declared one, or the id in words", () => {
  expect(["RandomForestClassifier", "SVC", "GaussianNB", "KernelPCA"].map((id) => titleOf({ id }))).toEqual([
    "Random forest",
    "SVC",
    "Gaussian NB",
    "Kernel PCA",
  ]);
  expect(titleOf({ id: "KMeans", title: "k-means" })).toBe("k-means");
});

test("starters are those of the tasks, in their places", () => {
  const capabilities = { task: "clustering" };
  const classes = [
    { id: "B", capabilities, starter: { place: 2, params: { k: 3 } } },
    { id: "A", capabilities: { task: "density" }, starter: { place: 1 } },
    { id: "C", capabilities },
  ];
  expect(startersOf(classes, ["clustering", "density"])).toEqual([
    { estimator: "A", params: {} },
    { estimator: "B", params: { k: 3 } },
  ]);
  expect(factsSource(classes)).toContain('"B": "B"');
});
