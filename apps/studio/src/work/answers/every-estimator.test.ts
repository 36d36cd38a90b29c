import { expect, test } from "vitest";
import { heldTables, quietContext, speciesRoles } from "../../../test/worker-context.js";
import { firstParts } from "../../screens/bench/first-parts.js";
import { resolveModel } from "../../state/resolve-model.js";
import { codeReason, fieldKind } from "../../ui/fields/param-kinds.js";
import type { FramesAsk, Roles, Task } from "../protocol.js";
import { catalogue } from "./catalogue.js";
import { internals } from "./internals.js";
import { frames } from "./pictures/frames.js";
import { predict } from "./predict.js";
import { train } from "./train.js";

const held = await heldTables("penguins", "diabetes", "breastCancer");
const context = quietContext(held);

const rolesFor: { readonly [T in Task]: Roles } = {
  classification: speciesRoles,
  regression: {
    ...speciesRoles,
    table: "diabetes",
    features: ["bmi", "s5"],
    target: "progression",
    task: "regression",
  },
  clustering: { ...speciesRoles, target: null, task: "clustering" },
};
const twoClasses: Roles = {
  ...speciesRoles,
  table: "breastCancer",
  features: ["mean radius", "mean texture"],
  target: "diagnosis",
};
const onlyTwoClasses = /^(Cascade|ThresholdClassifier)$/;

const ranges = {
  breastCancer: { x: [5, 30], y: [9, 40] },
  penguins: { x: [30, 60], y: [170, 235] },
  diabetes: { x: [-0.1, 0.2], y: [-0.1, 0.15] },
} as const;

const all = await catalogue();
const split = { kind: "folds", folds: 2, seed: 0 } as const;

test.each(all.map((info) => [info.id, info] as const))(
  "%s trains, is drawn, and shows its insides, or says what it needs",
  async (id, info) => {
    const task = info.task === "density" ? "clustering" : info.task;
    const roles = onlyTwoClasses.test(id) ? twoClasses : rolesFor[task];
    const { x, y } = ranges[roles.table as keyof typeof ranges];
    const view = { axes: [roles.features[0]!, roles.features[1]!] as const, x, y, n: 12, row: null };
    // As somebody adds it to an empty bench.
    const { features, target } = roles;
    const fits = all.filter((one) => one.task === info.task);
    const params = firstParts(id, { models: [], fits, task, columns: features, positive: "malignant" });
    const bench = { models: [], features, target, classes: ["benign", "malignant"] };
    const model = resolveModel({ id: "m1", estimator: id, params }, bench).spec!;
    const trained = await train({ roles, model, split, preview: view }, context).catch(
      (error: Error) => error,
    );
    if (trained instanceof Error) {
      expect(needs[id], trained.message).toBeDefined();
      expect(trained.message).toMatch(needs[id]!);
      return;
    }
    expect(needs[id]).toBeUndefined();
    held.set("model", trained.file);
    const asked = { roles, model: "model", row: 3 };
    const panels = await internals(asked, context);
    expect(panels.length).toBeGreaterThan(0);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    const isAlone = !canPredict(id);
    if (!isAlone) await predict({ ...asked, changes: { [roles.features[0]!]: "40" } }, context);
    const ask: FramesAsk = { roles, model, view, most: 8, row: 3 };
    const series = await frames(ask, context);
    expect(series.frames.length > 0).toBe(!isAlone);
    expect(series.frames.length).toBeLessThanOrEqual(10);
    for (const { grid } of series.frames) expect(grid.winner).toHaveLength(144);
    // The last step is the model itself; its curves are not repeated.
    if (!isAlone) expect(series.frames.at(-1)!.panels).toEqual(panels.filter(({ kind }) => kind !== "curve"));
  },
  60_000,
);

/** Clusterings that know their own rows only. */
const canPredict = (id: string) => !/^(DBSCAN|AgglomerativeClustering)$/.test(id);

/** Estimators that cannot learn from two columns of numbers with their defaults, and what they say. */
const needs: Readonly<Record<string, RegExp>> = {
  CategoricalNB: /a category: a whole number/,
  RadiusNeighborsClassifier: /Choose a larger radius/,
  RadiusNeighborsRegressor: /Choose a larger radius/,
  CNNClassifier: /must be images/,
  ViTClassifier: /must be images/,
  TransformerClassifier: /every token/,
  IsotonicRegression: /one column/,
};

test("those that are made of others are made of members or stages first", () => {
  const only = all.filter((info) => !info.hasDefaults).map(({ id }) => id);
  expect(only.sort()).toEqual([
    "Cascade",
    "StackingClassifier",
    "StackingRegressor",
    "VotingClassifier",
    "VotingRegressor",
  ]);
});

test("every parameter of every estimator has a field, or is named with what only code can give", () => {
  const inCode = all.flatMap(({ id, params }) =>
    params
      .filter((param) => fieldKind(param) === "code")
      .map((param) => `${id}.${param.name}: ${codeReason(param)}`),
  );
  expect(inCode).toEqual([
    "GaussianMixture.precisionsInit: only in code: numbers in lists as deep as the covarianceType requires",
  ]);
});
