import { expect, test } from "vitest";
import { Held } from "../held.js";
import type { Roles } from "../protocol.js";
import type { Context } from "./context.js";
import { table } from "./tables.js";
import { train } from "./train.js";

const held = new Held();
held.set("penguins", await table({ source: { kind: "included", name: "penguins" } }));
const context = { held, news: () => {}, isStopped: () => false, breathe: async () => {} };
const roles: Roles = {
  table: "penguins",
  features: ["billLength", "flipperLength"],
  target: "species",
  group: null,
  task: "classification",
};
const measured = (kind: "folds" | "holdout", folds: number) =>
  train(
    { roles, model: { estimator: "GaussianNB", params: {} }, split: { kind, folds, seed: 3 }, preview: null },
    context as unknown as Context<"train">,
  );

test("a single split holds out the first of its folds, with the share of every class", async () => {
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
