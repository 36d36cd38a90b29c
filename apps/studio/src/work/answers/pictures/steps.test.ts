import { serialize } from "node:v8";
import type { NumericColumn } from "argmax/data";
import { Perceptron } from "argmax/linear";
import { StandardScaler } from "argmax/preprocessing";
import { describe, expect, test } from "vitest";
import {
  heldTables,
  moonRoles as moons,
  speciesRoles as penguins,
  quietContext,
} from "../../../../test/worker-context.js";
import type { Frames, Panel, Roles } from "../../protocol.js";
import { frames, stepPanels } from "./frames.js";

const held = await heldTables("penguins", "digits", "moons", "moons");
const context = quietContext(held);

const views = {
  moons: { axes: ["x", "y"], x: [-1.5, 2.5], y: [-1, 1.5], n: 8, row: null },
  penguins: { axes: ["billLength", "flipperLength"], x: [30, 60], y: [170, 235], n: 8, row: null },
} as const;

const series = (
  roles: Roles,
  estimator: string,
  params = {},
  row: number | null = null,
  most = 60,
): Promise<Frames> => {
  const view = views[roles.table as keyof typeof views];
  return frames({ roles, model: { estimator, params }, view, most, row }, context);
};

const ofKind = <K extends Panel["kind"]>(found: readonly Panel[], kind: K): Extract<Panel, { kind: K }> =>
  found.find((panel) => panel.kind === kind) as Extract<Panel, { kind: K }>;

const numbersOf = (name: string): Float64Array => (held.table("moons").column(name) as NumericColumn).values;
const points = Array.from(numbersOf("x"), (x, i) => [x, numbersOf("y")[i]!] as const);
const labels = (() => {
  const column = held.table("moons").column("class") as {
    readonly length: number;
    at(i: number): string;
  };
  return Array.from({ length: column.length }, (_, i) => column.at(i));
})();

describe("what a model has learned at every step", () => {
  test("the weights of a perceptron are those of its steps", async () => {
    const found = (await series(moons, "Perceptron")).frames;
    const scaled = new StandardScaler().fit(points).transform(points);
    const steps = [...new Perceptron().steps(scaled, labels)].map((step) => step.model().coef.data.slice());
    expect(found.length).toBe(steps.length);
    const seen = found.map(({ panels }) => {
      const { bars } = ofKind(panels, "bars");
      return ["x", "y"].map((name) => bars.find((bar) => bar.name === name)!.value);
    });
    expect(seen.slice(0, -1)).toEqual(steps.slice(0, -1).map((coef) => [...coef]));
    expect(seen[0]).not.toEqual(seen.at(-1));
    expect(new Set(found.map(({ panels }) => panels[0]!.title)).size).toBe(1);
  });

  test("a tree of k leaves has 2k − 1 nodes, and the path of the row ends at one of the leaves", async () => {
    const found = (await series(penguins, "DecisionTreeClassifier", {}, 10)).frames;
    expect(found.length).toBeGreaterThan(20);
    for (const { at, panels } of found) {
      const { nodes, path, folded } = ofKind(panels, "tree");
      expect(nodes.length + folded).toBe(2 * at - 1);
      const leaf = nodes.find(({ node }) => node === path.at(-1))!;
      expect(leaf.children).toBeNull();
    }
    const depths = found.map(({ panels }) => ofKind(panels, "tree").path.length);
    expect(depths[0]).toBe(2);
    expect(depths.at(-1)).toBeGreaterThan(2);
  });

  test("large trees keep their upper levels", async () => {
    const values: Roles = { ...penguins, target: "bodyMass", task: "regression" };
    const { nodes, folded } = ofKind(
      (await series(values, "DecisionTreeRegressor")).frames.at(-1)!.panels,
      "tree",
    );
    expect(nodes.length).toBeLessThanOrEqual(127);
    expect(folded).toBeGreaterThan(0);
    const shown = new Set(nodes.map(({ node }) => node));
    // Both children of a node are shown, or none.
    for (const { children } of nodes)
      if (children !== null) expect(shown.has(children[0])).toBe(shown.has(children[1]));
  });

  test("boosting has its rounds so far, support vector machines their vectors so far", async () => {
    for (const { at, panels } of (await series(moons, "AdaBoostClassifier", { nEstimators: 12 })).frames)
      expect(ofKind(panels, "table").rows.map(([round]) => round)).toEqual(
        Array.from({ length: at }, (_, k) => k + 1),
      );
    const vectors = (await series(moons, "SVC")).frames;
    for (const { panels, support } of vectors) {
      const { rows, about } = ofKind(panels, "table");
      expect(rows).toHaveLength(support!.rows.length);
      expect(new Set(about)).toEqual(new Set(support!.rows));
    }
    expect(vectors[0]!.support!.rows.length).not.toBe(vectors.at(-1)!.support!.rows.length);
  });

  test("one class after another has steps that are numbered through", async () => {
    const numbers = (await series(penguins, "Perceptron", {}, null, 500)).frames.map(({ at }) => at);
    expect(numbers).toEqual(Array.from(numbers, (_, k) => k + 1));
    // EM has two looks at every iteration.
    const clusters: Roles = { ...penguins, target: null, task: "clustering" };
    const twice = (await series(clusters, "GaussianMixture", { nComponents: 3 })).frames.map(({ at }) => at);
    expect(twice).toEqual([...twice].sort((a, b) => a - b));
    expect(twice.at(-1)).toBeLessThanOrEqual(twice.length);
  });

  test.each(["KNeighborsClassifier", "DecisionTreeClassifier", "MLPClassifier"])(
    "%s follows another row without pictures anew",
    async (estimator) => {
      const model = { estimator, params: estimator === "MLPClassifier" ? { maxIter: 6 } : {} };
      const there = await series(moons, estimator, model.params, 7);
      const here = await series(moons, estimator, model.params, 100);
      const again = await stepPanels({ roles: moons, model, most: 60, row: 7 }, context);
      expect(again).toEqual(there.frames.map(({ panels }) => panels));
      expect(again).not.toEqual(here.frames.map(({ panels }) => panels));
      expect(again.every((panels) => panels.some(({ ofRow }) => ofRow))).toBe(true);
    },
  );

  test("a message of them stays small", async () => {
    const features = held
      .get<{ columns: { name: string }[] }>("digits")
      .columns.map(({ name }) => name)
      .slice(0, 64);
    const digits: Roles = { ...moons, table: "digits", features, target: "digit" };
    for (const estimator of ["LogisticRegression", "RandomForestClassifier"]) {
      const ask = { roles: digits, model: { estimator, params: {} }, most: 60, row: 3 };
      expect(serialize(await stepPanels(ask, context)).length).toBeLessThan(500_000);
    }
  });
});

describe("ellipses of two deviations", () => {
  type Point = readonly [number, number];

  const mean = (list: readonly Point[]): Point =>
    [0, 1].map((j) => list.reduce((sum, point) => sum + point[j]!, 0) / list.length) as [number, number];

  /** xx, xy, yy. */
  const scatter = (list: readonly Point[]): readonly [number, number, number] => {
    const [a, b] = mean(list);
    const sum = (of: (x: number, y: number) => number) =>
      list.reduce((total, [x, y]) => total + of(x - a, y - b), 0);
    return [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)];
  };

  /** (p − μ)ᵀ Σ⁻¹ (p − μ). */
  const distance = (
    [x, y]: Point,
    [a, b]: Point,
    [xx, xy, yy]: readonly [number, number, number],
  ): number => {
    const [u, v] = [x - a, y - b];
    return (yy * u * u - 2 * xy * u * v + xx * v * v) / (xx * yy - xy * xy);
  };

  const classes = [...new Set(labels)].sort();
  const rowsOf = (label: string) => points.filter((_, i) => labels[i] === label);
  const times = (factor: number, list: readonly number[]) =>
    list.map((value) => factor * value) as [number, number, number];

  test("of a quadratic discriminant have the covariance of each class", async () => {
    const { frames: found, outlineNote } = await series(moons, "QuadraticDiscriminantAnalysis");
    expect(outlineNote).toBe("Ellipses: two standard deviations of each class, by its own covariance.");
    expect(found[0]!.outlines).toHaveLength(2);
    for (const [k, label] of classes.entries()) {
      const own = rowsOf(label);
      for (const point of found[0]!.outlines[k]!)
        expect(distance(point, mean(own), times(1 / (own.length - 1), scatter(own)))).toBeCloseTo(4, 6);
    }
  });

  test("of a linear discriminant share one covariance", async () => {
    const { frames: found, outlineNote } = await series(moons, "LinearDiscriminantAnalysis");
    expect(outlineNote).toMatch(/by the one covariance that all classes share\.$/);
    const sums = classes.map((label) => scatter(rowsOf(label)));
    // Σ πₖ Σₖ with divisors nₖ, as the model keeps it.
    const pooled = times(
      1 / points.length,
      [0, 1, 2].map((e) => sums[0]![e]! + sums[1]![e]!),
    );
    for (const [k, label] of classes.entries())
      for (const point of found[0]!.outlines[k]!)
        expect(distance(point, mean(rowsOf(label)), pooled)).toBeCloseTo(4, 6);
  });

  test("of a mixture per class are those of its components", async () => {
    const one = await series(moons, "GaussianMixtureClassifier", { regCovar: 0 });
    for (const [k, label] of classes.entries()) {
      const own = rowsOf(label);
      for (const point of one.frames[0]!.outlines[k]!)
        expect(distance(point, mean(own), times(1 / own.length, scatter(own)))).toBeCloseTo(4, 3);
    }
    const three = await series(moons, "GaussianMixtureClassifier", { nComponents: 3 });
    expect(three.frames[0]!.outlines).toHaveLength(6);
    const { head, rows } = ofKind(three.frames[0]!.panels, "table");
    expect(head).toEqual(["", "Weight", "x", "y"]);
    expect(rows.map(([name]) => name)).toEqual(["A 1", "A 2", "A 3", "B 1", "B 2", "B 3"]);
  });

  test("of more than two columns are called shadows", async () => {
    const roles = { ...penguins, features: ["billLength", "flipperLength", "bodyMass"] };
    const { frames: found, outlineNote } = await series(roles, "QuadraticDiscriminantAnalysis");
    expect(found[0]!.outlines).toHaveLength(3);
    expect(outlineNote).toMatch(/shadows of ellipsoids in this plane\.$/);
  });
});
