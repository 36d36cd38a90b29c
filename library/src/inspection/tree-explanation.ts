import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { addTreeShap, treeBaseValues } from "../numeric/trees/tree-shap.js";
import type { CoveredScores } from "../numeric/trees/tree-sum.js";
import type { ShapValues } from "./shap-values.js";

/** Sparse rows that are made dense at a time. */
const BLOCK = 512;

/** Exact Shapley values of a sum of trees; see numeric/trees/tree-shap.ts. Shapley values of a sum are sums of Shapley values. */
export function explainTrees(where: string, trees: CoveredScores, x: Design): ShapValues {
  const stride = trees.baseline.length * x.cols;
  const values = new Float64Array(x.rows * stride);
  for (const { from, rows } of denseBlocks(x))
    addTreeShap(where, trees, rows, values.subarray(from * stride, (from + rows.rows) * stride));
  return { baseValues: treeBaseValues(trees), values };
}

function* denseBlocks(x: Design): Generator<{ from: number; rows: Matrix }> {
  if (!(x instanceof CsrMatrix)) {
    yield { from: 0, rows: x };
    return;
  }
  for (let from = 0; from < x.rows; from += BLOCK) {
    const length = Math.min(BLOCK, x.rows - from);
    const chosen = Int32Array.from({ length }, (_, r) => from + r);
    yield { from, rows: x.selectRows(chosen).toDense() };
  }
}
