import { isListed } from "./leaf-of-row.js";
import type { TreePaths } from "./tree-paths.js";
import type { CoveredTree } from "./tree-sum.js";

/** out[k · d + j] += the Shapley value of feature j for value k of the tree. */
export type AddRowShap = (row: Float64Array, out: Float64Array) => void;

/** The twin of the kernel `shapChunk`, for few rows: the same operations in the same order. */
export function addRowShap(tree: CoveredTree, paths: TreePaths): AddRowShap {
  const { features, values, width } = tree;
  const { parents, above, shares } = paths;
  const { points, weights } = paths.quadrature;
  const n = features.length;
  const Q = points.length;
  const taken = new Float64Array(n).fill(1);
  const inverses = new Float64Array(n * Q).fill(1);
  const products = new Float64Array(n * Q).fill(1);
  const sums = new Float64Array(n * Q * width);

  const multiply = (v: number) => {
    for (let q = 0; q < Q; q++) {
      const f = points[q]! * taken[v]! + (1 - points[q]!) * shares[v]!;
      inverses[v * Q + q] = 1 / f;
      const product = products[parents[v]! * Q + q]! * f;
      products[v * Q + q] = above[v]! < 0 ? product : product * inverses[above[v]! * Q + q]!;
    }
  };

  const descend = (row: Float64Array) => {
    for (let v = 0; v < n; v++) {
      if (v > 0) multiply(v);
      if (features[v]! < 0) continue;
      const [left, right] = [tree.lefts[v]!, tree.rights[v]!];
      const before = above[left]! < 0 ? 1 : taken[above[left]!]!;
      const isLeft = goesLeft(tree, v, row[features[v]!]!);
      taken[left] = isLeft ? before : 0;
      taken[right] = isLeft ? 0 : before;
    }
  };

  const ascend = (out: Float64Array) => {
    const d = out.length / width;
    sums.fill(0);
    for (let v = n - 1; v > 0; v--) {
      const a = above[v]!;
      const gain = taken[v]! - shares[v]!;
      const lost = a < 0 ? 0 : taken[a]! - shares[a]!;
      for (let k = 0; k < width; k++) {
        let integral = 0;
        let replaced = 0;
        for (let q = 0; q < Q; q++) {
          const at = (v * width + k) * Q + q;
          const below = features[v]! < 0 ? products[v * Q + q]! * values[v * width + k]! : sums[at]!;
          sums[(parents[v]! * width + k) * Q + q]! += below;
          integral += weights[q]! * below * inverses[v * Q + q]!;
          if (a >= 0) replaced += weights[q]! * below * inverses[a * Q + q]!;
        }
        out[k * d + features[parents[v]!]!]! += gain * integral - lost * replaced;
      }
    }
  };

  return (row, out) => {
    descend(row);
    ascend(out);
  };
}

function goesLeft(tree: CoveredTree, v: number, value: number): boolean {
  if (Number.isNaN(value)) return tree.missingLeft[v] === 1;
  const start = tree.categoryStarts[v]!;
  return start < 0 ? value <= tree.thresholds[v]! : isListed(tree.pool, start, value);
}
