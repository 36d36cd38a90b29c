import { DecisionTreeClassifier, Matrix, makeMoons, RandomForestClassifier } from "argmax";
import { loadDataset } from "argmax/datasets";
import { colours, grey, Plane, type Point } from "./plane.js";

/** The figures of docs/guide/trees.md: a tree as it draws itself, and the boundaries of a tree and of a forest. */

const rowsOf = (points: readonly Point[]) => new Matrix(Float64Array.from(points.flat()), points.length, 2);

async function irisTree(): Promise<string> {
  const { X, y, featureNames } = await loadDataset("iris");
  const small = new DecisionTreeClassifier({ maxDepth: 3, minSamplesLeaf: 3 });
  return small.fit(X, y).toSvg({ featureNames });
}

function boundaries(): string {
  const { X, y } = makeMoons({ nSamples: 200, noise: 0.25, randomState: 2 });
  const plane = new Plane("The boundaries of a tree and of a forest", { x: [-1.8, 2.8], y: [-1.4, 2] });
  const tree = new DecisionTreeClassifier({ minSamplesLeaf: 5 });
  const forest = new RandomForestClassifier({ minSamplesLeaf: 5 });
  for (const [estimator, style] of [
    [tree, 'stroke="#bbb" stroke-width="1.5"'],
    [forest, `stroke="${grey}" stroke-width="2"`],
  ] as const) {
    const model = estimator.fit(X, y);
    const share = (points: readonly Point[]) => {
      const p = model.predictProba(rowsOf(points));
      return Float64Array.from({ length: p.rows }, (_, i) => p.at(i, 1));
    };
    plane.contour(share, 0.5, style);
  }
  for (let i = 0; i < X.rows; i++) plane.dot([X.at(i, 0), X.at(i, 1)], 3, `fill="${colours[y[i]!]}"`);
  return plane.toString();
}

export const figures: Readonly<Record<string, () => string | Promise<string>>> = {
  "iris-tree.svg": irisTree,
  "tree-boundaries.svg": boundaries,
};
