import { describe, expect, test } from "vitest";
import { heldTables, moonRoles as moons, speciesRoles as penguins } from "../../../../test/worker-context.js";
import { marginName, marginNote, noMarginNote } from "../../../ui/pictures/margins.js";
import { preparedEstimator } from "../../build-estimator.js";
import type { Model } from "../../estimators.js";
import type { GridView, Roles } from "../../protocol.js";
import { trainingRows } from "../train.js";
import { gridOf, planeTable } from "./grid.js";

const held = await heldTables("penguins", "moons", "moons");
const views: Readonly<Record<string, GridView>> = {
  penguins: { axes: ["billLength", "flipperLength"], x: [30, 62], y: [168, 235], n: 24, row: null },
  moons: { axes: ["x", "y"], x: [-1.5, 2.5], y: [-1, 1.5], n: 24, row: null },
};

/** The picture of a model, and the model with the points of that picture. */
async function pictured(roles: Roles, estimator: string, params = {}) {
  const { x, y } = trainingRows(held.table(roles.table), roles);
  const model: Model = (await preparedEstimator({ estimator, params }, x)).fit(x, y);
  const view = views[roles.table]!;
  const rows = held.table(roles.table);
  return { grid: gridOf(model, rows, roles, view), model, points: planeTable(rows, roles.features, view) };
}

/** The largest entry of every row less the second largest. */
function leads({ data, rows, cols }: { data: Float64Array; rows: number; cols: number }): number[] {
  return Array.from({ length: rows }, (_, i) => {
    const sorted = Array.from(data.subarray(i * cols, (i + 1) * cols)).sort((a, b) => b - a);
    return sorted[0]! - sorted[1]!;
  });
}

describe("margins", () => {
  test.each([
    ["LogisticRegression", penguins],
    ["RandomForestClassifier", penguins],
    ["GaussianNB", moons],
    ["KNeighborsClassifier", moons],
  ])("of probabilities are the lead of the likeliest class (%s)", async (estimator, roles) => {
    const { grid, model, points } = await pictured(roles, estimator);
    const expected = Float32Array.from(leads(model.predictProba!(points)));
    expect(grid.margin).toEqual({ of: "probability", level: 0.5, values: expected });
    expect(marginName(grid)).toBe("Lead of 0.5");
    expect(marginNote(grid)).toMatch(/^Dashed: where the likeliest class leads/);
  });

  test.each([
    ["Perceptron", {}],
    ["LinearSVC", {}],
    ["SVC", { multiClass: "ovr" }],
  ])("of scores of one class against the rest are half of the lead (%s)", async (estimator, params) => {
    const { grid, model, points } = await pictured(penguins, estimator, params);
    const scores = model.decisionFunction!(points) as never;
    expect(grid.margin).toEqual({
      of: "score",
      level: 1,
      values: Float32Array.from(leads(scores), (lead) => lead / 2),
    });
  });

  test.each(["ovr", "ovo"])(
    "of pairs of classes are where the winner's own pairs have none below 1 (shape %s)",
    async (decisionFunctionShape) => {
      const { grid, model, points } = await pictured(penguins, "SVC", { decisionFunctionShape });
      const { model: other } = await pictured(penguins, "SVC", { decisionFunctionShape: "ovo" });
      const pairs = other.decisionFunction!(points) as { data: Float64Array };
      const answers = Array.from(model.predict!(points), (label) => model.classes!.indexOf(label));
      const expected = answers.map((winner, i) => {
        // Positive for the first class of 0 and 1, 0 and 2, 1 and 2.
        const [a, b, c] = [...pairs.data.subarray(3 * i)] as [number, number, number];
        const own = [
          [a, b],
          [-a, c],
          [-b, -c],
        ][winner]!;
        return Math.min(...own) >= 1 ? 1 : 0;
      });
      expect(Array.from(grid.margin!.values)).toEqual(expected);
      expect(new Set(expected).size).toBe(2);
      expect(grid.margin).toMatchObject({ of: "pairs", level: 0.5 });
    },
  );

  test("of two classes with a decision function are those of the function", async () => {
    const { grid } = await pictured(moons, "LogisticRegression");
    expect([grid.margin, marginName(grid)]).toEqual([null, "Margins ±1"]);
    expect(marginNote(grid)).toBe("Dashed: where the decision function f is ±1.");
  });

  test("that are nowhere are said to be nowhere", async () => {
    const { grid } = await pictured(moons, "DecisionTreeClassifier");
    expect(noMarginNote(grid)).toBe(
      "No dashed line: the likeliest class leads by a probability of more than 0.5 everywhere.",
    );
    const values = new Float32Array(4).fill(0.25);
    const flat = { ...grid, margin: { of: "probability", level: 0.5, values } } as const;
    expect(noMarginNote(flat)).toBe(
      "No dashed line: nowhere does the likeliest class lead by a probability of 0.5.",
    );
    expect([marginNote(grid), marginNote(flat)]).toEqual([undefined, undefined]);
  });
});

test("the regions of an SVC whose scores are those of pairs are its answers", async () => {
  const { grid, model, points } = await pictured(penguins, "SVC", { decisionFunctionShape: "ovo" });
  const answers = Array.from(model.predict!(points), (label) => model.classes!.indexOf(label));
  expect(Array.from(grid.winner)).toEqual(answers);
  expect(new Set(answers).size).toBe(3);
});
