import {
  DecisionTreeClassifier,
  entropy,
  gini,
  impurityChange,
  makeClassification,
  nodeError,
  Random,
  twoingChange,
} from "argmax";
import { describe, expect, it } from "vitest";

type Counts = readonly number[];

const random = new Random(8);
const draws = Array.from({ length: 50 }, () => {
  const K = 2 + Math.floor(random.uniform() * 4);
  const counts = () => Array.from({ length: K }, () => Math.floor(random.uniform() * 40));
  return { left: [1 + counts()[0]!, ...counts().slice(1)], right: [...counts().slice(1), 3] };
});

const total = (counts: Counts) => counts.reduce((sum, v) => sum + v, 0);
const shares = (counts: Counts) => counts.map((v) => v / total(counts));
/** p_L, p_R, p_P and the parts of the rows that go left and right. */
function proportions(left: Counts, right: Counts) {
  const parent = left.map((v, k) => v + right[k]!);
  const [l, r] = [total(left) / total(parent), total(right) / total(parent)];
  return { pl: shares(left), pr: shares(right), pp: shares(parent), l, r };
}
const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);

describe("C8 growing a tree: the change of impurity", () => {
  it("Gini: (N_L N_R / N_P²) Σ (p_L − p_R)²", () => {
    for (const { left, right } of draws) {
      const { pl, pr, l, r } = proportions(left, right);
      const change = l * r * sum(pl.map((p, k) => (p - pr[k]!) ** 2));
      expect(impurityChange(gini, left, right)).toBeCloseTo(change, 12);
    }
  });

  it("deviance: the mean divergence of the sides from their parent", () => {
    for (const { left, right } of draws) {
      const { pl, pr, pp, l, r } = proportions(left, right);
      const divergence = (p: Counts) => sum(p.map((v, k) => (v > 0 ? v * Math.log(v / pp[k]!) : 0)));
      expect(impurityChange(entropy, left, right)).toBeCloseTo(l * divergence(pl) + r * divergence(pr), 12);
    }
  });

  it("twoing: (N_L N_R / N_P²) (Σ |p_L − p_R|)², of two classes twice Gini's", () => {
    for (const { left, right } of draws) {
      const { pl, pr, l, r } = proportions(left, right);
      expect(twoingChange(left, right)).toBeCloseTo(
        l * r * sum(pl.map((p, k) => Math.abs(p - pr[k]!))) ** 2,
        12,
      );
      if (left.length === 2)
        expect(twoingChange(left, right)).toBeCloseTo(2 * impurityChange(gini, left, right), 12);
    }
  });

  it("twoing of three classes and more is not Gini: Σ|p_L − p_R| counts many small differences, Σ(p_L − p_R)² few large ones", () => {
    // One class apart, or eight classes half apart: Gini prefers the first, twoing the second.
    const [pure, spread] = [
      [
        [40, 20, 20, 20, 20, 20, 20, 20],
        [0, 20, 20, 20, 20, 20, 20, 20],
      ],
      [
        [26, 26, 26, 26, 14, 14, 14, 14],
        [14, 14, 14, 14, 26, 26, 26, 26],
      ],
    ] as const;
    expect(impurityChange(gini, ...pure)).toBeGreaterThan(impurityChange(gini, ...spread));
    expect(twoingChange(...spread)).toBeGreaterThan(twoingChange(...pure));
    for (const [left, right] of [pure, spread]) {
      const { pl, pr, l, r } = proportions(left, right);
      expect(twoingChange(left, right)).toBeCloseTo(
        l * r * sum(pl.map((p, k) => Math.abs(p - pr[k]!))) ** 2,
        14,
      );
    }
  });

  it("no change is negative, and none is there when both sides are like their parent", () => {
    for (const impurity of [gini, entropy, nodeError]) {
      for (const { left, right } of draws)
        expect(impurityChange(impurity, left, right)).toBeGreaterThan(-1e-15);
      expect(impurityChange(impurity, [2, 4, 6], [1, 2, 3])).toBeCloseTo(0, 15);
    }
    expect(twoingChange([2, 4, 6], [1, 2, 3])).toBeCloseTo(0, 15);
  });

  it("node error cannot tell (100, 300 | 300, 100) from (200, 400 | 200, 0): both give ¼; Gini, deviance and twoing prefer the second", () => {
    const [first, second] = [
      [
        [100, 300],
        [300, 100],
      ],
      [
        [200, 400],
        [200, 0],
      ],
    ] as const;
    expect(impurityChange(nodeError, ...first)).toBeCloseTo(1 / 4, 15);
    expect(impurityChange(nodeError, ...second)).toBeCloseTo(1 / 4, 15);
    expect(impurityChange(gini, ...first)).toBeCloseTo(1 / 8, 15);
    expect(impurityChange(gini, ...second)).toBeCloseTo(1 / 6, 15);
    expect(impurityChange(entropy, ...second)).toBeGreaterThan(impurityChange(entropy, ...first));
    expect(twoingChange(...second)).toBeGreaterThan(twoingChange(...first));
  });

  it("so a tree by Gini asks the second question of these 800 rows, and one by node error the first that it meets", () => {
    // Column 0 parts them the first way, column 1 the second.
    const blocks = [
      // class, column 0, column 1, rows
      [0, 0, 0, 100],
      [0, 1, 0, 100],
      [0, 1, 1, 200],
      [1, 0, 0, 300],
      [1, 1, 0, 100],
    ] as const;
    const X = blocks.flatMap(([, a, b, rows]) => Array.from({ length: rows }, () => [a, b]));
    const y = blocks.flatMap(([k, , , rows]) => Array.from({ length: rows }, () => k));
    const asked = (criterion: "gini" | "deviance" | "twoing" | "nodeError") =>
      new DecisionTreeClassifier({ criterion, maxDepth: 1 }).fit(X, y).tree.node(0).split!.feature;
    expect((["gini", "deviance", "twoing", "nodeError"] as const).map(asked)).toEqual([1, 1, 1, 0]);
  });

  it.each(["gini", "entropy", "nodeError"] as const)(
    "what nodes lose is what the leaves have won: %s",
    (criterion) => {
      const { X, y } = makeClassification({ nSamples: 200, nFeatures: 4, flipY: 0.2, randomState: 1 });
      const { tree } = new DecisionTreeClassifier({ criterion, maxDepth: 4 }).fit(X, y);
      let won = 0;
      let left = 0;
      for (const node of tree.nodes()) {
        const held = (node.count / 200) * node.impurity;
        if (!node.split) left += held;
        else {
          const children = [node.split.left, node.split.right].map((k) => tree.node(k));
          won += held - sum(children.map((child) => (child.count / 200) * child.impurity));
        }
      }
      expect(won + left).toBeCloseTo(tree.node(0).impurity, 12);
    },
  );
});

describe("Y15 twoing in trees of many classes", () => {
  // Eight classes of 40 rows; column 0 sets class 0 apart, column 1 half of every class.
  const classes = [0, 1, 2, 3, 4, 5, 6, 7];
  const rows = classes.flatMap((k) =>
    Array.from({ length: 40 }, (_, i) => ({
      k,
      x: [k === 0 ? 0 : i % 2, (k < 4 ? i < 26 : i < 14) ? 0 : 1],
    })),
  );
  const X = rows.map(({ x }) => x);
  const y = rows.map(({ k }) => `class ${k}`);
  const root = (criterion: "gini" | "twoing", keep: (k: number) => boolean = () => true) => {
    const kept = rows.map(({ k }, i) => (keep(k) ? i : -1)).filter((i) => i >= 0);
    const own = { X: kept.map((i) => X[i]!), y: kept.map((i) => y[i]!) };
    return new DecisionTreeClassifier({ criterion, maxDepth: 1 }).fit(own.X, own.y).tree.node(0).split!
      .feature;
  };
  const counts = (j: number, side: number) =>
    classes.map((k) => rows.filter((row) => row.k === k && row.x[j] === side).length);

  it("8 classes: another root split than Gini's, that of the larger change", () => {
    const change = (of: (left: Counts, right: Counts) => number) =>
      [0, 1].map((j) => of(counts(j, 0), counts(j, 1)));
    const [byGini, byTwoing] = [change((l, r) => impurityChange(gini, l, r)), change(twoingChange)];
    expect(byGini[0]).toBeGreaterThan(byGini[1]!);
    expect(byTwoing[1]).toBeGreaterThan(byTwoing[0]!);
    expect([root("gini"), root("twoing")]).toEqual([0, 1]);
  });

  it("two classes: the same splits, of twice the change", () => {
    for (const pair of [
      [0, 1],
      [0, 5],
      [2, 6],
    ]) {
      const keep = (k: number) => pair.includes(k);
      expect(root("twoing", keep)).toBe(root("gini", keep));
      for (const j of [0, 1]) {
        const of = (side: number) => pair.map((k) => counts(j, side)[k]!);
        const [left, right] = [of(0), of(1)];
        expect(twoingChange(left, right)).toBeCloseTo(2 * impurityChange(gini, left, right), 14);
      }
    }
  });
});

describe("C9 growth controls", () => {
  const { X, y } = makeClassification({ nSamples: 400, nFeatures: 5, flipY: 0.15, randomState: 3 });
  const grown = (params: object) => [...new DecisionTreeClassifier(params).fit(X, y).tree.nodes()];
  const splits = (params: object) => grown(params).filter(({ split }) => split);

  it("at most so many splits, those that gain most", () => {
    for (const maxSplits of [0, 1, 2, 5, 13]) expect(splits({ maxSplits }).length).toBe(maxSplits);
    // One more split keeps the others.
    const asked = (maxSplits: number) =>
      splits({ maxSplits }).map(({ split, count }) => `${split!.feature} ≤ ${split!.threshold}, ${count}`);
    for (let most = 1; most < 12; most++)
      expect(asked(most + 1)).toEqual(expect.arrayContaining(asked(most)));
  });

  it("nodes with fewer rows than the minimum are not split", () => {
    for (const minSamplesSplit of [2, 10, 60, 401]) {
      const counts = splits({ minSamplesSplit }).map(({ count }) => count);
      expect(Math.min(Infinity, ...counts)).toBeGreaterThanOrEqual(minSamplesSplit);
    }
    expect(splits({ minSamplesSplit: 401 })).toEqual([]);
  });

  it("no leaf has fewer rows than the minimum, and the split gives way for that", () => {
    for (const minSamplesLeaf of [1, 7, 40, 201]) {
      const leaves = grown({ minSamplesLeaf }).filter(({ split }) => !split);
      expect(Math.min(...leaves.map(({ count }) => count))).toBeGreaterThanOrEqual(minSamplesLeaf);
    }
    expect(splits({ minSamplesLeaf: 201 })).toEqual([]);
    expect(splits({ minSamplesLeaf: 200 }).map(({ count }) => count)).toEqual([400]);
  });
});
