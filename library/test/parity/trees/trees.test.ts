import {
  type CsrMatrix,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  type FittedDecisionTreeClassifier,
  type FittedDecisionTreeRegressor,
  type Matrix,
  type Tree,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Answers, type Case, casesOf, dataOf, pick, rowOf, type Target } from "../fixtures.js";

/** Nodes in preorder; below a tie nothing is known. */
interface Expected
  extends Pick<Answers, "rows" | "predict">,
    Partial<Pick<Answers, "predictProba" | "classes">> {
  /** −1: a leaf, −2: several splits are equally good. */
  readonly features: readonly number[];
  readonly thresholds: readonly number[];
  readonly counts: readonly number[];
  readonly weights: readonly number[];
  readonly impurities: readonly number[];
  /** Fall of impurity by the split. */
  readonly gains: readonly number[];
  /** Of rows 0.7 xᵢ + 0.3 xᵢ₊₁. */
  readonly between?: readonly Target[];
  readonly importances?: readonly number[];
  readonly path?: { readonly alphas: readonly number[]; readonly impurities: readonly number[] };
}

const TIED = -2;
// Sums of a few hundred terms in another order.
const impurity = 1e-9;

type Fitted = FittedDecisionTreeClassifier<string> | FittedDecisionTreeRegressor;

async function fitted(fixture: Case<Expected>) {
  const { X, y, fitOptions } = await dataOf<never>(fixture);
  const classify = fixture.estimator === "DecisionTreeClassifier";
  const model: Fitted = classify
    ? new DecisionTreeClassifier(fixture.params as object).fit<string>(X, y, fitOptions)
    : new DecisionTreeRegressor(fixture.params as object).fit(X, y as ArrayLike<number>, fitOptions);
  return { X, model, kept: fixture.weighted ? fitOptions.sampleWeight! : undefined };
}

/** The largest entry of each column, absolute: what a rounded threshold may be off by is a part of it. */
function scales(X: Matrix | CsrMatrix): number[] {
  const most = new Array<number>(X.cols).fill(0);
  for (let i = 0; i < X.rows; i++)
    for (const [j, v] of rowOf(X, i).entries()) most[j] = Math.max(most[j]!, Math.abs(v));
  return most;
}

function expectNodes(tree: Tree, expected: Expected, most: readonly number[], rounding: number): void {
  const waiting = [0];
  for (let e = 0; e < expected.features.length; e++) {
    const node = tree.node(waiting.pop()!);
    const feature = expected.features[e]!;
    expect(node.count).toBe(expected.counts[e]);
    expect(node.weight).toBeCloseTo(expected.weights[e]!, 8);
    const scale = Math.max(1, Math.abs(expected.impurities[0]!));
    expect(Math.abs(node.impurity - expected.impurities[e]!)).toBeLessThan(impurity * scale);
    if (feature === -1) {
      expect(node.split).toBeUndefined();
      continue;
    }
    const { left, right, threshold, ...split } = node.split!;
    const held = [left, right].map((k) => tree.node(k).impurity * tree.node(k).weight);
    const gain = node.impurity - (held[0]! + held[1]!) / node.weight;
    expect(Math.abs(gain - expected.gains[e]!)).toBeLessThan(impurity * scale);
    if (feature === TIED) continue;
    expect(split.feature).toBe(feature);
    expect(Math.abs(threshold! - expected.thresholds[e]!)).toBeLessThanOrEqual(rounding * most[feature]!);
    waiting.push(right, left);
  }
  expect(waiting).toEqual([]);
}

const cases = casesOf<Expected>("trees");
const sklearn = cases.filter(({ oracle }) => oracle === "scikit-learn");

describe("trees are those of scikit-learn and rpart, node by node", () => {
  it.each(cases.map((fixture) => [fixture.name, fixture] as const))("%s", async (_, fixture) => {
    const { X, model } = await fitted(fixture);
    // scikit-learn rounds X and thresholds to 32 bits; rpart writes thresholds with 15 digits.
    const rounding = fixture.oracle === "rpart" ? 1e-14 : 2 ** -23;
    expectNodes(model.tree, fixture.expected, scales(X), rounding);
  });

  it.each(sklearn.map((fixture) => [fixture.name, fixture] as const))(
    "and so are their answers: %s",
    async (_, fixture) => {
      const { rows, predict, predictProba, classes, between, importances } = fixture.expected;
      const { X, model, kept } = await fitted(fixture);
      const asked = pick(X, rows);
      if ("classes" in model) {
        expect(model.classes).toEqual(classes);
        expect(model.predict(asked)).toEqual(predict);
        expectClose(model.predictProba(asked).data, predictProba!.flat(), 1e-12);
      } else expectClose(model.predict(asked), predict as number[], 1e-12);
      if (!between) return;
      expectClose(model.featureImportances, importances!, 1e-9);
      const present = Array.from({ length: X.rows }, (_, i) => i).filter((i) => kept?.[i] !== 0);
      const mixed = rows.slice(0, -1).map((i) => {
        const next = rowOf(X, present[present.indexOf(i) + 1]!);
        return rowOf(X, i).map((v, j) => 0.7 * v + 0.3 * next[j]!);
      });
      if ("classes" in model) expect(model.predict(mixed)).toEqual(between);
      else expectClose(model.predict(mixed), between as number[], 1e-12);
    },
  );

  const paths = sklearn.filter(({ expected }) => expected.path);
  it.each(paths.map((fixture) => [fixture.name, fixture] as const))(
    "the pruning path: %s",
    async (_, fixture) => {
      const { alphas, impurities } = fixture.expected.path!;
      const { ccpAlpha: __, ...params } = fixture.params;
      const { model } = await fitted({ ...fixture, params });
      const path = model.costComplexityPath();
      expectClose(path.alphas, alphas, 1e-9);
      expectClose(path.impurities, impurities, 1e-9);
    },
  );
});
