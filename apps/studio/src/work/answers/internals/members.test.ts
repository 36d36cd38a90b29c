import { MixedNB } from "argmax/bayes";
import { Cascade } from "argmax/cascade";
import { LinearDiscriminantAnalysis } from "argmax/discriminant";
import { IsotonicRegression } from "argmax/isotonic";
import { LinearRegression, LogisticRegression, Ridge } from "argmax/linear";
import {
  OneVsOneClassifier,
  StackingClassifier,
  StackingRegressor,
  ThresholdClassifier,
  VotingClassifier,
  VotingRegressor,
} from "argmax/meta";
import { RadiusNeighborsClassifier } from "argmax/neighbors";
import { SVC } from "argmax/svm";
import { DecisionTreeClassifier } from "argmax/trees";
import { expect, test } from "vitest";
import type { Panel } from "../../protocol.js";
import type { About } from "./about.js";
import { panelsOf } from "./panels.js";

const x = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(3 * i), i / 60]);
const three = x.map((_, i) => ["a", "b", "c"][Math.floor(i / 20)]!);
const two = three.map((label) => (label === "a" ? "no" : "yes"));
const values = x.map(([, , z]) => 3 * z! + 1);

const about = (labels: readonly (string | number)[], row?: readonly number[]): About => ({
  classes: typeof labels[0] === "string" ? [...new Set(labels as string[])] : [],
  target: "target",
  isScaledTarget: false,
  scale: "as they are",
  names: ["sine", "cosine", "time"],
  rows: Int32Array.from(labels, (_, i) => 100 + i),
  row: row === undefined ? undefined : [row],
  labels,
});
const panels = (model: object, given: About): readonly Panel[] => panelsOf(model, given);
const titles = (found: readonly Panel[]) => found.map(({ title }) => title);
const table = (found: readonly Panel[], title: string) =>
  found.find((panel) => panel.title === title) as Extract<Panel, { kind: "table" }>;
const bars = (found: readonly Panel[], title: string) =>
  found.find((panel) => panel.title === title) as Extract<Panel, { kind: "bars" }>;

test("voters are listed with their weights, and opened", () => {
  const estimators = { tree: new DecisionTreeClassifier({ maxDepth: 2 }), line: new LogisticRegression() };
  const model = new VotingClassifier({ estimators, voting: "soft", weights: [3, 1] }).fit(x, three);
  const found = panels(model, about(three, x[5]));
  expect(table(found, "Members")).toMatchObject({
    note: "2 models. Their answers are averaged by their weights.",
    head: ["Member", "Model", "Weight"],
    rows: [
      ["tree", "DecisionTreeClassifier", 3],
      ["line", "LogisticRegression", 1],
    ],
  });
  const [tree, ...others] = found.slice(1);
  expect(tree).toMatchObject({ kind: "tree", title: "tree: Tree" });
  expect(others.map(({ title }) => title)).toContain("line: Weights for b");
  const mean = new VotingRegressor({ estimators: { one: new Ridge(), other: new LinearRegression() } });
  expect(titles(panels(mean.fit(x, values), about(values)))).toEqual([
    "Members",
    "one: Weights for target",
    "other: Weights for target",
  ]);
});

test("the final model of a stack has a column per member and class", () => {
  const estimators = {
    tree: new DecisionTreeClassifier({ maxDepth: 2 }),
    lda: new LinearDiscriminantAnalysis(),
  };
  const stack = new StackingClassifier({ estimators, finalEstimator: new LogisticRegression() });
  const found = panels(stack.fit(x, three), about(three));
  expect(
    bars(found, "Final model: Weights for a")
      .bars.map(({ name }) => name)
      .sort(),
  ).toEqual(["tree", "lda"].flatMap((name) => ["a", "b", "c"].map((label) => `${name}: ${label}`)).sort());
  const pair = panels(stack.fit(x, two), about(two));
  expect(
    bars(pair, "Final model: Weights for yes")
      .bars.map(({ name }) => name)
      .sort(),
  ).toEqual(["lda", "tree"]);
  const passed = new StackingRegressor({ estimators: { ridge: new Ridge() }, passthrough: true }).fit(
    x,
    values,
  );
  const { names } = about(values);
  expect(
    bars(panels(passed, about(values)), "Final model: Weights for target")
      .bars.map(({ name }) => name)
      .sort(),
  ).toEqual(["ridge", ...names].sort());
});

test("a pair of classes names its own rows", () => {
  const model = new OneVsOneClassifier({ estimator: new SVC({ kernel: "rbf" }) }).fit(x, three);
  const { rows, about: numbers } = table(panels(model, about(three)), "b or c: Support vectors");
  expect(rows.every(([, label]) => label === "b" || label === "c")).toBe(true);
  for (const [k, number] of numbers!.entries()) expect(rows[k]![1]).toBe(three[number - 100]);
});

test("a threshold is a sentence before its model", () => {
  const model = new ThresholdClassifier({ estimator: new LogisticRegression() }).fit(x, two);
  const found = panels(model, about(two));
  expect(titles(found)).toEqual(["Threshold", "Weights for yes"]);
  expect(table(found, "Threshold").note).toContain(
    `Rows whose score for yes is at least ${Number(model.threshold.toPrecision(4))} get this answer.`,
  );
});

test("blocks of naive Bayes have the names of their columns", () => {
  const binary = x.map(([s, c, z]) => [s! > 0 ? 1 : 0, c!, z!]);
  const model = new MixedNB({ blocks: [{ model: "bernoulli", columns: [0] }] }).fit(binary, three);
  const found = panels(model, about(three));
  expect(table(found, "Gaussian: Mean ± standard deviation").head).toEqual(["", "cosine", "time"]);
  expect(bars(found, "Bernoulli: Most informative for a").bars.map(({ name }) => name)).toEqual(["sine"]);
});

test("neighbours within a radius are all that are near enough", () => {
  const model = new RadiusNeighborsClassifier({ radius: 0.8 }).fit(x, three);
  const { rows, about: numbers } = table(panels(model, about(three, x[5])), "Neighbours");
  const near = x.flatMap((row, i) =>
    Math.hypot(...row.map((value, j) => value - x[5]![j]!)) <= 0.8 ? [i + 100] : [],
  );
  expect([...numbers!].sort((a, b) => a - b)).toEqual(near);
  const distances = rows.map(([, , distance]) => Number(distance));
  expect(distances).toEqual([...distances].sort((a, b) => a - b));
  expect(distances[0]).toBe(0);
});

test("isotonic regression has its knots", () => {
  const one = { ...about(values), names: ["time"] };
  const model = new IsotonicRegression().fit(
    x.map(([, , z]) => [z!]),
    values,
  );
  const { head, rows } = table(panels(model, one), "Knots");
  expect(head).toEqual(["time", "target"]);
  expect(rows[0]).toEqual([0, 1]);
});

test("a cascade has its stages with what they cost", () => {
  const stages = [
    { estimator: new LogisticRegression(), features: [2], cost: 1 },
    { estimator: new LogisticRegression(), features: [0, 1], cost: 10 },
  ];
  const model = new Cascade({ stages, sensitivity: 0.8, positiveLabel: "yes" }).fit(x, two);
  const found = panels(model, about(two));
  const { rows } = table(found, "Stages");
  expect(rows.map(([stage, kind, columns, cost]) => [stage, kind, columns, cost])).toEqual([
    [1, "LogisticRegression", "time", 1],
    [2, "LogisticRegression", "time, sine, cosine", 10],
  ]);
  expect(bars(found, "Stage 1: Weights for yes").bars.map(({ name }) => name)).toEqual(["time"]);
});
