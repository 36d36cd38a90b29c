import { gaussLegendre, type Quadrature } from "./gauss-legendre.js";
import type { CoveredTree } from "./tree-sum.js";

/** Stands for the proportion 0, by which no product could be divided: far below one row of the largest training set. */
const LIGHTEST = 1e-30;

/** What Shapley values need to know about the paths of a tree, whatever the row. */
export interface TreePaths {
  /** −1 for the root. */
  readonly parents: Int32Array;
  /** The nearest ancestor whose edge tests the same feature as the edge to this node; −1: none. */
  readonly above: Int32Array;
  /** z: the product of the proportions of rows over all edges of the path that test the feature of the last one. */
  readonly shares: Float64Array;
  /** Exact for the products of all different features of a path but one. */
  readonly quadrature: Quadrature;
}

export function treePaths(tree: CoveredTree): TreePaths {
  const { features, lefts, rights, covers } = tree;
  const parents = new Int32Array(features.length).fill(-1);
  const above = new Int32Array(features.length).fill(-1);
  const shares = new Float64Array(features.length).fill(1);
  const distinct = new Int32Array(features.length);
  let most = 1;
  for (let v = 0; v < features.length; v++) {
    if (features[v]! < 0) continue;
    const edge = edgeOn(tree, parents, features[v]!, v);
    for (const child of [lefts[v]!, rights[v]!]) {
      parents[child] = v;
      above[child] = edge;
      const share = covers[child]! > 0 ? covers[child]! / covers[v]! : LIGHTEST;
      shares[child] = share * (edge < 0 ? 1 : shares[edge]!);
      distinct[child] = distinct[v]! + (edge < 0 ? 1 : 0);
      most = Math.max(most, distinct[child]!);
    }
  }
  return { parents, above, shares, quadrature: gaussLegendre(Math.ceil(most / 2)) };
}

/** The lowest node on the path to v, v included, whose edge tests the feature; −1: none. */
function edgeOn({ features }: CoveredTree, parents: Int32Array, feature: number, v: number): number {
  let node = v;
  while (parents[node]! >= 0 && features[parents[node]!] !== feature) node = parents[node]!;
  return parents[node]! < 0 ? -1 : node;
}
