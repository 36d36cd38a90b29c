import { expect, test } from "vitest";
import { namesIn } from "./estimator-names.mjs";

const families = new Map([
  ["svm", ["SVC"]],
  ["clustering", ["KMeans"]],
]);
const found = (text, file = "apps/cli/src/main.ts") =>
  namesIn(file, text, families).map(({ line, name }) => [line, name]);

test("ids in quotes and as keys, and patterns on the names of classes, are found with their line", () => {
  expect(found('const a = 1;\nif (model.id === "SVC") scale();')).toEqual([[2, '"SVC"']]);
  expect(found('const titles = {\n  KMeans: "k-means",\n};')).toEqual([[2, "KMeans"]]);
  expect(found("const centres = /KMeans$/.test(id);")).toEqual([[1, "/KMeans$/"]]);
});

test("classes, comments, other words and the family itself pass", () => {
  expect(found('import { SVC } from "argmax/svm"; new SVC(); // "SVC"\n// KMeans: centres')).toEqual([]);
  expect(found('say("an SVC is slow"); const name = "Other"; const x = /[A-Z]+/;')).toEqual([]);
  expect(found('const id = "SVC";', "library/src/svm/svc.ts")).toEqual([]);
});
