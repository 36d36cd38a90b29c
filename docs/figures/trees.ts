import { DecisionTreeClassifier, makeMoons, RandomForestClassifier } from "argmax";
import { loadDataset } from "argmax/datasets";
import { boundariesOf, grey, Plane } from "./plane.js";

/** The figures of docs/guide/trees.md: a tree as it draws itself, and the boundaries of a tree and of a forest. */

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
  const models = [
    [tree.fit(X, y), 'stroke="#bbb" stroke-width="1.5"'],
    [forest.fit(X, y), `stroke="${grey}" stroke-width="2"`],
  ] as const;
  return boundariesOf(plane, models, X, y);
}

export const figures: Readonly<Record<string, () => string | Promise<string>>> = {
  "iris-tree.svg": irisTree,
  "tree-boundaries.svg": boundaries,
};
