import { type Structure, structure } from "argmax/structure";
import { describe, expect, test } from "vitest";
import { heldTables, quietContext, speciesRoles } from "../../../test/worker-context.js";
import type { Panel, Roles } from "../protocol.js";
import { panelsOf } from "./internals/panels.js";
import { internals } from "./internals.js";
import { frames } from "./pictures/frames.js";
import { train } from "./train.js";

const held = await heldTables("penguins");
const context = quietContext(held);

const species = speciesRoles;
const mass: Roles = { ...species, target: "bodyMass", task: "regression" };
const none: Roles = { ...species, target: null, task: "clustering" };
const view = {
  axes: ["billLength", "flipperLength"] as const,
  x: [30, 60] as const,
  y: [170, 235] as const,
  n: 10,
  row: null,
};

async function panels(
  roles: Roles,
  estimator: string,
  row: number | null,
  params = {},
): Promise<readonly Panel[]> {
  const split = { kind: "folds", folds: 2, seed: 0 } as const;
  const { file } = await train({ roles, model: { estimator, params }, split, preview: null }, context);
  const model = `${estimator} of ${roles.target}`;
  held.set(model, file);
  return internals({ roles, model, row }, context);
}

const ofKind = <K extends Panel["kind"]>(found: readonly Panel[], kind: K): Extract<Panel, { kind: K }> =>
  found.find((panel) => panel.kind === kind) as Extract<Panel, { kind: K }>;

describe("what a model has learned", () => {
  test("a tree, with the path of the row from the root to its leaf", async () => {
    const found = await panels(species, "DecisionTreeClassifier", 10, { maxDepth: 4 });
    const { nodes, path } = ofKind(found, "tree");
    expect(path[0]).toBe(0);
    expect(path.length).toBeGreaterThan(2);
    // The row has a bill of 37.8 and a flipper of 186 mm.
    const values = { billLength: 37.8, flipperLength: 186 };
    for (const [k, number] of path.entries()) {
      const { text, children } = nodes.find(({ node }) => node === number)!;
      if (children === null) {
        expect(k).toBe(path.length - 1);
        expect(text).toMatch(/^Adelie/);
        break;
      }
      const [, name, threshold] = /^(\w+) ≤ ([\d.]+)$/.exec(text)!;
      const isLeft = values[name as keyof typeof values] <= Number(threshold);
      expect(path[k + 1]).toBe(children[isLeft ? 0 : 1]);
    }
  });

  test("a stump per round, with its answers, its vote and its error", async () => {
    const found = await panels(species, "AdaBoostClassifier", null, { nEstimators: 8 });
    const { head, rows } = ofKind(found, "table");
    expect(head).toEqual(["Round", "First question", "Yes", "No", "α", "Error"]);
    expect(rows.length).toBe(8);
    for (const [k, [round, question, yes, no, alpha, error]] of rows.entries()) {
      expect(round).toBe(k + 1);
      expect(question).toMatch(/^(bill|flipper)Length ≤ [\d.]+$/);
      for (const side of [yes, no]) expect(side).toMatch(/^(Adelie|Chinstrap|Gentoo) \d+\s%$/);
      // SAMME: half of log((1 − e) / e) + log(K − 1).
      const vote = 0.5 * (Math.log((1 - Number(error)) / Number(error)) + Math.log(2));
      expect(Math.abs(Number(alpha) - vote)).toBeLessThan(0.01);
    }
  });

  test("the neighbours of a row that vote on it; without a row, how to see them", async () => {
    const { rows, about } = ofKind(await panels(species, "KNeighborsClassifier", 10), "table");
    expect(rows.length).toBe(5);
    expect(rows.every(([, label]) => label === "Adelie")).toBe(true);
    // The row itself is the nearest.
    expect([about![0], rows[0]![2]]).toEqual([10, 0]);
    expect(ofKind(await panels(species, "KNeighborsClassifier", null), "table").note).toMatch(/Choose a row/);
  });

  test.each(["SVR", "LinearSVR", "MLPRegressor"])(
    "%s, though its target is scaled",
    async (estimator) => {
      expect((await panels(mass, estimator, 10)).length).toBeGreaterThan(0);
    },
    30_000,
  );

  test("accepts a row with a gap where training had none", async () => {
    // Row 4 has no numbers at all; without a target it was not trained on.
    const { bars } = ofKind(await panels(mass, "Ridge", 3), "bars");
    expect(bars.map(({ name }) => name).sort()).toEqual(["billLength", "flipperLength"]);
  });

  test("says whether columns are scaled", async () => {
    const scaled = ofKind(await panels(species, "LogisticRegression", null), "bars");
    expect(scaled.note).toMatch(/^Columns of numbers are scaled\./);
    const plain = ofKind(await panels(species, "GaussianNB", null), "table");
    expect(plain.note).toMatch(/^Columns of numbers are as they are in the table\./);
    expect(plain.rows[0]).toEqual(["Adelie", expect.stringMatching(/^38\.\d+ ± 2\.\d+$/), expect.anything()]);
  });
});

test("a linear model that the studio does not know has its weights", () => {
  const tariff = {
    [structure]: (): Structure => ({
      kind: "regressor",
      inputs: { count: 2, names: ["km", "minutes"] },
      steps: [],
      targets: null,
      scores: {
        kind: "linear",
        coef: { data: Float64Array.of(1.5, 0.25), rows: 1, cols: 2 },
        intercept: Float64Array.of(3),
      },
      link: "identity",
    }),
    toState: () => ({ kind: "Tariff", params: {}, values: {}, tensors: {} }),
  };
  const about = {
    classes: [],
    target: "price",
    isScaledTarget: false,
    scale: "as they are",
    names: ["km", "minutes"],
    rows: new Int32Array(),
    row: undefined,
    labels: undefined,
  } as const;
  expect(panelsOf(tariff, about)).toEqual([
    {
      kind: "bars",
      title: "Weights for price",
      note: "Columns of numbers are as they are in the table. Intercept 3.",
      bars: [
        { name: "km", value: 1.5 },
        { name: "minutes", value: 0.25 },
      ],
    },
  ]);
});

describe("steps of a fit", () => {
  const series = (roles: Roles, estimator: string, params = {}) =>
    frames({ roles, model: { estimator, params }, view, most: 60, row: null }, context);

  test("of neighbours end with those of the model", async () => {
    expect((await series(species, "KNeighborsClassifier")).frames.map(({ at }) => at)).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect((await series(species, "KNeighborsClassifier", { nNeighbors: 9 })).frames.at(-1)!.at).toBe(9);
  });

  test.each([
    [none, "KMeans", { nClusters: 3 }],
    [species, "SVC", {}],
  ] as const)("have an objective that never rises: %o %s", async (roles, estimator, params) => {
    const objective = (await series(roles, estimator, params)).frames.map((frame) => frame.objective!);
    expect(objective.length).toBeGreaterThan(2);
    for (const [k, value] of objective.entries())
      if (k > 0) expect(value).toBeLessThanOrEqual(objective[k - 1]! + 1e-9 * Math.abs(value));
    expect(objective.at(-1)).toBeLessThan(objective[0]!);
  });

  test("Gaussians are ellipses of two deviations", async () => {
    const { frames: found } = await series(species, "GaussianNB");
    const [adelie] = found[0]!.outlines;
    const across = adelie!.map(([x]) => x);
    const { rows } = ofKind(await panels(species, "GaussianNB", null), "table");
    const [mean, deviation] = String(rows[0]![1]).split(" ± ").map(Number) as [number, number];
    expect(Math.max(...across)).toBeCloseTo(mean + 2 * deviation, 1);
    expect(Math.min(...across)).toBeCloseTo(mean - 2 * deviation, 1);
  });
});
