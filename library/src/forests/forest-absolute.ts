import type { Matrix } from "../data/matrix.js";
import type { TreeSample } from "../numeric/trees/grow-forest.js";
import type { GrownTree, TreeControls } from "../numeric/trees/grow-tree.js";
import { growByAbsoluteError } from "../trees/absolute-tree.js";

/** What trees by absolute error are grown on: rows, how many categories each column has (0: numbers), targets and weights. */
export interface AbsoluteRows {
  readonly x: Matrix;
  readonly categories: Int32Array;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
}

/**
 * Grows trees by absolute error on samples of the rows, in the order of the samples. A tree depends on its sample and its seed
 * only. No kernel grows them: they come one after the other, whatever the number of threads.
 */
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

/** The rows that a tree drew; what was drawn twice weighs twice. */
function drawnRows({ x, categories, y, weights }: AbsoluteRows, counts: Int32Array): AbsoluteRows {
  const rows = Int32Array.from(counts.keys()).filter((i) => counts[i]! > 0);
  return {
    x: x.selectRows(rows),
    categories,
    y: Float64Array.from(rows, (i) => y[i]!),
    weights: Float64Array.from(rows, (i) => counts[i]! * (weights ? weights[i]! : 1)),
  };
}
