import type { Matrix } from "../data/matrix.js";
import type { TreeSample } from "../numeric/trees/grow-forest.js";
import type { GrownTree, TreeControls } from "../numeric/trees/grow-tree.js";
import { growByAbsoluteError } from "../trees/absolute-tree.js";

/** Training rows of trees by absolute error. */
export interface AbsoluteRows {
  readonly x: Matrix;
  /** Number of categories per column; 0 for a numeric one. */
  readonly categories: Int32Array;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
}

/** Grows a tree by absolute error on each sample of the rows. Done in TypeScript on one thread: medians have no kernel. */
export function* growAbsoluteForest(
  all: AbsoluteRows,
  controls: TreeControls,
  samples: readonly TreeSample[],
): Generator<GrownTree, void, void> {
  for (const { counts, seed } of samples) {
    const drawn = counts ? drawnRows(all, counts) : all;
    yield growByAbsoluteError({ ...drawn, controls: { ...controls, seed } }, { drawsTies: true });
  }
}

/** The rows that a tree drew, weighted by how often they were drawn. */
function drawnRows({ x, categories, y, weights }: AbsoluteRows, counts: Int32Array): AbsoluteRows {
  const rows = Int32Array.from(counts.keys()).filter((i) => counts[i]! > 0);
  return {
    x: x.selectRows(rows),
    categories,
    y: Float64Array.from(rows, (i) => y[i]!),
    weights: Float64Array.from(rows, (i) => counts[i]! * (weights ? weights[i]! : 1)),
  };
}
